package safety_test

import (
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// beams ticks with ranges of sectors beside the front's, new every 40 ms.
func (g *rig) beams(ticks int, at func(i int) map[int]robot.Reading) {
	for i := range ticks {
		if (g.s.Now+g.p.Period)%(40*ms) == 0 {
			for sector, r := range at(i) {
				r.At = g.s.Now + g.p.Period
				g.s.Range[sector] = r
			}
		}
		g.tick()
	}
}

// echo is a reading that is no silence.
func echo(metres float32) robot.Reading { return robot.Reading{Value: metres, OK: true} }

// TestFrozenSide: a beam to the side that repeats itself while the car turns and
// other beams change is frozen: the car creeps, and the brain is told which.
func TestFrozenSide(t *testing.T) {
	tests := []struct {
		name, why       string
		speed, steering float32
		front           bool // alive
		left            func(g *rig, i int) robot.Reading
		want            bool
	}{
		{"one frozen", "the others live", 0.2, 0.3, true, func(*rig, int) robot.Reading { return echo(0.5) }, true},
		{"backwards", "motion has no sign", -0.2, 0.3, true, func(*rig, int) robot.Reading { return echo(0.5) }, true},
		{"alive", "a wall in parallel has noise", 0.2, 0.3, true, func(g *rig, _ int) robot.Reading { return echo(0.5 * g.jitter()) }, false},
		{"straight on", "without noise a wall in parallel stays", 0.2, 0, true, func(*rig, int) robot.Reading { return echo(0.5) }, false},
		{"standing", "a standing car sees the same", 0, 0.3, true, func(*rig, int) robot.Reading { return echo(0.5) }, false},
		{"no range changes", "without noise none is to blame", 0.2, 0.3, false, func(*rig, int) robot.Reading { return echo(0.5) }, false},
		{"silence", "nothing sounds the same for ever", 0.2, 0.3, true, func(*rig, int) robot.Reading {
			return robot.Reading{Value: 1.5, OK: true, AtLeast: true}
		}, false},
		{"touching", "the blind zone reads 2 cm", 0.2, 0.3, true, func(*rig, int) robot.Reading { return echo(0.02) }, false},
		{"a median of five", "a live one says a value five times", 0.2, 0.3, true, func(_ *rig, i int) robot.Reading {
			return echo(0.5 + 0.01*float32(i/40)) // 40 ticks are five readings
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			g.want.Speed, g.want.Steering = tt.speed, tt.steering
			if g.run(100); !tt.front {
				g.hear = &robot.Reading{Value: 2, OK: true, AtLeast: true}
			}
			g.beams(400, func(i int) map[int]robot.Reading {
				return map[int]robot.Reading{robot.Left60: tt.left(g, i)}
			})
			flagged, which := g.c.Has(safety.FrozenSensor), g.r.Frozen()
			if flagged != tt.want || which[robot.Left60] != tt.want || which[robot.Front] {
				t.Errorf("flagged %v (%v), frozen %v; want %v: %s", flagged, g.c, which, tt.want, tt.why)
			}
			if flagged && g.out.Speed > g.p.Range.Creep {
				t.Errorf("%v m/s beside a frozen beam, want a creep", g.out.Speed)
			}
			if g.run(8); !tt.want {
				return
			}
			g.beams(8, func(int) map[int]robot.Reading { return map[int]robot.Reading{robot.Left60: echo(0.6)} })
			if g.c != 0 || g.r.Frozen() != [robot.NumSectors]bool{} {
				t.Errorf("it says something else: still %v", g.c)
			}
		})
	}
}

// TestFrozenBattery: a voltage that repeats itself for half a minute of driving,
// over a floor that changes, is none: a full pack's would hide an empty one.
func TestFrozenBattery(t *testing.T) {
	tests := []struct {
		name, why   string
		speed       float32
		quiet, hush bool
		want        safety.Causes
	}{
		{"frozen", "the floor changes", 0.3, false, true, safety.BatteryUnknown},
		{"alive", "it does not repeat itself", 0.3, false, false, 0},
		{"standing", "an idle pack says the same", 0, false, true, 0},
		{"quiet", "the same ADC is as quiet about the floor", 0.3, true, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			g.want.Speed, g.blind, g.hushed = tt.speed, tt.quiet, tt.hush
			g.s.Floor = [robot.NumFloor]robot.Reading{}
			g.run(int(29 * time.Second / g.p.Period))
			if g.c != 0 {
				t.Errorf("after 29 s: %v", g.c)
			}
			g.run(int(6 * time.Second / g.p.Period))
			if g.c != tt.want {
				t.Errorf("after 35 s: %v, want %v: %s", g.c, tt.want, tt.why)
			}
			if tt.want != 0 && g.out.Speed > 0.175 {
				t.Errorf("%v m/s with a frozen voltage, want half", g.out.Speed)
			}
			if g.out.IgnoreBattery != (tt.want != 0) {
				t.Errorf("duty as at the nominal voltage: %v", g.out.IgnoreBattery)
			}
			g.hushed = false
			if g.run(int(2 * time.Second / g.p.Period)); g.c != 0 || g.out.IgnoreBattery {
				t.Errorf("it says something else: still %v, duty as at the nominal voltage: %v", g.c, g.out.IgnoreBattery)
			}
		})
	}
}

// TestFreezeIsTime: a frozen floor sensor is noticed after half a second of driving
// at every period that brings 25 readings by then, and after those where it does not.
func TestFreezeIsTime(t *testing.T) {
	for _, period := range periods {
		t.Run(period.String(), func(t *testing.T) {
			g := edgeRig(t, period)
			took := time.Duration(0)
			for g.c&safety.FrozenSensor == 0 && took < 5*time.Second {
				g.quiet(2*g.jitter(), [robot.NumFloor]float32{0.5 * g.jitter(), 0.5, 0.5 * g.jitter()})
				took += period
			}
			if want := max(500*ms, 25*period) + 2*period; took > want {
				t.Errorf("noticed after %v, want %v", took, want)
			}
		})
	}
}
