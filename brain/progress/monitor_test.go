package progress

import (
	"math"
	"testing"
)

const (
	tick   = 0.005 // s
	cruise = 0.33  // m/s
)

// A course is a place as a function of the way driven, in m.
type course func(way float64) (x, y float64)

func circle(r float64) course {
	return func(s float64) (x, y float64) { return r * math.Cos(s/r), r * math.Sin(s/r) }
}

// toAndFro goes along a line of some length and back.
func toAndFro(length float64) course {
	return func(s float64) (x, y float64) {
		return length/2 - math.Abs(math.Mod(s, 2*length)-length), 0
	}
}

// wander bounces about a room of 3.4 x 2.4 m.
func wander(s float64) (x, y float64) {
	fold := func(x, w float64) float64 {
		x = math.Mod(x, 2*w)
		return math.Min(x, 2*w-x)
	}
	return fold(0.77*s, 3.4), fold(0.64*s, 2.4)
}

// A driver takes a monitor along a course.
type driver struct {
	Monitor
	way    float64
	been   map[[2]int]bool
	leaves int
	search float64 // s
	first  float64 // s before the first advice to leave
	time   float64
	ended  Verdict
}

func newDriver() *driver {
	d := &driver{been: map[[2]int]bool{}}
	d.Forget()
	return d
}

// drive goes along a course for some seconds, or to the first verdict.
func (d *driver) drive(c course, seconds float64, l Look) {
	for range int(seconds / tick) {
		d.way, d.time = d.way+cruise*tick, d.time+tick
		x, y := c(d.way)
		d.been[[2]int{int(math.Floor(x / 0.25)), int(math.Floor(y / 0.25))}] = true
		if l.Far == 0 {
			l.Far = l.Left
		}
		l.Dt, l.Driving, l.X, l.Y, l.Way, l.Entered = tick, true, x, y, cruise*tick, uint64(len(d.been))
		a := d.Update(&l)
		if a.Leave {
			if d.leaves++; d.leaves == 1 {
				d.first = d.time
			}
		}
		if a.Search {
			d.search += tick
		}
		if d.ended = a.Verdict; d.ended != GoOn {
			return
		}
	}
}

// TestGoingRound: circles, eights and to and fro are struck before the test bench would
// call them circling for 20 s, and a normal drive is not.
func TestGoingRound(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    course
		last float64 // s; 0 for never
	}{
		{"full lock", circle(0.17), 14},
		{"0.28 m", circle(0.28), 14},
		{"0.5 m", circle(0.5), 32},
		{"0.9 m", circle(0.9), 50},
		{"0.35 m, adrift", func(s float64) (x, y float64) {
			x, y = circle(0.35)(s)
			return x + 0.03*s, y
		}, 32},
		{"to and fro", toAndFro(0.5), 14},
		{"across a small room", toAndFro(1.8), 50},
		{"standing", func(float64) (x, y float64) { return 0, 0 }, 14},
		{"wandering", wander, 0},
		{"straight", func(s float64) (x, y float64) { return s, 0 }, 0},
	} {
		d := newDriver()
		d.drive(tt.c, 60, Look{Quest: Explore})
		switch {
		case tt.last == 0 && d.leaves > 0:
			t.Errorf("%s: to be left after %.1f s", tt.name, d.first)
		case tt.last > 0 && (d.leaves == 0 || d.first > tt.last):
			t.Errorf("%s: left %d times, first after %.1f s, want %.0f s", tt.name, d.leaves, d.first, tt.last)
		case tt.last > 0 && d.search == 0:
			t.Errorf("%s: nothing draws it elsewhere", tt.name)
		}
	}
}

