package brain

import (
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/route"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// TestLineLook: floor readings that are old are told as such, and each stands for its sensor.
func TestLineLook(t *testing.T) {
	var e encoder
	p := Default()
	st := &robot.State{}
	for i, v := range []float32{0.3, 0.1, 0.2} {
		st.Floor[i] = robot.Reading{Value: v, At: time.Second, OK: true}
	}
	if k := e.lineLook(st, &p, time.Second); !k.Fresh || k.Floor != [robot.NumFloor]float32{0.3, 0.1, 0.2} {
		t.Errorf("new readings: %+v", k)
	}
	st.Floor[robot.FloorRight].At = 0
	if k := e.lineLook(st, &p, time.Second); k.Fresh {
		t.Error("a floor reading a second old is fresh")
	}
}

func TestGoal(t *testing.T) {
	p := Default()
	out := restingOutput()
	reading := func(v float32) robot.Reading { return robot.Reading{Value: v, At: time.Second, OK: true} }
	st := &robot.State{Target: robot.Target{Bearing: reading(2.5), Confidence: reading(0.9), Size: reading(0.2)}}
	var g goal
	g.update(st, out, &p, time.Second)
	if !g.seen || g.weight != 0 || math.Abs(g.distance-0.5) > 1e-6 {
		t.Errorf("without the task: seen %v weight %v distance %v, want true 0 0.5", g.seen, g.weight, g.distance)
	}
	p.SeekGoal = true
	g.update(st, out, &p, time.Second)
	if g.weight < 0.8 || within(g.bearing, goalReach) != goalReach {
		t.Errorf("a goal behind pulls with %.1f at %.2f rad, want 0.9 at %.2f", g.weight, within(g.bearing, goalReach), goalReach)
	}
	g.update(&robot.State{}, out, &p, time.Second)
	if g.seen || g.weight != 0 {
		t.Error("a goal neither seen nor remembered pulls")
	}
	out.Marginals[field.GoalMem].X[20] = 5 * field.One
	g.update(&robot.State{}, out, &p, time.Second)
	if math.Abs(float64(g.bearing)-field.Bearing(20)) > 1e-3 || g.weight != 1 {
		t.Errorf("remembered goal at %.2f rad weight %.1f, want %.2f 1", g.bearing, g.weight, field.Bearing(20))
	}
}

// TestLeans: the field leans to the side where it recalls a good way; straight ahead and
// hardly anything are no side.
func TestLeans(t *testing.T) {
	for _, c := range []struct{ bin, mass, want float64 }{
		{field.Ahead + 3, 0.4, 1},
		{field.Ahead - 3, 0.4, -1},
		{field.Ahead, 0.9, 0},
		{field.Ahead + 3, 0.05, 0},
	} {
		a, out := newAhead(), restingOutput()
		out.Marginals[field.HeadPref].X[int(c.bin)] = int32(c.mass * field.One)
		if a.look(out, 0); a.leans(true) != c.want || a.leans(false) != 0 {
			t.Errorf("%v in bin %v: to %v, want %v; %v with one beam", c.mass, c.bin, a.leans(true), c.want, a.leans(false))
		}
	}
}

func newRemote(t *testing.T) *Brain {
	t.Helper()
	reflexes, err := safety.New(safety.Default())
	if err != nil {
		t.Fatal(err)
	}
	b := &Brain{reflexes: reflexes, out: restingOutput()}
	b.remote.reflexes = reflexes
	return b
}

func TestRemoteIsObeyedByTheTick(t *testing.T) {
	b := newRemote(t)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() { // the loop
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				b.remote.obey(&b.input)
			}
		}
	}()
	var refusal *safety.Refusal
	if err := b.remote.Arm(); !errors.As(err, &refusal) {
		t.Errorf("arming a car that has sensed nothing: %v, want a refusal", err)
	}
	if err := b.remote.EStop(); err != nil {
		t.Error(err)
	}
	if err := b.remote.Disarm(); err != nil {
		t.Error(err)
	}
	close(stop)
	<-done
	if got := b.reflexes.Status().Level; got != safety.Latched {
		t.Errorf("level %v after an emergency stop, want LATCHED", got)
	}
}

// TestStalledLoop posts to a loop that does not run: an arm is withdrawn, an
// emergency stop waits for it and is the first thing it does.
func TestStalledLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newRemote(t)
		if err := b.remote.Arm(); !errors.Is(err, ErrNoTick) {
			t.Fatalf("arm: %v, want ErrNoTick", err)
		}
		if b.remote.request.Load() != 0 {
			t.Error("the arm still waits for a tick")
		}
		if err := b.remote.Disarm(); !errors.Is(err, ErrNoTick) || b.remote.request.Load() == 0 {
			t.Fatalf("disarm: %v, want ErrNoTick and the request still posted", err)
		}
		b.remote.obey(&b.input)
		if err := b.remote.EStop(); !errors.Is(err, ErrNoTick) {
			t.Fatalf("e-stop: %v, want ErrNoTick", err)
		}
		if err := b.remote.Arm(); !errors.Is(err, ErrNoTick) {
			t.Errorf("arm behind a waiting e-stop: %v, want ErrNoTick", err)
		}
		b.remote.obey(&b.input)
		if got := b.reflexes.Status().Level; got != safety.Latched {
			t.Errorf("level %v once the loop runs again, want LATCHED", got)
		}
	})
}

func TestNames(t *testing.T) {
	for s := range NumStages {
		if s.String() == "unknown" {
			t.Errorf("stage %d has no name", s)
		}
	}
	for m := Cruising; m <= Resting; m++ {
		if m.String() == "unknown" {
			t.Errorf("mode %d has no name", m)
		}
	}
	if Stage(99).String() != "unknown" || Mode(99).String() != "unknown" {
		t.Error("names beyond the last")
	}
}

// TestLift: who disarms the car for long may carry it elsewhere, and it begins with a
// ground, places and a trail anew; a moment, or a reflex that holds it, changes nothing.
func TestLift(t *testing.T) {
	for _, c := range []struct {
		name    string
		cause   safety.Causes
		ticks   int
		forgets bool
	}{
		{"disarmed for 3 s", safety.Disarmed, 600, true},
		{"disarmed for 1 s", safety.Disarmed, 200, false},
		{"held at an edge for 3 s", safety.Cliff, 600, false},
	} {
		b := newRemote(t)
		b.params = Default()
		b.guide.finder = route.New()
		b.decoder = newDecoder(&b.params)
		var err error
		if b.terrain, err = newTerrain(); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			b.terrain.grid.Drive(ground.Pose{})
		}
		b.guide.placed, b.progress.advice.Search = true, true
		known := b.terrain.grid.Sweep(ground.Pose{}, 0, 0.05, false).Blind
		b.causes = c.cause
		for range c.ticks {
			b.lift()
		}
		b.causes = 0
		b.lift()
		now := b.terrain.grid.Sweep(ground.Pose{}, 0, 0.05, false).Blind
		if forgot := now > known && !b.guide.placed && !b.progress.advice.Search; forgot != c.forgets {
			t.Errorf("%s: blind %v before, %v after, goal kept %v; want forgotten %v", c.name, known, now, b.guide.placed, c.forgets)
		}
	}
}
