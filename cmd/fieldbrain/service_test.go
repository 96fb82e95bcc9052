package main

import (
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// An overloaded real car is disarmed once, is not armed while that lasts, says
// afterwards what it was, and then stays armed; the simulated one drives on.
func TestOverloadDisarmsTheRealCarOnce(t *testing.T) {
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"sim", "picarx"} {
		t.Run(body, func(t *testing.T) {
			d := newSimulated(daemon.DefaultConfig())
			s := &service{config: daemon.DefaultConfig()}
			s.config.Body.Kind = body
			var armedAt, refused int
			var after safety.Causes
			n := 0
			pilot := func(seat testbench.Seat) (func(time.Duration), error) {
				if _, err := d.pilot(seat); err != nil {
					return nil, err
				}
				s.car = &car{mind: d.mind}
				return func(now time.Duration) {
					n++
					s.trace = d.mind.brain.Tick(now)
					inside := armedAt > 0 && n > armedAt+100 && n <= armedAt+200
					if inside {
						s.strained(daemon.Overloaded)
					} else {
						s.strained(daemon.Strained)
					}
					if armedAt > 0 && n == armedAt+201 {
						after = d.mind.brain.Remote().Status().Safety.Tripped
					}
					switch err := d.mind.brain.Arm(); {
					case err == nil && armedAt == 0:
						armedAt = n
					case err != nil && inside:
						refused++
					}
				}, nil
			}
			if _, err := testbench.Run(sc, 7, pilot, testbench.Options{Length: 5 * time.Second}); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.mind.engine.Close() })
			wantRefused, wantTripped := 0, safety.Causes(0)
			if body == "picarx" {
				wantRefused, wantTripped = 100, safety.Overrun
			}
			if armedAt == 0 || refused != wantRefused || after != wantTripped {
				t.Errorf("armed at tick %d, refused %d times of 100, disarmed by %v; want %d and %v",
					armedAt, refused, after, wantRefused, wantTripped)
			}
			if s.trace.Causes.Has(safety.Disarmed) {
				t.Error("disarmed at the end, when nothing is wrong any more")
			}
		})
	}
}
