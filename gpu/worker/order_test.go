//go:build cuda

package worker

import (
	"runtime"
	"sync/atomic"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// TestAnsweredIsLast: whoever sees a step's number in Answered sees its whole
// answer. A client looks while the kernels run, copies the answer at once and
// compares it with what is there when all is done; every tick has another one.
func TestAnsweredIsLast(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	for _, profile := range []bool{false, true} {
		s := setup(field.Collapsed)
		s.Wait, s.Profile = gpu.WaitYield, profile
		d, inputs := open(t, s), exercise.New(9)
		ticks := 40
		if !profile {
			ticks = tier.Count(t, "ticks", 40, 40, 100)
		}
		early, before := make(chan *gpu.Answer), uint64(0)
		for n := range ticks {
			go watch(d.page, d.page.Call.Request+1, early)
			if _, err := d.Step(inputs.Next()); err != nil {
				t.Fatal(err)
			}
			if got := <-early; *got != d.page.Out {
				t.Fatalf("profiling %v, tick %d: %s changed after it was answered", profile, n+1, changed(got, &d.page.Out))
			}
			if now := hashOf(&d.page.Out); now == before {
				t.Fatalf("tick %d has the answer of the one before: the test sees nothing", n+1)
			} else {
				before = now
			}
		}
	}
}

// watch copies the answer in the moment in which a request is answered, from its
// end to its beginning: against the order in which it may still be written.
func watch(page *gpu.Page, request uint32, early chan<- *gpu.Answer) {
	copied := new(gpu.Answer)
	for looks := 0; atomic.LoadUint64(&page.Call.Answered) != uint64(request); looks++ {
		if looks%1024 == 0 {
			runtime.Gosched()
		}
	}
	copied.Stats, copied.Recall, copied.Prediction = page.Out.Stats, page.Out.Recall, page.Out.Prediction
	copied.Heading, copied.Blocked = page.Out.Heading, page.Out.Blocked
	copied.Obstacle, copied.Marginals, copied.Tick = page.Out.Obstacle, page.Out.Marginals, page.Out.Tick
	early <- copied
}

// changed names the first part in which two answers differ.
func changed(a, b *gpu.Answer) string {
	switch {
	case a.Tick != b.Tick:
		return "the tick"
	case a.Marginals != b.Marginals:
		return "a marginal"
	case a.Obstacle != b.Obstacle:
		return "the obstacle map"
	case a.Blocked != b.Blocked, a.Heading != b.Heading:
		return "a row"
	case a.Prediction != b.Prediction:
		return "the prediction"
	case a.Recall != b.Recall:
		return "what was recalled"
	}
	return "the statistics"
}

// hashOf tells answers apart whatever their tick.
func hashOf(a *gpu.Answer) uint64 {
	h := uint64(14695981039346656037)
	for c := range a.Marginals {
		h = (h ^ uint64(uint32(a.Marginals[c].Total))) * 1099511628211
	}
	return h
}
