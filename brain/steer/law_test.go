package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// floor is a grid on which the car stands at the origin with everything around it known
// free as far as some metres.
func floor(t testing.TB, reach float32) *ground.Grid {
	t.Helper()
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	for x := -reach; x <= reach; x += 0.05 {
		for y := -reach; y <= reach; y += 0.05 {
			g.Drive(ground.Pose{X: x, Y: y})
		}
	}
	return g
}

// wall lets a beam see something at a range and bearing, often enough to be sure.
func wall(g *ground.Grid, bearing, r float32) {
	for range 30 {
		g.Beam(ground.Pose{}, ground.Beam{Bearing: bearing, Range: r, HalfWidth: 12 * deg, Lead: 0.11})
	}
}

func law() *Law {
	return New(Body{Wheelbase: 0.094, Track: 0.117, Lock: Lock, Cruise: 0.35}, Default())
}

func here(g *ground.Grid) *Situation {
	return &Situation{Ground: g, Dt: 0.005, Confidence: 1, Driving: true}
}

// TestFollowsTheField: on free floor the wheels follow the heading, at cruise speed.
func TestFollowsTheField(t *testing.T) {
	s := here(floor(t, 1.5))
	for _, heading := range []float64{0, 0.2, -0.3, 1.5} {
		l := law()
		s.Heading = heading
		var o Order
		for range 200 {
			s.Wheels = o.Steering
			o = l.Decide(s)
		}
		if want := exact.Clip(heading, -Lock, Lock); math.Abs(o.Steering-want) > 0.01 || o.Speed < 0.34 {
			t.Errorf("heading %.2f: steering %.3f at %.2f m/s, want %.3f at 0.35", heading, o.Steering, o.Speed, want)
		}
		if l.Active() {
			t.Errorf("heading %.2f: a manoeuvre on free floor", heading)
		}
	}
}

// TestTurnsOn: with beams to the sides the heading is taken from where the nose will point
// when the wheels get there, which stands still where the car does.
func TestTurnsOn(t *testing.T) {
	for _, tt := range []struct {
		speed, wheels float64
		sides         bool
		sign          int // of what the steering wants more than the heading
	}{
		{0.3, 0.3, true, -1},
		{0.3, -0.3, true, 1},
		{0.3, 0, true, 0},
		{0, 0.3, true, 0},
		{0.3, 0.3, false, 0},
	} {
		l := law()
		s := here(floor(t, 1.5))
		s.Heading, s.Speed, s.Wheels, s.Sides = 0.1, tt.speed, tt.wheels, tt.sides
		more := l.wish(s) - s.Heading
		if got := int(math.Copysign(1, more)); more == 0 && tt.sign != 0 || more != 0 && got != tt.sign {
			t.Errorf("%+v: the steering wants %.3f rad more than the heading", tt, more)
		}
		if turned := math.Abs(tt.speed * float64(l.curvature(tt.wheels))); math.Abs(more) > lag*turned+1e-9 {
			t.Errorf("%+v: %.3f rad, the nose turns %.3f in a second", tt, more, turned)
		}
	}
}

// TestSlowsForWhatStands: the nearer, the slower, and it does not drive on at what it
// would touch.
func TestSlowsForWhatStands(t *testing.T) {
	last := math.Inf(1)
	for _, r := range []float32{0.8, 0.35, 0.25, 0.15, 0.05} {
		g := floor(t, 1.5)
		for _, b := range []float32{-40 * deg, -20 * deg, 0, 20 * deg, 40 * deg} {
			wall(g, b, r)
		}
		v := law().Decide(here(g)).Speed
		if v > last+1e-9 {
			t.Errorf("at %.2f m %.3f m/s, faster than farther away", r, v)
		}
		last = v
	}
	if last > 0.02 {
		t.Errorf("at 5 cm it still goes %.3f m/s", last)
	}
}

// TestTakesTheArcThatGoes: what stands on the wished arc sends it along another one.
func TestTakesTheArcThatGoes(t *testing.T) {
	g := floor(t, 1.5)
	wall(g, 25*deg, 0.3) // ahead to the left
	const wish = 20 * deg
	l := law()
	wished := arc{steering: wish}
	l.ask(here(g), &wished)
	if o := l.choose(here(g), wish); wished.way.Free > 0.4 || o.way.Free < 0.5 {
		t.Errorf("it takes %.2f rad, %.2f m free; the wished arc has %.2f m", o.steering, o.way.Free, wished.way.Free)
	}
}

// drive lets a law drive on the ground, without a field, as a car that does what it is
// told, and returns where it gets.
func drive(l *Law, s *Situation, ticks int) (backed float64) {
	for range ticks {
		o := l.Decide(s)
		s.Speed, s.Wheels = o.Speed, o.Steering
		way := float64(o.Speed * s.Dt)
		turn := float64(s.Pose.Heading) + way*math.Tan(o.Steering)/0.094
		s.Pose.X += float32(way * math.Cos(turn))
		s.Pose.Y += float32(way * math.Sin(turn))
		s.Pose.Heading = float32(turn)
		backed += max(0, -way)
	}
	return backed
}

