package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"fieldbrain/field/cpu"
	"fieldbrain/field/cpu/bench"
)

func TestEveryEngineTakesItsTurns(t *testing.T) {
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
		if row.Median <= 0 || row.OverCopy <= 0 || row.SpeedUp <= 0 || row.Ticks == 0 {
			t.Errorf("%s: %+v has an empty measurement", row.Engine, row)
		}
		if sum := row.Stages.Prepare + row.Stages.Evolve; row.Threads == 1 && sum <= 0 {
			t.Errorf("%s: no stages", row.Engine)
		}
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"yardsticks", "x floor", "stages of one thread", r.Rows[0].Engine} {
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

// A run whose yardstick moved must say so, whatever the engines did.
func TestVoidIsPrinted(t *testing.T) {
	var out strings.Builder
	r := &bench.Report{Moved: 0.3, Void: true}
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "VOID: the yardstick moved 30.0 %") {
		t.Errorf("report does not say that it is void:\n%s", out.String())
	}
}

func ExampleReport_Goals() {
	r := &bench.Report{Rows: []bench.Row{{ISA: "avx512", Step: "collapsed", Threads: 1, Median: 0.2}}}
	for _, g := range r.Goals() {
		fmt.Println(g.Name, g.Met)
	}
	// Output: collapsed step, 1 thread, ms true
}
