package quality_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/brain/quality"
	"fieldbrain/testbench/tier"
)

const (
	period = 5 * time.Millisecond
	budget = 2500 * time.Microsecond // half of it, the default
	late   = budget * 9 / 10
	second = int(time.Second / period)

	firstWait   = 2000               // ticks before a climb, all of them quiet
	longestWait = firstWait * 1 << 5 // after many climbs that failed
)

// A load is a machine: what a tick takes on each rung, and how often the worst
// of a round comes, in ticks.
type load struct {
	cost  [quality.NumRungs]time.Duration
	every int
}

// busy is the duration of a tick: the full cost every so often, in between less.
func (l load) busy(rung, tick int) time.Duration {
	if tick%l.every == 0 {
		return l.cost[rung]
	}
	return l.cost[rung] * 6 / 10
}

// anyLoad draws a machine on which every rung costs less than the one above,
// by at most the factor 1.8 that lies between quiet and late.
func anyLoad(t *rapid.T, name string) load {
	l := load{every: rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, name+" every")}
	c := time.Duration(rapid.IntRange(10, 12000).Draw(t, name+" top us")) * time.Microsecond
	for i := range l.cost {
		l.cost[i] = c
		c = c * 100 / time.Duration(rapid.IntRange(101, 180).Draw(t, name+" step percent"))
	}
	return l
}

// fits returns the best rung on which no tick is late, or NumRungs.
func (l load) fits() int {
	for i, c := range l.cost {
		if c <= late {
			return i
		}
	}
	return quality.NumRungs
}

// A watched governor checks with every tick what must always hold.
type watched struct {
	quality.Governor
	tick    int
	changed []int  // ticks of the changes
	up      []bool // which of them were climbs
}

func watch(t *rapid.T, of string) *watched {
	g, err := quality.New(period, 0, of)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Governor: g}
	w.run(t, load{every: 1}, 200, quality.Surroundings{}) // run in
	return w
}

// run observes n ticks and returns how many were late.
func (w *watched) run(t *rapid.T, l load, n int, s quality.Surroundings) (lates int) {
	for range n {
		before := w.Choice()
		busy := l.busy(before.Rung, w.tick)
		if busy > late {
			lates++
		}
		w.Update(busy, s)
		w.tick++
		w.note(t, before, w.Choice())
	}
	return lates
}

// note checks one change: one rung at a time, no climb within a second of
// another change or within 2000 ticks of one, and never without a count.
func (w *watched) note(t *rapid.T, before, after quality.Choice) {
	step := after.Rung - before.Rung
	if step == 0 {
		if after.Changes != before.Changes {
			t.Fatalf("tick %d: %d changes without one", w.tick, after.Changes-before.Changes)
		}
		return
	}
	if step < -1 || step > 1 || after.Changes != before.Changes+1 {
		t.Fatalf("tick %d: from rung %d to %d, changes %d to %d", w.tick, before.Rung, after.Rung, before.Changes, after.Changes)
	}
	if n := len(w.changed); n > 0 && step < 0 && w.tick-w.changed[n-1] < firstWait {
		t.Fatalf("tick %d: climbs %d ticks after the last change", w.tick, w.tick-w.changed[n-1])
	}
	w.changed, w.up = append(w.changed, w.tick), append(w.up, step < 0)
}

// history puts the governor into any state it can get into.
func (w *watched) history(t *rapid.T) {
	for i := range rapid.IntRange(0, 6).Draw(t, "phases") {
		l := anyLoad(t, fmt.Sprintf("phase %d", i))
		w.run(t, l, rapid.IntRange(1, 30000).Draw(t, "ticks"), quality.Surroundings{
			Heat:   quality.Heat(rapid.IntRange(0, 2).Draw(t, "heat")),
			Saving: rapid.Bool().Draw(t, "saving"),
		})
	}
}

