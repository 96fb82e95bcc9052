package service

import (
	"os"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/gpu/fake"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// TestMain lets tests start this program in place of a graphics card's.
func TestMain(m *testing.M) {
	if code, is := fake.Main(); is {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// The service disarms an overloaded real car once and does not arm it while that
// lasts; afterwards it names the cause, and the car stays armed. The simulated one
// drives on.
func TestOverloadDisarmsTheRealCarOnce(t *testing.T) {
	for _, body := range []string{"sim", "picarx"} {
		t.Run(body, func(t *testing.T) {
			m, rig := cartest.NewMind(t, config.Default(), "room", 7, nil)
			s := &Service{settings: config.Default(), car: &car.Car{Mind: m}}
			s.settings.Body.Kind = body
			var armedAt, refused int
			var after safety.Causes
			n := 0
			rig.Drive(testbench.DefaultPeriod, func(now time.Duration) {
				n++
				s.trace = m.Brain.Tick(now)
				inside := armedAt > 0 && n > armedAt+100 && n <= armedAt+200
				if inside {
					s.strained(loop.Overloaded)
				} else {
					s.strained(loop.Strained)
				}
				if armedAt > 0 && n == armedAt+201 {
					after = m.Brain.Remote().Status().Safety.Tripped
				}
				switch err := m.Brain.Arm(); {
				case err == nil && armedAt == 0:
					armedAt = n
				case err != nil && inside:
					refused++
				}
			})
			rig.AdvanceTo(5 * time.Second)
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
