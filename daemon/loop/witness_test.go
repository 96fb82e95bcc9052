package loop

import (
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestExplain: what took most of a gap explains it, the outermost first; what took
// little explains nothing.
func TestExplain(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name string
		took Interruptions
		gap  time.Duration
		want Why
	}{
		{"nothing known", Interruptions{}, 60 * ms, NotScheduled},
		{"other threads", Interruptions{Waited: 60 * ms, Collected: ms}, 60 * ms, NotScheduled},
		{"the host took it", Interruptions{Stolen: 40 * ms, Waited: 60 * ms}, 60 * ms, MachineStood},
		{"a collection", Interruptions{Collected: 40 * ms, Waited: 10 * ms}, 60 * ms, Collection},
		{"a collection on a machine that stood", Interruptions{Collected: 60 * ms, Stolen: 50 * ms}, 60 * ms, MachineStood},
		{"a little of each", Interruptions{Collected: 10 * ms, Stolen: 10 * ms}, 60 * ms, NotScheduled},
		{"no gap", Interruptions{Stolen: ms}, 0, NotScheduled},
	} {
		if got := c.took.Explain(c.gap); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestWitnessRemembers: a question about a span is answered from the look before it.
func TestWitnessRemembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var total Interruptions
		w := &Witness{sources: func() Interruptions { return total }}
		for range 40 { // longer than it keeps
			w.Look()
			time.Sleep(100 * time.Millisecond)
			total.Stolen += time.Millisecond
		}
		total.Stolen += 50 * time.Millisecond
		for span, want := range map[time.Duration]time.Duration{
			0:                      51 * time.Millisecond, // the newest look is 100 ms old
			100 * time.Millisecond: 51 * time.Millisecond,
			150 * time.Millisecond: 52 * time.Millisecond,
			time.Second:            60 * time.Millisecond,
			time.Hour:              66 * time.Millisecond, // all sixteen looks
		} {
			if got := w.Over(span).Stolen; got != want {
				t.Errorf("over %v: %v, want %v", span, got, want)
			}
		}
	})
}

func TestAccounts(t *testing.T) {
	const stat = "cpu  10 0 10 100 0 0 0 900 0 0\ncpu0 1 0 1 10 0 0 0 8 0 0\ncpu1 1 0 1 10 0 0 0 30 0 0\nintr 5 4 3 2 1 0 9 9 9 9 9\n"
	most, counted := accounts([]byte(stat))
	if most != 300*time.Millisecond {
		t.Errorf("%v stolen, want the worst processor's 300 ms", most)
	}
	if counted != 310*time.Millisecond {
		t.Errorf("%v accounted for, want the mean of 200 and 420 ms", counted)
	}
	if most, _ := accounts([]byte("cpu0 1 2 3 4\n\x00")); most != 0 {
		t.Errorf("an old kernel: %v", most)
	}
	if most, counted := accounts([]byte("cpu0 x y\n")); most != 0 || counted != 0 {
		t.Errorf("no numbers: %v, %v", most, counted)
	}
}

func TestPaused(t *testing.T) {
	h := &metrics.Float64Histogram{Counts: []uint64{5, 2, 1}, Buckets: []float64{0, 0.001, 0.01, 1}}
	if got := paused(h); got != 12*time.Millisecond {
		t.Errorf("%v, want 2 of 1 ms and 1 of 10 ms at least", got)
	}
}

// TestWitnessReads: the kernel and the runtime answer on this machine, and a look
// needs no memory before the loop has begun.
func TestWitnessReads(t *testing.T) {
	w := NewWitness()
	defer w.Close()
	for range 50 {
		runtime.GC()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w.Here()
	if n := testing.AllocsPerRun(20, w.Look); n != 0 {
		t.Errorf("%v allocations per look", n)
	}
	got := w.Over(0)
	if text := got.String(); !strings.Contains(text, "the loop's thread waited") || !strings.Contains(text, "the collector") {
		t.Errorf("%q", text)
	}
	if total := w.sources(); total.Collected <= 0 {
		t.Errorf("after 50 collections %+v", total)
	}
}