// TestTurnsRound: with the way behind it the car turns round, and does not go in circles.
func TestTurnsRound(t *testing.T) {
	s := here(floor(t, 0.6))
	s.AimWeight, s.Aim = 1, math.Pi
	l := law()
	for range 4000 {
		drive(l, s, 1)
		s.Aim = math.Remainder(math.Pi-float64(s.Pose.Heading), 2*math.Pi)
		if math.Abs(s.Aim) < 40*deg && !l.Active() {
			return
		}
	}
	t.Errorf("after 20 s its aim still is %.0f deg away, %d manoeuvres", s.Aim/deg, l.Count())
}

// TestTheFieldLeans: before a wall the nose swings to where the field leans, whatever a
// hint says; what the task draws to strongly leads all the same.
func TestTheFieldLeans(t *testing.T) {
	for _, c := range []struct{ lean, urge, aim, want float64 }{
		{1, 0.35, -70 * deg, 1},
		{-1, 0.35, 70 * deg, -1},
		{0, 0.35, 70 * deg, 1},
		{1, 1, -100 * deg, -1},
	} {
		g := floor(t, 0.6)
		for b := float32(-60 * deg); b <= 60*deg; b += 15 * deg {
			wall(g, b, 0.03)
		}
		s := here(g)
		s.RecallSide, s.AimWeight = c.lean, c.urge
		l := law()
		for n := 0; n < 4000 && math.Abs(float64(s.Pose.Heading)) < 45*deg; n++ {
			s.Aim = c.aim - float64(s.Pose.Heading)
			drive(l, s, 1)
		}
		if float64(s.Pose.Heading)*c.want <= 0 {
			t.Errorf("lean %+v, drawn with %v to %.0f deg: it turns to %.0f deg", c.lean, c.urge, c.aim/deg, s.Pose.Heading/deg)
		}
	}
}

// TestTurnsBack: where nothing draws and an exit led nowhere, the car turns back to where
// it came from; a task that draws leads all the same. It may leave beside that by near and
// by what the arc out turns.
func TestTurnsBack(t *testing.T) {
	const from = 0.4 // rad
	for _, c := range []struct {
		again     int
		urge, aim float64
		want      float64 // rad in the world, how the car leaves
	}{
		{0, 0, 0, 0},
		{1, 0, 0, from + math.Pi},
		{2, 0, 0, from + math.Pi},
		{1, 1, math.Pi / 2, math.Pi / 2},
	} {
		g := floor(t, 0.9)
		s := here(g)
		s.AimWeight, s.Aim = c.urge, c.aim
		l := law()
		l.turn = turn{stage: plan, move: none, from: from, again: c.again}
		for n := 0; n < 6000 && l.turn.stage != leave && l.turn.stage != rest; n++ {
			s.Aim = c.aim - float64(s.Pose.Heading)
			drive(l, s, 1)
		}
		off := math.Abs(math.Remainder(float64(s.Pose.Heading)-c.want, 2*math.Pi))
		if off > near+35*deg || l.turn.stage != leave {
			t.Errorf("after %d exits in vain, drawn by %v to %.0f deg: it leaves to %.0f deg, want %.0f", c.again, c.urge, c.aim/deg, s.Pose.Heading/deg, c.want/deg)
		}
	}
}

// TestShortExits: a way of 0.3 m is an exit for a car whose beams look to the sides, and
// for one with a goal; with one beam and none it looks for a longer one.
func TestShortExits(t *testing.T) {
	for _, c := range []struct {
		sides bool
		urge  float64
		here  bool
	}{{true, 0, true}, {false, 1, true}, {false, 0, false}} {
		g := floor(t, 1.5)
		for _, b := range []float32{-20 * deg, 0, 20 * deg} {
			wall(g, b, 0.35)
		}
		s := here(g)
		s.Sides, s.AimWeight = c.sides, c.urge
		if free := g.Sweep(s.Pose, 0, exitWay, false).Free; free < exitLeast || free > 0.4 {
			t.Fatalf("%.2f m are free, the test wants 0.2 to 0.4", free)
		}
		l := law()
		l.turn.begin(s)
		l.search.begin(s, &l.trail, &l.turn)
		if l.search.judge(g, 0); l.search.exit != c.here {
			t.Errorf("sides %v, urge %.0f: it may drive off where it stands: %v, want %v", c.sides, c.urge, l.search.exit, c.here)
		}
		l.search.daring = 1 // after a search in vain
		if l.search.judge(g, 0); !l.search.exit {
			t.Errorf("sides %v, urge %.0f: it may not drive off after a search in vain", c.sides, c.urge)
		}
	}
}

// TestForgets: a car that was carried does not go back on the way it came elsewhere.
func TestForgets(t *testing.T) {
	s := here(floor(t, 1))
	l := law()
	drive(l, s, 400)
	if l.trail.n < 5 {
		t.Fatalf("a trail of %d places", l.trail.n)
	}
	l.turn.count = 7
	if l.Forget(); l.trail.n != 0 || l.Active() || l.Count() != 7 {
		t.Errorf("it keeps %d places, active %v, %d manoeuvres", l.trail.n, l.Active(), l.Count())
	}
}

