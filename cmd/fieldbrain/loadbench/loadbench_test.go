package loadbench

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/loop"
	"fieldbrain/verdict"
)

const (
	period = 5 * time.Millisecond
	micro  = time.Microsecond
)

// wakesFrom returns n ticks, one a period, each as late.
func wakesFrom(release time.Duration, n int, late time.Duration, armed bool) (list []Wake) {
	for range n {
		list = append(list, Wake{release, release + late, release + late + 100*micro, armed, 0})
		release += period
	}
	return list
}

// TestSkippedReleasesCount: a loop that misses releases is late for every one of them,
// and so is cyclictest.
func TestSkippedReleasesCount(t *testing.T) {
	wakes := wakesFrom(period, 3, 10*micro, true)
	wakes = append(wakes, wakesFrom(7*period, 2, 10*micro, true)...) // 4, 5 and 6 are missing
	late, skipped := lateness(wakes, period)
	slices.Sort(late)
	want := []time.Duration{10 * micro, 10 * micro, 10 * micro, 10 * micro, 10 * micro, period, 2 * period, 3 * period}
	if skipped != 3 || !slices.Equal(late, want) {
		t.Errorf("skipped %d, late %v; want 3, %v", skipped, late, want)
	}
	const text = "Max CPUs = 2\n# /dev/cpu_dma_latency set to 0us\nThread 0 Interval: 5000\n       0:       0:      37\n       0:       1:   12000\n"
	yard, err := parseVerbose([]byte(text), period)
	if want := []time.Duration{37 * micro, 12 * time.Millisecond, period, 2 * period}; err != nil || len(yard) != 1 || !slices.Equal(yard[0], want) {
		t.Errorf("cyclictest's: %v, %v; want %v", yard, err, want)
	}
	if _, err := parseVerbose([]byte("WARN: cannot set the policy\n"), period); err == nil || !strings.Contains(err.Error(), "cannot set") {
		t.Errorf("an output without figures: %v", err)
	}
}

// TestSameProcessor: a tick is compared with what cyclictest met on the tick's processor
// at about the same time.
func TestSameProcessor(t *testing.T) {
	wakes := wakesFrom(period, 100, 10*micro, true)
	y := yard{0: nil, 1: nil}
	for i := range 100 {
		y[0] = append(y[0], time.Duration(i)*micro)
		y[1] = append(y[1], time.Duration(1000+i)*micro)
	}
	for i := 40; i < 60; i++ {
		wakes[i].Processor = 1
	}
	got := y.beside(wakes)
	for i, late := range got {
		want := time.Duration(i) * micro
		if i >= 40 && i < 60 {
			want += 1000 * micro
		}
		if late != want {
			t.Errorf("beside tick %d it was %v late, want %v", i, late, want)
		}
	}
	wakes[7].Processor = 5 // cyclictest had no thread there
	if got := y.beside(wakes); len(got) != 99 {
		t.Errorf("%d of 99 ticks have something beside them", len(got))
	}
	o := Options{Period: period}
	if at := o.aside(wakes); at != period/2 {
		t.Errorf("cyclictest wakes %v behind full seconds, want half a period", at)
	}
	o.Period = 7 * time.Millisecond
	if at := o.aside(wakes); at >= 0 {
		t.Errorf("no multiple of 7 ms is a second: %v", at)
	}
}

