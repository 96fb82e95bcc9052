package gauge_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/world"
)

const (
	look   = 10 * time.Millisecond
	cruise = 0.33 // m/s
)

func at(x, y float64) world.Vec { return world.Vec{X: x, Y: y} }

// A floor is a room of its size about a place, with more walls in it.
type floor struct {
	middle world.Vec
	width  float64
	height float64
	walls  []world.Segment
}

// ground is what a body within reach of from has of it.
func (f floor) ground(from world.Vec) *gauge.Ground {
	half := at(f.width/2, f.height/2)
	w := &world.World{Min: f.middle.Sub(half), Max: f.middle.Add(half)}
	w.Walls = append(world.Room(w.Min, w.Max), f.walls...)
	return gauge.NewGround(w, from, 0.09)
}

var (
	room = floor{middle: at(2, 1.5), width: 4, height: 3}
	flat = floor{middle: at(4, 4), width: 8, height: 8}
	wide = floor{middle: at(2, 1.5), width: 12, height: 12}
)

// A course is a place as a function of the way driven, in m.
type course func(way float64) world.Vec

// circle about the middle of the room.
func circle(r float64) course {
	return func(s float64) world.Vec { return at(2, 1.5).Add(world.Unit(s / r).Scale(r)) }
}

// eight is two circles that touch, driven in turn.
func eight(r float64) course {
	return func(s float64) world.Vec {
		lap := 2 * math.Pi * r
		n := math.Floor(s / lap)
		a, side := (s-n*lap)/r, 1-2*math.Mod(n, 2)
		return at(2+side*r*(1-math.Cos(a)), 1.5+r*math.Sin(a))
	}
}

// polygon is a closed way of straight lines.
func polygon(corners ...world.Vec) course {
	lap := 0.0
	for i, a := range corners {
		lap += corners[(i+1)%len(corners)].Sub(a).Norm()
	}
	return func(s float64) world.Vec {
		s = math.Mod(s, lap)
		for i := 0; ; i++ {
			a, b := corners[i%len(corners)], corners[(i+1)%len(corners)]
			d := b.Sub(a)
			if l := d.Norm(); s <= l {
				return a.Add(d.Scale(s / l))
			} else {
				s -= l
			}
		}
	}
}

// closed walks along points at equal speed, round and round.
func closed(points []world.Vec) course { return polygon(points...) }

// spiral goes outwards by pitch a turn.
func spiral(pitch float64) course {
	return func(s float64) world.Vec {
		r := math.Sqrt(s*pitch/math.Pi) + 0.05
		return at(2, 1.5).Add(world.Unit(2 * math.Pi * r / pitch).Scale(r))
	}
}

// lawnmower goes to and fro over 8 m, each time 0.5 m farther, and back.
func lawnmower(s float64) world.Vec {
	var corners []world.Vec
	for i := range 8 {
		y, from := float64(i)*0.5, float64(i%2)*8
		corners = append(corners, at(from, y), at(8-from, y))
	}
	for i := len(corners) - 2; i > 0; i-- {
		corners = append(corners, corners[i])
	}
	return polygon(corners...)(s)
}

// rounded is a square with sides of that length and round corners.
func rounded(side, corner float64) course {
	var points []world.Vec
	for i := range 4 {
		middle := at(2, 2).Add(world.Unit(float64(2*i+1) * math.Pi / 4).Scale(math.Sqrt2 * (side/2 - corner)))
		for k := range 9 {
			points = append(points, middle.Add(world.Unit((float64(i)+float64(k)/8)*math.Pi/2).Scale(corner)))
		}
	}
	return closed(points)
}

// wander bounces about the room like a billiard ball.
func wander(s float64) world.Vec {
	fold := func(x, low, high float64) float64 {
		w := high - low
		x = math.Mod(x, 2*w)
		if x > w {
			x = 2*w - x
		}
		return low + x
	}
	return at(fold(0.77*s, 0.3, 3.7), fold(0.64*s, 0.3, 2.7))
}

