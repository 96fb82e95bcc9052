package safety_test

import (
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// nothing is what the floor sensors see in the air, and beyond an edge.
var nothing = [robot.NumFloor]float32{0.02, 0.02, 0.02}

// lift lets every floor sensor see nothing for a while, and returns how long the wheels
// turned and how far they went back meanwhile.
func (g *rig) lift(long time.Duration) (turned time.Duration, back float32) {
	floor := g.floor
	for g.floor = nothing; long > 0; long -= g.p.Period {
		if g.tick(); g.out.Speed != 0 {
			turned += g.p.Period
		}
		back -= min(g.out.Speed, 0) * float32(g.p.Period.Seconds())
	}
	g.floor = floor
	return turned, back
}

// TestLifted: a car that somebody lifts disarms itself, in the middle of a drive and standing,
// at every period; put down it neither drives on nor backs, and arms again. Whoever arms it
// vouches for the floor behind it, which is all that it backs over.
func TestLifted(t *testing.T) {
	for _, period := range periods {
		for _, drives := range []bool{true, false} {
			g := edgeRig(t, period)
			most := 1800 * ms // the pulse, the ramp, and 0.2 m at 0.14 m/s
			if !drives {
				g.want.Speed, most = 0, 0
				g.run(int(time.Second / period))
			}
			turned, _ := g.lift(3 * time.Second)
			if turned > most+4*period {
				t.Errorf("period %v, drives %v: the wheels turned %v in the hand", period, drives, turned)
			}
			if st := g.r.Status(); st.Armed || st.Tripped != safety.Lifted || !st.Causes.Has(safety.Lifted) || g.r.Carried(-0.3, 0) {
				t.Errorf("period %v, drives %v: armed %v, tripped by %v, %v, behind known %v", period, drives, st.Armed, st.Tripped, st.Causes, g.r.Carried(-0.3, 0))
			}
			for _, wish := range []float32{0.2, -0.2} {
				g.want.Speed = wish
				g.until(time.Second, func() bool { return g.c&(safety.Lifted|safety.Cliff) == 0 })
				if g.run(int(time.Second / period)); g.out.Speed != 0 || g.c != safety.Disarmed {
					t.Errorf("period %v, drives %v: put down it goes %v m/s, %v", period, drives, g.out.Speed, g.c)
				}
			}
			if err := g.r.Arm(); err != nil {
				t.Fatal(err)
			}
			back := float32(0)
			for range int(10 * time.Second / period) {
				g.tick()
				back -= min(g.out.Speed, 0) * float32(period.Seconds())
			}
			if back > g.p.Cliff.Vouched+0.07 {
				t.Errorf("period %v, drives %v: armed again it backs %v m", period, drives, back)
			}
		}
	}
}

// TestLiftedInSilence: a converter that says one value in the dark counts as frozen, which would
// end by itself when the car is put down.
func TestLiftedInSilence(t *testing.T) {
	g := newRig(t, withCliffs)
	g.want.Speed = 0
	g.run(400) // at rest it learns that its sensors have noise
	g.want.Speed = 0.2
	g.run(400)
	g.blind = true
	for range 600 {
		if at := g.s.Now + g.p.Period; at%(10*ms) == 0 {
			for i := range g.s.Floor {
				g.s.Floor[i] = robot.Reading{Value: 0.02, At: at, OK: true}
			}
		}
		g.tick()
	}
	if st := g.r.Status(); st.Armed || !st.Tripped.Has(safety.Lifted) || !st.Causes.Has(safety.FrozenSensor) {
		t.Errorf("armed %v, tripped by %v, %v", st.Armed, st.Tripped, st.Causes)
	}
}

// TestLiftedDisarmed: of a car that nobody has armed, on a dark floor or in the hand, only
// Lifted tells: what keeps it from arming is the cause Cliff.
func TestLiftedDisarmed(t *testing.T) {
	g := idleRig(t, withCliffs)
	g.floor = nothing
	if g.run(400); g.c != safety.Disarmed|safety.Cliff || !g.r.Lifted() {
		t.Errorf("%v, lifted %v", g.c, g.r.Lifted())
	}
}

// TestLiftedNot: what is no lift leaves the car armed: an edge met square, from which one
// retreat gets it away, however often; a moment in the dark; sensors of which one sees floor,
// or says nothing.
func TestLiftedNot(t *testing.T) {
	for _, tt := range []struct {
		name string
		does func(*rig)
	}{
		{"an edge met square", func(g *rig) {
			for range 5 {
				g.lift(700 * ms) // until the bar is back over the floor
				g.run(2000)
			}
		}},
		{"standing, a moment", func(g *rig) {
			g.want.Speed = 0
			g.run(200)
			g.lift(900 * ms)
		}},
		{"one sensor sees floor", func(g *rig) {
			g.floor = [robot.NumFloor]float32{0.02, 0.02, 0.5}
			g.run(4000)
		}},
		{"sensors that fall silent in the dark", func(g *rig) {
			g.floor = nothing
			g.run(20)
			g.blind = true
			g.run(4000)
		}},
	} {
		g := newRig(t, withCliffs)
		tt.does(g)
		if st := g.r.Status(); !st.Armed || st.Stats.Trips[safety.NumCauses-1] != 0 {
			t.Errorf("%s: armed %v, tripped by %v", tt.name, st.Armed, st.Tripped)
		}
	}
	g := newRig(t, nil)
	if g.lift(3 * time.Second); !g.r.Status().Armed {
		t.Errorf("without cliff detection: %v", g.r.Status().Tripped)
	}
}

// TestLiftedAtAnEdge: a car that its wheels did not get away from an edge stands and needs
// somebody who looks, whatever its brain wants.
func TestLiftedAtAnEdge(t *testing.T) {
	for _, wish := range []float32{0.2, 0, -0.2} {
		g := newRig(t, withCliffs)
		g.floor, g.want.Speed = nothing, wish
		took := g.until(20*time.Second, func() bool { return g.c.Has(safety.Lifted) })
		if took < time.Second || g.r.Status().Armed {
			t.Errorf("wish %v: after %v armed %v", wish, took, g.r.Status().Armed)
		}
		if err := g.r.Arm(); err == nil {
			t.Errorf("wish %v: armed at the edge", wish)
		}
	}
}