// TestGoalIsGivenUp: a car that gets no nearer looks elsewhere and gives up in the end,
// one that finds new floor does so later, and one that gets nearer never.
func TestGoalIsGivenUp(t *testing.T) {
	d := newDriver()
	d.drive(circle(0.4), 400, Look{Quest: Goal, Left: 2})
	if d.ended != NoNearer || d.time < 119 || d.time > 180 || d.search < 20 {
		t.Errorf("going round: %d after %.0f s, %.0f s of them elsewhere", d.ended, d.time, d.search)
	}
	d = newDriver()
	d.drive(func(s float64) (x, y float64) { return s, 0 }, 400, Look{Quest: Goal, Left: 2})
	if d.ended != NoNearer || d.time < ever-1 {
		t.Errorf("on new floor: %d after %.0f s, want %.0f", d.ended, d.time, ever)
	}
	d = newDriver()
	for n := range 30 {
		d.drive(circle(0.4), 15, Look{Quest: Goal, Left: 9 - 0.2*float64(n)})
	}
	if d.ended != GoOn {
		t.Errorf("nearer every 15 s: %d after %.0f s", d.ended, d.time)
	}
	// what was not known becomes known, which shortens the route and not the distance
	d = newDriver()
	for n := range 60 {
		d.drive(circle(0.4), 4, Look{Quest: Goal, Left: 9 - 0.1*float64(n), Far: 3})
	}
	if d.ended != NoNearer {
		t.Errorf("a route that gets shorter and leads no nearer: %d after %.0f s", d.ended, d.time)
	}
	// a map that forgets: the way is now long, now short
	d = newDriver()
	for n := range 60 {
		d.drive(circle(0.4), 4, Look{Quest: Goal, Left: 2 + float64(n%2)})
	}
	if d.ended != NoNearer {
		t.Errorf("a way now long, now short: %d after %.0f s", d.ended, d.time)
	}
}

// TestOneBeamLooksElsewhereAtOnce: a car with one beam that goes round before its goal looks
// elsewhere at the first strike, one with beams to the sides at the second, and neither
// where it is only slow.
func TestOneBeamLooksElsewhereAtOnce(t *testing.T) {
	for _, one := range []bool{false, true} {
		d := newDriver()
		d.drive(toAndFro(0.3), 14, Look{Quest: Goal, Left: 2, One: one})
		if d.leaves != 1 || (d.search > 0) != one {
			t.Errorf("one beam %v: told to leave %d times, %.1f s elsewhere", one, d.leaves, d.search)
		}
	}
	var m Monitor // where nothing is new for 15 s it is struck, too
	m.Forget()
	l := Look{Quest: Goal, Dt: tick, Driving: true, Way: cruise * tick, Entered: 4, Left: 2, Far: 2, One: true}
	for at := 0.0; at < stale+1; at += tick {
		l.X = cruise * at
		if a := m.Update(&l); a.Search {
			t.Fatalf("on a straight way it looks elsewhere after %.1f s", at)
		}
	}
	if m.Strikes() != 1 {
		t.Errorf("a way without news: %d strikes, want 1", m.Strikes())
	}
}

// TestLapsAreNoProgress: laps of a room on which the odometry's drift makes a new place now
// and then are struck once a minute; a car that comes nearer meanwhile is not.
func TestLapsAreNoProgress(t *testing.T) {
	laps := func(s float64) (x, y float64) {
		x, y = circle(1.3)(s)
		return x + 0.05*s, y
	}
	d := newDriver()
	d.drive(laps, 110, Look{Quest: Goal, Left: 4})
	if d.leaves != 1 || d.first < vainly || d.first > vainly+1 {
		t.Errorf("laps: left %d times, first after %.0f s, want once after %.0f", d.leaves, d.first, vainly)
	}
	d = newDriver()
	for n := range 4 {
		d.drive(laps, vainly-5, Look{Quest: Goal, Left: 4 - 0.2*float64(n)})
	}
	if d.leaves > 0 {
		t.Errorf("nearer on every lap: left %d times, first after %.0f s", d.leaves, d.first)
	}
}

// TestShut: no way is no way only after the car has looked for one, and a way that
// appears meanwhile is taken.
func TestShut(t *testing.T) {
	d := newDriver()
	d.drive(wander, 200, Look{Quest: Goal, Left: math.Inf(1), Shut: true})
	if d.ended != NoWay || d.time < searching || d.search == 0 {
		t.Errorf("shut: %d after %.0f s, %.0f s elsewhere", d.ended, d.time, d.search)
	}
	d = newDriver()
	d.drive(wander, 200, Look{Quest: Goal, Left: math.Inf(1), Shut: true, Barren: true})
	if d.ended != NoWay || d.time > 30 {
		t.Errorf("shut and nothing new: %d after %.0f s", d.ended, d.time)
	}
	d = newDriver()
	for n := range 30 {
		d.drive(wander, 1, Look{Quest: Goal, Left: math.Inf(1), Shut: true})
		d.drive(wander, 4, Look{Quest: Goal, Left: 9 - 0.2*float64(n)})
	}
	if d.ended != GoOn {
		t.Errorf("shut now and then: %d after %.0f s", d.ended, d.time)
	}
}

