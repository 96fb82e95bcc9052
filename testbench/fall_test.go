package testbench_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/oracle"
)

// shore ends the floor along a straight line ahead of the car, which meets it at 20 deg.
var shore = strings.NewReplacer("heading_deg = 45", "heading_deg = 20",
	"[4.5, 4.5], [5.5, 4.5], [5.5, 5.5], [4.5, 5.5]", "[0, 0], [5.5, 0], [5.5, 10], [0, 10]").Replace(tray)

// square is a shore that the car meets square on.
var square = strings.Replace(shore, "heading_deg = 20", "heading_deg = 0", 1)

// again drives until a floor sensor is past the edge, backs off and turns, and drives on.
func again(s testbench.Vehicle) (func(time.Duration), error) {
	var st robot.State
	var since time.Duration
	return func(now time.Duration) {
		s.Body.Sense(&st)
		for _, f := range st.Floor {
			if since == 0 && f.OK && f.Value < 0.05 {
				since = now
			}
		}
		c := robot.Command{At: now, Enable: true, Speed: 0.08}
		if since != 0 && now < since+1100*time.Millisecond {
			c.Speed, c.Steering = -0.2, -0.5
		}
		_ = s.Body.Act(c)
	}, nil
}

// TestFallPastAKnownSide: a fall past a side that a sensor had been past before could
// have been avoided, although no sensor told in time; so could one that a sensor saw,
// and one backwards.
func TestFallPastAKnownSide(t *testing.T) {
	back := always(robot.Command{Enable: true, Speed: -0.2})
	for _, c := range []struct {
		name        string
		world       string
		pilot       testbench.Pilot
		met, warned bool
		backward    bool
	}{
		{"straight on", square, rolling, true, true, false},
		{"a second time, aslant", shore, again, true, false, false},
		{"backwards", tray, back, false, false, true},
	} {
		f := run(t, parse(t, c.world), 1, c.pilot, 0).Fall
		if f == nil || f.Met != c.met || f.Warned != c.warned || f.Backward != c.backward || f.Hidden {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

// TestFallenShare: a car that falls at once has not done what the map allows, however
// little that was in its few seconds.
func TestFallenShare(t *testing.T) {
	sc := parse(t, tray)
	m, err := oracle.Survey(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := testbench.Run(sc, 1, rolling, testbench.Options{Map: m})
	if err != nil {
		t.Fatal(err)
	}
	if r.Falls != 1 || r.Oracle == nil || *r.Oracle > 0.5 {
		t.Errorf("fell after %.1f s with a share of %v", r.Seconds, *r.Oracle)
	}
}

// TestAlmostThere: a drive that ends a centimetre from where it begins has numbers for what the
// map allows.
func TestAlmostThere(t *testing.T) {
	for name, text := range map[string]string{
		"before its goal":         "title = \"t\"\nduration_s = 10\nprofile = \"P1\"\nstop = \"goal\"\n[start]\nx = 1\ny = 1.5\n[world]\nsize = [4, 3]\nwalled = true\n[world.goal]\nat = [1.36, 1.5]\nradius = 0.3\n[brain]\ngoal = true\n",
		"before its region's end": "title = \"t\"\nduration_s = 10\nprofile = \"P1\"\nstop = \"exit\"\n[start]\nx = 0.45\ny = 1\n[world]\nsize = [3, 2]\nwalled = true\n[measure.region]\nmin = [0, 0]\nmax = [0.51, 2]\n",
	} {
		sc := parse(t, text)
		m, err := oracle.Survey(sc, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := testbench.Run(sc, 1, rolling, testbench.Options{Map: m})
		if err != nil {
			t.Fatal(err)
		}
		for what, v := range map[string]*float64{"oracle": r.Oracle, "path_share": r.PathShare, "barn": r.BARN} {
			if v == nil {
				t.Errorf("%s: no %s", name, what)
			} else if !(*v >= 0 && *v <= 1) {
				t.Errorf("%s: %s is %v", name, what, *v)
			}
		}
		if r.Seconds > 2 {
			t.Errorf("%s: %v s for a centimetre", name, r.Seconds)
		}
	}
}

// corner is a table whose edge cuts the car's way so that a front wheel is past it just
// behind the sensors.
const corner = "duration_s = 10\n[start]\nx = 1\ny = 1\n[world]\nsize = [4, 4]\n[world.floor]\ntable = [[0, 0], [2, 0], [2, %Y], [4, %Y], [4, 4], [0, 4]]\n"

// TestTooLateAWarning: a sensor that sees the edge when the car can no longer stop has not
// warned it, and the side was not known.
func TestTooLateAWarning(t *testing.T) {
	for _, c := range []struct {
		name, world    string
		least, most    float64 // s of notice
		warned, hidden bool
	}{
		{"straight on", square, 0.08, 0.1, true, false},
		{"aslant", shore, 0.03, 0.05, false, true},
		{"beside the sensors", strings.ReplaceAll(corner, "%Y", "0.96"), 0, 0, false, true},
	} {
		r := run(t, parse(t, c.world), 1, rolling, 0)
		f := r.Fall
		if f == nil || f.Notice < c.least || f.Notice > c.most || f.Warned != c.warned || f.Hidden != c.hidden || r.Unwarned == c.warned {
			t.Errorf("%s: %+v, unwarned %v", c.name, f, r.Unwarned)
		}
		if told := strings.Contains(r.Summary(), "too late to stop"); told != (c.hidden && f.Notice > 0) {
			t.Errorf("%s: says %v", c.name, f)
		}
	}
}
