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
