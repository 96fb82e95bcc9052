package testbench_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// always gives the same command for ever.
func always(c robot.Command) testbench.Pilot {
	return func(s testbench.Vehicle) (func(time.Duration), error) {
		return func(now time.Duration) {
			c.At = now
			_ = s.Body.Act(c)
		}, nil
	}
}

// Pilots that do nothing useful.
var (
	asleep   = always(robot.Command{})
	waiting  = always(robot.Command{Enable: true})
	spinning = always(robot.Command{Enable: true, Speed: 0.3, Steering: 0.52})
	rolling  = always(robot.Command{Enable: true, Speed: 0.3})
)

// rocking drives half a metre to and fro.
func rocking(s testbench.Vehicle) (func(time.Duration), error) {
	return func(now time.Duration) {
		c := robot.Command{At: now, Enable: true, Speed: 0.25}
		if now/(2*time.Second)%2 == 1 {
			c.Speed = -c.Speed
		}
		_ = s.Body.Act(c)
	}, nil
}

func failed(r *testbench.Result, metric string) bool {
	for _, v := range r.Verdicts {
		if v.Metric == metric {
			return !v.Pass
		}
	}
	return false
}

// TestNobodyPassesWithoutDriving: whoever stands or goes in circles in the open
// fails, although it touches nothing and drives far.
func TestNobodyPassesWithoutDriving(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	for _, tt := range []struct {
		name   string
		pilot  testbench.Pilot
		metric string
	}{
		{"asleep", asleep, "standing_s"},
		{"waiting", waiting, "standing_s"},
		{"spinning", spinning, "circling_s"},
		{"rocking", rocking, "circling_s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, parse(t, hall), 1, tt.pilot, 0)
			if r.Pass || !failed(r, tt.metric) {
				t.Errorf("passes:\n%s", r.Summary())
			}
			if r.Standing+r.Circling < 0.7*r.Seconds || r.Standing+r.Circling > r.Seconds {
				t.Errorf("%.1f s standing and %.1f s circling of %.1f s", r.Standing, r.Circling, r.Seconds)
			}
		})
	}
	if r := run(t, parse(t, hall), 1, rolling, 0); failed(r, "circling_s") || r.Circling != 0 {
		t.Errorf("a straight way is a circle:\n%s", r.Summary())
	}
}

// A short run has a share of what a long one may waste, and 5 s in any case.
func TestWasteInProportion(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	sc := parse(t, strings.Replace(hall, "duration_s = 60", "duration_s = 120", 1))
	for length, want := range map[time.Duration]float64{120 * time.Second: 12, 60 * time.Second: 6, 10 * time.Second: 5} {
		r := run(t, sc, 1, waiting, length)
		for _, v := range r.Verdicts {
			if v.Metric == "standing_s" && (v.Max == nil || *v.Max != want) {
				t.Errorf("%v: %v, want at most %v", length, v, want)
			}
		}
	}
}