// TestExploringEnds where nothing new can be reached, and not where that is so for a
// moment only; waiting costs no patience.
func TestExploringEnds(t *testing.T) {
	d := newDriver()
	d.drive(wander, 60, Look{Quest: Explore, Barren: true})
	if d.ended != NoNews || d.time < 9.9 || d.time > 11 {
		t.Errorf("nothing new: %d after %.1f s", d.ended, d.time)
	}
	d = newDriver()
	for range 10 {
		d.drive(func(s float64) (x, y float64) { return s, 0 }, 4, Look{Quest: Explore, Barren: true})
		d.drive(func(s float64) (x, y float64) { return s, 0 }, 4, Look{Quest: Explore})
	}
	if d.ended != GoOn {
		t.Errorf("nothing new now and then: %d after %.1f s", d.ended, d.time)
	}
	d = newDriver()
	d.drive(circle(0.5), 200, Look{Quest: Explore})
	if d.ended != NoNews || d.time < idlest {
		t.Errorf("no new place: %d after %.1f s", d.ended, d.time)
	}
	d = newDriver()
	for range 100000 {
		if a := d.Update(&Look{Quest: Goal, Dt: 0.1, Left: 1, Shut: true}); a.Verdict != GoOn || a.Leave {
			t.Fatalf("held, it gives up: %+v", a)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	d := newDriver()
	l := Look{Quest: Goal, Dt: tick, Driving: true, Way: cruise * tick}
	if n := testing.AllocsPerRun(2000, func() { l.X += cruise * tick; d.Update(&l) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestPlacesCountedAnew: where places are counted anew, as after the car was carried,
// nothing counts as gained.
func TestPlacesCountedAnew(t *testing.T) {
	var m Monitor
	m.Forget()
	l := Look{Quest: Explore, Dt: tick, Driving: true, Way: cruise * tick, Entered: 100}
	at := 0.0
	for ; at < 120 && m.Update(&l).Verdict == GoOn; at += tick {
		if l.X, l.Y = circle(0.4)(cruise * at); at > 40 {
			l.Entered = 3
		}
	}
	if at > idlest+1 {
		t.Errorf("given up after %.0f s, want %.0f", at, idlest)
	}
}

// TestDoubts: what the map has forgotten counts once the goal has come no nearer for a
// while, and as long as the quest lasts; a car that only explores has no such doubt.
func TestDoubts(t *testing.T) {
	var m Monitor
	m.Forget()
	l := Look{Quest: Goal, Dt: tick, Driving: true, Way: cruise * tick, Left: 2, Far: 2}
	for at := 0.0; at < doubtful+1; at += tick {
		if l.X, l.Entered = cruise*at, uint64(at/2); m.Update(&l).Leave {
			t.Fatalf("struck after %.1f s", at)
		}
		if early := at < doubtful-1; early && m.Doubts() {
			t.Fatalf("doubts after %.1f s", at)
		}
	}
	if !m.Doubts() {
		t.Errorf("no doubt %g s after the goal was nearer", doubtful+1)
	}
	if l.Far = 1; m.Update(&l).Leave || !m.Doubts() {
		t.Error("no doubt any more half way along a detour")
	}
	if l.Quest = Explore; m.Update(&l).Leave || m.Doubts() {
		t.Error("the doubts of a quest that is over")
	}
	m.Forget()
	l.Quest = Explore
	for at := 0.0; at < doubtful+1; at += tick {
		l.X, l.Entered = cruise*at, uint64(at/2)
		m.Update(&l)
	}
	if m.Doubts() {
		t.Error("doubts where nothing but floor draws")
	}
}

// TestDespairs: a goal that has come no nearer for long is known to lie at the end of a long
// way from then on; a strike of the monitor does not put that off.
func TestDespairs(t *testing.T) {
	var m Monitor
	m.Forget()
	l := Look{Quest: Goal, Dt: tick, Driving: true, Way: cruise * tick, Left: 2, Far: 2}
	for at := 0.0; at < despaired+1; at += tick {
		l.X, l.Entered = cruise*at, uint64(at/2)
		m.Update(&l)
		if at < despaired-1 && m.Despairs() {
			t.Fatalf("despairs after %.1f s", at)
		}
	}
	if !m.Despairs() {
		t.Errorf("still sure %g s after the goal was nearer", despaired+1)
	}
	l.Far = 1
	if m.Update(&l); !m.Despairs() {
		t.Error("sure again half way along a detour")
	}
	l.Quest = Explore
	if m.Update(&l); m.Despairs() {
		t.Error("despairs of a quest that is over")
	}
}
