package gpu

import (
	"slices"
	"testing"
	"time"
)

// The limits are promises of the documentation.
func TestDefaultOptions(t *testing.T) {
	o := DefaultOptions(Setup{Wait: WaitYield}, nil)
	for _, c := range []struct {
		name      string
		got, want time.Duration
	}{
		{"deadline", o.Deadline, 2500 * time.Microsecond}, // half a period
		{"patience", o.Patience, 2500 * time.Microsecond},
		{"start limit", o.StartLimit, 2 * time.Minute},
		{"proof limit", o.ProofLimit, 2 * time.Second},
		{"back-off", o.Backoff, time.Second},
		{"longest back-off", o.MaxBackoff, time.Minute},
		{"window", o.Window, 10 * time.Minute},
	} {
		if c.got != c.want {
			t.Errorf("%s %v, want %v", c.name, c.got, c.want)
		}
	}
	if o.Probes != 3 || o.Pace != 100 || o.Starts != 10 || o.Tries != 10 || o.Setup.Wait != WaitYield {
		t.Errorf("%d probes, %d ticks at the deadline, %d starts, %d tries, wait %q", o.Probes, o.Pace, o.Starts, o.Tries, o.Setup.Wait)
	}
}

// TestPatientAtBoot: a card whose driver comes up minutes after the daemon is not given
// up before, and one that never comes is, within the window.
func TestPatientAtBoot(t *testing.T) {
	o := DefaultOptions(Setup{Wait: WaitYield}, nil)
	s := Supervisor{options: o}
	var passed time.Duration
	backoff := o.Backoff
	for failed := 1; s.hopeless(ErrDied, failed) == nil; failed++ {
		passed += backoff
		if backoff = o.next(backoff); passed > o.Window {
			t.Fatal("starts for ever")
		}
	}
	if passed < 3*time.Minute {
		t.Errorf("given up %v after the first failure, want minutes", passed)
	}
}

// TestSpin: whoever spins sleeps long before the deadline, however short it is.
func TestSpin(t *testing.T) {
	for _, c := range []struct {
		wait           Wait
		deadline, want time.Duration
	}{
		{WaitSpin, 2500 * time.Microsecond, 500 * time.Microsecond},
		{WaitYield, 2500 * time.Microsecond, 50 * time.Microsecond},
		{WaitBlock, 2500 * time.Microsecond, 0},
		{WaitSpin, 400 * time.Microsecond, 200 * time.Microsecond},
		{WaitYield, 60 * time.Microsecond, 30 * time.Microsecond},
		{WaitSpin, time.Minute, 500 * time.Microsecond},
	} {
		o := Options{Setup: Setup{Wait: c.wait}, Deadline: c.deadline}
		if got := o.spin(); got != c.want {
			t.Errorf("%s with %v: spins for %v, want %v", c.wait, c.deadline, got, c.want)
		}
	}
}

func TestBackoffDoubles(t *testing.T) {
	o := Options{Backoff: time.Second, MaxBackoff: 6 * time.Second}
	var got []time.Duration
	for pause := o.Backoff; len(got) < 5; pause = o.next(pause) {
		got = append(got, pause/time.Second)
	}
	if want := []time.Duration{1, 2, 4, 6, 6}; !slices.Equal(got, want) {
		t.Errorf("pauses of %d s, want %d", got, want)
	}
}

// The child must not speak to this process's service manager, nor take its
// sockets.
func TestEnvironment(t *testing.T) {
	got := environment([]string{
		"PATH=/bin", "NOTIFY_SOCKET=/run/x", "WATCHDOG_USEC=1", "WATCHDOG_PID=2", "LISTEN_FDS=1", "LISTEN_PID=3",
		"LISTEN_FDNAMES=a:b", "NOTIFY_SOCKETS=kept", "EMPTY=", "LD_LIBRARY_PATH=/lib=x",
	})
	if want := []string{"PATH=/bin", "NOTIFY_SOCKETS=kept", "EMPTY=", "LD_LIBRARY_PATH=/lib=x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