// A run in which the car never moves is not passed, however short it is, unless the file
// leaves standing out or somebody ordered it to stand; and a run of a few seconds may waste
// half of them at most.
func TestShortRuns(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	sc, waived := parse(t, hall), parse(t, hall+"[measure]\nwithout = [\"standing_s\"]\n")
	own := parse(t, hall+"[[limit]]\nmetric = \"standing_s\"\nmax = 60\n")
	hop := func(s testbench.Vehicle) (func(time.Duration), error) { // 0.3 s of driving, and no more
		return func(now time.Duration) {
			speed := float32(0.3)
			if now > time.Second {
				speed = 0
			}
			_ = s.Body.Act(robot.Command{At: now, Enable: true, Speed: speed})
		}, nil
	}
	for _, c := range []struct {
		name   string
		sc     *scenarios.Scenario
		pilot  testbench.Pilot
		length time.Duration
		held   bool
		pass   bool
		said   string
	}{
		{"an instant", sc, waiting, 50 * time.Millisecond, false, false, "it never moved"},
		{"the bring-up", sc, waiting, 3 * time.Second, false, false, "shows little"},
		{"8 s", sc, asleep, 8 * time.Second, false, false, "it never moved"},
		{"8 s, a limit of the file's own", own, waiting, 8 * time.Second, false, false, "it never moved"},
		{"8 s, left out", waived, waiting, 8 * time.Second, false, true, "leaves it out"},
		{"6 s, by an order", sc, waiting, 6 * time.Second, true, true, "drove 0.00 m"},
		{"6 s, a hop", sc, hop, 6 * time.Second, false, false, "at most 3"},
		{"6 s, driving", sc, rolling, 6 * time.Second, false, true, ""},
	} {
		r, err := testbench.Run(c.sc, 1, c.pilot, testbench.Options{Length: c.length, Held: c.held})
		if err != nil {
			t.Fatal(err)
		}
		if r.Pass != c.pass || !strings.Contains(r.Summary(), c.said) {
			t.Errorf("%s: passes %v, want %v, and to say %q:\n%s", c.name, r.Pass, c.pass, c.said, r.Summary())
		}
	}
}

func TestWaiverIsVisible(t *testing.T) {
	sc := parse(t, hall+"[measure]\nwithout = [\"standing_s\"]\n")
	r := run(t, sc, 1, waiting, 0)
	if !r.Pass || !strings.Contains(r.Summary(), "the scenario leaves it out") {
		t.Errorf("a waived condition is judged, or hidden:\n%s", r.Summary())
	}
	if _, err := scenarios.Parse("x.toml", []byte(hall+"[measure]\nwithout = [\"falls\"]\n")); err == nil {
		t.Error("a scenario may leave falls out")
	}
}

// TestTouchingIsVisible: a drive that touched something says so beside its verdicts where
// no limit of the scenario judges that.
func TestTouchingIsVisible(t *testing.T) {
	none, least := 0.0, 1.0
	for _, c := range []struct {
		name     string
		touched  int
		verdicts []testbench.Verdict
		want     bool
	}{
		{"no limit", 2, nil, true},
		{"a limit on something else", 2, []testbench.Verdict{{Metric: "falls", Max: &none, Pass: true}}, true},
		{"a limit that asks for them", 2, []testbench.Verdict{{Metric: "collisions", Min: &least, Pass: true}}, true},
		{"a limit", 2, []testbench.Verdict{{Metric: "collisions", Max: &none}}, false},
		{"nothing touched", 0, nil, false},
	} {
		r := &testbench.Result{Collisions: c.touched, Verdicts: c.verdicts, Pass: true}
		if got := strings.Contains(r.Summary(), "  note collisions         2 (the scenario has no limit on them)\n"); got != c.want {
			t.Errorf("%s: noted %v, want %v:\n%s", c.name, got, c.want, r.Summary())
		}
	}
}

// TestFaultsBehindTheEnd: a fault that begins when the drive is over is noted, and one that
// struck is not.
func TestFaultsBehindTheEnd(t *testing.T) {
	sc := parse(t, "duration_s = 1\n[start]\nx = 5\ny = 5\n[world]\nsize = [10, 10]\n[[fault]]\nkind = \"nack\"\nfrom_s = 0.5\n[[fault]]\nkind = \"nack\"\nfrom_s = 1.5\n")
	for length, want := range map[time.Duration]int{0: 1, 2 * time.Second: 0} {
		got := run(t, sc, 1, rolling, length).Summary()
		if n := strings.Count(got, "never began"); n != want || n == 1 && !strings.Contains(got, "note fault.1 never began") {
			t.Errorf("%v: noted %d, want %d:\n%s", length, n, want, got)
		}
	}
}

