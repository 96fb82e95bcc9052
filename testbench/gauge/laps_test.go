package gauge_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/world"
)

// oval is two straight lines joined by half circles, about a place.
func oval(middle world.Vec, straight, r float64) course {
	return closed(world.Oval(middle, straight, r)[:98])
}

// bone is two loops at the ends of a way that is driven to and fro.
func bone(middle world.Vec, straight, r float64) course {
	var points []world.Vec
	for i := range 2 {
		out := world.Unit(float64(i) * math.Pi)
		points = append(points, middle.Add(out.Scale(-straight/2)))
		for k := range 25 {
			points = append(points, middle.Add(out.Scale(straight/2+r)).Sub(out.Turn(world.Unit(2*math.Pi*float64(k)/24)).Scale(r)))
		}
	}
	return closed(points)
}

// lapOf returns how long one lap of a closed course is: the way to its start, when it is
// there in the direction in which it began.
func lapOf(c course) float64 {
	for s := 0.5; ; s += 0.005 {
		if c(s).Sub(c(0)).Norm() < 0.01 && c(s+0.05).Sub(c(0.05)).Norm() < 0.02 {
			return s
		}
	}
}

// straying shifts a course by so much a lap, to and fro, and lets it waver.
func straying(c course, a float64) course {
	lap := lapOf(c)
	return func(s float64) world.Vec {
		return c(s).Add(at(a*math.Sin(s/lap), a*math.Sin(0.7*s/lap)+0.02*math.Sin(3*s)))
	}
}

// Laps of a closed course count from the second on, whatever its form and size, where
// there is more floor.
func TestLapsAreFound(t *testing.T) {
	courses := map[string]course{
		"square of 1 m":        rounded(1, 0.2),
		"square of 2 m":        rounded(2, 0.3),
		"square of 3.5 m":      rounded(3.5, 0.5),
		"circle of 1.3 m":      circle(1.3),
		"eight of 0.3 m":       eight(0.3),
		"eight of 0.8 m":       eight(0.8),
		"to and fro in 1.2 m":  polygon(at(2, 4), at(3.2, 4)),
		"to and fro in 3 m":    polygon(at(2, 4), at(5, 4)),
		"to and fro in 6.5 m":  polygon(at(0.5, 4), at(7, 4)),
		"triangle of 2 m":      polygon(at(2, 2), at(4, 2), at(3, 3.7)),
		"triangle of 6 m":      polygon(at(1, 1), at(7, 1), at(4, 6)),
		"dog-bone of 1 m":      bone(at(4, 4), 1, 0.2),
		"dog-bone of 3 m":      bone(at(4, 4), 3, 0.4),
		"straying oval":        straying(oval(at(4, 4), 1.1, 0.3), 0.15),
		"straying square":      straying(rounded(2, 0.3), 0.15),
		"straying to and fro":  straying(polygon(at(2, 4), at(5, 4)), 0.1),
		"straying wide circle": straying(circle(1.3), 0.15),
	}
	for _, r := range []float64{0.17, 0.25, 0.3, 0.4, 0.5} {
		for _, straight := range []float64{0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.6} {
			courses[fmt.Sprintf("oval of %v and %v m", r, straight)] = oval(at(4, 4), straight, r)
		}
	}
	for name, c := range courses {
		for _, speed := range []float64{0.15, cruise} {
			lap := time.Duration(lapOf(c) / speed * float64(time.Second))
			length := max(200*time.Second, 5*lap)
			if _, circling := measure(c, speed, flat, length); circling < length-2*lap-5*time.Second {
				t.Errorf("%s at %v m/s: %v circling of %v, laps of %v", name, speed, circling, length, lap)
			}
		}
	}
}

// What was driven twice may be a way out and back; nothing counts before the third time.
func TestTwiceIsNotAgainAndAgain(t *testing.T) {
	for name, c := range map[string]course{
		"oval": oval(at(4, 4), 3, 0.5), "square": rounded(2, 0.3), "circle": circle(1.3),
	} {
		twice := func(s float64) world.Vec {
			lap := lapOf(c)
			if s < 2*lap {
				return c(s)
			}
			return c(0).Add(at(0, 0.8*(s-2*lap)))
		}
		length := time.Duration((2*lapOf(c) + 2) / cruise * float64(time.Second))
		if _, circling := measure(twice, cruise, flat, length); circling != 0 {
			t.Errorf("%s: %v circling", name, circling)
		}
	}
}

