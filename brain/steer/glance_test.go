package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// alley is a floor known where the body came along some metres beside the x axis and farther
// on that side: +1 left, -1 right.
func alley(t *testing.T, side, from float32) *ground.Grid {
	t.Helper()
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	for x := float32(-0.2); x < 0.9; x += 0.02 {
		for y := from; y <= 0.3; y += 0.02 {
			g.Drive(ground.Pose{X: x, Y: side * y})
		}
	}
	return g
}

// post lets a narrow beam see something some metres ahead of the sensor.
func post(g *ground.Grid, r float32) {
	for range 30 {
		g.Beam(ground.Pose{}, ground.Beam{Range: r, HalfWidth: 2 * deg, Lead: 0.11})
	}
}

// TestGlance wants the wheels turned to the flank that nobody has seen, on either side, and
// not where beams look to the sides or the floor is known to end.
func TestGlance(t *testing.T) {
	for _, known := range []float64{1, -1} {
		s := here(alley(t, float32(known), 0.02))
		post(s.Ground, 0.5)
		s.Speed = 0.2
		l := law()
		l.Decide(s)
		if l.glances.side != -known {
			t.Fatalf("known on side %+.0f: glances to side %+.0f, want the other", known, l.glances.side)
		}
		if to := l.glance(s, 0); float64(to*known) >= 0 {
			t.Errorf("known on side %+.0f: the wheels turn to %.1f deg, want to the other", known, to/deg)
		}
		s.Sides = true
		if l.Decide(s); l.glances.side != 0 || l.dim < horizon {
			t.Errorf("with beams to the sides it glances to side %+.0f and sees %v m", l.glances.side, l.dim)
		}
	}
	s, l := here(alley(t, 1, 0.02)), law()
	post(s.Ground, 0.5)
	s.Carried = func(ahead, left float32) bool { return true }
	s.Brinks = []Brink{{X: 0, Y: 1, Far: 0.5}}
	if l.Decide(s); l.glances.side != 0 || l.dim < horizon {
		t.Errorf("where the floor is known to end it glances to side %+.0f and sees %v m, want neither glance nor care", l.glances.side, l.dim)
	}
}

// TestGlanceAfterStop wants nothing left of a glance of before the car was stopped.
func TestGlanceAfterStop(t *testing.T) {
	s := here(alley(t, 1, 0.02))
	post(s.Ground, 0.5)
	s.Speed = 0.2
	l := law()
	if l.Decide(s); l.glances.side == 0 {
		t.Fatal("it does not glance at all")
	}
	s.Driving = false
	if l.Decide(s); l.glances != (glances{}) {
		t.Errorf("of a stopped car %+v is left", l.glances)
	}
}

