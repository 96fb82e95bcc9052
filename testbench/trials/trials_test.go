package trials_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/golden"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/trials"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// always gives the same command for ever.
func always(speed, steering float32) testbench.Pilot {
	return func(s testbench.Vehicle) (func(time.Duration), error) {
		return func(now time.Duration) {
			_ = s.Body.Act(robot.Command{At: now, Enable: true, Speed: speed, Steering: steering})
		}, nil
	}
}

// TestIdlersFailEveryFamily: whoever stands, or goes round and round, passes in no
// world.
func TestIdlersFailEveryFamily(t *testing.T) {
	names := family.Names()
	for _, name := range names[:tier.Count(t, "families", 6, len(names), len(names))] {
		w := trials.World{Family: name, Profile: plant.P1, Set: "train", Seed: 1}
		sc, m, err := w.Make()
		if err != nil {
			t.Fatal(err)
		}
		for idler, pilot := range map[string]testbench.Pilot{"standing": always(0, 0), "circling": always(0.3, 0.52)} {
			r, err := testbench.Run(sc, 1, pilot, testbench.Options{Map: m})
			if err != nil {
				t.Fatal(err)
			}
			rec := trials.NewRecord(w, idler, sc, r)
			if rec.Pass || idler == "standing" && !rec.Idle() {
				t.Errorf("%s in %s passes:\n%s", idler, name, r.Summary())
			}
			if idler == "circling" && rec.Safe() && !rec.Lost() {
				t.Errorf("%s in %s is not found to circle:\n%s", idler, name, r.Summary())
			}
			if r.Oracle == nil || rec.Oracle > 0.3 {
				t.Errorf("%s in %s does %.2f of what the map allows", idler, name, rec.Oracle)
			}
		}
	}
}

// scripted returns a pilot whose drives come out as a function says, without a
// wheel turning.
func scripted(name string, script func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) *testbench.Result) trials.Pilot {
	return trials.Pilot{Name: name, Drive: func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) (*testbench.Result, error) {
		return script(sc, seed, m), nil
	}}
}

// arriving is a drive of so many times the least time, with a contact in every
// n-th world.
func arriving(times float64, n uint64) func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) *testbench.Result {
	return func(sc *scenarios.Scenario, seed uint64, m *oracle.Map) *testbench.Result {
		r := &testbench.Result{Seconds: 30, Distance: 8, Coverage: 0.2 / times, Energy: 100, Pass: true, Steering: 12, Reversals: 0.4}
		share := 1 / times
		r.Oracle = &share
		if way, err := m.Way(); err == nil && len(way.Points) > 0 {
			took, barn, one := way.Time*times, share/2, 1.0
			r.Goal, r.Least, r.BARN, r.Progress, r.PathShare = &took, &way.Time, &barn, &one, &share
		}
		if seed%n == 0 {
			r.Collisions, r.Hardest, r.Pass = 1, 0.21, false
		}
		return r
	}
}

// toy is a roster of two families that nobody really drives.
func toy(workers int) *trials.Roster {
	return &trials.Roster{
		Families: []string{"room", "clutter"}, Profiles: []plant.Profile{plant.P0, plant.P1},
		Worlds: 8, Clutter: 6, Set: family.Test, Workers: workers,
		Pilots: []trials.Pilot{
			scripted("brain", arriving(2, 5)), scripted("vendor", arriving(3, 2)), scripted("oracle", arriving(1.2, 99)),
		},
	}
}

