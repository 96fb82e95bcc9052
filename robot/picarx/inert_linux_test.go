package picarx_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/robot/picarx"
)

// A resetLine notes the levels it was set to; it is also the clock that says
// how long they lasted.
type resetLine struct {
	now    time.Duration
	levels []bool
	err    error
}

func (l *resetLine) Set(high bool) error { l.levels = append(l.levels, high); return l.err }

func (l *resetLine) Now() time.Duration { return l.now }

func (l *resetLine) SleepUntil(t time.Duration) { l.now = max(l.now, t) }

// TestPulse: the line goes low, stays so for the reset's length, and is not
// raised by a program that will not be there to watch the motors.
func TestPulse(t *testing.T) {
	l := resetLine{now: time.Hour}
	if err := picarx.Pulse(&l, &l, 10*ms); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l.levels, []bool{false}); diff != "" {
		t.Errorf("levels (-got +want):\n%s", diff)
	}
	if held := l.now - time.Hour; held != 10*ms {
		t.Errorf("held low for %v, want 10 ms", held)
	}
	l.err = errors.New("gone")
	if err := picarx.Pulse(&l, &l, 10*ms); !errors.Is(err, l.err) {
		t.Errorf("a line that refuses: %v, want its error", err)
	}
}

// TestResets: on a board that the kernel names only its own reset line is pulled,
// since another header's may be anything there; on an unknown one every line that
// is there.
func TestResets(t *testing.T) {
	jetson := func(p picarx.Pin) bool { return strings.HasPrefix(p.Chip, "tegra234-gpio") }
	all := func(picarx.Pin) bool { return true }
	for _, c := range []struct {
		name, compatible string
		there            func(picarx.Pin) bool
		want             []string
	}{
		{"Orin Nano", "nvidia,p3768-0000+p3767-0005\x00nvidia,tegra234\x00", jetson, []string{"orin-nano PQ.05"}},
		{"AGX Orin", "nvidia,p3737-0000+p3701-0004\x00", jetson, []string{"agx-orin PAA.01"}},
		{"Pi 4", "raspberrypi,4-model-b\x00brcm,bcm2711\x00", all, []string{"pi-4 GPIO5"}},
		{"another carrier", "somebody,board\x00nvidia,tegra234\x00", jetson, []string{"orin-nano PQ.05", "agx-orin PAA.01"}},
		{"a kernel that says nothing", "", all, []string{"orin-nano PQ.05", "agx-orin PAA.01", "pi-3 GPIO5", "pi-4 GPIO5", "pi-5 GPIO5"}},
		{"a PC", "", func(picarx.Pin) bool { return false }, nil},
	} {
		var got []string
		for _, r := range picarx.Resets([]byte(c.compatible), c.there) {
			header, line := r.Of()
			got = append(got, header+" "+line)
		}
		if diff := cmp.Diff(got, c.want); diff != "" {
			t.Errorf("%s (-got +want):\n%s", c.name, diff)
		}
	}
}

// TestPulseAll: every line is low before the first wait, and one that refuses does
// not save the others from it.
func TestPulseAll(t *testing.T) {
	held := errors.New("held")
	l := &resetLine{now: time.Hour}
	outputs := 0
	names, err := picarx.PulseAll(picarx.Resets(nil, func(picarx.Pin) bool { return true }), func(p picarx.Pin) (picarx.Output, error) {
		if l.now != time.Hour {
			t.Errorf("%s was pulled after a wait", p.Name)
		}
		if outputs++; outputs == 2 {
			return nil, held
		}
		return l, nil
	}, l)
	if !errors.Is(err, held) || len(names) != 4 || outputs != 5 || len(l.levels) != 4 {
		t.Errorf("%v: %q after %d requests, %d levels; want four of five, and the refusal", err, names, outputs, len(l.levels))
	}
	if low := l.now - time.Hour; low != 10*ms {
		t.Errorf("held low for %v, want 10 ms", low)
	}
	if _, err := picarx.PulseAll(nil, nil, l); !errors.Is(err, picarx.ErrNoBoard) {
		t.Errorf("nothing to pull: %v", err)
	}
}

func TestInertSaysWhatIsMissing(t *testing.T) {
	if _, err := os.Stat("/dev/gpiochip0"); err == nil {
		t.Skip("this machine has GPIO chips: a reset could be real")
	}
	if err := picarx.Inert(picarx.Site{Header: "orin-nano"}); err == nil || !strings.Contains(err.Error(), "gpiochip") {
		t.Errorf("Inert without GPIO: %v", err)
	}
	if err := picarx.Inert(picarx.Site{Header: "toaster"}); err == nil || !strings.Contains(err.Error(), "unknown header") {
		t.Errorf("Inert with an unknown header: %v", err)
	}
}