// measure drives a course at a speed for a time on a floor, as the recorder does.
func measure(c course, speed float64, f floor, length time.Duration) (standing, circling time.Duration) {
	var s gauge.Standing
	g := gauge.NewCircling(f.ground(c(0)))
	var moving time.Duration
	for now := look; now <= length; now += look {
		way := speed * now.Seconds()
		p := c(way)
		if s.Watch(now, p) {
			continue
		}
		moving = max(moving, now-s.Time())
		g.Watch(moving, p, way, 0)
	}
	return s.Time(), g.Time()
}

func TestCirclingIsFound(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		way       course
		speed     float64
	}{
		{"full lock", "the smallest circle the car can drive", circle(0.17), cruise},
		{"full lock, slow", "a low battery", circle(0.17), 0.12},
		{"0.3 m", "wider", circle(0.3), cruise},
		{"0.5 m", "wider", circle(0.5), cruise},
		{"0.8 m", "as wide as a small room", circle(0.8), cruise},
		{"eight", "two lobes at full lock", eight(0.17), cruise},
		{"wide eight", "two lobes of 0.28 m", eight(0.28), cruise},
		{"eight as wide as a small room", "two lobes of 0.45 m", eight(0.45), cruise},
		{"to and fro in 1.6 m", "four seconds this way, four that way", polygon(at(1.2, 1.5), at(2.8, 1.5)), cruise},
		{"to and fro", "0.4 m forward, 0.4 m backward", polygon(at(1.8, 1.5), at(2.2, 1.5)), cruise},
		{"slowly to and fro", "creeping about in 0.3 m", polygon(at(1.85, 1.5), at(2.15, 1.5)), 0.06},
		{"triangle", "a three-point turn again and again", polygon(at(1.8, 1.4), at(2.2, 1.4), at(2, 1.7)), 0.2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const length = 2 * time.Minute
			standing, circling := measure(tt.way, tt.speed, room, length)
			if circling < length*3/4 || standing > length/4 {
				t.Errorf("%v of %v circling, %v standing: %s", circling, length, standing, tt.why)
			}
		})
	}
}

func TestNormalDrivesAreNotCircling(t *testing.T) {
	const length = 2 * time.Minute
	ring := floor{middle: at(2, 2), width: 4, height: 4, walls: world.Room(at(0.8, 0.8), at(3.2, 3.2))}
	for _, tt := range []struct {
		name  string
		way   course
		floor floor
	}{
		{"exploring a room", wander, room},
		{"spiral, a search pattern that finds new floor", spiral(0.2), wide},
		{"lap of the room", polygon(at(0.4, 0.4), at(3.6, 0.4), at(3.6, 2.6), at(0.4, 2.6)), room},
		{"lap of a corridor, 12 m there and back", polygon(at(0.5, 0.4), at(11.5, 0.4)), floor{middle: at(6, 0.4), width: 12, height: 0.8}},
		{"lap of a ring of corridors", polygon(at(0.4, 0.4), at(3.6, 0.4), at(3.6, 3.6), at(0.4, 3.6)), ring},
		{"small table, lap along its edges", polygon(at(0.2, 0.2), at(1.3, 0.2), at(1.3, 0.7), at(0.2, 0.7)), floor{middle: at(0.75, 0.45), width: 1.4, height: 0.85}},
		{"lap of a square of corridors with wide corners", rounded(3, 0.8), ring},
		{"lawnmower, there and back again", lawnmower, floor{middle: at(4, 4), width: 12, height: 12}},
		{"wide spiral", spiral(0.5), wide},
		{"straight", func(s float64) world.Vec { return at(s, 1) }, floor{middle: at(20, 1), width: 41, height: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if standing, circling := measure(tt.way, cruise, tt.floor, length); circling != 0 || standing != 0 {
				t.Errorf("%v circling, %v standing in %v", circling, standing, length)
			}
		})
	}
}

// A drive that turns round once in a dead end and goes on is not circling.
func TestOneTurnIsNoCircle(t *testing.T) {
	turn := func(s float64) world.Vec {
		switch {
		case s < 3: // in
			return at(s, 1.5)
		case s < 5: // a circle and a half at full lock
			return at(3, 1.5+0.17).Add(world.Unit(-math.Pi/2 + (s-3)/0.17).Scale(0.17))
		}
		return at(3-(s-5), 1.8) // and out
	}
	if _, circling := measure(turn, 0.2, room, 40*time.Second); circling != 0 {
		t.Errorf("%v circling", circling)
	}
}

