package bench

import (
	"fmt"
	"strings"
	"testing"

	"fieldbrain/brain/belief"
	"fieldbrain/verdict"
)

// TestRun checks the report's arithmetic and that every instruction set did the
// same work; it says nothing about speed.
func TestRun(t *testing.T) {
	r, err := Run(Options{Rounds: 2})
	if err != nil {
		t.Fatal(err)
	}
	if want := len(fills) * len(belief.ISAs()); len(r.Rows) != want {
		t.Fatalf("%d rows, want %d", len(r.Rows), want)
	}
	for i, row := range r.Rows {
		if first := r.Rows[i%len(fills)]; row.Bits != first.Bits || row.Cells != first.Cells {
			t.Errorf("%s, %s: %v bits and %v cells, %s has %v and %v", row.ISA, row.Fill, row.Bits, row.Cells, first.ISA, first.Bits, first.Cells)
		}
		if row.Rate <= 0 || row.Best > row.Median {
			t.Errorf("%+v", row)
		}
	}
	for _, s := range r.Search {
		if s.Rays != r.Search[0].Rays || s.Ticks != r.Search[0].Ticks {
			t.Errorf("%s plans with %d rays in %d ticks, %s with %d in %d", s.ISA, s.Rays, s.Ticks, r.Search[0].ISA, r.Search[0].Rays, r.Search[0].Ticks)
		}
	}
	if r.OctoMap.Missing != "" {
		t.Logf("OctoMap was not compared: %s", r.OctoMap.Missing)
		if !strings.Contains(r.OctoMap.Missing, "liboctomap-dev missing") {
			t.Errorf("OctoMap: %s", r.OctoMap.Missing)
		}
		return
	}
	for i, row := range r.OctoMap.Rows { // it leaves the last cell out and has no classes
		if ours := r.Rows[i].Bits; row.Bits < 0.9*ours || row.Bits > 1.05*ours {
			t.Errorf("%s: OctoMap finds %.3f bits per ray, we %.3f", row.Fill, row.Bits, ours)
		}
	}
}

func ExampleReport_Print() {
	ratio, err := verdict.Scaled([]float64{1.4, 1.5, 1.6, 1.5, 1.5, 1.7}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	claim := verdict.Claim{Name: "13 actions over 20 steps over 2 us", Direction: verdict.AtMost, Limit: 1}
	r := Report{
		Copy: 2, Propagate: 1.5, OctoMap: OctoMap{Missing: "g++ or liboctomap-dev missing"},
		Insert: []Insertion{{ISA: "avx2", Rate: 30e6}}, Search: []Search{{}},
		Claims: []verdict.Judgement{claim.Judge(ratio)},
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil {
		fmt.Println(err)
		return
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Println(strings.Join(lines[len(lines)-2:], "\n"))
	// Output:
	// OctoMap not measured: g++ or liboctomap-dev missing
	// claim 13 actions over 20 steps over 2 us: 0.750 (0.700 to 0.850, 6 rounds), at most 1: held
}
