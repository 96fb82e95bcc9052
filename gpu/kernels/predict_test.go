package kernels

import (
	"math"
	"slices"
	"testing"

	"fieldbrain/field"
)

// TestMakespan: blocks go to the processor that has the fewest, share what it issues,
// and wait side by side.
func TestMakespan(t *testing.T) {
	for _, c := range []struct {
		name             string
		loads            []load
		processors, most int
		gate, want       float64
	}{
		{"one block", []load{{0, 2500, 0}}, 4, 2, 0, 1000},
		{"a block each", []load{{0, 2500, 0}, {0, 1250, 0}}, 4, 2, 0, 1000},
		{"one after the other", []load{{0, 2500, 0}, {0, 2500, 0}}, 1, 1, 0, 2000},
		{"two on one processor", []load{{0, 1350, 0}, {0, 1350, 0}}, 1, 2, 0, 1000},
		{"the rest of the longer one alone", []load{{0, 1350, 0}, {0, 1350 + 2500, 0}}, 1, 2, 0, 2000},
		{"waiting, then issuing", []load{{0, 2500, 300}}, 1, 1, 0, 1300},
		{"nothing", nil, 3, 1, 0, 0},
		{"less than nothing, which a probe without code would say", []load{{0, -6, -1}, {0, 2500, 0}}, 1, 1, 0, 1000},
		{"before the gate and behind it", []load{{2500, 1250, 0}}, 1, 1, 3000, 3500},
		{"longer before the gate than that is closed", []load{{2500, 1250, 100}}, 1, 1, 500, 1600},
		{"one waits for the gate, the other issues", []load{{0, 1350, 0}, {1350, 0, 0}}, 1, 2, 1000, 1540},
	} {
		if got := makespan(c.loads, c.processors, c.most, c.gate); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v cycles, want %v", c.name, got, c.want)
		}
	}
}

// TestPrediction keeps the predicted tick below its goals, 27, 22 and 165 us, on an H200 at
// what it is now. It is no measurement: it says that no block has become the critical one
// again.
func TestPrediction(t *testing.T) {
	r, err := ReadReport()
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]float64{"H200": 22, "RTX 4090": 22, "AGX Orin": 165}
	for _, s := range Cards() {
		p, err := r.Predict(&s)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: prep %.1f evolve %.1f motor %.1f cycle %.1f us, longest %s", s.Name, p.Prep, p.Evolve, p.Motor, p.Cycle, p.Longest)
		if limit, known := most[s.Name]; known && !(p.Cycle <= limit) {
			t.Errorf("%s: a dense tick of %.1f us is predicted, at most %v", s.Name, p.Cycle, limit)
		}
		if !(p.Prep > s.Page && p.Evolve > 0 && p.Motor > s.Fence && p.Path > 0) {
			t.Errorf("%s: a prediction without a part: %+v", s.Name, p)
		}
	}
}

// TestOrder: all shares stay, the longest come first, and where some processors get
// two blocks, no two long ones meet.
func TestOrder(t *testing.T) {
	p := field.Default()
	for _, processors := range []int{8, 16, 128, 132, 1000} {
		q, err := NewProgram(&p, field.Dense, false, Card{Processors: processors, Shared: 227 << 10})
		if err != nil {
			t.Fatal(err)
		}
		var cost []float64
		seen := map[Work]bool{}
		for _, w := range q.Work {
			cost = append(cost, q.Instructions(w, &typical))
			seen[w] = true
		}
		if len(seen) != len(q.Work) {
			t.Errorf("%d processors: %d shares, %d of them different", processors, len(q.Work), len(seen))
		}
		seconds := len(cost) - processors
		if seconds <= 0 || seconds > processors {
			if !slices.IsSortedFunc(cost, func(a, b float64) int { return int(b - a) }) {
				t.Errorf("%d processors: a longer block follows a shorter one", processors)
			}
			continue
		}
		longest, pair := slices.Max(cost), 0.0
		for i := range seconds {
			pair = max(pair, cost[i]+cost[processors+i])
		}
		if pair > 1.25*longest {
			t.Errorf("%d processors: a pair of blocks issues %.0f instructions, the longest block %.0f", processors, pair, longest)
		}
	}
}

// TestTasks: every coupling, displaced channel and profile is somebody's, once, and
// no block has more of them than its threads take in a few rounds.
func TestTasks(t *testing.T) {
	p := field.Default()
	p.Table[field.TargetSeen].Egocentric = true
	p.Recall = field.DefaultLibrary()
	q, err := NewProgram(&p, field.Dense, false, Card{Processors: 132, Shared: 227 << 10})
	if err != nil {
		t.Fatal(err)
	}
	parts := map[[2]int32]int32{}
	for _, task := range q.Tasks {
		key := [2]int32{task.Kind, task.Of}
		if task.Part != parts[key] || task.Part >= task.Parts {
			t.Errorf("task %+v follows %d parts", task, parts[key])
		}
		parts[key]++
		cells := 0
		switch task.Kind {
		case taskCouple:
			cells = p.Table[p.Couplings[task.Of].From].Mask.Cells()
		case taskDisplace:
			cells = p.Table[task.Of].Mask.Cells()
		}
		if cells/int(task.Parts) > coupleCells {
			t.Errorf("task %+v: %d cells for %d threads", task, cells/int(task.Parts), prepThreads)
		}
	}
	want := map[int32]int{taskBring: 1, taskMaps: 1, taskTerms: 1, taskProfiles: 3, taskCouple: len(p.Couplings), taskDisplace: len(q.Moved), taskCarry: field.Strategic / carried}
	got := map[int32]int{}
	for key := range parts {
		got[key[0]]++
	}
	for kind, n := range want {
		if got[kind] != n {
			t.Errorf("%d tasks of kind %d, want %d", got[kind], kind, n)
		}
	}
	if parts[[2]int32{taskDisplace, field.TargetSeen}] != 32 {
		t.Errorf("a displaced volume has %d blocks, want 32", parts[[2]int32{taskDisplace, field.TargetSeen}])
	}
}

// TestDescribe: every block of a tick has a work that a person can read, and no two of a
// kernel the same.
func TestDescribe(t *testing.T) {
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	q, err := NewProgram(&p, field.Dense, false, Card{Processors: 132, Shared: 227 << 10})
	if err != nil {
		t.Fatal(err)
	}
	for kernel, launch := range q.Tick[:2] {
		seen := map[string]bool{}
		for block := range launch.Blocks {
			seen[q.Describe(&p, kernel, block)] = true
		}
		if len(seen) != launch.Blocks {
			t.Errorf("%s: %d blocks, %d of them described apart", launch.Kernel, launch.Blocks, len(seen))
		}
	}
	if got := q.Describe(&p, 0, 0); got != "input 1/1" {
		t.Errorf("the first block of the preparation is %q", got)
	}
}
