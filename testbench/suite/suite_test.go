package suite_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"fieldbrain/testbench"
	"fieldbrain/testbench/golden"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/suite"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestNewSample(t *testing.T) {
	tests := []struct {
		name, why string
		values    []float64
		want      suite.Sample
	}{
		{"none", "nothing was measured", nil, suite.Sample{}},
		{"one", "one run has no spread", []float64{3}, suite.Sample{N: 1, Mean: 3, Median: 3, Low: 3, High: 3}},
		{
			"five", "t(0.975, 4) = 2.7764 times 1.5811/sqrt(5)",
			[]float64{5, 1, 4, 2, 3},
			suite.Sample{N: 5, Mean: 3, Std: 1.58114, Median: 3, Low: 1.03676, High: 4.96324},
		},
		{"equal", "no spread at all", []float64{2, 2, 2}, suite.Sample{N: 3, Mean: 2, Median: 2, Low: 2, High: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, suite.NewSample(tt.values), cmpopts.EquateApprox(0, 1e-4)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, diff)
			}
		})
	}
}

// The classical figures: 10 of 10 leaves 0.72..1, none of 10 leaves 0..0.28.
func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		held, n   int
		low, high float64
	}{
		{10, 10, 0.7225, 1},
		{0, 10, 0, 0.2775},
		{5, 10, 0.2366, 0.7634},
		{0, 0, 0, 1},
	} {
		low, high := suite.Wilson(tt.held, tt.n)
		if math.Abs(low-tt.low) > 1e-4 || math.Abs(high-tt.high) > 1e-4 {
			t.Errorf("%d of %d: %.4f..%.4f, want %.4f..%.4f", tt.held, tt.n, low, high, tt.low, tt.high)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		held := rapid.IntRange(0, n).Draw(t, "held")
		low, high := suite.Wilson(held, n)
		if p := float64(held) / float64(n); !(0 <= low && low <= p+1e-12 && p-1e-12 <= high && high <= 1) {
			t.Fatalf("%d of %d: %v..%v does not hold %v", held, n, low, high, p)
		}
	})
}

const toy = `title = "Toy"
spec = "B1"
duration_s = 10
runs = 4
[world]
size = [4, 3]
[[limit]]
metric = "collisions"
max = 1
over = "mean"
[[limit]]
metric = "exit_s"
max = 25
`

