package safety_test

import (
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/tier"
)

// A noiseless tick: every sensor reports new readings of the values given,
// every tick.
func (g *rig) quiet(front float32, floor [robot.NumFloor]float32) {
	g.s.Now += g.p.Period
	g.want.At = g.s.Now
	g.s.Range[robot.Front] = robot.Reading{Value: front, At: g.s.Now, OK: true}
	for i, v := range floor {
		g.s.Floor[i] = robot.Reading{Value: v, At: g.s.Now, OK: true}
	}
	g.s.Battery = robot.Reading{Value: 7.6, At: g.s.Now, OK: true}
	g.out, g.c = g.r.Apply(&g.s, g.want)
	g.s.CommandedSpeed, g.s.CommandedSteering = g.out.Speed, g.out.Steering
	check(g.t, g.p, g.out, g.c)
}

// TestFrozenFloor: a floor sensor that repeats itself among noisy neighbours
// is blind.
func TestFrozenFloor(t *testing.T) {
	tests := []struct {
		name, why string
		floor     func(g *rig, i int) [robot.NumFloor]float32
		want      safety.Causes
	}{
		{"one frozen", "its neighbours live", func(g *rig, i int) [robot.NumFloor]float32 {
			return [robot.NumFloor]float32{0.5 * g.jitter(), 0.5, 0.5 * g.jitter()}
		}, safety.FrozenSensor | safety.FloorStale},
		{"a line crossed now and then", "few changes prove nothing", func(g *rig, i int) [robot.NumFloor]float32 {
			return [robot.NumFloor]float32{0.5, 0.5, 0.3 + 0.1*float32(i/20%2)}
		}, 0},
		{"at the end of the scale", "a bright floor saturates the ADC", func(g *rig, i int) [robot.NumFloor]float32 {
			return [robot.NumFloor]float32{0.99 * g.jitter(), 1, 0.9 * g.jitter()}
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, withCliffs)
			for i := range 400 {
				g.quiet(2*g.jitter(), tt.floor(g, i))
			}
			if g.c != tt.want {
				t.Errorf("after 2 s: %v, want %v", g.c, tt.want)
			}
			if tt.want != 0 && g.out.Speed > 0 {
				t.Errorf("forward at %v m/s", g.out.Speed)
			}
		})
	}
}

// TestFrozenConverter: floor sensors that had noise while the car stood and all fall still on its
// way are blind; those of a converter without noise are not, whatever the floor showed them
// before.
func TestFrozenConverter(t *testing.T) {
	const stands, drives = 300, 200 // ticks
	tests := []struct {
		name           string
		noisy, pattern bool // the converter; the floor before it is uniform
		edit           func(floor *[robot.NumFloor]float32, g *rig, i int)
		want           safety.Causes
	}{
		{"it hangs", true, true, nil, safety.FrozenSensor | safety.FloorStale},
		{"one at the end of the scale", true, false, func(floor *[robot.NumFloor]float32, g *rig, i int) { floor[1] = 1 }, safety.FrozenSensor | safety.FloorStale},
		{"one lives on", true, false, func(floor *[robot.NumFloor]float32, g *rig, i int) {
			if floor[0] = 0.5 + 0.001*float32(i/15); i < stands+drives {
				floor[0] = 0.5 * g.jitter()
			}
		}, 0},
		{"uniform and without noise", false, false, nil, 0},
		{"a pattern, and then none", false, true, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := idleRig(t, withCliffs)
			g.run(20)
			if err := g.r.Arm(); err != nil {
				t.Fatal(err)
			}
			for i := range stands + drives + 400 {
				if g.want.Speed = 0; i >= stands {
					g.want.Speed = 0.2
				}
				floor := [robot.NumFloor]float32{0.5, 0.51, 0.49}
				for k := range floor {
					switch before := i < stands+drives; {
					case before && tt.noisy:
						floor[k] *= g.jitter()
					case before && tt.pattern && i >= stands:
						floor[k] += 0.001 * float32(i%7)
					}
				}
				if tt.edit != nil {
					tt.edit(&floor, g, i)
				}
				g.quiet(2*g.jitter(), floor)
			}
			if g.c != tt.want {
				t.Errorf("%v, want %v", g.c, tt.want)
			}
		})
	}
}

