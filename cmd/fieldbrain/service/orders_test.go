package service

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
)

// TestOrdersEndWithTheirContext: an order that no tick takes lets its caller go at
// the deadline, and one whose turn never came never reaches the loop.
func TestOrdersEndWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Service{turn: make(chan struct{}, 1)}
		noTick := errors.New("no tick")
		standing := func() error { time.Sleep(time.Second); return noTick }
		began := time.Now()
		first, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel) // the daemon ends
		if err := s.order(first, standing); !errors.Is(err, context.Canceled) {
			t.Errorf("an order to a loop that stands: %v, want the context's end", err)
		}
		if d := time.Since(began); d != 10*time.Millisecond {
			t.Errorf("it held its caller for %v, want 10 ms", d)
		}
		second, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		given := false
		err := s.order(second, func() error { given = true; return nil })
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "another order") {
			t.Errorf("an order behind it: %v, want its own deadline", err)
		}
		time.Sleep(2 * time.Second)
		if given {
			t.Error("an order was given after its client had gone")
		}
		if err := s.order(t.Context(), func() error { return noTick }); err != noTick {
			t.Errorf("the next order: %v, want its own answer", err)
		}
	})
}

// TestEndsOnce: the log has every order's end once, also of what the configuration asked for.
func TestEndsOnce(t *testing.T) {
	var s Service
	for i, step := range []struct {
		number   uint64
		standing brain.Standing
		want     bool
	}{
		{0, brain.Underway, false},
		{0, brain.GivenUp, true},
		{0, brain.GivenUp, false},
		{1, brain.Underway, false},
		{1, brain.Reached, true},
		{1, brain.Reached, false},
		{3, brain.GivenUp, true},
	} {
		if got := s.ends(&brain.Mission{Number: step.number, Standing: step.standing}); got != step.want {
			t.Errorf("step %d, order %d %v: %v, want %v", i, step.number, step.standing, got, step.want)
		}
	}
}

// TestDefectInAnAnswer: a panic behind the control socket ends the program the
// orderly way instead of leaving the motors driven.
func TestDefectInAnAnswer(t *testing.T) {
	var fault error
	broken := &Service{} // has no car: every command panics
	got := broken.answers(func(err error) { fault = err })(t.Context(), daemon.Request{Command: "status"})
	if got.OK || !strings.Contains(got.Error, "motors inert") {
		t.Errorf("answer %+v, want the failure said", got)
	}
	if fault == nil || !strings.Contains(fault.Error(), "answer panicked") || !strings.Contains(fault.Error(), "orders.go") {
		t.Errorf("fault %v, want the panic with its stack", fault)
	}
}