// TestGlanceReturns wants a law that goes on from a record glance as the first does, and no
// record taken of a glance that no law makes.
func TestGlanceReturns(t *testing.T) {
	s := here(alley(t, 1, 0.02))
	post(s.Ground, 0.5)
	s.Speed = 0.2
	l := law()
	for range 30 {
		l.Decide(s)
	}
	var r Record
	if l.Copy(&r); r.Glance == 0 || r.GlanceWay == 0 {
		t.Fatalf("of a glance %+v is kept", r)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	other := law()
	if other.Resume(&r); other.glances != l.glances {
		t.Errorf("resumed %+v, want %+v", other.glances, l.glances)
	}
	for name, spoil := range map[string]func(r *Record){
		"half a side": func(r *Record) { r.Glance = 0.5 },
		"no number":   func(r *Record) { r.GlanceFrom = math.NaN() }, "a long rest": func(r *Record) { r.GlanceRest[1] = 1 },
	} {
		bad := r
		if spoil(&bad); bad.Check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestSways wants the nose turned to both sides in turn where the way is long and known.
func TestSways(t *testing.T) {
	s := here(floor(t, 1.5))
	s.Speed = 0.3
	l, sides := law(), map[float64]bool{}
	for range 400 {
		l.Decide(s)
		sides[l.glances.side] = true
	}
	if !sides[1] || !sides[-1] {
		t.Errorf("on a long way it glances to %v, want to both sides", sides)
	}
}

// TestGlanceEnds wants a glance that tells nothing given up after a turn of the nose or some
// way, then the other side looked at, and the first again only after its rest.
func TestGlanceEnds(t *testing.T) {
	const free = 0.4
	both := [2]float32{0.2, 0.3}
	var g glances
	at := ground.Pose{}
	drive := func(way float64, unseen [2]float32) {
		g.drive(way)
		g.choose(at, unseen, free)
	}
	if drive(0, both); g.side != 1 {
		t.Fatalf("begins to side %+.0f, want to the nearer, left", g.side)
	}
	at.Heading = -glanceTurn - 0.01
	if drive(0.01, both); g.side != 1 {
		t.Fatalf("after a turn to the right side %+.0f, want left still", g.side)
	}
	at.Heading = glanceTurn + 0.01
	if drive(0.01, both); g.side != -1 || g.rest[0] != glanceRest {
		t.Fatalf("after a turn in vain side %+.0f with rest %v, want the other and a rest", g.side, g.rest)
	}
	for range 21 {
		drive(0.01, both)
	}
	if g.side != 0 || g.rest[1] == 0 {
		t.Errorf("after 0.2 m in vain side %+.0f, rest %v, want neither", g.side, g.rest)
	}
	for range 6 {
		drive(0.01, both)
	}
	if g.side != 1 {
		t.Errorf("after its rest side %+.0f, want left again", g.side)
	}
	if drive(0.01, [2]float32{0.45, 0.45}); g.side != 0 || g.rest[0] != 0 {
		t.Errorf("with all seen side %+.0f, rest %v, want none", g.side, g.rest)
	}
	drive(0.01, both)
	if g.end(); g.side != 0 || g.rest[0] != glanceRest {
		t.Errorf("where a manoeuvre ends it side %+.0f, rest %v, want none for a while", g.side, g.rest)
	}
}

// TestGlanceLeadsIntoNothing wants no wheels turned towards what stands beside the car.
func TestGlanceLeadsIntoNothing(t *testing.T) {
	s := here(alley(t, 1, 0.02))
	l := law()
	l.Decide(s)
	l.glances.side, l.dim = -1, 0
	if to := l.glance(s, 0); to >= 0 {
		t.Fatalf("with nothing there the wheels turn to %.1f deg, want right", to/deg)
	}
	wall(s.Ground, -60*deg, 0.13)
	l.glances.side = -1
	if to := l.glance(s, 0); to < 0 {
		t.Errorf("the wheels turn to %.1f deg, towards a wall beside the body", to/deg)
	}
}

// TestSlowBesideTheUnseen wants less speed, the sooner a flank is over floor not seen, down
// to a creep, and with beams to the sides as before.
func TestSlowBesideTheUnseen(t *testing.T) {
	pace := func(g *ground.Grid, sides bool) float64 {
		post(g, 0.5)
		s := here(g)
		s.Sides, s.Speed = sides, 0.1
		l := law()
		return l.Decide(s).Speed
	}
	full, lit := pace(floor(t, 1.5), false), pace(alley(t, 1, 0), false)
	narrow, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	for x := float32(-0.2); x < 0.3; x += 0.01 {
		narrow.Beam(ground.Pose{X: x}, ground.Beam{Bearing: 0, HalfWidth: 3 * deg, Range: 0.6 - x})
	}
	creep := pace(narrow, false)
	if want := law().body.Cruise * law().numbers.Creep; !(creep > 0 && creep <= want+1e-9 && creep < lit && math.Abs(lit-full) < 1e-9) {
		t.Errorf("%.3f m/s in a lane narrower than the body, %.3f in one as wide, %.3f in the open; want a creep of %.3f, and the rest alike", creep, lit, full, want)
	}
}