// tray is a table of 1 x 1 m in a wide room, the car in its middle.
const tray = "duration_s = 30\n[start]\nx = 5\ny = 5\nheading_deg = 45\n[world]\nsize = [10, 10]\n[world.floor]\ntable = [[4.5, 4.5], [5.5, 4.5], [5.5, 5.5], [4.5, 5.5]]\n"

func TestFallEndsTheDrive(t *testing.T) {
	wheel := run(t, parse(t, tray), 1, rolling, 0)
	axle := run(t, parse(t, tray+"[measure]\nfall = \"axle\"\n"), 1, rolling, 0)
	for _, r := range []*testbench.Result{wheel, axle} {
		if r.Falls != 1 || r.Pass || !failed(r, "falls") || r.Seconds > 6 {
			t.Errorf("off the table and on:\n%s", r.Summary())
		}
	}
	if wheel.Seconds >= axle.Seconds {
		t.Errorf("a wheel past the edge after %.1f s, an axle after %.1f s", wheel.Seconds, axle.Seconds)
	}
	straight := run(t, parse(t, strings.Replace(tray, "heading_deg = 45", "heading_deg = 0", 1)), 1, rolling, 0)
	if straight.Falls != 1 || straight.Unwarned {
		t.Errorf("straight over the edge, behind the sensors: %+v", straight.Unwarned)
	}
	wide := strings.Replace(tray, "[4.5, 4.5], [5.5, 4.5], [5.5, 5.5], [4.5, 5.5]", "[0, 0], [5.5, 0], [5.5, 10], [0, 10]", 1)
	slanting := run(t, parse(t, strings.Replace(wide, "heading_deg = 45", "heading_deg = 50", 1)), 1, rolling, 0)
	if slanting.Falls != 1 || !slanting.Unwarned {
		t.Errorf("at 50 deg a wheel comes before the sensors: %+v", slanting.Unwarned)
	}
	for _, c := range []struct {
		r      *testbench.Result
		hidden bool
		slant  float64
	}{{straight, false, 0}, {slanting, true, 50}} {
		if f := c.r.Fall; f == nil || f.Hidden != c.hidden || f.Warned == c.hidden || f.Backward || math.Abs(f.Slant-c.slant) > 3 {
			t.Errorf("a fall at %v deg, hidden %v: %+v", c.slant, c.hidden, f)
		}
	}
	if r := run(t, parse(t, tray), 1, spinning, 0); r.Falls != 0 {
		t.Errorf("a circle of 0.17 m in the middle of the table falls:\n%s", r.Summary())
	}
	forgiving := tray + "[[limit]]\nmetric = \"falls\"\nmax = 1\n"
	if r := run(t, parse(t, forgiving), 1, rolling, 0); r.Pass {
		t.Errorf("a file allows the car to fall:\n%s", r.Summary())
	}
}

func TestImpactsAndEnergy(t *testing.T) {
	sc := parse(t, "duration_s = 60\n[start]\nx = 1\ny = 1\n[world]\nsize = [3, 2]\nwalled = true\n")
	r := run(t, sc, 1, rolling, 20*time.Second)
	if want := 0.3 / 1.05; len(r.Impacts) != 1 || math.Abs(r.Hardest-want) > 0.01 || r.Impacts[0] != r.Hardest {
		t.Errorf("contacts at %v m/s, hardest %v, want one at %.3f", r.Impacts, r.Hardest, want)
	}
	idle := run(t, sc, 1, asleep, 20*time.Second)
	if want := 0.3 * (7.7 - 0.15*0.3) * 20; math.Abs(idle.Energy-want) > 0.01*want || idle.Hardest != 0 {
		t.Errorf("%v J at rest in 20 s, want %.1f; hardest contact %v", idle.Energy, want, idle.Hardest)
	}
	if r.Energy < 1.5*idle.Energy {
		t.Errorf("%v J driving, %v J at rest", r.Energy, idle.Energy)
	}
}

