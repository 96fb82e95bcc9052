package testbench_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// TestSpeedWhateverTheBattery: the car drives what it is told with an empty pack, a
// full one and one between, but for the slip of its wheels, which no driver knows; from
// the first second on, since a pack at rest tells enough. Before the duty knew the
// voltage it was 17 % too slow at 6.4 V and 10 % too fast at 8.4 V.
func TestSpeedWhateverTheBattery(t *testing.T) {
	for _, volts := range []float64{6.4, 6.6, 7.0, 7.4, 7.7, 8.0, 8.4} {
		r := newRig(t, parse(t, hall+fmt.Sprintf("[car]\nopen_volts = %v\n", volts)))
		for _, speed := range []float32{0.1, 0.2, 0.3, -0.2} {
			for _, after := range []time.Duration{time.Second, 8 * time.Second} {
				drive(r, robot.Command{Enable: true, Speed: speed, Steering: 0.4}, after)
				r.Truth(func(c *plant.Car, _ *world.World) {
					want := float64(speed) * (1 - c.Params().Slip)
					if off := c.Speed/want - 1; math.Abs(off) > 0.025 {
						t.Errorf("%v V: %.4f m/s after %v, want %.4f: %+.1f %%", volts, c.Speed, after, want, 100*off)
					}
				})
			}
		}
	}
}
