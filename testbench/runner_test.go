package testbench_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

func run(t *testing.T, sc *scenarios.Scenario, seed uint64, p testbench.Pilot, d time.Duration) *testbench.Result {
	t.Helper()
	r, err := testbench.Run(sc, seed, p, testbench.Options{Length: d})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSameSeedSameTrajectory(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	for _, name := range []string{"room", "nack", "hungbus"} {
		sc := load(t, name)
		a := run(t, sc, 7, testbench.Noise, 24*time.Second)
		b := run(t, sc, 7, testbench.Noise, 24*time.Second)
		c := run(t, sc, 8, testbench.Noise, 24*time.Second)
		if a.Trajectory != b.Trajectory || a.Distance != b.Distance {
			t.Errorf("%s: two runs of seed 7 differ: %s %s", name, a.Trajectory, b.Trajectory)
		}
		if a.Trajectory == c.Trajectory {
			t.Errorf("%s: seeds 7 and 8 drive the same way", name)
		}
	}
}

// TestStop: a run whose caller wants no more ends then, and says how long it was.
func TestStop(t *testing.T) {
	asked := 0
	r, err := testbench.Run(load(t, "room"), 7, testbench.Noise, testbench.Options{Stop: func() bool { asked++; return asked == 5 }})
	if err != nil || r.Seconds != 0.5 || asked != 5 {
		t.Errorf("%+v, %v, asked %d times", r, err, asked)
	}
}

// The published figures of the vendor's rule in the same worlds, less the 5 %
// that our wheels slip: 42 m without
// a collision in B1, a corridor driven with 0.15..0.27 m RMS in B3, out of the
// dead end after 6 s in B6.
func TestVendorRuleAsPublished(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	room, corridor, deadend := load(t, "room"), load(t, "corridor"), load(t, "deadend")
	for seed := uint64(1); seed <= 2; seed++ {
		r := run(t, room, seed, testbench.Vendor, 0)
		if r.Collisions != 0 || r.Stuck != 0 || r.Distance < 38 || r.Distance > 43 {
			t.Errorf("room seed %d:\n%s", seed, r.Summary())
		}
		for _, v := range r.Verdicts {
			laps := v.Metric == "circling_s"                                       // along the walls, round and round: the rule has nothing else
			if !v.Pass && !laps && !(v.Metric == "coverage" && v.Over == "mean") { // one drive is no mean
				t.Errorf("room seed %d: %v\n%s", seed, v, r.Summary())
			}
		}
		r = run(t, corridor, seed, testbench.Vendor, 0)
		if r.LateralRMS == nil || *r.LateralRMS < 0.1 || *r.LateralRMS > 0.3 {
			t.Errorf("corridor seed %d:\n%s", seed, r.Summary())
		}
		r = run(t, deadend, seed, testbench.Vendor, 0)
		if r.Exit == nil || *r.Exit < 3 || *r.Exit > 10 {
			t.Errorf("dead end seed %d:\n%s", seed, r.Summary())
		}
	}
}

func TestWhiteNoiseCollides(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	total := 0
	for seed := uint64(1); seed <= 2; seed++ {
		total += run(t, load(t, "room"), seed, testbench.Noise, 0).Collisions
	}
	if total == 0 {
		t.Error("driving blind for four minutes hit nothing: the room is no test")
	}
}

// table stops at the edge as a simple reflex would: brake for 100 ms when a
// floor sensor is dark, then reverse until all are bright again.
func table(s testbench.Vehicle) (func(time.Duration), error) {
	var state robot.State
	var brake time.Duration // end of it
	retreat := false
	return func(now time.Duration) {
		s.Body.Sense(&state)
		dark := false
		for _, f := range state.Floor {
			dark = dark || (f.OK && f.Value < 500.0/4095)
		}
		if dark && !retreat {
			retreat, brake = true, now+100*ms
		}
		c := robot.Command{At: now, Enable: true, Speed: 0.2}
		switch {
		case now < brake:
			c.Speed, c.Brake = 0, true
		case dark, retreat:
			c.Speed = -0.2
			retreat = dark
		}
		_ = s.Body.Act(c)
	}, nil
}

func TestEdgeMetrics(t *testing.T) {
	sc := load(t, "cliff")
	sc.Start.Heading, sc.Start.SpreadHeading = 0, 0
	r := run(t, sc, 1, table, 6*time.Second)
	if r.Crossings == nil || *r.Crossings < 1 || r.StopWay == nil || r.Latency == nil || r.Leave == nil {
		t.Fatalf("edge metrics missing:\n%s", r.Summary())
	}
	if *r.Latency <= 0 || *r.Latency > 0.025 {
		t.Errorf("latency %v s: a sweep takes 10 ms", *r.Latency)
	}
	if *r.StopWay < 0.005 || *r.StopWay > 0.03 {
		t.Errorf("stopped after %v m, by B.7's arithmetic 18 mm", *r.StopWay)
	}
	if *r.Leave < *r.Latency || *r.Leave > 3 || *r.Wheels != 0 {
		t.Errorf("left after %v s, %v ms with a wheel past the edge", *r.Leave, *r.Wheels)
	}
	blind := run(t, sc, 1, testbench.Vendor, 6*time.Second)
	if *blind.Wheels == 0 || blind.Pass {
		t.Errorf("driving over the edge passes:\n%s", blind.Summary())
	}
}

// A habit is a pilot that only varies its command; k counts ticks, 200 per
// second.
type habit struct {
	name, why                string
	steer                    func(k int) float64 // deg
	speed                    func(k int) float32 // m/s
	brake                    func(k int) bool
	dps, reversals, throttle float64
}

func (h *habit) pilot(s testbench.Vehicle) (func(time.Duration), error) {
	k := 0
	return func(now time.Duration) {
		c := robot.Command{At: now, Enable: true}
		if h.steer != nil {
			c.Steering = float32(h.steer(k) * math.Pi / 180)
		}
		if h.speed != nil {
			c.Speed = h.speed(k)
		}
		c.Brake = h.brake != nil && h.brake(k)
		_ = s.Body.Act(c)
		k++
	}, nil
}

func TestCommandMetrics(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	triangle := func(k int) float64 { return 1 - math.Abs(float64(k%200)-100)/50 } // +-1 at 1 Hz
	late := func(k int) bool { return k > 1000 }
	tests := []habit{
		{name: "still", why: "nothing changes"},
		{
			name: "triangle", why: "+-10 deg at 1 Hz: 40 deg/s and two reversals a second",
			steer: func(k int) float64 { return 10 * triangle(k) }, dps: 40, reversals: 2,
		},
		{name: "ripple", why: "+-1 deg is no reversal", steer: triangle, dps: 4},
		{
			name: "jump", why: "half of full scale at once, once",
			speed: func(k int) float32 {
				if late(k) {
					return 0.175
				}
				return 0
			}, throttle: 1,
		},
		{
			name: "brake", why: "a reflex may jump", brake: late,
			speed: func(k int) float32 {
				if late(k) {
					return 0
				}
				return 0.175
			},
		},
		{
			name: "ramp", why: "full scale in half a second is 0.04 in 20 ms",
			speed: func(k int) float32 { return 0.35 * min(float32(k)/100, 1) },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, parse(t, hall), 1, tt.pilot, 20*time.Second)
			if math.Abs(r.Steering-tt.dps) > 0.02*tt.dps+0.01 {
				t.Errorf("%.3f deg/s, want %v: %s", r.Steering, tt.dps, tt.why)
			}
			if math.Abs(r.Reversals-tt.reversals) > 0.11 {
				t.Errorf("%.3f reversals/s, want %v: %s", r.Reversals, tt.reversals, tt.why)
			}
			if float64(r.Throttle) != tt.throttle {
				t.Errorf("%d throttle steps, want %v: %s", r.Throttle, tt.throttle, tt.why)
			}
		})
	}
}