// TestGovernorNeverFlaps: on a machine that does not change, the ladder is gone
// down once, and then tried again ever more rarely.
func TestGovernorNeverFlaps(t *testing.T) {
	tier.Alone(t, "one goroutine computes for minutes")
	ticks := tier.Count(t, "ticks", 200_000, 600_000, 600_000) // 50 minutes
	rapid.Check(t, func(t *rapid.T) {
		w := watch(t, quality.Auto)
		w.history(t)
		l := anyLoad(t, "steady")
		before, tried := len(w.changed), 0
		w.run(t, l, ticks, quality.Surroundings{})
		for _, up := range w.up[before:] {
			if up {
				tried++
			}
		}
		// 2000, 4000, ... 64000 and 64000 again and again, and the way back up.
		attempts := quality.NumRungs + 6 + (ticks-2*longestWait)/longestWait
		if tried > attempts {
			t.Errorf("%d climbs in %d ticks on %v, at most %d expected", tried, ticks, l.cost, attempts)
		}
		if n := len(w.changed) - before; n > 2*attempts+quality.NumRungs {
			t.Errorf("%d changes in %d ticks on %v", n, ticks, l.cost)
		}
	})
}

// TestGovernorKeepsTheBudget: where some rung fits, ticks are late for at most
// 24 ticks per rung, from any state, and later only when a climb is tried.
func TestGovernorKeepsTheBudget(t *testing.T) {
	tier.Alone(t, "one goroutine computes for minutes")
	rapid.Check(t, func(t *rapid.T) {
		w := watch(t, quality.Auto)
		w.history(t)
		l := anyLoad(t, "sudden")
		if l.fits() == quality.NumRungs {
			t.Skip("no rung fits this machine")
		}
		const descent = 24 * (quality.NumRungs - 1)
		if n := w.run(t, l, descent, quality.Surroundings{}); n > 3*(quality.NumRungs-1) {
			t.Errorf("%d late ticks on the way down, at most 3 per rung expected", n)
		}
		if c := w.Choice(); l.cost[c.Rung] > late {
			t.Fatalf("after %d ticks on rung %d, whose ticks take %v", descent, c.Rung, l.cost[c.Rung])
		}
		before := len(w.changed)
		lates, tried := w.run(t, l, 50_000, quality.Surroundings{}), 0
		for _, up := range w.up[before:] {
			if up {
				tried++
			}
		}
		if lates > 3*tried {
			t.Errorf("%d late ticks in the %d climbs after that", lates, tried)
		}
	})
}

// TestGovernorReturns: whatever happened, without load the best rung is back
// after the longest wait and one first wait for each other rung.
func TestGovernorReturns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := watch(t, quality.Auto)
		w.history(t)
		idle := load{every: 1}
		w.run(t, idle, longestWait+(quality.NumRungs-2)*firstWait, quality.Surroundings{})
		if c := w.Choice(); c.Rung != 0 || c.Why != quality.BecauseNothing || c.Over {
			t.Errorf("without load still %+v", c)
		}
	})
}

// TestGovernorReturnsFromAQuietBurst: after one burst the way back takes 10 s a
// rung, not the longest wait.
func TestGovernorReturnsFromAQuietBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := watch(t, quality.Auto)
		w.run(t, anyLoad(t, "burst"), rapid.IntRange(1, 1500).Draw(t, "ticks"), quality.Surroundings{})
		w.run(t, load{every: 1}, (quality.NumRungs-1)*firstWait+second, quality.Surroundings{})
		if c := w.Choice(); c.Rung != 0 {
			t.Errorf("still on rung %d", c.Rung)
		}
	})
}

// TestGovernorObeysItsSurroundings: heat and power mode lead down within a
// second a rung, hold while they last, and give way afterwards.
func TestGovernorObeysItsSurroundings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := watch(t, quality.Auto)
		w.history(t)
		s := quality.Surroundings{
			Heat:   quality.Heat(rapid.IntRange(0, 2).Draw(t, "heat now")),
			Saving: rapid.Bool().Draw(t, "saving now"),
			Slowed: rapid.Bool().Draw(t, "slowed now"),
			Tight:  rapid.Bool().Draw(t, "tight now"),
		}
		bound := 0
		switch {
		case s.Heat == quality.Hot:
			bound = quality.NumRungs - 1
		case s.Heat == quality.Warm, s.Saving, s.Slowed, s.Tight:
			bound = 1
		}
		idle := load{every: 1}
		w.run(t, idle, (quality.NumRungs-1)*second+1, s)
		for range 100 {
			if c := w.Choice(); c.Rung < bound {
				t.Fatalf("%+v on rung %d, better than %d", s, c.Rung, bound)
			}
			w.run(t, idle, 100, s)
		}
		w.run(t, idle, longestWait+(quality.NumRungs-2)*firstWait, quality.Surroundings{})
		if c := w.Choice(); c.Rung != 0 {
			t.Errorf("cool again and still on rung %d", c.Rung)
		}
	})
}

