package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"fieldbrain/field/cpu"
	"fieldbrain/field/cpu/bench"
	"fieldbrain/testbench/tier"
	"fieldbrain/verdict"
)

func TestEveryEngineTakesItsTurns(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere, and equal hashes carry the field over")
	o := bench.Options{ISAs: cpu.ISAs()[:1], Threads: []int{1, 2}, Rounds: 2}
	calls := 0
	o.Progress = func(done, total int) { calls++ }
	r, err := bench.Run(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 4 || calls != 2 {
		t.Fatalf("%d rows and %d progress calls, want 4 and 2", len(r.Rows), calls)
	}
	for _, row := range r.Rows {
		if row.Median <= 0 || row.OverCopy.Ratio <= 0 || row.SpeedUp.Ratio <= 0 || row.Ticks == 0 {
			t.Errorf("%s: %+v has an empty measurement", row.Engine, row)
		}
		if sum := row.Stages.Prepare + row.Stages.Evolve; row.Threads == 1 && sum <= 0 {
			t.Errorf("%s: no stages", row.Engine)
		}
	}
	if g := r.Gains; len(g) != 1 || g[0].Threads != 2 || g[0].ISA != o.ISAs[0] || !(g[0].Memory > 0) || (g[0].Arithmetic > 0) != (cpu.Peak(o.ISAs[0]) > 0) {
		t.Errorf("two threads side by side gain %+v", g)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"yardsticks", "2 threads side by side", "x floor", "stages of one thread", r.Rows[0].Engine} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("report lacks %q:\n%s", want, out.String())
		}
	}
}

func TestUnknownInstructionSet(t *testing.T) {
	if _, err := bench.Run(bench.Options{ISAs: []string{"mmx"}, Threads: []int{1}, Rounds: 1}); err == nil {
		t.Error("an unknown instruction set was timed")
	}
}

// Two rounds decide nothing: every claim of such a run is void and says how many
// more it would take.
func TestVoidIsPrinted(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere, and equal hashes carry the field over")
	r, err := bench.Run(bench.Options{ISAs: cpu.ISAs()[:1], Threads: []int{1}, Rounds: 2})
	if err != nil {
		t.Fatal(err)
	}
	if cpu.ISAs()[0] != "avx512" { // the claims are about such a core
		if len(r.Claims) != 0 || r.Void {
			t.Errorf("%s was judged: %v", cpu.ISAs()[0], r.Claims)
		}
		return
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	if len(r.Claims) != 3 || !r.Void || strings.Count(out.String(), "void") != 3 {
		t.Errorf("void %v, %d claims:\n%s", r.Void, len(r.Claims), out.String())
	}
}

func ExampleReport_Print() {
	held := verdict.Claim{Name: "collapsed step over 0.25 ms, 1 thread", Direction: verdict.AtMost, Limit: 1}
	ratio, err := verdict.Scaled([]float64{0.20, 0.21, 0.19, 0.22, 0.20, 0.24}, 0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &bench.Report{Copy: 1.2, Scale: 0.5, Moved: 0.3, Claims: []verdict.Judgement{held.Judge(ratio)}}
	var out strings.Builder
	if err := r.Print(&out); err != nil {
		fmt.Println(err)
		return
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Println(lines[len(lines)-1])
	// Output: claim collapsed step over 0.25 ms, 1 thread: 0.800 (0.760 to 0.960, 6 rounds), at most 1: held
}
