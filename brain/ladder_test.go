package brain_test

import (
	"errors"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/testbench/tier"
)

const (
	period = 5 * time.Millisecond
	late   = period / 2 * 9 / 10 // more of a tick is: of the default budget, half the period
	second = int(time.Second / period)

	firstWait = 2000 // ticks before a climb, all of them quiet
)

// A laden engine is another one on a machine with a burden: each step takes
// time on the body's clock, less on lower rungs.
type laden struct {
	field.Engine
	body   *still
	burden time.Duration // duration of a step at full quality

	asked field.Quality // by the newest step
}

// share is how much of a full step the model of this test takes on each rung.
var share = [quality.NumRungs]float64{1, 0.7, 0.45, 0.33}

func (e *laden) Step(in *field.Input) (*field.Output, error) {
	e.asked = in.Quality
	for i, r := range quality.Ladder() {
		if r.Field == in.Quality {
			e.body.now += time.Duration(float64(e.burden) * share[i])
			return e.Engine.Step(in)
		}
	}
	return nil, errors.New("a quality that is no rung's")
}

// A way is a stretch of ticks under one burden.
type way struct {
	overruns, longest int // ticks longer than the period; of them in one second
	rung              int // at its end
}

// under drives n ticks, each released on the period's grid; it skips the releases
// that a long tick misses, as the loop does.
func (e *laden) under(t *testing.T, b *brain.Brain, burden time.Duration, n int) (w way) {
	t.Helper()
	e.burden = burden
	var recent [200]bool
	count := 0
	for i := range n {
		release := (e.body.now/period + 1) * period
		e.body.now = release
		trace := b.Tick(release)
		if trace.Err != nil {
			t.Fatal(trace.Err)
		}
		if got := quality.Ladder()[trace.Rung].Field; got != e.asked {
			t.Fatalf("tick %d says rung %d, the engine ran %+v", trace.Tick, trace.Rung, e.asked)
		}
		over := e.body.now-release > period
		if recent[i%len(recent)] {
			count--
		}
		if recent[i%len(recent)] = over; over {
			w.overruns++
			count++
		}
		w.longest = max(w.longest, count)
	}
	w.rung = b.Remote().Status().Quality.Rung
	return w
}

// TestSlowDown puts a burden on the machine that appears at once and goes: the
// brain keeps its deadline by going down, never overruns so often that the loop
// would disarm the car (10 times in 200 ticks), and comes back.
func TestSlowDown(t *testing.T) {
	tier.Alone(t, "one goroutine computes for minutes")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	for i, c := range []struct {
		name     string
		burden   time.Duration
		overruns int // until a rung fits, at most
	}{
		{"late, no overrun", 3 * time.Millisecond, 0},
		{"overruns on the first rung", 5500 * time.Microsecond, 2},
		{"late on all but the last", 6800 * time.Microsecond, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if i > 0 {
				tier.Compiled(t, "ten thousand ticks")
			}
			body := newStill()
			body.see(robot.Front, 0.8)
			e := &laden{Engine: engine(t, 0), body: body}
			b, err := brain.New(body, e, body, brain.Default())
			if err != nil {
				t.Fatal(err)
			}
			if w := e.under(t, b, 200*time.Microsecond, 1000); w != (way{}) {
				t.Fatalf("without a burden: %+v", w)
			}
			down := e.under(t, b, c.burden, 200)
			if down.overruns > c.overruns || down.longest >= 10 {
				t.Errorf("on the way down %+v, at most %d overruns expected", down, c.overruns)
			}
			if cost := time.Duration(float64(c.burden) * share[down.rung]); cost > late {
				t.Errorf("after a second still on rung %d, whose ticks take %v", down.rung, cost)
			}
			if status := b.Remote().Status().Quality; status.Why != quality.BecauseBusy || status.Changes == 0 {
				t.Errorf("the status does not say why: %+v", status)
			}
			if steady := e.under(t, b, c.burden, 1700); steady.overruns > 0 || steady.rung != down.rung {
				t.Errorf("under a steady burden %+v, want none and rung %d", steady, down.rung)
			}
			back := e.under(t, b, 200*time.Microsecond, (quality.NumRungs-1)*firstWait+second)
			if back.rung != 0 || back.overruns > 0 {
				t.Errorf("without the burden %+v, want full quality again", back)
			}
			if status := b.Remote().Status().Quality; status.Why != quality.BecauseNothing {
				t.Errorf("at full quality the status still says %v", status.Why)
			}
		})
	}
}

// TestQualityPins: a brain told to stay on a rung does, and refuses one it does
// not know.
func TestQualityPins(t *testing.T) {
	body := newStill()
	p := brain.Default()
	p.Quality = "balanced"
	e := &laden{Engine: engine(t, 0), body: body}
	b, err := brain.New(body, e, body, p)
	if err != nil {
		t.Fatal(err)
	}
	if w := e.under(t, b, 20*time.Millisecond, 1000); w.rung != 1 {
		t.Errorf("pinned to balanced, on rung %d", w.rung)
	}
	p.Quality = "finest"
	if _, err := brain.New(body, e, body, p); err == nil {
		t.Error("quality finest was accepted")
	}
	p = brain.Default()
	p.Budget = p.Period + 1
	if _, err := brain.New(body, e, body, p); err == nil {
		t.Error("a budget longer than the period was accepted")
	}
}

// TestSurround: a slow goroutine's report on the machine reaches the tick.
func TestSurround(t *testing.T) {
	body := newStill()
	e := &laden{Engine: engine(t, 0), body: body}
	b, err := brain.New(body, e, body, brain.Default())
	if err != nil {
		t.Fatal(err)
	}
	e.under(t, b, 0, 1000)
	b.Remote().Surround(quality.Surroundings{Heat: quality.Hot, Saving: true})
	e.under(t, b, 0, (quality.NumRungs-1)*second+1)
	if c := b.Remote().Status().Quality; c.Rung != quality.NumRungs-1 || c.Why != quality.BecauseHot {
		t.Errorf("on a hot machine %+v", c)
	}
	b.Remote().Surround(quality.Surroundings{Saving: true})
	e.under(t, b, 0, 3*firstWait+1)
	if c := b.Remote().Status().Quality; c.Rung != 1 || c.Why != quality.BecauseSaving {
		t.Errorf("on a cooler one that saves power %+v", c)
	}
	for why, s := range map[quality.Reason]quality.Surroundings{
		quality.BecauseSlowed: {Slowed: true}, quality.BecauseTight: {Tight: true},
	} {
		b.Remote().Surround(quality.Surroundings{})
		e.under(t, b, 0, 3*firstWait+1)
		if c := b.Remote().Status().Quality; c.Rung != 0 {
			t.Errorf("nothing is wrong and still %+v", c)
		}
		b.Remote().Surround(s)
		e.under(t, b, 0, second+1)
		if c := b.Remote().Status().Quality; c.Rung != 1 || c.Why != why {
			t.Errorf("%+v gives %+v", s, c)
		}
	}
}
