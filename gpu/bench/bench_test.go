package bench_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldbrain/gpu/bench"
	"fieldbrain/verdict"
)

// repeats is how often the recorded times come: enough for an interval that leaves
// one odd time of four out.
const repeats = 6

// recorded is a subject whose turns take recorded times, over and over.
func recorded(name string, us ...float64) *bench.Subject {
	n := 0
	return &bench.Subject{Name: name, Turn: func() (float64, error) {
		n++
		return us[(n-1)%len(us)], nil
	}}
}

// run lets recorded subjects take their turns on a device.
func run(t testing.TB, device string, software bool, copied ...float64) *bench.Report {
	t.Helper()
	stages := []bench.Stage{
		{Subject: recorded(bench.Copy, copied...), Bytes: 16 << 20},
		{Subject: recorded(bench.Scale, 4, 4.1, 4, 4.1), Bytes: 16 << 20},
		{Subject: recorded(bench.Evolve, 6, 6.2, 6.4, 6.2), Bytes: 16 << 20, Note: "gradient included"},
		{Subject: recorded(bench.Gradient, 3, 3, 3, 3), Bytes: 8 << 20},
		{Subject: recorded(bench.Motor, 60, 60, 61, 60), Bytes: 1 << 10},
		{Subject: recorded(bench.Planner, 10, 10, 11, 10), Bytes: 50 << 10, Rays: 53248, Note: "page to page"},
		{Subject: recorded(bench.Cycle, 12, 12.3, 8, 12.3), Bytes: 17 << 20},
	}
	cycle := bench.Way{Label: "fp32", Subject: stages[6].Subject}
	switches := []bench.Switch{
		{Name: "storage", Clock: "device", Default: "fp32", On: bench.Way{Label: "fp16", Subject: recorded("half", 6, 6.15, 8, 6.15)}, Off: cycle},
		{Name: "one graph", Clock: "host", Default: "graph", On: bench.Way{Label: "graph", Subject: recorded("graph", 20, 20, 20, 20)}, Off: bench.Way{Label: "launches", Subject: recorded("plain", 30, 30, 30, 50)}},
		{Name: "second stream", Clock: "host", Default: "no copies", On: cycle, Off: cycle},
		{Name: "prefetch", Default: "none", Note: "there is nothing to fetch"},
	}
	subjects := bench.Subjects(stages, switches)
	if len(subjects) != 10 {
		t.Fatalf("%d subjects, want each of 10 once", len(subjects))
	}
	done := 0
	rounds := repeats * len(copied)
	if err := bench.Run(subjects, rounds, func(int, int) { done++ }); err != nil || done != rounds {
		t.Fatalf("%v after %d rounds", err, done)
	}
	r := &bench.Report{Device: device, Step: "dense", Wait: "yield", IsSoftware: software, Registered: true, Memory: 144 << 30, Clock: 1980000}
	if err := r.Conclude(stages, switches, []float64{30, 31, 29, 90}); err != nil {
		t.Fatal(err)
	}
	return r
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(b) }

// TestConclude computes with recorded times: medians, paired ratios, rates,
// what each choice buys.
func TestConclude(t *testing.T) {
	r := run(t, "NVIDIA H200", false, 4, 4, 4, 4)
	cycle := r.Rows[6]
	if !near(cycle.Us, 12) || !near(cycle.P99, 12.3) || !near(cycle.XScale.Ratio, 3) || !near(cycle.XCopy.Ratio, 3) || cycle.XScale.Rounds != 24 || cycle.Bytes != 17<<20 {
		t.Errorf("full cycle %+v, want 12 us, p99 12.3, three times both yardsticks", cycle)
	}
	if want := float64(17<<20) / 12e3; !near(cycle.GBs, want) {
		t.Errorf("%v GB/s, want %v", cycle.GBs, want)
	}
	if got, want := r.Rows[5].RaysS, 53248/10e-6; !near(got, want) {
		t.Errorf("%v rays per second, want %v", got, want)
	}
	half, graph, second, prefetch := r.Ablation[0], r.Ablation[1], r.Ablation[2], r.Ablation[3]
	if !near(half.Gain.Ratio, 2) || half.Holds() || half.Faster != verdict.Held || half.On != "fp16" || half.Off != "fp32" {
		t.Errorf("storage %+v, want a gain of 2 that the default forgoes", half)
	}
	if !near(graph.Gain.Ratio, 1.5) || !graph.Holds() {
		t.Errorf("graph %+v, want 1.5, which is the default", graph)
	}
	if second.Gain.Ratio != 1 || second.Holds() || prefetch.Gain.Rounds != 0 || prefetch.OnUs != 0 || prefetch.Note == "" {
		t.Errorf("second stream %+v, prefetch %+v", second, prefetch)
	}
	if l := r.Latency; l.Count != 4 || l.P50 != 30 || l.P99 != 90 || l.Max != 90 {
		t.Errorf("latency %+v", l)
	}
	if r.Void || r.Yardsticks.Moved > 0.03 {
		t.Errorf("void: the yardsticks moved %v", r.Yardsticks.Moved)
	}
}

