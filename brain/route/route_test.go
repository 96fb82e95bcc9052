package route

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbrain/brain/ground"
)

// floor is a grid in which everything is free but what a picture shows: # is
// occupied, ? is unknown. A character is a square of some metres; the picture's
// middle is the world's origin, its first line the north.
func floor(t testing.TB, metres float32, picture ...string) *ground.Grid {
	t.Helper()
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	r := new(ground.Record)
	g.Save(r)
	at := func(x, y float32) byte {
		column, line := int(math.Floor(float64(x/metres)))+len(picture[0])/2, len(picture)/2-1-int(math.Floor(float64(y/metres)))
		if line < 0 || line >= len(picture) || column < 0 || column >= len(picture[0]) {
			return '?'
		}
		return picture[line][column]
	}
	for y := -ground.Side / 2; y < ground.Side/2; y++ {
		for x := -ground.Side / 2; x < ground.Side/2; x++ {
			i := (y&(ground.Side-1))*ground.Side + x&(ground.Side-1)
			switch at((float32(x)+0.5)*ground.Cell, (float32(y)+0.5)*ground.Cell) {
			case '#':
				r.Odds[i] = ground.Occupied
			case '?':
			default:
				r.Odds[i] = -ground.Free
			}
		}
	}
	g.Resume(r)
	return g
}

// yard returns a picture of 16 lines with free floor to the north and south of some.
func yard(middle ...string) []string {
	free := slices.Repeat([]string{strings.Repeat(".", 16)}, (16-len(middle))/2)
	return slices.Concat(free, middle, free)
}

// sent returns a finder on the way to a goal that has finished its waves around a
// place of the axle.
func sent(g *ground.Grid, x, y, axle float32) *Finder {
	r := New()
	r.Begin(Goal, x, y)
	spread(r, g, ground.Pose{X: axle})
	return r
}

// spread lets a finder finish two waves.
func spread(r *Finder, g *ground.Grid, at ground.Pose) {
	for range 160 {
		r.Advance(g, at, 0.005)
	}
}

// walk drives a point along the way until it is near a place or gives up; it returns
// the metres and the sharpest bend between two steps.
func walk(t *testing.T, r *Finder, g *ground.Grid, from, to point) (metres, bend float64) {
	t.Helper()
	const step = 0.01
	x, y, last := from.x, from.y, math.NaN()
	for gap(point{x, y}, to) > 0.06 {
		w := r.Toward(x, y)
		if !w.OK || metres > 30 {
			t.Fatalf("after %.2f m at %.2f, %.2f: %+v", metres, x, y, w)
		}
		if !math.IsNaN(last) {
			d := math.Abs(math.Remainder(float64(w.Bearing)-last, 2*math.Pi))
			bend = max(bend, d)
		}
		last = float64(w.Bearing)
		x += step * float32(math.Cos(last))
		y += step * float32(math.Sin(last))
		metres += step
		if c := g.Clearance(x, y); c < 0.07 {
			t.Fatalf("the way goes %.3f m past the middle of something at %.2f, %.2f", c, x, y)
		}
		for range 3 { // the car is a hundred times slower than that
			r.Advance(g, ground.Pose{X: x - 0.05, Y: y}, 0.005)
		}
	}
	return metres, bend
}

// TestStraight wants the straight way to goals in all directions, also outside the
// window, without kinks of 45 deg.
func TestStraight(t *testing.T) {
	g := floor(t, 4, "..", "..")
	for n := range 24 {
		for _, far := range []float32{0.7, 2, 9} {
			r := New()
			psi := float64(n) * 2 * math.Pi / 24
			r.Begin(Goal, far*float32(math.Cos(psi)), far*float32(math.Sin(psi)))
			spread(r, g, ground.Pose{X: -0.05})
			w := r.Toward(0, 0)
			if off := math.Abs(math.Remainder(float64(w.Bearing)-psi, 2*math.Pi)); !w.OK || off > 0.06 {
				t.Errorf("%v m at %.2f rad: %+v, off by %.3f rad", far, psi, w, off)
			}
			if far < 3 && math.Abs(float64(w.Distance/far)-1) > 0.04 {
				t.Errorf("%v m at %.2f rad are %.3f m to go", far, psi, w.Distance)
			}
		}
	}
}