// Laps of one circle are found whatever its radius. The first lap finds new
// floor, and so is no circling, and the next one and a half tell that it is one.
func TestWideCirclesAreFound(t *testing.T) {
	for _, r := range []float64{0.3, 0.6, 1.03, 1.6, 2.5, 3.5, 5} {
		for _, speed := range []float64{0.1, 0.24, 0.45} {
			lap := time.Duration(2 * math.Pi * r / speed * float64(time.Second))
			if _, circling := measure(circle(r), speed, wide, 5*lap+time.Minute); circling < 7*lap/2 {
				t.Errorf("radius %v m at %v m/s: %v circling in five laps of %v", r, speed, circling, lap)
			}
			if _, circling := measure(circle(r), speed, wide, 3*lap/2); r > 1 && circling != 0 {
				t.Errorf("radius %v m at %v m/s: %v circling in a lap and a half", r, speed, circling)
			}
		}
	}
}

// Circling ends when the car goes elsewhere, and a pause cuts a stretch.
func TestCirclingEnds(t *testing.T) {
	lap := 2 * math.Pi * 0.17
	escape := func(s float64) world.Vec {
		if s < 10*lap {
			return circle(0.17)(s)
		}
		return at(2.17+(s-10*lap), 1.5)
	}
	_, circling := measure(escape, cruise, room, time.Minute)
	laps := func(n float64) time.Duration { return time.Duration(n * lap / cruise * float64(time.Second)) }
	if circling < laps(8.5) || circling > laps(10.5) { // the first lap finds new floor
		t.Errorf("%v circling in ten laps of %v", circling, laps(1))
	}
	g := gauge.NewCircling(room.ground(at(2, 1.5)))
	for i := range 2000 {
		if s := float64(i) * 0.01; i%300 == 299 {
			g.Pause()
		} else {
			g.Watch(time.Duration(i)*30*time.Millisecond, circle(0.17)(s), s, 0)
		}
	}
	if g.Time() != 0 {
		t.Errorf("%v circling in stretches of 3 m", g.Time())
	}
}

func TestStanding(t *testing.T) {
	for _, tt := range []struct {
		name string
		way  course
		want time.Duration
	}{
		{"still", func(float64) world.Vec { return at(1, 1) }, time.Minute - look},
		{"trembling", func(s float64) world.Vec { return at(1+0.02*math.Sin(40*s), 1) }, time.Minute - look},
		{"creeping at 1 cm/s", func(s float64) world.Vec { return at(s*0.01/cruise, 1) }, time.Minute - look},
		{"creeping at 5 cm/s", func(s float64) world.Vec { return at(s*0.05/cruise, 1) }, 0},
		{"driving", func(s float64) world.Vec { return at(s, 1) }, 0},
		{"pauses of 1 s", func(s float64) world.Vec { // moves 0.33 m, waits a second
			n := math.Floor(s / (2 * cruise))
			return at(n*cruise+min(s-n*2*cruise, cruise), 1)
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			standing, circling := measure(tt.way, cruise, wide, time.Minute)
			if standing < tt.want-6*time.Second || standing > tt.want || circling > 3*time.Second {
				t.Errorf("%v standing, want %v; %v circling", standing, tt.want, circling)
			}
		})
	}
	var s gauge.Standing
	for now := look; now <= 10*time.Second; now += look {
		s.Watch(now, at(1, 1))
		if now == 5*time.Second {
			s.Pause()
		}
	}
	if got := s.Time(); got != 10*time.Second-3*look+look {
		t.Errorf("%v standing with a pause", got)
	}
}

func TestNavigation(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name           string
		success        bool
		optimal, taken time.Duration
		want           float64
	}{
		{"as fast as can be", true, 10 * s, 10 * s, 0.5},
		{"twice the optimum is as good", true, 10 * s, 20 * s, 0.5},
		{"four times", true, 10 * s, 40 * s, 0.25},
		{"eight times", true, 10 * s, 80 * s, 0.125},
		{"later than that counts as eight", true, 10 * s, 500 * s, 0.125},
		{"a failure", false, 10 * s, 20 * s, 0},
		{"no way there", true, 0, 20 * s, 0},
	} {
		if got := gauge.Navigation(tt.success, tt.optimal, tt.taken); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