// TestRestless: a copy that becomes a tenth slower explains a wide interval and
// decides nothing; a claim is void where its own interval holds the limit, and the
// report says how many more rounds would tell.
func TestRestless(t *testing.T) {
	r := run(t, "NVIDIA H200", false, 4, 4, 4.4, 4.4)
	if r.Void || r.Yardsticks.Moved < 0.09 {
		t.Errorf("void %v, the yardsticks moved %v", r.Void, r.Yardsticks.Moved)
	}
	for _, c := range []struct {
		us   []float64
		want verdict.Verdict
		says string
	}{
		{[]float64{90, 99, 90, 110}, verdict.Held, ""},
		{[]float64{90, 99, 110, 111}, verdict.Void, "too wide to tell"},
		{[]float64{90, 110, 112, 111}, verdict.Missed, ""},
	} {
		stages := []bench.Stage{
			{Subject: recorded(bench.Copy, 4)}, {Subject: recorded(bench.Scale, 4)}, {Subject: recorded(bench.Evolve, c.us...)},
		}
		if err := bench.Run(bench.Subjects(stages, nil), 24, nil); err != nil {
			t.Fatal(err)
		}
		r := &bench.Report{Device: "a card"}
		var out strings.Builder
		if err := errors.Join(r.Conclude(stages, nil, nil), r.Print(&out)); err != nil {
			t.Fatal(err)
		}
		if r.Void != (c.want == verdict.Void) || len(r.Claims) != 1 || r.Claims[0].Verdict != c.want || !strings.Contains(out.String(), c.says) {
			t.Errorf("%v: %+v\n%s", c.us, r.Claims, out.String())
		}
	}
}

// TestConcludeRefuses an impossible time by the name of what took it.
func TestConcludeRefuses(t *testing.T) {
	stages := []bench.Stage{{Subject: recorded(bench.Copy, 4)}, {Subject: recorded(bench.Scale, 4)}, {Subject: recorded(bench.Motor, 0)}}
	if err := bench.Run(bench.Subjects(stages, nil), 2, nil); err != nil {
		t.Fatal(err)
	}
	if err := new(bench.Report).Conclude(stages, nil, nil); err == nil || !strings.Contains(err.Error(), "motor: ") {
		t.Errorf("a time of nothing: %v", err)
	}
}

// TestClaims judges each card by what is asked of it. The pattern stage is not
// there, so nothing is said about it.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		device   string
		software bool
		want     []string
	}{
		{"NVIDIA H200", false, []string{"dense full cycle over the scale kernel missed", "planner on an H200 over 15 us held", "evolve over 100 us held", "gradient over 50 us held", "motor over 50 us missed"}},
		{"NVIDIA GeForce RTX 4090", false, []string{"evolve over 100 us held", "gradient over 50 us held", "motor over 50 us missed", "dense full cycle on a 4090 over 15 us held", "full cycle on a 4090 over 1000 us held"}},
		{"Orin (nvgpu)", false, []string{"evolve over 100 us held", "gradient over 50 us held", "motor over 50 us missed", "dense full cycle on an Orin over the copy missed", "full cycle on an Orin over 5000 us held", "planner on an Orin over 100 us held"}},
		{"softcuda (software, for tests)", true, nil},
	} {
		var got []string
		for _, j := range run(t, c.device, c.software, 4, 4, 4, 4).Claims {
			got = append(got, fmt.Sprint(j.Name, " ", j.Verdict))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.device, got, c.want)
		}
	}
}

