package oracle_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// scene returns a room of 4 x 3 m with a goal at the right and the car at the left,
// its body's middle at 0.55, 1.5.
func scene() *scenarios.Scenario {
	sc := scenarios.New("scene")
	sc.Duration = 60
	sc.World.Size, sc.World.Walled = [2]float64{4, 3}, true
	sc.World.Goal = &scenarios.Goal{At: [2]float64{3.4, 1.5}, Radius: 0.25}
	sc.Start.X, sc.Start.Y = 0.5, 1.5
	return sc
}

func TestStraightWay(t *testing.T) {
	way, err := oracle.Solve(scene(), 1)
	if err != nil {
		t.Fatal(err)
	}
	const want = 3.4 - 0.25 - 0.55
	if math.Abs(way.Length-want) > 2*oracle.Cell {
		t.Errorf("the way is %.3f m long, want %.3f", way.Length, want)
	}
	if want := way.Length / 0.35; math.Abs(way.Time-want) > 1e-12 {
		t.Errorf("it takes %.3f s, want %.3f at 0.35 m/s", way.Time, want)
	}
}

// Round a wall of height h in the middle, the shortest way touches the circle of the
// body's radius about the wall's end: two tangents and an arc.
func TestWayRoundAWall(t *testing.T) {
	sc := scene()
	sc.World.Walls = []scenarios.Wall{{From: [2]float64{2, 0}, To: [2]float64{2, 2}}}
	way, err := oracle.Solve(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	const r = 0.09 + oracle.Margin
	corner := world.Vec{X: 2, Y: 2}
	tangent := func(p world.Vec) (long, angle float64) {
		d := p.Sub(corner).Norm()
		return math.Sqrt(d*d - r*r), math.Acos(r / d)
	}
	a, b := world.Vec{X: 0.55, Y: 1.5}, world.Vec{X: 3.4, Y: 1.5}
	la, ta := tangent(a)
	lb, tb := tangent(b)
	between := math.Atan2(b.Y-2, b.X-2) - math.Atan2(a.Y-2, a.X-2) // over the top
	if between < 0 {
		between += 2 * math.Pi
	}
	want := la + lb - 0.25 + r*(2*math.Pi-between-ta-tb)
	if way.Length < want-oracle.Cell || way.Length > want*1.01+oracle.Cell {
		t.Errorf("the way is %.3f m long, want %.3f", way.Length, want)
	}
}

// TestGoalBehindAWall: the way ends where nothing is between the body and the goal's middle;
// where a wall shuts the room, there is none.
func TestGoalBehindAWall(t *testing.T) {
	sc := scene()
	sc.World.Goal = &scenarios.Goal{At: [2]float64{2.2, 0.5}, Radius: 0.5}
	sc.World.Walls = []scenarios.Wall{{From: [2]float64{2, 0}, To: [2]float64{2, 2}}}
	way, err := oracle.Solve(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	if end := way.Points[len(way.Points)-1]; end.X < 2 {
		t.Errorf("the way ends at %v, behind the wall", end)
	}
	sc.World.Walls[0].To[1] = 3
	if _, err := oracle.Solve(sc, 1); err == nil {
		t.Error("the way leads through a wall")
	}
}

// A door is one when it leaves the margin on both sides.
func TestDoors(t *testing.T) {
	for _, c := range []struct {
		wide float64
		open bool
	}{{0.26, true}, {0.24, true}, {0.19, false}, {0.17, false}} {
		sc := scene()
		sc.World.Walls = []scenarios.Wall{
			{From: [2]float64{2, 0}, To: [2]float64{2, 1.2 - c.wide/2}},
			{From: [2]float64{2, 1.2 + c.wide/2}, To: [2]float64{2, 3}},
		}
		_, err := oracle.Solve(sc, 1)
		if c.open != (err == nil) {
			t.Errorf("a door of %.2f m: %v", c.wide, err)
		}
		if err != nil && !strings.Contains(err.Error(), "no way") {
			t.Errorf("a door of %.2f m: %v", c.wide, err)
		}
	}
}

// A table's edge bounds the floor as a wall does.
func TestTable(t *testing.T) {
	sc := scene()
	sc.World.Floor.Table = [][2]float64{{0.1, 0.9}, {2, 0.9}, {2, 2.1}, {0.1, 2.1}}
	if _, err := oracle.Solve(sc, 1); err == nil {
		t.Error("the way leads over the table's edge")
	}
	sc.World.Goal = nil
	way, err := oracle.Solve(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Free are 0.2 to 1.9 m and 1.0 to 2.0 m: cells 0 to 7 of 16 and 4 to 7 of 12.
	if want := 8.0 * 4 / (16 * 12); math.Abs(way.Reach-want) > 1e-9 {
		t.Errorf("%.4f of the cells are within reach, want %.4f", way.Reach, want)
	}
}

func TestProgress(t *testing.T) {
	sc := scene()
	sc.World.Walls = []scenarios.Wall{{From: [2]float64{2, 0}, To: [2]float64{2, 2}}}
	m, err := oracle.Survey(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	way, err := m.Way()
	if err != nil {
		t.Fatal(err)
	}
	last := -1.0
	for _, p := range way.Points {
		now := m.Progress(p)
		if now < last {
			t.Errorf("progress falls to %.3f at %v", now, p)
		}
		last = now
	}
	if last < 0.999 {
		t.Errorf("progress at the end is %.3f", last)
	}
	// Straight at the goal and into the wall is a shorter line and a longer way.
	if now := m.Progress(world.Vec{X: 1.85, Y: 0.3}); now != 0 {
		t.Errorf("progress %.3f in the corner before the wall", now)
	}
	if _, known := m.Left(world.Vec{X: -3, Y: 1}); known {
		t.Error("a place outside of the world has a way to the goal")
	}
	if metres, known := m.Left(world.Vec{X: 0.02, Y: 1.5}); !known || metres < 2.8 {
		t.Errorf("scraping along a wall: %.2f m left, known %v", metres, known)
	}
}

func TestExit(t *testing.T) {
	sc := scene()
	sc.World.Goal = nil
	sc.Measure.Region = &scenarios.Region{Min: [2]float64{0, 0}, Max: [2]float64{2, 3}}
	way, err := oracle.Solve(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(way.Length-1.45) > 2*oracle.Cell {
		t.Errorf("the way out is %.3f m long, want 1.45", way.Length)
	}
}

// In a short time the length of the way bounds the floor a car can see, in a long one
// what it can reach.
func TestCoverage(t *testing.T) {
	m, err := oracle.Survey(scene(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Coverage(10*time.Second), (1+14.0)/(16*12); math.Abs(got-want) > 1e-9 {
		t.Errorf("10 s: %.4f, want %.4f", got, want)
	}
	way, _ := m.Way()
	if got := m.Coverage(time.Hour); got != way.Reach || got < 0.9 {
		t.Errorf("an hour: %.4f, within reach are %.4f", got, way.Reach)
	}
}

func Example() {
	sc, err := scenarios.Load("goal")
	if err != nil {
		fmt.Println(err)
		return
	}
	way, err := oracle.Solve(sc, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f m, %.0f s at cruise speed\n", way.Length, way.Time)
	// Output: 2.6 m, 7 s at cruise speed
}
