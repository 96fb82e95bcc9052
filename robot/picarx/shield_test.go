package picarx_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"fieldbrain/robot/picarx"
)

// A defective echo panics once it is told to.
type defective struct {
	echo
	now bool
}

func (e *defective) Next(out *picarx.Edge) bool {
	if e.now {
		panic("defect")
	}
	return e.echo.Next(out)
}

// TestPanicOfAThread: a defect in one of the driver's threads pulls the reset
// line low and ends Run with its name; it does not end the process with the
// motors on.
func TestPanicOfAThread(t *testing.T) {
	defer goleak.VerifyNone(t)
	synctest.Test(t, func(t *testing.T) {
		clock := realClock{time.Now()}
		reset, e := &line{}, &defective{}
		bus := &slowBus{addr: 0x14, rst: reset}
		car, err := picarx.New(picarx.Wire{
			Bus: bus, Reset: reset, LeftDir: &line{}, RightDir: &line{}, Clock: clock,
			Sonars: []picarx.SonarWire{{Trigger: &line{}, Echo: e}},
		}, picarx.Default())
		if err != nil {
			t.Fatal(err)
		}
		car.OnThread(func(name string) {
			if name == "sonar" {
				e.now = true
			}
		})
		done := make(chan error, 1)
		go func() { done <- car.Run(t.Context()) }()
		if err := <-done; err == nil || !strings.Contains(err.Error(), "sonar thread panicked: defect") {
			t.Errorf("Run: %v, want the panic", err)
		}
		if reset.level() {
			t.Error("the reset line is high: nothing stops the motors")
		}
		if err := car.Halt(); err != nil || reset.level() {
			t.Errorf("Halt afterwards: %v, reset line %v, want nil and low", err, reset.level())
		}
	})
}