// TestTrap wants the way out of a U between start and goal, and its length.
func TestTrap(t *testing.T) {
	g := floor(t, 0.25, yard(
		".....#####......",
		".........#......",
		".........#......",
		".........#......",
		".........#......",
		".........#......",
		".........#......",
		".....#####......")...)
	r := sent(g, 1.5, 0, -0.05)
	if w := r.Toward(0, 0); math.Cos(float64(w.Bearing)) > 0 {
		t.Errorf("it starts towards the goal: %+v", w)
	}
	metres, _ := walk(t, r, g, point{0, 0}, point{1.5, 0})
	// to the mouth, around a corner with the body's radius, along, around, to the goal
	if metres < 3.3 || metres > 5 {
		t.Errorf("%.2f m, want about 4", metres)
	}
}

// TestDoors wants doors of the car and 10 cm open at every place within a cell, and
// those 6 cm narrower than the car shut: what beams mark is a cell wider than what
// stands there.
func TestDoors(t *testing.T) {
	for n := range 16 {
		for _, c := range []struct {
			width float32
			open  bool
		}{{0.28, true}, {0.12, false}} {
			g := floor(t, 4, "..", "..")
			rec := new(ground.Record)
			g.Save(rec)
			middle := float32(n) / 16 * Cell
			for y := -ground.Side / 2; y < ground.Side/2; y++ {
				// a wall three cells thick, as beams leave it
				if m := (float32(y)+0.5)*ground.Cell - middle; m > c.width/2 || m < -c.width/2 {
					for x := 16; x < 19; x++ {
						rec.Odds[(y&(ground.Side-1))*ground.Side+x] = ground.Occupied
					}
				}
			}
			g.Resume(rec)
			r := sent(g, 1.2, middle, -0.05)
			w := r.Toward(0, middle)
			if w.Ready != true || w.OK != c.open {
				t.Errorf("door of %v m around %.4f: %+v", c.width, middle, w)
			}
			if c.open && w.OK {
				walk(t, r, g, point{0, middle}, point{1.2, middle})
			}
		}
	}
}

// TestShut wants to hear that there is no way.
func TestShut(t *testing.T) {
	g := floor(t, 0.25,
		"########",
		"#......#",
		"#......#",
		"#......#",
		"#......#",
		"#......#",
		"#......#",
		"########")
	r := New()
	if w := r.Toward(0, 0); w.Ready || w.OK {
		t.Errorf("without a wave: %+v", w)
	}
	r.Begin(Goal, 2, 0)
	spread(r, g, ground.Pose{X: -0.05})
	if w := r.Toward(0, 0); !w.Ready || w.OK {
		t.Errorf("a room without doors: %+v", w)
	}
	r.Begin(Goal, 0.8, 0) // in the wall: as near as can be
	spread(r, g, ground.Pose{X: -0.05})
	if w := r.Toward(0, 0); !w.OK || math.Abs(float64(w.Bearing)) > 0.5 {
		t.Errorf("a goal in a wall: %+v", w)
	}
}

// TestUnknown wants a way through the unknown where the known one is much longer,
// and the known one where it is not.
func TestUnknown(t *testing.T) {
	g := floor(t, 0.25,
		"........",
		"........",
		"........",
		"...??...",
		"...??...",
		"........",
		"........",
		"........")
	r := sent(g, 0.8, 0, -0.85)
	if w := r.Toward(-0.8, 0); !w.OK || math.Abs(float64(w.Bearing)) < 0.1 {
		t.Errorf("a spot not seen is gone around: %+v", w)
	}
	g = floor(t, 0.25, "????????", "????????", "????????", "?..?...?", "?..?...?", "????????", "????????", "????????")
	r = sent(g, 0.6, 0, -0.55)
	if w := r.Toward(-0.5, 0); !w.OK || math.Abs(float64(w.Bearing)) > 0.2 {
		t.Errorf("what is not seen does not shut: %+v", w)
	}
}

