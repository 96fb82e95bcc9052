package loop

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A limit that is too low is named, with what lifts it; root may have any number of
// processes.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name     string
		resource int
		is       uint64
		root     bool
		words    string
	}{
		{"all well", -1, 0, false, ""},
		{"few addresses", unix.RLIMIT_AS, 2_048_000_000, true, "ulimit -v unlimited"},
		{"enough", unix.RLIMIT_AS, 3 << 30, false, ""},
		{"little data", unix.RLIMIT_DATA, 200_000_000, true, "LimitDATA=infinity"},
		{"enough data", unix.RLIMIT_DATA, 1 << 30, false, ""},
		{"few processes", unix.RLIMIT_NPROC, 30, false, "RLIMIT_NPROC is 30"},
		{"few processes, root", unix.RLIMIT_NPROC, 30, true, ""},
		{"few descriptors", unix.RLIMIT_NOFILE, 16, true, "LimitNOFILE=1024"},
		{"processor time that ends", unix.RLIMIT_CPU, 7 * 24 * 3600, true, "needs no limit"},
		{"short bursts", unix.RLIMIT_RTTIME, 300, true, "LimitRTTIME=infinity"},
		{"rtkit's bursts", unix.RLIMIT_RTTIME, 200_000, false, ""},
	} {
		err := limits(func(resource int) (unix.Rlimit, error) {
			if resource == c.resource {
				return unix.Rlimit{Cur: c.is, Max: c.is}, nil
			}
			return unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}, nil
		}, c.root)
		if (err != nil) != (c.words != "") || err != nil && !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %q", c.name, err, c.words)
		}
	}
	refused := errors.New("refused")
	if err := limits(func(int) (unix.Rlimit, error) { return unix.Rlimit{}, refused }, true); !errors.Is(err, refused) {
		t.Errorf("limits that cannot be read: %v", err)
	}
}

// softBurstEnv lets this test program change its limits, in a process of its own.
const softBurstEnv = "FIELDBRAIN_TEST_SOFT_BURST"

// A tighter limit of bursts stays, and the soft one goes up to it: its signal would end the
// process before.
func TestSoftBurst(t *testing.T) {
	if os.Getenv(softBurstEnv) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSoftBurst$")
		cmd.Env = append(os.Environ(), softBurstEnv+"=1")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, text)
		}
		return
	}
	r := unix.Rlimit{Cur: 1_000_000, Max: 3_000_000}
	if err := unix.Setrlimit(unix.RLIMIT_RTTIME, &r); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		longest time.Duration
		want    uint64
	}{{5 * time.Second, 3_000_000}, {2 * time.Second, 2_000_000}} {
		if c := LimitBursts(step.longest); c != nil {
			t.Fatalf("%+v", *c)
		}
		if err := unix.Getrlimit(unix.RLIMIT_RTTIME, &r); err != nil || r.Cur != step.want || r.Max != step.want {
			t.Errorf("%v: %+v, %v", step.longest, r, err)
		}
	}
}
