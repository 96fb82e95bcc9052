package safety_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// TestS1LinkLoss: the car stops within 150 ms of losing its link (C.2 S1),
// whichever end of the link dies.
func TestS1LinkLoss(t *testing.T) {
	tests := []struct {
		name   string
		why    string
		lose   func(*rig)
		within time.Duration
		cause  safety.Causes
	}{
		{
			"bus down", "motors out of reach: there is no reason to wait",
			func(g *rig) { g.s.Link = robot.LinkDown }, 5 * ms, safety.LinkDown,
		},
		{
			"bus not served", "motors in reset: the computer was too busy for the bus",
			func(g *rig) { g.s.Link = robot.LinkLate }, 5 * ms, safety.LinkLate,
		},
		{
			"impossible link level", "what is not known to be up is down",
			func(g *rig) { g.s.Link = 77 }, 5 * ms, safety.LinkDown,
		},
		{
			"brain silent", "R4: the newest command ages",
			func(g *rig) { g.speechless = true }, 150 * ms, safety.CommandStale,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			tt.lose(g)
			took := g.until(tt.within, func() bool { return g.out.Speed == 0 })
			if !g.c.Has(tt.cause) || !g.out.Brake {
				t.Errorf("stopped after %v by %v, brake %v; want %v", took, g.c, g.out.Brake, tt.cause)
			}
		})
	}
}

// TestLostCommandCentresThenDisarms is the rest of R4.
func TestLostCommandCentresThenDisarms(t *testing.T) {
	g := newRig(t, nil)
	g.want.Steering = 0.4
	g.run(40)
	g.speechless = true
	g.until(300*ms, func() bool { return g.c.Has(safety.CommandStale) && g.out.Steering == 0 })
	if !g.out.Enable {
		t.Error("motors inert before the command is lost for good")
	}
	g.until(2*time.Second, func() bool { return g.c.Has(safety.CommandLost) })
	if g.out.Enable {
		t.Error("motors still powered 2 s after the last command")
	}
	g.speechless = false
	g.run(20)
	if g.out.Speed != 0 || g.r.Status().Tripped != safety.CommandLost {
		t.Errorf("resumed by itself at %v m/s, tripped %v", g.out.Speed, g.r.Status().Tripped)
	}
	if err := g.r.Arm(); err != nil {
		t.Fatal(err)
	}
	g.run(60)
	if g.out.Speed != 0.2 {
		t.Errorf("armed again, drives %v m/s", g.out.Speed)
	}
}

// TestS2FrozenRange: within half a second in motion the reflexes flag a range
// that repeats itself, and R3 applies (C.2 S2).
func TestS2FrozenRange(t *testing.T) {
	g := newRig(t, nil)
	g.frozen = true
	took := g.until(600*ms, func() bool { return g.c.Has(safety.FrozenSensor) })
	if g.out.Speed > g.p.Range.Creep || !g.c.Has(safety.RangeStale) {
		t.Errorf("flagged after %v, speed %v, causes %v; want a stale range and a creep", took, g.out.Speed, g.c)
	}
	g.until(time.Second, func() bool { return g.c.Has(safety.RangeLost) && g.out.Speed == 0 })
	g.frozen = false
	g.until(50*ms, func() bool { return g.c == 0 })
	g.run(60)
	if g.out.Speed != 0.2 {
		t.Errorf("a live sensor leaves the car at %v m/s", g.out.Speed)
	}
}

// TestS3ImpossibleNumbers: NaN, infinity and values no sensor can give change
// nothing but a counter (C.2 S3).
func TestS3ImpossibleNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range []float32{nan, inf, -inf, -1, 1e30, math.SmallestNonzeroFloat32, 1.5e-40} {
		g, twin := newRig(t, withCliffs), newRig(t, withCliffs)
		readings := []*robot.Reading{&g.s.Range[robot.Front], &g.s.Floor[robot.FloorMiddle], &g.s.Battery}
		for _, r := range readings {
			for ok := true; ok; ok = g.s.Now%(40*ms) != 0 { // then the next tick brings no reading
				g.run(1)
				twin.run(1)
			}
			good := *r
			*r = robot.Reading{Value: v, At: g.s.Now - 1, OK: true}
			before := g.r.Status().Stats.BadReadings
			g.run(1)
			twin.run(1)
			// A very dark floor is possible; a single such reading does nothing.
			want := uint64(1)
			if r == &g.s.Floor[robot.FloorMiddle] && v > 0 && v < 1 {
				want = 0
			}
			if g.out != twin.out || g.c != twin.c {
				t.Errorf("reading %v: %+v (%v), without it %+v (%v)", v, g.out, g.c, twin.out, twin.c)
			}
			if got := g.r.Status().Stats.BadReadings - before; got != want {
				t.Errorf("reading %v counted %d times, want %d", v, got, want)
			}
			*r = good
		}
		if v == v && !math.IsInf(float64(v), 0) {
			continue
		}
		for _, field := range []*float32{&g.want.Speed, &g.want.Steering, &g.want.Pan, &g.want.Tilt} {
			good := *field
			*field = v
			g.run(2)
			twin.run(2)
			*field = good
			if g.out.Speed != twin.out.Speed || g.out.Steering != twin.out.Steering || g.c != 0 {
				t.Errorf("two commands with %v: %+v (%v)", v, g.out, g.c)
			}
			g.run(1)
			twin.run(1)
		}
		if got := g.r.Status().Stats.BadCommands; got != 8 {
			t.Errorf("counted %d commands with %v, want 8", got, v)
		}
	}
}

func TestThirdNaNLatches(t *testing.T) {
	g := newRig(t, nil)
	g.want.Steering = float32(math.NaN())
	g.run(3)
	if g.out.Speed != 0 || g.out.Enable || g.c.Level() != safety.Latched {
		t.Fatalf("after three: %+v at %v", g.out, g.c.Level())
	}
	if err := g.r.Reset(); err == nil {
		t.Error("reset while the commands are still NaN")
	}
	g.want.Steering = 0
	g.run(1)
	if err := g.r.Arm(); err == nil {
		t.Error("armed without a reset")
	}
	if err := errors.Join(g.r.Reset(), g.r.Arm()); err != nil {
		t.Fatal(err)
	}
	g.run(60)
	if g.out.Speed != 0.2 {
		t.Errorf("reset and armed, drives %v m/s", g.out.Speed)
	}
}