// TestGovernorStays: a quality by name is that rung whatever happens.
func TestGovernorStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rung := rapid.IntRange(0, quality.NumRungs-1).Draw(t, "rung")
		w := watch(t, quality.Ladder()[rung].Name)
		w.history(t)
		if c := w.Choice(); c.Rung != rung || c.Best != rung || c.Changes != 0 {
			t.Errorf("pinned to %d, got %+v", rung, c)
		}
	})
}

// TestGovernorForgivesHiccups: two late ticks in a second are the machine's, not
// the load's; a third one is not forgiven.
func TestGovernorForgivesHiccups(t *testing.T) {
	for _, c := range []struct {
		name string
		busy time.Duration
		n    int
		want int // rung
	}{
		{"two late", late + 1, 2, 0},
		{"three late", late + 1, 3, 1},
		{"one overrun", period + 1, 1, 0},
		{"two overruns", period + 1, 2, 1},
		{"at the limit", late, 100, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := quality.New(period, 0, quality.Auto)
			if err != nil {
				t.Fatal(err)
			}
			for range 1000 { // run in, and idle
				g.Update(0, quality.Surroundings{})
			}
			for range c.n {
				g.Update(c.busy, quality.Surroundings{})
			}
			if got := g.Choice().Rung; got != c.want {
				t.Errorf("rung %d, want %d", got, c.want)
			}
		})
	}
}

// TestGovernorSaysWhenNothingFits: on the worst rung there is nowhere to go.
func TestGovernorSaysWhenNothingFits(t *testing.T) {
	for _, of := range []string{quality.Auto, "full"} {
		g, err := quality.New(period, 0, of)
		if err != nil {
			t.Fatal(err)
		}
		for range 400 {
			g.Update(period, quality.Surroundings{})
		}
		// On the edge of the limit it is said once, not whenever a tick crosses it.
		for i := range 20_000 {
			if c := g.Choice(); !c.Over {
				t.Fatalf("%s: after %d ticks on the edge %+v does not say so", of, i, c)
			}
			busy := late - 1
			if i%500 < 3 {
				busy = late + 1
			}
			g.Update(busy, quality.Surroundings{})
		}
		for range 2200 {
			g.Update(late-1, quality.Surroundings{})
		}
		if c := g.Choice(); c.Over {
			t.Errorf("%s: %+v says so still when ticks fit", of, c)
		}
	}
}

func TestUnknownQualitiesAreRefused(t *testing.T) {
	if _, err := quality.New(period, 0, "best"); err == nil {
		t.Error("quality best was accepted")
	} else {
		t.Log(err)
	}
	for _, name := range append(quality.Names(), "") {
		if err := quality.Check(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestBound: a quality that somebody chooses counts at once, and auto lets the governor
// choose again.
func TestBound(t *testing.T) {
	const last = quality.NumRungs - 1
	g, err := quality.New(period, 0, quality.Auto)
	if err != nil {
		t.Fatal(err)
	}
	index := func(name string) int { return slices.Index(quality.Names(), name) }
	g.Bound(index("survival"))
	if c := g.Choice(); c.Rung != last || c.Best != last || c.Changes != 1 {
		t.Errorf("survival: %+v", c)
	}
	g.Bound(index(quality.Auto))
	if c := g.Choice(); c.Rung != last || c.Best != 0 || c.Why != quality.BecauseAsked {
		t.Errorf("auto again: %+v, want to climb from the last rung", c)
	}
	for range 200 + (firstWait+1)*last {
		g.Update(0, quality.Surroundings{})
	}
	if c := g.Choice(); c.Rung != 0 {
		t.Errorf("after quiet ticks: %+v", c)
	}
	g.Bound(index("full"))
	if c := g.Choice(); c.Rung != 0 || c.Best != 0 || c.Why != quality.BecauseNothing {
		t.Errorf("full: %+v", c)
	}
}