// TestQuantiles: one in a thousand is the thousandth, not an average of it.
func TestQuantiles(t *testing.T) {
	late := slices.Repeat([]time.Duration{20 * micro}, 9980)
	late = append(late, slices.Repeat([]time.Duration{300 * micro}, 19)...)
	late = append(late, 4*time.Millisecond)
	got := latenessOf(late)
	if want := (Lateness{Count: 10000, P50: 20, P99: 20, P999: 300, Max: 4000}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestRowsJudgeTheRatio: the same lateness passes beside a machine that is as late and
// fails beside one that is not, and a car that was disarmed never passes.
func TestRowsJudgeTheRatio(t *testing.T) {
	o := Options{Period: period, Length: time.Minute}
	wakes := wakesFrom(period, 12000, 140*micro, true)
	for _, c := range []struct {
		name    string
		yard    time.Duration
		wakes   []Wake
		kept    bool
		disarms int
		verdict verdict.Verdict
	}{
		{"as late as the machine", 100 * micro, wakes, true, 0, verdict.Held},
		{"later than the machine", 50 * micro, wakes, false, 0, verdict.Missed},
		{"disarmed", 100 * micro, append(slices.Clone(wakes[:6000]), wakesFrom(6001*period, 6000, 140*micro, false)...), false, 1, verdict.Held},
	} {
		r, err := newRow(o, c.wakes, yard{anywhere: slices.Repeat([]time.Duration{c.yard}, 12000)}, Asked{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Kept != c.kept || r.Disarms != c.disarms || len(r.Claims) != 2 || r.Claims[0].Verdict != c.verdict || r.Skipped != 0 {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	if _, err := newRow(o, nil, yard{anywhere: {1}}, Asked{}); err == nil {
		t.Error("a run without a wake-up has a row")
	}
}

// TestTape: what the loop's thread writes is what the bench reads; a full tape and the
// warm-up are left out, and writing allocates nothing.
func TestTape(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tape")
	tape, err := NewTape(path, 500)
	if err != nil {
		t.Fatal(err)
	}
	tape.Take(loop.Sample{Release: 1, Start: 2}, true)
	n := 0
	if a := testing.AllocsPerRun(600, func() {
		n++
		at := time.Duration(n) * period
		tape.Take(loop.Sample{Release: at, Start: at + micro, End: at + 2*micro, Warm: true}, n%2 == 0)
	}); a != 0 {
		t.Errorf("%v allocations per tick", a)
	}
	wakes, err := ReadTape(path)
	if err != nil || len(wakes) != 500 || wakes[9] != (Wake{10 * period, 10*period + micro, 10*period + 2*micro, true, wakes[9].Processor}) || wakes[9].Processor >= runtime.NumCPU() {
		t.Errorf("%d ticks, the tenth %+v, %v", len(wakes), wakes[min(9, len(wakes)-1)], err)
	}
	if got := between(wakes, 100*period, 200*period); len(got) != 100 || got[0].Release != 100*period {
		t.Errorf("%d ticks between", len(got))
	}
	if err := os.WriteFile(path, make([]byte, 10*recordSize), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTape(path); err == nil {
		t.Error("a tape of a daemon that never ticked was read")
	}
}

// TestNoYardstick: without cyclictest there is no ratio, and the bench names the package.
func TestNoYardstick(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Yardstick(); !errors.Is(err, ErrNoYardstick) || !strings.Contains(err.Error(), "rt-tests") {
		t.Errorf("%v", err)
	}
}

// roundsOf returns rounds whose ticks take busy each, but for the slowest in a hundred.
func roundsOf(n int, busy time.Duration) (rounds [][]Wake) {
	for range n {
		round := wakesFrom(period, 1000, 10*micro, true)
		for i := range round {
			round[i].End = round[i].Start + busy/2
			if i%50 == 0 {
				round[i].End = round[i].Start + busy
			}
		}
		rounds = append(rounds, round)
	}
	return rounds
}

// TestJudgeWatched: what counts is the slowest in a hundred, round beside round.
func TestJudgeWatched(t *testing.T) {
	a := Audience{Monitors: 50}
	for _, c := range []struct {
		with time.Duration
		want verdict.Verdict
	}{{210 * micro, verdict.Held}, {240 * micro, verdict.Missed}} {
		w, err := judgeWatched(a, [2][][]Wake{roundsOf(12, 200*micro), roundsOf(12, c.with)})
		if err != nil || w.Claims[0].Verdict != c.want || w.Kept != (c.want == verdict.Held) {
			t.Errorf("%v: %+v, %v; want %s", c.with, w.Claims, err, c.want)
		}
		if w.Rounds != 12 || w.Ticks != 1000 || w.Alone.P99 != 200 || w.WakeW.P50 != 10 {
			t.Errorf("%+v", w)
		}
	}
	stood := [2][][]Wake{roundsOf(2, 200*micro), {nil, nil}}
	if _, err := judgeWatched(a, stood); err == nil || !strings.Contains(err.Error(), "stood still") {
		t.Errorf("a loop that stood still: %v", err)
	}
	var seen Seen
	for _, text := range []string{`{"scrapes":0,"failed":9}`, `{"scrapes":400,"failed":900,"streamed_bytes":1000}`, `{}`, `?`} {
		if err := seen.parse([]byte(text)); err == nil {
			t.Errorf("browsers that saw %s count as an audience", text)
		}
	}
	if err := seen.parse([]byte(`{"scrapes":400,"failed":21,"streamed_bytes":1000}`)); err != nil {
		t.Error(err)
	}
}

// TestAudienceHadEnded: an audience of which one has ended is none, though nobody has
// waited for it yet.
func TestAudienceHadEnded(t *testing.T) {
	for _, ended := range []bool{true, false} {
		cmd := exec.Command("sleep", "60")
		if ended {
			cmd = exec.Command("true")
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if ended {
			_, _ = io.Copy(io.Discard, out) // it has closed everything
			for range 200 {
				if alive([]*exec.Cmd{cmd}) != nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		theatre := &theatre{watch: []*exec.Cmd{cmd}}
		if _, err := theatre.leave(); (err != nil) != ended {
			t.Errorf("ended %t: %v", ended, err)
		}
		theatre.close()
	}
}