func TestStuckAndStops(t *testing.T) {
	ram := func(s testbench.Vehicle) (func(time.Duration), error) {
		return func(now time.Duration) {
			_ = s.Body.Act(robot.Command{At: now, Enable: true, Speed: 0.3})
		}, nil
	}
	sc := parse(t, "duration_s = 60\n[start]\nx = 1\ny = 1\n[world]\nsize = [3, 2]\nwalled = true\n")
	r := run(t, sc, 1, ram, 30*time.Second)
	if r.Collisions != 1 || r.Stops != 1 || r.Stuck != 2 || r.IdleStops != 0 {
		t.Errorf("ramming a wall for 24 s: want 1 collision, 1 stop, stuck twice, no idle stop\n%s", r.Summary())
	}
	pause := func(s testbench.Vehicle) (func(time.Duration), error) {
		return func(now time.Duration) {
			c := robot.Command{At: now, Enable: true, Speed: 0.2}
			if now > 3*time.Second && now < 5*time.Second {
				c.Speed = 0
			}
			_ = s.Body.Act(c)
		}, nil
	}
	r = run(t, parse(t, hall), 1, pause, 8*time.Second)
	if r.Stops != 1 || r.IdleStops != 1 { // the 0.3 s while the HAT boots are no idle stop
		t.Errorf("a pause in the open: %d stops, %d idle; want 1 of each", r.Stops, r.IdleStops)
	}
}

