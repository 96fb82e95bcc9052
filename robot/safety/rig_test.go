package safety_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

const ms = time.Millisecond

// A rig feeds Reflexes with the readings of a healthy car, tick by tick: range
// at 25 Hz, floor at 100 Hz, battery at 1 Hz, all with a little noise. A test
// breaks what it wants to break through the fields.
type rig struct {
	t    *testing.T
	p    safety.Params
	r    *safety.Reflexes
	s    robot.State
	want robot.Command
	out  robot.Command
	c    safety.Causes

	distance   float32                 // m, front range the sonar would see
	floor      [robot.NumFloor]float32 // reflectance the floor sensors would see
	volts      float32                 // V
	mute       bool                    // the sonar gets no echo
	deaf       bool                    // the range is the test's own
	hear       *robot.Reading          // what the sonar says instead of a range, but for its instant
	blind      bool                    // the floor sensors stop reporting
	frozen     bool                    // the sonar repeats its last value
	speechless bool                    // the brain stops deciding
	hushed     bool                    // the battery repeats its last voltage
	noise      uint32                  // state of the noise
	ripple     uint32                  // state of the battery's
}

// newRig returns a rig with the parameters changed by edit, armed and rolled
// up to its wanted speed of 0.2 m/s.
func newRig(t *testing.T, edit func(*safety.Params)) *rig {
	t.Helper()
	g := idleRig(t, edit)
	g.run(20)
	if err := g.r.Arm(); err != nil {
		t.Fatal(err)
	}
	g.want.Speed = 0.2
	g.run(100)
	if g.out.Speed != 0.2 || g.c != 0 {
		t.Fatalf("healthy car drives %v m/s with causes %v, want 0.2 and none", g.out.Speed, g.c)
	}
	return g
}

// edgeRig returns a rig of a period that drives towards an edge as fast as it may.
func edgeRig(t *testing.T, period time.Duration) *rig {
	t.Helper()
	g := idleRig(t, func(p *safety.Params) { withCliffs(p); p.Period = period })
	g.run(int(200 * ms / period))
	if err := g.r.Arm(); err != nil {
		t.Fatal(err)
	}
	g.want.Speed = 0.35
	g.run(int(2 * time.Second / period))
	return g
}

// periods are legal ones, from end to end.
var periods = []time.Duration{2500 * time.Microsecond, 5 * ms, 10 * ms, 20 * ms, 40 * ms}

// idleRig returns a rig that has not ticked yet.
func idleRig(t *testing.T, edit func(*safety.Params)) *rig {
	t.Helper()
	p := safety.Default()
	if edit != nil {
		edit(&p)
	}
	r, err := safety.New(p)
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{t: t, p: p, r: r, distance: 2, volts: 7.6, noise: 1}
	g.floor = [robot.NumFloor]float32{0.5, 0.5, 0.5}
	g.want.Enable = true
	return g
}

func (g *rig) jitter() float32 {
	g.noise = g.noise*1664525 + 1013904223
	return 1 + float32(0.005*(float32(g.noise>>8)/(1<<24)-0.5)) // not fused: TestDigest
}

// tick advances one period.
func (g *rig) tick() {
	g.s.Now += g.p.Period
	now := g.s.Now
	if now%(40*ms) == 0 && !g.deaf {
		front := &g.s.Range[robot.Front]
		switch {
		case g.hear != nil && g.hear.OK:
			*front = *g.hear
			front.At = now
		case g.hear != nil:
			front.OK = false
		case g.mute:
			*front = robot.Reading{Value: 0.03, At: now} // not OK: no short distance
		case g.frozen:
			front.At = now
		default:
			*front = robot.Reading{Value: g.distance * g.jitter(), At: now, OK: true}
		}
	}
	if now%(10*ms) == 0 && !g.blind {
		for i := range g.floor {
			g.s.Floor[i] = robot.Reading{Value: g.floor[i] * g.jitter(), At: now, OK: true}
		}
	}
	if now%time.Second == 0 || g.s.Battery.At == 0 {
		if !g.hushed {
			g.ripple = g.ripple*1664525 + 1013904223
		}
		volts := g.volts + float32(0.01*(float32(g.ripple>>8)/(1<<24)-0.5))
		g.s.Battery = robot.Reading{Value: volts, At: now, OK: true}
	}
	if !g.speechless {
		g.want.At = now
	}
	g.out, g.c = g.r.Apply(&g.s, g.want)
	g.s.CommandedSpeed, g.s.CommandedSteering = g.out.Speed, g.out.Steering
	check(g.t, g.p, g.out, g.c)
}

func (g *rig) run(ticks int) {
	for range ticks {
		g.tick()
	}
}

// until ticks until ok, at most limit, and returns how long it took.
func (g *rig) until(limit time.Duration, ok func() bool) time.Duration {
	g.t.Helper()
	start := g.s.Now
	for !ok() {
		if g.s.Now-start > limit {
			g.t.Fatalf("not within %v: speed %v, causes %v", limit, g.out.Speed, g.c)
		}
		g.tick()
	}
	return g.s.Now - start
}

// check holds for every command whatever the input was.
func check(t testing.TB, p safety.Params, out robot.Command, c safety.Causes) {
	t.Helper()
	if !out.Finite() {
		t.Fatalf("command %+v holds a number that is none", out)
	}
	if p.Limits.Clamp(out) != out {
		t.Fatalf("command %+v exceeds the limits", out)
	}
	if c.Has(safety.Disarmed) && out.Enable {
		t.Fatal("motors enabled while disarmed")
	}
	switch level := c.Level(); {
	case level >= safety.Stopped && (out.Speed != 0 || !out.Brake):
		t.Fatalf("speed %v, brake %v at %v (%v)", out.Speed, out.Brake, level, c)
	case level == safety.Hold && out.Speed > 0:
		t.Fatalf("forward at %v m/s at %v (%v)", out.Speed, level, c)
	}
	if c&safety.RangeStale != 0 && out.Speed > p.Range.Creep {
		t.Fatalf("forward at %v m/s without a fresh range", out.Speed)
	}
	if p.Cliff.Enabled && out.Speed > p.Cliff.Speed {
		t.Fatalf("forward at %v m/s with cliff detection on", out.Speed)
	}
	if math.Signbit(float64(out.Speed)) && out.Speed == 0 {
		t.Fatal("speed is a negative zero")
	}
}