// around is a ring of that width with an outer radius of 1.9 m.
func around(width float64) floor {
	f := floor{middle: at(2, 2), width: 4, height: 4}
	for _, r := range []float64{1.9, 1.9 - width} {
		for i := range 60 {
			f.walls = append(f.walls, world.Segment{
				A: f.middle.Add(world.Unit(float64(i) * math.Pi / 30).Scale(r)),
				B: f.middle.Add(world.Unit(float64(i+1) * math.Pi / 30).Scale(r)),
			})
		}
	}
	return f
}

// Where laps take the car over nearly all floor that there is for it, there is nothing
// else to do; the same laps in the open are circling, and so is turning in the ring.
func TestNothingElseToDo(t *testing.T) {
	for _, width := range []float64{0.4, 0.45, 0.55, 0.65, 0.9} {
		f, r := around(width), 1.9-width/2
		lap := func(s float64) world.Vec { return f.middle.Add(world.Unit(s / r).Scale(r)) }
		if _, circling := measure(lap, cruise, f, 3*time.Minute); circling != 0 {
			t.Errorf("a ring %v m wide: %v circling", width, circling)
		}
		if _, circling := measure(lap, cruise, flat, 3*time.Minute); circling < 90*time.Second {
			t.Errorf("the same way in the open: %v circling", circling)
		}
	}
	turning := func(s float64) world.Vec { return at(3.625, 2).Add(world.Unit(s / 0.17).Scale(0.17)) }
	if _, circling := measure(turning, cruise, around(0.55), time.Minute); circling < 50*time.Second {
		t.Errorf("turning round in the ring: %v circling", circling)
	}
}

// What a picture shows of a world says nothing about its floor.
func TestGroundIsNotThePicture(t *testing.T) {
	closet := world.Room(at(-0.25, -0.2), at(0.75, 0.7))
	var first float64
	for i, size := range []world.Vec{at(0.5, 0.5), at(0.7, 0.6), at(3, 2), at(20, 20)} {
		g := gauge.NewGround(&world.World{Max: size, Walls: closet}, at(0.25, 0.25), 0.09)
		if i == 0 {
			first = g.Area()
		}
		if g.Area() != first || math.Abs(first-0.9) > 0.05 {
			t.Errorf("a closet of 0.9 m2 has %.3f m2 with a picture of %v", g.Area(), size)
		}
	}
	table := []world.Vec{at(1, 1), at(2.5, 1), at(2.5, 2), at(1, 2)}
	g := gauge.NewGround(&world.World{Max: at(4, 3), Floor: world.Floor{Table: table}}, at(2, 1.5), 0.09)
	if math.Abs(g.Area()-1.5) > 0.08 {
		t.Errorf("a table of 1.5 m2 has %.3f m2", g.Area())
	}
	open := gauge.NewGround(&world.World{Max: at(0.5, 0.5)}, at(0.25, 0.25), 0.09)
	if open.Area() < 10 {
		t.Errorf("a floor without an end has %.3f m2", open.Area())
	}
	half := floor{middle: at(2, 1.5), width: 4, height: 3, walls: []world.Segment{{A: at(2, 0), B: at(2, 3)}}}
	if area := half.ground(at(1, 1)).Area(); math.Abs(area-6) > 0.3 {
		t.Errorf("behind a wall lie %.3f m2 that nobody reaches", area-6)
	}
}

// Rounds cost no memory once a Circling is made.
func TestCirclingDoesNotAllocate(t *testing.T) {
	g, s := gauge.NewCircling(flat.ground(at(4, 4))), 0.0
	if n := testing.AllocsPerRun(100, func() {
		for range 100 {
			s += 0.01
			g.Watch(time.Duration(s*float64(3*time.Second)), at(4+math.Cos(s), 4+math.Sin(s)), s, 0)
		}
	}); n != 0 || g.Time() == 0 {
		t.Errorf("%v allocations in a metre of way, %v circling", n, g.Time())
	}
}