func TestEveryMetricIsKnown(t *testing.T) {
	one := 1.0
	r := &testbench.Result{
		LateralRMS: &one, LateralMax: &one, LineRMS: &one, LineMax: &one, LineLost: &one,
		Exit: &one, Goal: &one, PathRatio: &one, Crossings: &one, Latency: &one,
		StopWay: &one, Leave: &one, Wheels: &one, Corners: &one,
		Cut: &one, Halt: &one, Resumed: &one,
		Oracle: &one, BARN: &one, Progress: &one, PathShare: &one,
	}
	for _, name := range scenarios.Metrics() {
		if _, ok := r.Metric(name); !ok {
			t.Errorf("no value for metric %s", name)
		}
	}
	if _, ok := r.Metric("beauty"); ok {
		t.Error("beauty has a value")
	}
}

func TestJudge(t *testing.T) {
	exit := func(s float64) *testbench.Result { return &testbench.Result{Distance: 1, Exit: &s} }
	hits := func(n int) *testbench.Result { return &testbench.Result{Distance: 1, Collisions: n} }
	tests := []struct {
		name, why, limit string
		runs             []*testbench.Result
		pass             bool
	}{
		{"each", "one run is too late", "metric = \"exit_s\"\nmax = 25\n", []*testbench.Result{exit(20), exit(26)}, false},
		{"never", "a run without an exit fails", "metric = \"exit_s\"\nmax = 25\n", []*testbench.Result{exit(20), {Distance: 1}}, false},
		{"share", "half of the runs are enough", "metric = \"exit_s\"\nmax = 25\nshare = 0.5\n", []*testbench.Result{exit(20), {Distance: 1}}, true},
		{"mean", "0.2 on average", "metric = \"collisions\"\nmax = 0.5\nover = \"mean\"\n", []*testbench.Result{hits(0), hits(1)}, true},
		{"mean too high", "1.5 on average", "metric = \"collisions\"\nmax = 0.5\nover = \"mean\"\n", []*testbench.Result{hits(2), hits(1)}, false},
		{"no runs", "nothing was shown", "metric = \"stops\"\nmax = 1\n", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verdicts, pass := testbench.Judge(parse(t, hall+"[[limit]]\n"+tt.limit), tt.runs)
			if pass != tt.pass {
				t.Errorf("pass = %v, want %v: %s (%v)", pass, tt.pass, tt.why, verdicts)
			}
		})
	}
}