// ahead has a goal 2 m straight ahead.
const ahead = "duration_s = 60\nstop = \"goal\"\n[start]\nx = 1\ny = 1\n[world]\nsize = [4, 2]\nwalled = true\n[world.goal]\nat = [3.25, 1]\nradius = 0.2\n[brain]\ngoal = true\ncruise = 0.3\n"

// TestShares holds runs against the true map.
func TestShares(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	compare := func(text string, p testbench.Pilot, length time.Duration) *testbench.Result {
		t.Helper()
		sc := parse(t, text)
		m, err := oracle.Survey(sc, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := testbench.Run(sc, 1, p, testbench.Options{Map: m, Length: length})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	near := func(what string, got *float64, low, high float64) {
		t.Helper()
		if got == nil || *got < low || *got > high {
			t.Errorf("%s %v, want %v to %v", what, got, low, high)
		}
	}
	r := compare(ahead, rolling, 0)
	near("least", r.Least, 6, 7) // 2 m to the rim at 0.3 m/s
	near("share", r.Oracle, 0.75, 0.95)
	near("navigation", r.BARN, 0.5, 0.5)
	near("path", r.PathShare, 0.95, 1)
	near("progress", r.Progress, 1, 1)
	r = compare(ahead, rolling, 4*time.Second)
	near("share", r.Oracle, 0, 0)
	near("navigation", r.BARN, 0, 0)
	near("path", r.PathShare, 0, 0)
	near("progress", r.Progress, 0.3, 0.6)
	r = compare(hall, spinning, 0)
	near("share of a circle", r.Oracle, 0, 0.15)
	if r.BARN != nil || r.Least != nil {
		t.Error("a drive to nowhere has a navigation metric")
	}
	r = compare(hall, rolling, 20*time.Second)
	near("share of a straight way", r.Oracle, 0.7, 1)
	if r := run(t, parse(t, ahead), 1, rolling, 0); r.Oracle != nil {
		t.Error("a share of an unknown map")
	}
}

// TestArrivalNobodyAskedFor: a goal round the start, or a region that the car is outside of,
// ends nothing where it is not to go there, and is no way to be measured by.
func TestArrivalNobodyAskedFor(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	for name, text := range map[string]string{
		"goal":   "[world.goal]\nat = [10, 10]\nradius = 0.5\n",
		"region": "[measure.region]\nmin = [1, 1]\nmax = [2, 2]\n",
	} {
		sc := parse(t, hall+text)
		m, err := oracle.Survey(sc, 1)
		if err != nil {
			t.Fatal(err)
		}
		for pilot, p := range map[string]testbench.Pilot{"standing_s": waiting, "circling_s": spinning} {
			r, err := testbench.Run(sc, 1, p, testbench.Options{Map: m})
			if err != nil {
				t.Fatal(err)
			}
			if r.Goal == nil && r.Exit == nil {
				t.Errorf("%s: the arrival is not measured", name)
			}
			if r.Pass || !failed(r, pilot) || r.BARN != nil || r.Oracle == nil || *r.Oracle > 0.2 {
				t.Errorf("%s: passes, or is measured by the arrival:\n%s", name, r.Summary())
			}
		}
	}
}

// TestLapsOnALine: whoever follows the line round and round does what it is asked
// to, whoever circles across it does not.
func TestLapsOnALine(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	sc := load(t, "line")
	sc.World.Floor.Oval.RadiusMin, sc.World.Floor.Oval.RadiusMax, sc.World.Floor.Oval.Straight = 0.35, 0.35, 0
	if r := run(t, sc, 1, testbench.Reactive, 0); r.Circling != 0 || r.LineLost == nil || *r.LineLost > 0.3 {
		t.Errorf("laps on a line of 0.35 m are circles:\n%s", r.Summary())
	}
	if r := run(t, sc, 1, spinning, 0); !failed(r, "circling_s") {
		t.Errorf("circles across a line are laps:\n%s", r.Summary())
	}
}