// TestHungConverter: floor sensors that all hang at once are noticed within the way that the bar
// leads the front wheels by, 25 mm, where they had noise; the less they had the later.
func TestHungConverter(t *testing.T) {
	tests := []struct {
		name   string
		steady int // readings of five that repeat the one before, while the car stands and drives
		want   time.Duration
	}{
		{"every reading is another", 0, 110 * ms},
		{"one of five is not", 1, 110 * ms},
		{"two of five are not", 2, 180 * ms},
		{"most are not", 4, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := idleRig(t, withCliffs)
			g.run(20)
			if err := g.r.Arm(); err != nil {
				t.Fatal(err)
			}
			floor := [robot.NumFloor]float32{0.5, 0.5, 0.5}
			for i := range 600 {
				if g.want.Speed = 0; i >= 300 {
					g.want.Speed = 0.2
				}
				for k := range floor {
					if i%5 >= tt.steady {
						floor[k] = 0.5 * g.jitter()
					}
				}
				if g.quiet(2*g.jitter(), floor); g.c != 0 {
					t.Fatalf("tick %d, before it hangs: %v", i, g.c)
				}
			}
			took := time.Duration(0)
			for took < time.Second && !g.c.Has(safety.FrozenSensor|safety.FloorStale) {
				g.quiet(2*g.jitter(), floor)
				took += g.p.Period
			}
			if found := took < time.Second; found != (tt.want != 0) || found && took > tt.want {
				t.Errorf("after %v: %v, want it noticed after %v (0 is never)", took, g.c, tt.want)
			}
		})
	}
}

func TestFreezeNeedsMotionAndChange(t *testing.T) {
	tests := []struct {
		name, why string
		speed     float32
		live      bool
		edit      func(*safety.Params)
		want      bool
	}{
		{"standing", "a standing car sees the same", 0, true, nil, false},
		{"nothing else changes", "perhaps nothing moves at all", 0.2, false, nil, false},
		{"moving among changes", "then a live range would change", 0.2, true, nil, true},
		{"backwards too", "motion has no sign", -0.2, true, nil, true},
		{"switched off", "0 reads is never", 0.2, true, func(p *safety.Params) { p.Freeze.RangeReads = 0 }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, tt.edit)
			g.want.Speed = tt.speed
			g.run(100)
			for range 150 {
				floor := [robot.NumFloor]float32{0.5, 0.5, 0.5}
				if tt.live {
					floor[0] = 0.5 * g.jitter()
				}
				g.quiet(1.5, floor)
			}
			if got := g.c.Has(safety.FrozenSensor); got != tt.want {
				t.Errorf("flagged %v (%v), want %v", got, g.c, tt.want)
			}
		})
	}
}

// TestFrozenAtACreep: however slowly the car drives, a frozen range is flagged before it
// has come farther than at Freeze.Speed.
func TestFrozenAtACreep(t *testing.T) {
	for _, speed := range []float32{0.05, 0.0494, 0.03, -0.03, 0.02} {
		g := newRig(t, nil)
		g.want.Speed = speed
		g.run(100)
		g.frozen = true
		var way float32
		took := g.until(3*time.Second, func() bool {
			way += g.s.CommandedSpeed * seconds(g.p.Period)
			return g.c.Has(safety.FrozenSensor)
		})
		if most := 1.2 * g.p.Freeze.Speed * seconds(g.p.Freeze.After); max(way, -way) > most {
			t.Errorf("at %v m/s: flagged after %v and %v m, want at most %v m", speed, took, way, most)
		}
	}
}

func seconds(d time.Duration) float32 { return float32(d.Seconds()) }

// TestCleanNoiseNeverTrips is an hour on a healthy car, with 2 % of the echoes
// missing.
func TestCleanNoiseNeverTrips(t *testing.T) {
	g := newRig(t, withCliffs)
	ticks := int(time.Duration(tier.Count(t, "minutes", 6, 60, 60)) * time.Minute / g.p.Period)
	before := g.r.Status().Stats
	for i := range ticks {
		g.mute = i%400 < 8 // one echo in fifty
		if g.tick(); g.c != 0 {
			t.Fatalf("tick %d: %v", i, g.c)
		}
	}
	if after := g.r.Status().Stats; after != before {
		t.Errorf("counters went from %+v to %+v", before, after)
	}
}

// TestSilenceIsNotFrozen: nothing ahead sounds the same for ever. An echo that
// repeats itself is as suspicious as before, and silence ends the suspicion.
func TestSilenceIsNotFrozen(t *testing.T) {
	g := newRig(t, nil)
	drive := func(r robot.Reading, ticks int) {
		for range ticks {
			g.s.Now += g.p.Period
			g.want.At, r.At = g.s.Now, g.s.Now
			g.s.Range[robot.Front] = r
			for i := range g.s.Floor {
				g.s.Floor[i] = robot.Reading{Value: 0.5 * g.jitter(), At: g.s.Now, OK: true}
			}
			g.s.Battery = robot.Reading{Value: 7.6, At: g.s.Now, OK: true}
			g.out, g.c = g.r.Apply(&g.s, g.want)
			g.s.CommandedSpeed = g.out.Speed
		}
	}
	silence := robot.Reading{Value: 1.5, OK: true, AtLeast: true}
	for _, s := range []struct {
		name string
		r    robot.Reading
		want safety.Causes
	}{
		{"silence", silence, 0},
		{"a frozen echo", robot.Reading{Value: 1.5, OK: true}, safety.FrozenSensor},
		{"silence again", silence, 0},
	} {
		if drive(s.r, 1000); g.c&safety.FrozenSensor != s.want {
			t.Errorf("%s for 5 s: %v, want %v", s.name, g.c, s.want)
		}
	}
}
