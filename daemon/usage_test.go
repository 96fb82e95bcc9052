package daemon_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"fieldbrain/daemon"
)

// searched counts how often a folder is looked through.
type searched struct {
	fs.FS
	folder string
	times  *int
}

func (s searched) Open(name string) (fs.File, error) {
	if name == s.folder {
		*s.times++
	}
	return s.FS.Open(name)
}

// TestUsageKnowsItsFiles: what was found is read again without a search, a file that goes
// is missed at once, and one that comes is found within a minute of looks.
func TestUsageKnowsItsFiles(t *testing.T) {
	clock := func(kHz string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(kHz + "\n")} }
	const first, second = "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq"
	files := fstest.MapFS{first: clock("1000000"), second: clock("900000")}
	times := 0
	u := daemon.Usage{Root: searched{files, "sys/devices/system/cpu", &times}}
	u.Read()
	times = 0
	for range 10 {
		u.Read()
	}
	if times != 0 || u.Clock.Value != 900e6 {
		t.Errorf("searched %d times in ten looks; clock %+v", times, u.Clock)
	}
	delete(files, second)
	if u.Read(); u.Clock.Value != 1e9 {
		t.Errorf("a file that has gone: %+v", u.Clock)
	}
	u.Read()
	files[second] = clock("800000")
	for range 60 {
		u.Read()
	}
	if u.Clock.Value != 800e6 {
		t.Errorf("a file that has come: %+v", u.Clock)
	}
}