// TestBacksOverKnownFloorOnly: shut in ahead and with nothing known behind, it does not
// back away at once.
func TestBacksOverKnownFloorOnly(t *testing.T) {
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	g.Drive(ground.Pose{})
	for _, b := range []float32{-60 * deg, -30 * deg, 0, 30 * deg, 60 * deg} {
		wall(g, b, 0.04)
	}
	s := here(g)
	l := law()
	l.search.begin(s, &l.trail, &turn{move: none})
	for !l.search.advance(g) {
	}
	if f := l.search.found(); f.move != none {
		t.Errorf("it goes %v, %.2f m, over floor that nobody has seen", f.move, f.length)
	}
}

// TestRecoils: from a contact it backs off the way it came, and says so.
func TestRecoils(t *testing.T) {
	s := here(floor(t, 1))
	l := law()
	s.Speed, s.Stuck = 0.2, true
	o := l.Decide(s)
	if s.Stuck = false; !l.Recoils() || o.Speed >= 0 {
		t.Fatalf("recoils %v at %.2f m/s", l.Recoils(), o.Speed)
	}
	if back := drive(l, s, 200); back < 0.08 || back > 0.2 {
		t.Errorf("it backed %.2f m, want about %.2f", back, recoilWay)
	}
}

// TestRecordReturns: a law that goes on from a record decides as the one that made it.
func TestRecordReturns(t *testing.T) {
	s := here(floor(t, 0.6))
	s.AimWeight, s.Aim = 1, math.Pi
	a, b := law(), law()
	drive(a, s, 180)
	var r Record
	if a.Save(&r); r.Check() != nil {
		t.Fatal(r.Check())
	}
	b.Resume(&r)
	for i := range 200 {
		x, y := a.Decide(s), b.Decide(s)
		if x != y {
			t.Fatalf("tick %d: %+v and %+v", i, x, y)
		}
	}
	a.turn = turn{
		stage: stroke, move: 3, left: 0.1, slow: 0.2, bars: 5, out: 0.3, recoils: true, dared: true, vain: 4, side: 0.5,
		leans: true, from: 0.6, forces: true, forced: 5, again: 7, count: 8,
	}
	a.Save(&r)
	if b.Resume(&r); a.turn != b.turn || r.Check() != nil {
		t.Errorf("%+v came back as %+v (%v)", a.turn, b.turn, r.Check())
	}
	for _, spoil := range []func(r *Record){
		func(r *Record) { r.Stage = 9 },
		func(r *Record) { r.Move = 7 },
		func(r *Record) { r.Shut = math.NaN() },
		func(r *Record) { r.Places = -1 },
		func(r *Record) { r.Again = -1 },
		func(r *Record) { r.Forced = 7 },
		func(r *Record) { r.From = math.NaN() },
		func(r *Record) { r.Heard[1] = -1 },
		func(r *Record) { r.Lost[0] = math.NaN() },
		func(r *Record) { r.Lost[1] = lostWay + 0.1 },
		func(r *Record) { r.Place[3].X = float32(math.Inf(1)) },
	} {
		q := r
		if spoil(&q); q.Check() == nil {
			t.Errorf("%+v was taken", q)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	s := here(floor(t, 0.6))
	s.AimWeight, s.Aim = 1, math.Pi
	l := law()
	if n := testing.AllocsPerRun(500, func() { l.Decide(s) }); n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
}

// TestCrawlsRatherThanStands: a slow car goes on where its way is open, however little of
// it is known: below the driver's least speed the wheels would stand for ever.
func TestCrawlsRatherThanStands(t *testing.T) {
	for _, tt := range []struct{ cruise, creep float64 }{{0.05, 0.3}, {0.06, 0.3}, {0.1, 0.1}, {0.35, 0.1}, {0.35, 0.3}} {
		for _, sides := range []bool{true, false} {
			p := Default()
			p.Creep = tt.creep
			l := New(Body{Wheelbase: 0.094, Track: 0.117, Lock: Lock, Cruise: tt.cruise}, p)
			s := here(floor(t, 0.3))
			s.Sides = sides
			for _, reach := range []float32{0.26, 0.3, 0.4, 0.8} {
				s.Ground = floor(t, reach)
				o, least := l.Decide(s), min(tt.cruise, 0.03)
				if open := min(l.wheels.tight, l.chosen.tight) >= 0.12; open && o.Speed < least {
					t.Errorf("cruise %v, creep %v, sides %v: %.3f m/s over %.2f m of open way, want %v", tt.cruise, tt.creep, sides, o.Speed, l.chosen.tight, least)
				} else if o.Speed > tt.cruise {
					t.Errorf("cruise %v: %.3f m/s", tt.cruise, o.Speed)
				}
			}
		}
	}
}