func fresh(t *testing.T, old []byte, out *bytes.Buffer) *trials.Journal {
	t.Helper()
	j, err := trials.Resume(old, trials.Program{Sum: "toy"}, out)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestPages: the report from recorded drives, as a table and as a page.
func TestPages(t *testing.T) {
	var log bytes.Buffer
	r, err := trials.Run(context.Background(), toy(2), fresh(t, nil, &log))
	if err != nil {
		t.Fatal(err)
	}
	var table, page bytes.Buffer
	h := trials.Heading{Command: "fieldbrain bench drive", Date: "2026-01-02", Machine: "a machine", Engine: "toy"}
	if err := errors.Join(r.Print(&table), r.Markdown(&page, h)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"table.golden": table.String(), "page.golden": page.String()} {
		golden.Compare(t, *update, "testdata/"+name, text)
	}
}

// TestGoals reads the figures of the toy's report, counted by hand: 4 rooms and 4
// cluttered worlds a profile, and 2 more of the latter for their own family.
func TestGoals(t *testing.T) {
	r, err := trials.Run(context.Background(), toy(1), fresh(t, nil, new(bytes.Buffer)))
	if err != nil {
		t.Fatal(err)
	}
	five := r.Profiles[1]
	if five.Worlds != 8 || r.Drives != 2*(3*8+2) {
		t.Errorf("%d worlds, %d drives", five.Worlds, r.Drives)
	}
	brain, vendor := five.Sums[0], five.Sums[1]
	if brain.Contact.Held != 0 || vendor.Contact.Held != 4 || vendor.Hardest != 0.21 {
		t.Errorf("contacts %+v and %+v, want 0 and 4 of 8", brain.Contact, vendor.Contact)
	}
	if c := five.Families[1].Sums[0]; c.Contact.Held != 1 || c.Contact.Of != 6 || c.Success.Held != 5 || brain.TimeRatio != 2 {
		t.Errorf("clutter %+v, time ratio %v", c, brain.TimeRatio)
	}
	a := five.Against[0]
	if a.Contact.Theirs != 4 || a.Contact.Ours != 0 || math.Abs(a.Contact.P-0.125) > 1e-9 {
		t.Errorf("contacts against the vendor %+v, want 0 to 4, p = 2/16", a.Contact)
	}
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"drives with a contact, against the best baseline", true},
		{"goals and exits reached, of those the oracle can", true},
		{"cellular clutter: success", false}, // 5 of 6 are less than 95 %
		{"cellular clutter: navigation metric", false},
	} {
		found := false
		for _, g := range r.Goals {
			if g.Profile == plant.P1 && g.Text == tt.text {
				found = true
				if g.Pass != tt.want || !g.Driven {
					t.Errorf("%+v, want %v", g, tt.want)
				}
			}
		}
		if !found {
			t.Errorf("no goal %q", tt.text)
		}
	}
	if r.Pass {
		t.Error("passes with a goal missed")
	}
}

// TestResume: an interrupted contest goes on where it was, and comes to the report
// and the file of one that was never interrupted, with any number of workers.
func TestResume(t *testing.T) {
	var whole bytes.Buffer
	straight := fresh(t, nil, &whole)
	want, err := trials.Run(context.Background(), toy(1), straight)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var part bytes.Buffer
	p := toy(3)
	p.Progress = func(done, _ int) {
		if done == 10 {
			stop()
		}
	}
	if _, err := trials.Run(ctx, p, fresh(t, nil, &part)); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	kept := bytes.Count(part.Bytes(), []byte("\n")) - 1
	if kept < 10 || kept > 30 {
		t.Fatalf("%d drives kept", kept)
	}
	p, total := toy(4), 0
	p.Progress = func(_, all int) { total = all }
	again := fresh(t, part.Bytes(), &part)
	got, err := trials.Run(context.Background(), p, again)
	if err != nil {
		t.Fatal(err)
	}
	if total != want.Drives-kept {
		t.Errorf("drove %d again, %d of %d were kept", total, kept, want.Drives)
	}
	if diff := cmp.Diff(text(t, want), text(t, got)); diff != "" {
		t.Errorf("the reports differ:\n%s", diff)
	}
	var a, b bytes.Buffer
	if err := errors.Join(straight.Write(&a), again.Write(&b)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.String(), b.String()); diff != "" {
		t.Errorf("the files differ:\n%s", diff)
	}
	if _, err := trials.Resume(part.Bytes(), trials.Program{Sum: "another"}, nil); !errors.Is(err, trials.ErrOther) {
		t.Errorf("another program goes on: %v", err)
	}
}

func text(t *testing.T, r *trials.Report) string {
	t.Helper()
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCheck(t *testing.T) {
	for why, change := range map[string]func(p *trials.Roster){
		"no worlds":      func(p *trials.Roster) { p.Worlds = 0 },
		"no pilot":       func(p *trials.Roster) { p.Pilots = nil },
		"a pilot twice":  func(p *trials.Roster) { p.Pilots = append(p.Pilots, p.Pilots[0]) },
		"a family twice": func(p *trials.Roster) { p.Families = []string{"room", "room"} },
		"unknown":        func(p *trials.Roster) { p.Families = []string{"ocean"} },
	} {
		p := toy(1)
		change(p)
		if p.Check() == nil {
			t.Errorf("%s: no complaint", why)
		}
	}
	if err := toy(1).Check(); err != nil {
		t.Error(err)
	}
}
