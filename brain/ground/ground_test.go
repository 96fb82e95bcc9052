package ground

import (
	"math"
	"math/rand"
	"testing"
	"testing/quick"
)

func create(t testing.TB) *Grid {
	t.Helper()
	g, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// clearing makes everything around free.
func clearing(g *Grid) {
	for i := range cells {
		g.put(i, -Free)
	}
}

// block makes one cell occupied.
func block(g *Grid, x, y float32) { g.put(index(coordinate(x), coordinate(y)), Occupied) }

func near(t *testing.T, what string, have, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(have-want) <= tolerance) {
		t.Errorf("%s: %.4f, want %.4f within %.4f", what, have, want, tolerance)
	}
}

func front(r float32) Beam { return Beam{Range: r, HalfWidth: 12 * rad, Lead: 0.11} }

func TestNewRefuses(t *testing.T) {
	for _, b := range []Body{{}, {Radius: 0.2}, {Radius: 0.09, Margin: 0.1}, {Radius: 0.09, Ahead: 1}, {Radius: float32(math.NaN())}} {
		if _, err := New(b); err == nil {
			t.Errorf("a body %+v was taken", b)
		}
	}
}

// TestFollow drives far with marks and wants to find those that are still in the
// window and nothing else.
func TestFollow(t *testing.T) {
	g := create(t)
	mark := func(x, y float32) { g.put(index(coordinate(x), coordinate(y)), Occupied) }
	mark(0.5, 0.5)
	g.Follow(3, -2)
	if s := g.At(0.5, 0.5).State; s != Blocked {
		t.Errorf("still in the window: %v", s)
	}
	g.Follow(6, 0) // 0.5 is 5.5 m behind
	if s := g.At(0.5, 0.5).State; s != Unknown {
		t.Errorf("out of the window: %v", s)
	}
	if s := g.At(8.5, 0.5).State; s != Unknown {
		t.Errorf("the cell that took its place: %v", s)
	}
	g.Follow(0, 0)
	if s := g.At(0.5, 0.5).State; s != Unknown {
		t.Errorf("come back: %v", s)
	}
	mark(0.5, 0.5)
	g.Follow(float32(math.NaN()), 0)
	g.Follow(1e30, 0)
	if s := g.At(0.5, 0.5).State; s != Blocked {
		t.Errorf("nowhere moved the window: %v", s)
	}
	g.Follow(-900, 900)
	for i := range words {
		if g.occupied[i]|g.free[i] != 0 {
			t.Fatal("far away something is known")
		}
	}
}

// TestSweepStraight wants the exact way to one cell straight ahead, from places
// within a cell and headings of all kinds.
func TestSweepStraight(t *testing.T) {
	b := Default()
	for n := range 64 {
		g := create(t)
		clearing(g)
		way := float64(n) * 2 * math.Pi / 64
		at := Pose{float32(n) * 0.003, float32(n) * -0.0017, float32(way)}
		x, y := at.place(0.6, 0)
		cx, cy := coordinate(x), coordinate(y)
		g.put(index(cx, cy), Occupied)
		mx, my := (float64(cx)+0.5)*Cell-float64(at.X), (float64(cy)+0.5)*Cell-float64(at.Y)
		along, across := mx*math.Cos(way)+my*math.Sin(way), my*math.Cos(way)-mx*math.Sin(way)
		r := float64(b.Radius + b.Margin)
		want := along - float64(b.Ahead) - math.Sqrt(r*r-across*across)
		s := g.Sweep(at, 0, 1, false)
		near(t, "ahead", float64(s.Free), want, 0.006)
		if s.Known > s.Free {
			t.Errorf("known %v beyond free %v", s.Known, s.Free)
		}
		if s := g.Sweep(at, 0, 1, true); s.Free != 1 {
			t.Errorf("backwards it meets something after %v m", s.Free)
		}
		at.Heading += math.Pi
		at.X, at.Y = at.X+0.1*float32(math.Cos(way)), at.Y+0.1*float32(math.Sin(way)) // the disc where it was
		near(t, "backwards", float64(g.Sweep(at, 0, 1, true).Free), want, 0.006)
	}
}