func parse(t *testing.T, name, text string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Parse(name+".toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// scripted returns a driver whose runs come out as a table says, by seed.
func scripted(name string, collisions []int, exits []float64) suite.Driver {
	return suite.Driver{Name: name, Run: func(sc *scenarios.Scenario, seed uint64) (*testbench.Result, error) {
		r := &testbench.Result{Scenario: sc.Name, Seed: seed, Distance: 1, Track: &testbench.Track{}}
		r.Collisions = collisions[seed-1]
		if x := exits[seed-1]; x > 0 {
			r.Exit = &x
		}
		if len(sc.Faults) == 0 && strings.Contains(sc.Name, "faulty") {
			r.Collisions = 0
		}
		return r, nil
	}}
}

// toyContest has a scenario with and one without a fault, and a baseline that is
// quicker but hits things.
func toyContest(t *testing.T) *suite.Contest {
	return &suite.Contest{
		Scenarios: []*scenarios.Scenario{
			parse(t, "toy", toy),
			parse(t, "faulty", toy+"[[fault]]\nkind = \"nack\"\n"),
		},
		Drivers: []suite.Driver{
			scripted("brain", []int{0, 1, 2, 1}, []float64{20, 21, 22, 23}),
			scripted("vendor", []int{3, 3, 3, 3}, []float64{5, 5, 0, 5}),
		},
		Calm: true, Workers: 3,
	}
}

func TestReport(t *testing.T) {
	r, err := toyContest(t).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Pass || r.Runs != 4*2+4*3 || len(r.Rows) != 2 {
		t.Fatalf("pass %v, %d runs, %d rows", r.Pass, r.Runs, len(r.Rows))
	}
	crash, exit := &r.Rows[0].Lines[0], &r.Rows[0].Lines[1]
	if c := crash.Cells[0]; *c.Value != 1 || !c.Pass || c.Held != 3 || c.Sample.Std == 0 {
		t.Errorf("collisions of the brain: %+v", c)
	}
	if c := exit.Cells[1]; c.Pass || c.Held != 3 || c.Sample.N != 3 || *c.Value != 5 {
		t.Errorf("exit of the vendor, who never leaves once: %+v", c)
	}
	if r.Rows[0].Lines[0].Calm != nil {
		t.Error("a scenario without faults was driven without its faults")
	}
	if c := r.Rows[1].Lines[0].Calm; c == nil || *c.Value != 0 {
		t.Errorf("the faulty scenario without its fault: %+v", c)
	}
}

func TestReportAsText(t *testing.T) {
	r, err := toyContest(t).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var table, page bytes.Buffer
	h := suite.Heading{Command: "fieldbrain sim --suite", Date: "2026-01-02", Engine: "toy", Notes: "More is elsewhere."}
	if err := errors.Join(r.Print(&table), r.Markdown(&page, h)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"table.golden": table.String(), "page.golden": page.String()} {
		golden.Compare(t, *update, "testdata/"+name, text)
	}
}

// However many workers share the runs, the report is the same.
func TestOrderDoesNotMatter(t *testing.T) {
	var reports []*suite.Report
	for _, workers := range []int{0, 1, 7} {
		p := toyContest(t)
		p.Workers = workers
		last := 0
		p.Progress = func(done, total int) {
			if done != last+1 || total != 20 {
				t.Errorf("progress %d of %d after %d", done, total, last)
			}
			last = done
		}
		r, err := p.Run(context.Background())
		if err != nil || last != 20 {
			t.Fatalf("%v after %d runs", err, last)
		}
		reports = append(reports, r)
	}
	for _, r := range reports[1:] {
		if diff := cmp.Diff(reports[0], r); diff != "" {
			t.Errorf("reports differ:\n%s", diff)
		}
	}
}

func TestErrorsEndTheSuite(t *testing.T) {
	p := toyContest(t)
	var calls atomic.Int32
	broken := errors.New("no engine")
	p.Drivers[1].Run = func(*scenarios.Scenario, uint64) (*testbench.Result, error) {
		calls.Add(1)
		return nil, broken
	}
	_, err := p.Run(context.Background())
	if !errors.Is(err, broken) || !strings.Contains(fmt.Sprint(err), "suite: toy, seed ") {
		t.Errorf("got %v", err)
	}
	if n := calls.Load(); n > 3 {
		t.Errorf("%d more runs were begun", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := toyContest(t).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func Example() {
	vendor := suite.Driver{Name: "vendor", Run: func(sc *scenarios.Scenario, seed uint64) (*testbench.Result, error) {
		return testbench.Run(sc, seed, testbench.Vendor, testbench.Options{Length: 6 * time.Second})
	}}
	room, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	contest := suite.Contest{Scenarios: []*scenarios.Scenario{room}, Drivers: []suite.Driver{vendor}, Seeds: 3, Workers: 2}
	report, err := contest.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Pass, report.Runs, report.Rows[0].Lines[0].Metric, *report.Rows[0].Lines[0].Cells[0].Value)
	// Output: true 3 collisions 0
}

// TestEach: every index once, progress after each, and the first error ends it.
func TestEach(t *testing.T) {
	var calls [100]atomic.Int32
	last := 0
	err := suite.Each(t.Context(), 4, len(calls), func(done, _ int) { last = done }, func(i int) error {
		calls[i].Add(1)
		return nil
	})
	for i := range calls {
		if n := calls[i].Load(); n != 1 {
			t.Errorf("do(%d) was called %d times", i, n)
		}
	}
	if err != nil || last != len(calls) {
		t.Errorf("%v, progress up to %d", err, last)
	}
	wrong, n := errors.New("wrong"), 0
	if err := suite.Each(t.Context(), 1, 10, nil, func(i int) error {
		if n++; i == 3 {
			return wrong
		}
		return nil
	}); !errors.Is(err, wrong) || n != 4 {
		t.Errorf("%v after %d calls, want wrong after 4", err, n)
	}
}
