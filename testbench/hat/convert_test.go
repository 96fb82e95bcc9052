package hat_test

import (
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/hat"
)

// TestSlowConversion: a controller that needs time for a conversion, read by a driver that
// is faster than the vendor's library, is reset again and again; with the pause of
// Params.ADCGap every channel says its own.
func TestSlowConversion(t *testing.T) {
	for _, c := range []struct {
		gap  time.Duration
		well bool
	}{{0, false}, {100 * time.Microsecond, false}, {200 * time.Microsecond, true}} {
		clock, hp, p := &stepped{}, hat.Default(), picarx.Default()
		hp.Convert, p.ADCGap = 150*time.Microsecond, c.gap
		board, err := hat.New(hp, clock, hat.Plant{
			Advance: func(time.Duration, *hat.Outputs, float64) float64 { return 7.4 },
			Range:   func(int, time.Duration) (float64, bool) { return 1, true },
			Analog: func(channel int, _ time.Duration) uint16 {
				if channel == 4 {
					return 3061
				}
				return 1200 + 100*uint16(channel)
			},
		}, []int{0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		car, err := picarx.New(board.Wire(), p)
		if err != nil {
			t.Fatal(err)
		}
		for clock.now < 5*time.Second {
			if next := car.Service(clock.now); next > clock.now {
				clock.now = min(next, clock.now+5*ms)
			}
		}
		var state robot.State
		car.Sense(&state)
		s := car.Stats()
		well := s.Desyncs == 0 && s.Phase == "ready" && state.Battery.OK && state.Battery.Value > 7.3
		for i, f := range state.Floor {
			raw := f.Value * 4095
			well = well && raw > float32(1199+100*i) && raw < float32(1201+100*i)
		}
		if well != c.well {
			t.Errorf("gap %v: %d desyncs, phase %s, floor %v, battery %v, newest error %v", c.gap, s.Desyncs, s.Phase, state.Floor, state.Battery, s.LastError)
		}
	}
}