// TestExplore lets a point walk about in a room that it sees around itself, and
// wants most of its places visited, few of them often.
func TestExplore(t *testing.T) {
	g := floor(t, 0.25,
		"??????????????????",
		"?################?",
		"?#..............#?",
		"?#..............#?",
		"?#..............#?",
		"?#......##......#?",
		"?#......##......#?",
		"?#..............#?",
		"?#..............#?",
		"?#......##......#?",
		"?#......##......#?",
		"?#..............#?",
		"?#..............#?",
		"?################?",
		"??????????????????",
		"??????????????????")
	r := New()
	r.Begin(Explore, 0, 0)
	x, y := float32(-1.2), float32(0.6)
	visited, metres := map[[2]int32]int{}, 0.0
	heading := float32(0)
	for range 3600 { // 36 m
		r.Advance(g, ground.Pose{X: x, Y: y, Heading: heading}, 0.01)
		r.Advance(g, ground.Pose{X: x, Y: y, Heading: heading}, 0.01)
		w := r.Toward(x, y)
		if !w.OK {
			continue
		}
		heading = w.Bearing
		x += 0.01 * float32(math.Cos(float64(w.Bearing)))
		y += 0.01 * float32(math.Sin(float64(w.Bearing)))
		metres += 0.01
		visited[[2]int32{placeOf(x), placeOf(y)}]++
	}
	t.Logf("%d places in %.1f m", len(visited), metres)
	if len(visited) < 110 { // of 132, those at the walls half out of reach
		t.Errorf("%d places in %.1f m", len(visited), metres)
	}
}

// TestSteady wants two ways of the same length not to take turns.
func TestSteady(t *testing.T) {
	g := floor(t, 0.25, yard(slices.Repeat([]string{".........#......"}, 8)...)...)
	r := sent(g, 1.5, 0, -0.05)
	side, flips := 0.0, 0
	for n := range 400 {
		y := 0.04 * float32(math.Sin(float64(n)))
		r.Advance(g, ground.Pose{X: -0.05, Y: y}, 0.005)
		w := r.Toward(0, y)
		if s := math.Copysign(1, float64(w.Bearing)); s != side {
			side = s
			flips++
		}
	}
	if flips > 1 {
		t.Errorf("%d flips", flips-1)
	}
}

// TestRecord wants a finder that resumes to go on as the one that was saved.
func TestRecord(t *testing.T) {
	g := floor(t, 4, "..", "..")
	a, b := New(), New()
	a.Begin(Explore, 0, 0)
	drive := func(r *Finder, from, to int) (w Way) {
		for n := from; n < to; n++ {
			r.Advance(g, ground.Pose{X: float32(n) * 0.002, Heading: 0.3}, 0.005)
			w = r.Toward(float32(n)*0.002, 0)
		}
		return w
	}
	drive(a, 0, 500)
	rec := new(Record)
	a.Save(rec)
	if err := rec.Check(); err != nil {
		t.Fatal(err)
	}
	b.Resume(rec)
	if x, y := drive(a, 500, 900), drive(b, 500, 900); x != y || !x.OK {
		t.Errorf("%+v, and the other %+v", x, y)
	}
	for _, spoil := range []func(r *Record){
		func(r *Record) { r.Task = 9 },
		func(r *Record) { r.West = 1 << 30 },
		func(r *Record) { r.X = float32(math.NaN()) },
		func(r *Record) { r.Stayed = -1 },
	} {
		bad := *rec
		if spoil(&bad); bad.Check() == nil {
			t.Error("a record that no finder can have was taken")
		}
	}
}

func TestNoAllocation(t *testing.T) {
	g := floor(t, 4, "..", "..")
	for _, task := range []Task{Explore, Goal} {
		r, n := New(), 0
		r.Widen(true)
		r.Begin(task, 9, 0)
		if got := testing.AllocsPerRun(300, func() {
			n++
			r.Advance(g, ground.Pose{X: float32(n) * 0.01}, 0.005)
			_ = r.Toward(0, 0)
		}); got != 0 {
			t.Errorf("task %d: %v allocations", task, got)
		}
	}
}

func BenchmarkAdvance(b *testing.B) {
	for _, c := range []struct {
		name string
		task Task
		at   float32 // m
	}{{"goal", Goal, 3.9}, {"survey", Goal, 12}, {"explore", Explore, 0}} {
		b.Run(c.name, func(b *testing.B) {
			g, r := floor(b, 4, "..", ".."), New()
			r.Widen(true)
			r.Begin(c.task, c.at, c.at)
			for b.Loop() {
				r.Advance(g, ground.Pose{}, 0.005)
			}
		})
	}
}

func BenchmarkToward(b *testing.B) {
	g, r := floor(b, 4, "..", ".."), New()
	r.Begin(Goal, 2, 1)
	spread(r, g, ground.Pose{})
	for b.Loop() {
		_ = r.Toward(0, 0)
	}
}
