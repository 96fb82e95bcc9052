package ladder

import (
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/daemon/config"
	"fieldbrain/robot"
	"fieldbrain/testbench/tier"
	"fieldbrain/verdict"
)

// recorded drives towards the beacon for a while.
func recorded(t *testing.T, length time.Duration) (config.Config, *Tape) {
	t.Helper()
	settings := config.Default()
	tape, err := Record(settings, "goal", 1, length)
	if err != nil {
		t.Fatal(err)
	}
	return settings, tape
}

func quietly(int, int, string) {}

// TestLadderLosesMoreWithEveryRung: a rung's loss is the same on every machine;
// its saved time is not, and the test does not assert it.
func TestLadderLosesMoreWithEveryRung(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "one goroutine computes for minutes")
	settings, tape := recorded(t, 4*time.Second)
	r, err := Compare(settings, tape, quietly)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rungs) != quality.NumRungs || r.Ticks < 700 {
		t.Fatalf("%d rungs, %d ticks", len(r.Rungs), r.Ticks)
	}
	if full := r.Rungs[0]; full.Field != 0 || full.Deviation != 0 || full.Gaze != 0 || full.Peak != 1 || full.SpeedUp.Ratio != 1 {
		t.Errorf("full quality differs from itself: %+v", full)
	}
	for i, row := range r.Rungs {
		if row.Busy <= 0 || row.Worst <= 0 || row.SpeedUp.Ratio <= 0 {
			t.Errorf("%s was not timed: %+v", row.Name, row)
		}
		if i > 0 && row.Field <= r.Rungs[i-1].Field {
			t.Errorf("%s loses %v of the field, the rung above it %v", row.Name, row.Field, r.Rungs[i-1].Field)
		}
		if row.Deviation > 1 || row.Peak < allowedPeak {
			t.Errorf("%s loses more than B.11 allows: %+v", row.Name, row)
		}
	}
	claimed(t, r)
	startsLoseMore(t, r)
}

// startsLoseMore wants a row for every start, less memory and more loss with fewer
// planes, and a loss of half precision that is told without a time.
func startsLoseMore(t *testing.T, r *Report) {
	t.Helper()
	if len(r.Starts) != 4 || len(r.StartClaims) != 2 {
		t.Fatalf("%d starts, %d claims", len(r.Starts), len(r.StartClaims))
	}
	whole, planes, halves := r.Starts[0], r.Starts[1:3], r.Starts[3]
	if whole.Field != 0 || whole.Deviation != 0 || whole.Memory <= 0 {
		t.Errorf("the whole field: %+v", whole)
	}
	for i, row := range planes {
		if above := r.Starts[i]; row.Field <= above.Field || row.Memory >= above.Memory {
			t.Errorf("%s: error %v in %v MB, %s has %v in %v MB", row.Name, row.Field, row.Memory, above.Name, above.Field, above.Memory)
		}
		if row.Deviation > 1 || row.Peak < allowedPeak {
			t.Errorf("%s loses more than B.11 allows: %+v", row.Name, row)
		}
	}
	if !halves.Emulated || halves.Field <= 0 || halves.Field > 0.03 || halves.Deviation > 1 {
		t.Errorf("half precision: %+v", halves)
	}
}

// claimed wants each rung but the first claimed to be faster than the one above
// it, with enough turns to judge that.
func claimed(t *testing.T, r *Report) {
	t.Helper()
	if len(r.Claims) != quality.NumRungs-1 || r.Control.Level < verdict.Confidence {
		t.Fatalf("%d claims, control %+v", len(r.Claims), r.Control)
	}
	for i, j := range r.Claims {
		if want := r.Rungs[i+1].Name + " faster than " + r.Rungs[i].Name; j.Name != want || j.Level < verdict.Confidence {
			t.Errorf("%+v, want %s", j, want)
		}
	}
	var out strings.Builder
	if r.Judge(); r.Print(&out) != nil || strings.Count(out.String(), "claim ") != len(r.Claims)+len(r.StartClaims) {
		t.Errorf("claims are not printed:\n%s", out.String())
	}
}

// TestReplayIsTheDrive: a brain that sees the recording at full quality repeats
// its commands; a brain that does not is no measure of a loss.
func TestReplayIsTheDrive(t *testing.T) {
	tier.Alone(t, "one goroutine computes for minutes")
	settings, tape := recorded(t, 2500*time.Millisecond)
	moved := false
	for _, c := range tape.commands {
		moved = moved || c.Enable && c.Speed > 0.1
	}
	if !moved || len(tape.states) != len(tape.nows) || len(tape.commands) != len(tape.nows) {
		t.Fatalf("%d states, %d instants, %d commands, moved %v", len(tape.states), len(tape.nows), len(tape.commands), moved)
	}
	tape.commands[len(tape.commands)/2].Steering += 0.001
	if _, err := Compare(settings, tape, quietly); err == nil || !strings.Contains(err.Error(), "no replay") {
		t.Errorf("a recording that was changed gave %v", err)
	}
}

// TestContenderMeasures a known difference.
func TestContenderMeasures(t *testing.T) {
	c := &contender{}
	base := outcome{command: robot.Command{Steering: 0.1, Speed: 0.2, Pan: 0}, peak: 31}
	c.compare(outcome{command: robot.Command{Steering: 0.4, Speed: -0.2, Pan: 0.5}, peak: 0}, base)
	c.compare(outcome{command: base.command, peak: 1}, base)
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-6 }
	if !near(c.steer, 0.09) || !near(c.speed, 0.16) || !near(c.pan, 0.25) || c.peaks != 1 || c.judged != 2 {
		t.Errorf("%+v", c)
	}
}

func TestLadderVerdict(t *testing.T) {
	const held, missed, void = verdict.Held, verdict.Missed, verdict.Void
	for _, c := range []struct {
		name      string
		deviation float64 // of the last rung
		failed    []string
		claims    [2]verdict.Verdict // of the rungs a and b
		monotone  bool
		want      []string
	}{
		{"pays", 0.9, nil, [2]verdict.Verdict{held, held}, true, []string{"monotone: every", "none loses more"}},
		{"slower", 0, nil, [2]verdict.Verdict{missed, held}, false, []string{"not monotone: slower than the rung above it: a;", "none loses more"}},
		{"too restless", 0, nil, [2]verdict.Verdict{held, void}, false, []string{"not decided", ": b;"}},
		{"both", 0, nil, [2]verdict.Verdict{void, missed}, false, []string{"slower than the rung above it: b; not decided", ": a;"}},
		{"strays", 1.5, nil, [2]verdict.Verdict{held, held}, true, []string{"lose more than B.11 allows: b"}},
		{"fails", 0, []string{"room"}, [2]verdict.Verdict{held, held}, true, []string{"lose more than B.11 allows: b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Report{Rungs: []Row{{Name: "full", Peak: 1}, {Name: "a", Peak: 1}, {Name: "b", Peak: 1, Deviation: c.deviation, Failed: c.failed}}}
			for _, v := range c.claims {
				r.Claims = append(r.Claims, verdict.Judgement{Verdict: v})
			}
			r.Judge()
			if r.Monotone != c.monotone || r.Void != (c.claims[0] == void || c.claims[1] == void) {
				t.Errorf("monotone %v, void %v", r.Monotone, r.Void)
			}
			for _, words := range c.want {
				if !strings.Contains(r.Verdict, words) {
					t.Errorf("%q does not say %q", r.Verdict, words)
				}
			}
		})
	}
}