// TestSweepArc compares arcs with the plain geometry of a moving disc, step by
// half millimetre.
func TestSweepArc(t *testing.T) {
	b := Default()
	check := func(seed uint32) bool {
		next := func(low, high float64) float64 {
			seed = seed*1664525 + 1013904223
			return low + (high-low)*float64(seed>>8)/(1<<24)
		}
		g := create(t)
		clearing(g)
		var xs, ys []float64
		for range 40 {
			x, y := next(-1, 1), next(-1, 1)
			if math.Hypot(x, y) < 0.25 {
				continue
			}
			cx, cy := coordinate(float32(x)), coordinate(float32(y))
			g.put(index(cx, cy), Occupied)
			xs, ys = append(xs, (float64(cx)+0.5)*Cell), append(ys, (float64(cy)+0.5)*Cell)
		}
		at := Pose{0, 0, float32(next(-3, 3))}
		curvature, backward := next(-6, 6), next(0, 1) < 0.5
		s := g.Sweep(at, float32(curvature), 0.8, backward)
		sign := 1.0
		if backward {
			sign = -1
		}
		meets := func(radius float64) float64 {
			x, y, h := 0.0, 0.0, float64(at.Heading)
			const ds = 0.0005
			for way := 0.0; way < 0.8; way += ds {
				px, py := x+float64(b.Ahead)*math.Cos(h), y+float64(b.Ahead)*math.Sin(h)
				for i := range xs {
					if math.Hypot(xs[i]-px, ys[i]-py) < radius {
						return way
					}
				}
				h += sign * curvature * ds / 2
				x, y = x+sign*ds*math.Cos(h), y+sign*ds*math.Sin(h)
				h += sign * curvature * ds / 2
			}
			return 0.8
		}
		// a cell that the flank grazes may be met a little earlier or later
		low, high := meets(float64(b.Radius+b.Margin)+0.008), meets(float64(b.Radius+b.Margin)-0.008)
		if f := float64(s.Free); f < low-0.012 || f > high+0.012 {
			t.Logf("seed %d: free %.3f, plain geometry %.3f..%.3f (curvature %.2f, backward %v)", seed, f, low, high, curvature, backward)
			return false
		}
		return true
	}
	if err := quick.Check(func(seed uint32) bool { return check(seed) }, &quick.Config{MaxCount: 200, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}

// TestSweepKnown wants a body to stop where the floor has not been seen.
func TestSweepKnown(t *testing.T) {
	g := create(t)
	for x := float32(-0.3); x < 0.7; x += Cell {
		for y := float32(-0.3); y < 0.3; y += Cell {
			g.put(index(coordinate(x), coordinate(y)), -Free)
		}
	}
	s := g.Sweep(Pose{}, 0, 1, false)
	near(t, "known", float64(s.Known), 0.7-0.05-0.09, 0.03)
	near(t, "free", float64(s.Free), 1, 0)
	if s := create(t).Sweep(Pose{}, 0, 1, false); s.Known > 0.01 {
		t.Errorf("in the dark %v m are known", s.Known)
	}
}

// TestSweepLetsGo wants that what the body already overlaps, or what stands beside
// it nearer than the margin, holds it only on the way deeper.
func TestSweepLetsGo(t *testing.T) {
	g := create(t)
	clearing(g)
	g.Edge(Pose{}, 0.12, 0) // under the bar, inside the disc
	if s := g.Sweep(Pose{}, 0, 1, false); s.Free > 0.01 {
		t.Errorf("it drives %v m over the edge", s.Free)
	}
	if s := g.Sweep(Pose{}, 0, 1, true); s.Free != 1 {
		t.Errorf("it may back off %v m only", s.Free)
	}
	g = create(t)
	clearing(g)
	for x := float32(-1); x < 1.5; x += Cell {
		block(g, x, 0.11) // a wall 1 cm outside the body, inside its margin
	}
	if s := g.Sweep(Pose{}, 0, 1, false); s.Free < 0.95 {
		t.Errorf("along a wall that it does not touch the car gets %v m", s.Free)
	}
	if s := g.Sweep(Pose{}, 5, 1, false); s.Free > 0.12 {
		t.Errorf("into it %v m", s.Free)
	}
}

// TestDoor drives through doors of 10 and 6 cm more than the car at every place
// within a cell, and is refused by one that is 4 cm too narrow.
func TestDoor(t *testing.T) {
	for n := range 20 {
		for _, c := range []struct {
			width  float64
			passes bool
		}{{0.28, true}, {0.14, false}} {
			g := create(t)
			clearing(g)
			middle := float64(n) * Cell / 20
			for y := -1.0; y < 1; y += Cell / 4 {
				if math.Abs(y-middle) >= c.width/2 {
					block(g, 0.5, float32(y))
				}
			}
			s := g.Sweep(Pose{Y: float32(middle)}, 0, 1, false)
			if (s.Free == 1) != c.passes {
				t.Errorf("door of %.2f m around %.4f: gets %.3f m", c.width, middle, s.Free)
			}
		}
	}
}

// TestForget wants static things to last tens of seconds, less when driving, and
// what moved to be gone in two seconds.
func TestForget(t *testing.T) {
	lasts := func(seconds, metres, radians float32) float64 {
		g := create(t)
		block(g, 1, 1)
		for n := range 100000 {
			if g.At(1, 1).State != Blocked {
				return float64(n) * 0.005
			}
			g.Forget(seconds, metres, radians)
		}
		return math.Inf(1)
	}
	near(t, "standing", lasts(0.005, 0, 0), 80, 4)
	near(t, "driving at 0.3 m/s", lasts(0.005, 0.0015, 0)*0.3, 4.9, 0.6)
	g := create(t)
	block(g, 0.5, 0)
	for range 20 {
		g.Beam(Pose{}, front(1.5)) // it went
	}
	if s := g.At(0.5, 0).State; s != Clear {
		t.Fatalf("the place it left: %v", s)
	}
	for range 20 {
		g.Beam(Pose{}, front(0.39)) // and came back
	}
	if s := g.At(0.5, 0).State; s != Blocked {
		t.Fatalf("the place it came back to: %v", s)
	}
	for range 400 {
		g.Forget(0.005, 0, 0)
	}
	if s := g.At(0.5, 0).State; s == Blocked {
		t.Error("two seconds unseen, the mover still stands there")
	}
}

// TestRecord wants a copy to go on exactly as the original.
func TestRecord(t *testing.T) {
	g, h := create(t), create(t)
	script := func(g *Grid, from, to int) {
		for n := from; n < to; n++ {
			at := Pose{float32(n) * 0.004, float32(n) * 0.002, float32(n) * 0.01}
			g.Follow(at.X, at.Y)
			g.Beam(at, front(0.3+float32(n%7)*0.2))
			g.Drive(at)
			if n%90 == 0 {
				g.Edge(at, 0.12, 0)
				g.Contact(at, n%2 == 0)
			}
			g.Forget(0.02, 0.004, 0.01)
		}
	}
	script(g, 0, 500)
	r := new(Record)
	g.Save(r)
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	h.Resume(r)
	script(g, 500, 1000)
	script(h, 500, 1000)
	if g.odds != h.odds || g.free != h.free || g.occupied != h.occupied || g.edge != h.edge || g.firm != h.firm || g.seen != h.seen {
		t.Error("the restored grid went on differently")
	}
	for _, spoil := range []func(r *Record){
		func(r *Record) { r.West = 1 << 30 },
		func(r *Record) { r.Row = Side },
		func(r *Record) { r.Owed = float32(math.NaN()) },
		func(r *Record) { r.Odds[5] = -100 },
		func(r *Record) { r.Movers = moverMost + 1 },
		func(r *Record) { r.Movers, r.MoverCell[0] = 1, cells },
	} {
		bad := *r
		spoil(&bad)
		if bad.Check() == nil {
			t.Error("a record that no grid can have was taken")
		}
	}
}

// TestBits wants the two bits per cell to say what the odds say, after anything.
func TestBits(t *testing.T) {
	g := create(t)
	for n := range 3000 {
		at := Pose{float32(math.Sin(float64(n)/50)) * 2, float32(n) * 0.002, float32(n) * 0.03}
		g.Follow(at.X, at.Y)
		g.Beam(at, Beam{Bearing: float32(n%5-2) * 0.5, HalfWidth: 0.2, Range: 0.1 + float32(n%13)*0.2, Beyond: n%11 == 0, Lead: 0.11})
		g.Drive(at)
		g.Forget(0.04, 0.01, 0.02)
	}
	for i := range cells {
		v := g.at(i)
		if g.free.has(i) != (v <= freeFrom) || g.occupied.has(i) != (v >= occupiedFrom) {
			t.Fatalf("cell %d is %d, free %v, occupied %v", i, v, g.free.has(i), g.occupied.has(i))
		}
	}
}

func TestNoAllocation(t *testing.T) {
	g, r := create(t), new(Record)
	n := 0
	if got := testing.AllocsPerRun(100, func() {
		at := Pose{float32(n) * 0.01, 0, float32(n) * 0.1}
		n++
		g.Follow(at.X, at.Y)
		g.Beam(at, front(0.8))
		g.Edge(at, 0.12, 0.02)
		g.Contact(at, false)
		g.Drive(at)
		g.Forget(0.005, 0.002, 0.01)
		_ = g.Sweep(at, 3, 1, false)
		_ = g.Clearance(1, 1)
		g.Save(r)
		g.Resume(r)
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// TestClearance compares with all cells.
func TestClearance(t *testing.T) {
	g := create(t)
	seed := uint32(5)
	next := func() float32 { seed = seed*1664525 + 1013904223; return float32(seed>>8)/(1<<24)*8 - 4 }
	var xs, ys []float64
	for range 60 {
		x, y := next(), next()
		block(g, x, y)
		xs, ys = append(xs, (float64(coordinate(x))+0.5)*Cell), append(ys, (float64(coordinate(y))+0.5)*Cell)
	}
	for range 500 {
		x, y := next(), next()
		want := FarOff
		for i := range xs {
			want = min(want, math.Hypot(xs[i]-float64(x), ys[i]-float64(y)))
		}
		near(t, "clearance", float64(g.Clearance(x, y)), want, 1e-4)
	}
}