// TestPrint looks for every part of the table.
func TestPrint(t *testing.T) {
	r := run(t, "softcuda (software, for tests)", true, 4, 4, 4, 4)
	var out strings.Builder
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"software driver: times mean nothing", "page registered", "clock 1980 MHz", "memory not told", "16.777", "gradient included",
		"5.32e+09 rays/s; page to page", "fp32, NOT the faster", "graph, the faster", "no copies", "prefetch: does not apply: there is nothing to fetch",
		"run fieldbrain bench gpu", "claims: not judged on the software driver",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
	r.Doorbell = &bench.Doorbell{Percentiles: bench.NewPercentiles([]float64{41.5}), Engine: "cuda"}
	r.Paced = &bench.Doorbell{Percentiles: bench.NewPercentiles([]float64{97.5}), Engine: "cuda", Period: 5}
	out.Reset()
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "41.5") || !strings.Contains(out.String(), "one every 5 ms") || !strings.Contains(out.String(), "97.5") || strings.Contains(out.String(), "run fieldbrain bench gpu") {
		t.Errorf("%v, the doorbell is not printed:\n%s", err, out.String())
	}
}

// TestJSON wants a report to come back as it went, and its keys to stay.
func TestJSON(t *testing.T) {
	r := run(t, "NVIDIA H200", false, 4, 4, 4, 4)
	r.Doorbell = &bench.Doorbell{Percentiles: bench.NewPercentiles([]float64{1, 2, 3}), Engine: "cuda", Copies: true}
	var out bytes.Buffer
	if err := r.JSON(&out); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"device", "compute", "driver", "date", "step", "registered", "software", "yardsticks", "rows", "ablation", "latency", "doorbell",
		"claims", "void", "us", "p99_us", "x_copy", "x_scale", "bytes", "gb_s", "rays_s", "on_us", "off_us", "gain", "faster", "default", "p50_us", "p999_us",
		"ratio", "low", "high", "rounds", "verdict", "limit",
	} {
		if !strings.Contains(out.String(), `"`+key+`":`) {
			t.Errorf("the JSON lacks %q:\n%s", key, out.String())
		}
	}
	back, err := bench.Decode(out.Bytes())
	if err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%v: %+v\nwant %+v", err, back, r)
	}
	if _, err := bench.Decode([]byte(`{"unheard": 1}`)); err == nil || !strings.Contains(err.Error(), "of one version") {
		t.Errorf("an unknown key: %v", err)
	}
	for _, text := range []string{"{}", "null", `{"device": "a card", "rounds": 3}`, `{"rows": [{"name": "prep"}]}`} {
		if got, err := bench.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), "no report") {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

// TestRunFails wants the first failure, by name, and no further turns.
func TestRunFails(t *testing.T) {
	broken := errors.New("the card is gone")
	after := 0
	err := bench.Run([]*bench.Subject{
		{Name: "evolve", Turn: func() (float64, error) { return 0, broken }},
		{Name: "motor", Turn: func() (float64, error) { after++; return 1, nil }},
	}, 3, nil)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "evolve, round 1") || after != 0 {
		t.Errorf("%v, then %d turns", err, after)
	}
}

func ExampleReport_Conclude() {
	constant := func(name string, us float64) bench.Stage {
		s := &bench.Subject{Name: name, Turn: func() (float64, error) { return us, nil }}
		return bench.Stage{Subject: s, Bytes: 16 << 20}
	}
	stages := []bench.Stage{constant(bench.Copy, 4), constant(bench.Scale, 5), constant(bench.Cycle, 10)}
	if err := bench.Run(bench.Subjects(stages, nil), 4, nil); err != nil {
		fmt.Println(err)
		return
	}
	r := &bench.Report{Device: "a card", Step: "dense"}
	if err := r.Conclude(stages, nil, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Rows[2].Us, r.Rows[2].XCopy.Ratio, r.Rows[2].XScale.Ratio, r.Void)
	// Output: 10 2.5 2 false
}
