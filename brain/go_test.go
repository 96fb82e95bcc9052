package brain_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exact"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
)

// A trip is a brain in a world of the bench, and where it began.
type trip struct {
	*testing.T
	rig   *testbench.Rig
	brain *brain.Brain
	from  plant.Pose
	look  func() // after every tick
}

// after looks after every tick.
func (d *trip) after(look func()) { d.look = look }

// empty is a walled room without anything in it.
const empty = `
title = "Empty"
duration_s = 120
profile = "P1"
[start]
x = 2.0
y = 2.0
spread_heading_deg = 180
[world]
size = [5.0, 4.0]
walled = true
`

// newTrip puts an armed brain into the world.
func newTrip(t *testing.T, text string, seed uint64) *trip {
	t.Helper()
	sc, err := scenarios.Parse("trip.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return newTripIn(t, sc, seed, field.Default(), false)
}

// newTripIn is newTrip in a scenario, with a field, and with an eye on edges or not.
func newTripIn(t *testing.T, sc *scenarios.Scenario, seed uint64, f field.Params, cliff bool) *trip {
	t.Helper()
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	rig, err := testbench.NewRig(sc, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := cpu.New(f, cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	p := brain.Default()
	p.Safety.Cliff.Enabled = cliff
	b, err := brain.New(rig.Body(), e, rig.Clock(), p)
	if err != nil {
		t.Fatal(err)
	}
	d := &trip{T: t, rig: rig, brain: b}
	rig.Truth(func(c *plant.Car, _ *world.World) { d.from = c.Pose })
	rig.Drive(p.Period, func(now time.Duration) {
		b.Tick(now)
		if d.look != nil {
			d.look()
		}
	})
	return d
}

// arm lets the car come up and arms it.
func (d *trip) arm() {
	d.Helper()
	d.wait(2)
	if err := d.brain.Arm(); err != nil {
		d.Fatal(err)
	}
}

func (d *trip) wait(seconds float64) {
	d.rig.AdvanceTo(d.rig.Clock().Now() + time.Duration(seconds*float64(time.Second)))
}

// give gives an order and waits for its end, or so many seconds.
func (d *trip) give(o brain.Order, seconds float64) brain.Mission {
	d.Helper()
	if err := d.brain.Go(o); err != nil {
		d.Fatal(err)
	}
	for range int(seconds * 10) {
		d.wait(0.1)
		if e := d.brain.Remote().Status().Mission; e.Standing.Over() {
			return e
		}
	}
	return d.brain.Remote().Status().Mission
}

// truth returns where the reference point truly is, in the frame of the start, and
// the true speed.
func (d *trip) truth() (x, y, speed float64) {
	d.rig.Truth(func(c *plant.Car, _ *world.World) {
		const lead = 0.05
		dx := c.At.X - d.from.At.X + lead*(exact.Cos(c.Heading)-exact.Cos(d.from.Heading))
		dy := c.At.Y - d.from.At.Y + lead*(exact.Sin(c.Heading)-exact.Sin(d.from.Heading))
		cos, sin := exact.Cos(d.from.Heading), exact.Sin(d.from.Heading)
		x, y, speed = dx*cos+dy*sin, dy*cos-dx*sin, c.Speed
	})
	return x, y, speed
}

// TestGo: the car drives to a goal, stands there, comes home, and the truth is within
// three times the doubt that it tells of the place where it believes to be.
func TestGo(t *testing.T) {
	tier.Compiled(t, "drives of some minutes")
	worst := 0.0
	for seed := range uint64(tier.Count(t, "seeds", 2, 4, 8)) {
		d := newTrip(t, empty, seed+1)
		d.arm()
		for _, o := range []brain.Order{{Do: brain.DoGoal, X: 0.9, Y: 0.6}, {Do: brain.DoHome}} {
			e := d.give(o, 60)
			if e.Standing != brain.Reached {
				t.Fatalf("seed %d: %v is %v (%v), %.2f m left", seed+1, o, e.Standing, e.Why, e.Left)
			}
			d.wait(1)
			x, y, speed := d.truth()
			status := d.brain.Remote().Status()
			p := status.Fix
			if left := math.Hypot(p.X-o.X, p.Y-o.Y); math.Abs(status.Mission.Left-left) > 1e-9 {
				t.Errorf("seed %d: %v: %.3f m left, told %.3f m", seed+1, o, left, status.Mission.Left)
			}
			off := math.Hypot(p.X-x, p.Y-y)
			worst = max(worst, off/p.Off)
			t.Logf("seed %d: %v after %.1f s and %.2f m; at %.2f %.2f, truly %.2f %.2f: off %.3f m, told %.3f m",
				seed+1, o, e.Driving.Seconds(), e.Way, p.X, p.Y, x, y, off, p.Off)
			if math.Abs(speed) > 0.01 || math.Hypot(p.X-o.X, p.Y-o.Y) > 0.25 {
				t.Errorf("seed %d: %v: the car is at %.2f %.2f and drives %.2f m/s", seed+1, o, p.X, p.Y, speed)
			}
		}
	}
	if worst > 3 {
		t.Errorf("the place is off by %.1f times what the car tells", worst)
	}
}

// TestGoalBeyondAWall: a goal that no way leads to is given up, with a word for it, after
// the car has left the places where it got nowhere; then it stands.
func TestGoalBeyondAWall(t *testing.T) {
	tier.Heavy(t, "a drive of three minutes")
	tier.Compiled(t, "a drive of three minutes")
	d := newTrip(t, `
title = "A room, and the goal outside"
duration_s = 300
profile = "P1"
[start]
x = 0.6
y = 1.0
[world]
size = [2.5, 2.0]
walled = true
`, 3)
	d.arm()
	e := d.give(brain.Order{Do: brain.DoGoal, X: 4}, 300)
	if e.Standing != brain.GivenUp || e.Why != brain.NoNearer && e.Why != brain.NoWay {
		t.Errorf("after %.0f s the order is %v (%v), %.2f m left", e.Driving.Seconds(), e.Standing, e.Why, e.Left)
	}
	// it has looked for a way along all the walls, or left the places where it got nowhere
	if looked := e.Why == brain.NoWay && e.Way > 9; e.Left < 1.4 || !looked && e.Detours == 0 {
		t.Errorf("given up (%v) with %.2f m left after %d detours and %.1f m", e.Why, e.Left, e.Detours, e.Way)
	}
	d.wait(1)
	if _, _, speed := d.truth(); math.Abs(speed) > 0.01 {
		t.Errorf("it has given up and drives %.2f m/s", speed)
	}
}

// TestGoalInAPen: a goal with walls all round it is given up, too, from outside: neither
// going round it nor the drift of the reckoned place is progress. Where the place has
// drifted onto the goal, the car tells a doubt that covers it.
func TestGoalInAPen(t *testing.T) {
	tier.Heavy(t, "drives of some minutes")
	tier.Compiled(t, "drives of some minutes")
	for seed := range uint64(tier.Count(t, "seeds", 1, 1, 8)) {
		for _, profile := range []string{"P1", "P0"}[:tier.Count(t, "profiles", 1, 1, 2)] {
			d := newTrip(t, pen(profile), seed+1)
			d.arm()
			e := d.give(brain.Order{Do: brain.DoGoal, X: 1.7}, 300)
			x, y, _ := d.truth()
			p := d.brain.Remote().Status().Fix
			off := math.Hypot(p.X-x, p.Y-y)
			t.Logf("%s, seed %d: %v (%v) after %.0f s and %.1f m, %.2f m left, off by %.2f m, told %.2f m",
				profile, seed+1, e.Standing, e.Why, e.Driving.Seconds(), e.Way, e.Left, off, p.Off)
			switch {
			case !e.Standing.Over():
				t.Errorf("%s, seed %d: it tries for ever", profile, seed+1)
			case e.Standing == brain.GivenUp && e.Why != brain.NoNearer && e.Why != brain.NoWay:
				t.Errorf("%s, seed %d: given up because %v", profile, seed+1, e.Why)
			case off > 3*p.Off:
				t.Errorf("%s, seed %d: off by %.2f m and told %.2f m", profile, seed+1, off, p.Off)
			}
		}
	}
}

// pen is a room with a closed pen in its middle.
func pen(profile string) string {
	text := `
title = "A pen, and the goal in it"
duration_s = 320
profile = "` + profile + `"
[start]
x = 0.5
y = 1.7
[world]
size = [4.2, 3.4]
walled = true
`
	corners := [5][2]float64{{1.8, 1.3}, {2.6, 1.3}, {2.6, 2.1}, {1.8, 2.1}, {1.8, 1.3}}
	for i := range 4 {
		a, b := corners[i], corners[i+1]
		text += fmt.Sprintf("[[world.wall]]\nfrom = [%v, %v]\nto = [%v, %v]\n", a[0], a[1], b[0], b[1])
	}
	return text
}

// TestHold: the car stands while it shall hold, and drives on with the next order.
func TestHold(t *testing.T) {
	d := newTrip(t, empty, 3)
	if err := d.brain.Go(brain.Order{Do: brain.DoHold}); err != nil {
		t.Fatal(err)
	}
	d.arm()
	d.wait(4)
	x, y, _ := d.truth()
	if s := d.brain.Remote().Status(); math.Hypot(x, y) > 0.02 || s.Mission.Standing != brain.Underway || s.Mode != brain.Resting || s.Escapes != 0 {
		t.Errorf("held, the car is %.2f m away: %+v, %v, %d escapes", math.Hypot(x, y), s.Mission, s.Mode, s.Escapes)
	}
	d.give(brain.Order{Do: brain.DoExplore}, 4)
	if nx, ny, _ := d.truth(); math.Hypot(nx-x, ny-y) < 0.2 {
		t.Error("the car does not explore")
	}
}

// TestOrderWaits: an order given to a disarmed car is kept and begins when it is
// armed; one that nobody can carry out changes nothing.
func TestOrderWaits(t *testing.T) {
	d := newTrip(t, empty, 3)
	if err := d.brain.Go(brain.Order{Do: brain.DoGoal, X: 0.5}); err != nil {
		t.Fatal(err)
	}
	d.wait(3)
	if e := d.brain.Remote().Status().Mission; e.Standing != brain.Waiting || e.Number != 1 {
		t.Errorf("disarmed: %+v", e)
	}
	if err := d.brain.Go(brain.Order{Do: brain.DoGoal, X: math.NaN()}); err == nil {
		t.Error("a goal that is no number is taken")
	}
	if err := d.brain.Arm(); err != nil {
		t.Fatal(err)
	}
	d.wait(1)
	if e := d.brain.Remote().Status().Mission; e.Standing != brain.Underway || e.Number != 1 || e.Order.X != 0.5 {
		t.Errorf("armed: %+v", e)
	}
}

// barred is a line on which a box stands, and floor on both sides of it.
const barred = `
title = "Barred"
duration_s = 120
profile = "P1"
[start]
on_line = true
[world]
size = [5, 4]
walled = true
[world.floor.oval]
at = [2.5, 2]
straight = 1.2
radius_min = 0.4
radius_max = 0.6
width = 0.025
[[world.disc]]
at = [2.5, 2.5]
radius = 0.15
`

// TestBarredLine: a car whose line leads into something waits for it to go, and then goes
// round it: it does not stand there for ever.
func TestBarredLine(t *testing.T) {
	tier.Compiled(t, "drives of a minute")
	for _, profile := range []string{"P0", "P1"} {
		for seed := range uint64(tier.Count(t, "seeds", 1, 2, 4)) {
			d := newTrip(t, strings.Replace(barred, "P1", profile, 1), seed+1)
			d.arm()
			stood, longest := 0, 0
			d.after(func() {
				if _, _, speed := d.truth(); math.Abs(speed) < 0.01 {
					stood++
				} else {
					stood = 0
				}
				longest = max(longest, stood)
			})
			d.give(brain.Order{Do: brain.DoLine}, 60)
			if seconds := float64(longest) * 0.005; seconds < 2 || seconds > 8 {
				t.Errorf("%s, seed %d: it stood for %.1f s on end, want the wait of 3 s and what a search takes", profile, seed+1, seconds)
			}
		}
	}
}