// TestArrivalIsAsked: a world whose run ends with an arrival fails the run that has none,
// also without a limit of its own; a limit of the file stands for that condition, and
// leaving it out shows.
func TestArrivalIsAsked(t *testing.T) {
	goal := func(s float64) *testbench.Result { return &testbench.Result{Distance: 1, Goal: &s} }
	const to = "stop = \"goal\"\n" + hall + "[world.goal]\nat = [3.0, 1.0]\nradius = 0.2\n"
	for _, tt := range []struct {
		name, file string
		run        *testbench.Result
		pass       bool
	}{
		{"missed", to, &testbench.Result{Distance: 1}, false},
		{"reached", to, goal(5), true},
		{"reached too late for the file", to + "[[limit]]\nmetric = \"goal_s\"\nmax = 4\n", goal(5), false},
		{"left out", to + "[measure]\nwithout = [\"goal_s\"]\n", &testbench.Result{Distance: 1}, true},
		{"not what ends the run", hall, &testbench.Result{Distance: 1}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			verdicts, pass := testbench.Judge(parse(t, tt.file), []*testbench.Result{tt.run})
			if pass != tt.pass {
				t.Errorf("passes: %v, want %v: %v", pass, tt.pass, verdicts)
			}
			if shown := strings.Contains(fmt.Sprint(verdicts), "goal_s"); shown != strings.Contains(tt.file, "goal") {
				t.Errorf("the goal is judged: %v: %v", shown, verdicts)
			}
		})
	}
}

func TestResultAsJSON(t *testing.T) {
	r := run(t, load(t, "room"), 7, testbench.Vendor, 10*time.Second)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"scenario", "seed", "sim_seconds", "ticks", "collisions", "distance_m", "coverage",
		"min_clearance_m", "stops", "field_hash", "engine", "pass",
	} {
		if _, ok := object[key]; !ok {
			t.Errorf("no %q in %s", key, text)
		}
	}
	if object["ticks"] != 2000.0 || object["sim_seconds"] != 10.0 {
		t.Errorf("ticks %v in %v s, want 2000 in 10", object["ticks"], object["sim_seconds"])
	}
}

// A fault must never make the vendor's rule, which has no reflexes of its own,
// hit something where only the bus fails: stopping is the driver's work.
func TestBusFaultsCauseNoCollision(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	for _, name := range []string{"nack", "storm", "hungbus", "desync", "adc-garbage"} {
		t.Run(name, func(t *testing.T) {
			for seed := uint64(1); seed <= 2; seed++ {
				if r := run(t, load(t, name), seed, testbench.Vendor, 0); r.Collisions != 0 || r.Faults == 0 {
					t.Errorf("seed %d:\n%s", seed, r.Summary())
				}
			}
		})
	}
}

func TestPilotSeesNothingOfTheFuture(t *testing.T) {
	watch := func(s testbench.Vehicle) (func(time.Duration), error) {
		var state robot.State
		return func(now time.Duration) {
			s.Body.Sense(&state)
			for i, r := range state.Range {
				if r.At > now {
					t.Errorf("range %d of %v at %v", i, r.At, now)
				}
			}
			for i, r := range state.Floor {
				if r.At > now {
					t.Errorf("floor %d of %v at %v", i, r.At, now)
				}
			}
			_ = s.Body.Act(robot.Command{At: now, Enable: true, Speed: 0.3})
		}, nil
	}
	run(t, load(t, "room"), 1, watch, 5*time.Second)
}

func TestPilotErrorsAreNamed(t *testing.T) {
	_, err := testbench.Run(load(t, "room"), 1, func(testbench.Vehicle) (func(time.Duration), error) {
		return nil, fmt.Errorf("no engine")
	}, testbench.Options{})
	if err == nil || !strings.Contains(err.Error(), "testbench: pilot for room: no engine") {
		t.Errorf("got %v", err)
	}
}

func Example() {
	sc, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := testbench.Run(sc, 1, testbench.Vendor, testbench.Options{Length: 30 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s drove %.0f m in %.0f s, %d collisions\n", r.Scenario, r.Distance, r.Seconds, r.Collisions)
	// Output: room drove 10 m in 30 s, 0 collisions
}
