package gpu_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/gpu"
)

// TestLateByTicks: an answer that comes some ticks late costs these ticks and the
// catching up, and afterwards nothing is left of it: neither in the field nor in what
// the card answers.
func TestLateByTicks(t *testing.T) {
	for _, k := range []int{0, 1, 3, 8} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			r := newLateRig(t, gpu.Tolerant(), "hold served 4")
			r.steps(3)
			r.late()
			for n := range k {
				if r.e.CatchUp() != n+1 {
					t.Errorf("%d ticks later it is %d behind", n, r.e.Behind())
				}
				if err := r.step(); !errors.Is(err, gpu.ErrBehind) {
					t.Fatalf("tick %d: %v, want ErrBehind", n, err)
				}
			}
			if got := r.e.Lateness(); got != (gpu.Lateness{Recent: 1, Behind: uint32(k + 1), Total: 1}) {
				t.Errorf("%+v", got)
			}
			r.open()
			if took := r.level(); took != k {
				t.Errorf("it caught up %d ticks in %d", k, took)
			}
			r.steps(5)
			if got := r.e.Lateness(); got != (gpu.Lateness{Recent: 1, Total: 1}) {
				t.Errorf("%+v", got)
			}
			r.same()
		})
	}
}

// lateAt returns the orders that hold a child at steps.
func lateAt(steps ...int) string {
	var orders []string
	for _, n := range steps {
		orders = append(orders, fmt.Sprintf("hold served %d", n))
	}
	return strings.Join(orders, ",")
}

// TestLateAnswersOfMany: one less than n late answers of m leave a card in play, however
// they lie, and are forgotten m ticks later; n end it.
func TestLateAnswersOfMany(t *testing.T) {
	rule := gpu.Tolerant()
	for _, c := range []struct {
		name  string
		every int // ticks from one late answer to the next
		late  int
		ends  bool
	}{
		{"one less than n at once", 1, rule.Late - 1, false},
		{"n at once", 1, rule.Late, true},
		{"alternating", 2, rule.Late, true},
		{"n in just m ticks", 9, rule.Late, true},  // 7*9 = 63
		{"n in more than m", 10, rule.Late, false}, // 7*10 = 70
		{"for minutes", 10, 3 * rule.Late, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var at []int
			for n := range c.late {
				at = append(at, 1+n*c.every)
			}
			r := newLateRig(t, rule, lateAt(at...))
			for n := 1; n <= at[len(at)-1]; n++ {
				if !slices.Contains(at, n) {
					r.steps(1)
					continue
				}
				if c.ends && n == at[len(at)-1] {
					break
				}
				r.late()
				r.open()
				if r.level() != 0 {
					t.Fatal("it did not catch up between two ticks")
				}
			}
			if !c.ends {
				if got := r.e.Lateness(); got.Recent > uint32(rule.Late-1) || got.Total != uint64(c.late) {
					t.Errorf("%+v", got)
				}
				r.steps(gpu.LateWindow)
				if got := r.e.Lateness(); got.Recent != 0 || got.Behind != 0 {
					t.Errorf("%+v long after, want nothing recent", got)
				}
				r.same()
				return
			}
			r.held(func() { r.dies(r.step(), gpu.ErrLate, "8 answers of the last 64 ticks were late") })
		})
	}
}

// TestLateForEver: an answer that never comes ends the card once the ticks are over in
// which it may catch up, and no tick before.
func TestLateForEver(t *testing.T) {
	rule := gpu.Tolerant()
	r := newLateRig(t, rule, lateAt(3))
	r.steps(2)
	r.late()
	for n := range rule.Behind {
		if r.e.CatchUp() == 0 {
			t.Fatalf("it is level after %d ticks", n)
		}
		if err := r.step(); !errors.Is(err, gpu.ErrBehind) {
			t.Fatalf("tick %d: %v, want ErrBehind", n, err)
		}
	}
	r.e.CatchUp()
	r.dies(r.step(), gpu.ErrLate, "has not caught up")
}

// TestNeverCatchesUp: a card that answers, but never gains on the car, ends as well.
func TestNeverCatchesUp(t *testing.T) {
	rule := gpu.Tolerance{Late: 8, Behind: 5}
	r := newLateRig(t, rule, lateAt(1, 2, 3, 4, 5, 6, 7, 8))
	r.late()
	var err error
	ticks := 0
	for ; ticks < 20; ticks++ {
		if err = r.step(); !errors.Is(err, gpu.ErrBehind) {
			break
		}
		r.open() // one step per tick
		r.e.CatchUp()
	}
	if ticks != rule.Behind {
		t.Errorf("it ended after %d ticks, want %d", ticks, rule.Behind)
	}
	r.dies(err, gpu.ErrLate, "has not caught up")
}

// TestLateAndWrong: an answer that comes late is held against the same rules as one in
// time, its number included.
func TestLateAndWrong(t *testing.T) {
	for _, c := range []struct {
		orders string
		kind   error
		words  string
	}{
		{"hold served 3, tick served 3", gpu.ErrGarbage, "tick"},
		{"hold served 3, notfinite served 3", gpu.ErrGarbage, "not a number"},
		{"hold served 3, stale served 3", gpu.ErrFailed, "without an answer"},
		{"hold served 3, ahead served 3", gpu.ErrFailed, "without an answer"},
		{"hold served 3, fail served 4", gpu.ErrFailed, "illegal address"}, // while it catches up
		{"hold served 3, crash served 4", gpu.ErrDied, ""},
		{"hold served 3, heading served 4", gpu.ErrGarbage, "heading"},
	} {
		t.Run(c.orders, func(t *testing.T) {
			r := newLateRig(t, gpu.Tolerant(), c.orders)
			r.steps(2)
			r.late()
			if err := r.step(); !errors.Is(err, gpu.ErrBehind) {
				t.Fatal(err)
			}
			r.open()
			var err error
			for n := 0; n < 4 && (err == nil || errors.Is(err, gpu.ErrBehind)); n++ {
				r.e.CatchUp()
				r.idle()
				err = r.step()
			}
			r.dies(err, c.kind, c.words)
		})
	}
}

// TestKilledWhileLate: a late child that ends is a dead one at once.
func TestKilledWhileLate(t *testing.T) {
	r := newLateRig(t, gpu.Tolerant(), lateAt(2))
	r.steps(1)
	r.late()
	if err := unix.Kill(r.s.State().PID, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r.idle() // giving up is an end as well
	r.dies(r.step(), gpu.ErrDied, "")
}

// TestLateReadAndWrite: orders of the mirror may be late like steps. What was asked for
// is not there, what was written is, and the tick's input waits.
func TestLateReadAndWrite(t *testing.T) {
	for _, fault := range []string{"holdread", "holdwrite"} {
		t.Run(fault, func(t *testing.T) {
			r := newLateRig(t, gpu.Tolerant(), fault+" served 3")
			r.steps(3)
			cells := make([]float32, field.Cells)
			r.judge.Read(field.Heading, cells)
			for i := range cells {
				cells[i] /= 2
			}
			r.held(func() {
				if fault == "holdwrite" {
					r.judge.Write(field.Heading, cells)
					r.e.Write(field.Heading, cells)
					return
				}
				cells[0] = float32(math.NaN())
				r.e.Read(field.Heading, cells)
				if cells[0] == cells[0] {
					t.Error("something was read from a child that is held")
				}
			})
			if r.e.Behind() != 1 || r.e.Err() != nil {
				t.Fatalf("behind %d, %v", r.e.Behind(), r.e.Err())
			}
			kept := cells[1]
			r.e.Read(field.Speed, cells) // nothing, and the page stays the child's
			r.e.Write(field.Speed, make([]float32, field.Cells))
			if cells[1] != kept {
				t.Error("a read while the card is behind gave something")
			}
			for range 3 {
				if err := r.step(); !errors.Is(err, gpu.ErrBehind) {
					t.Fatal(err)
				}
			}
			r.open()
			r.level()
			r.steps(3)
			r.same()
		})
	}
}

// TestLatePlan: while the card is late it is busy for plans, and a job that holds it up
// is a late answer like others; afterwards it plans again.
func TestLatePlan(t *testing.T) {
	r := newLateRig(t, gpu.Tolerant(), "hold served 2, holdplan served 3")
	r.steps(1)
	r.late()
	job := someJob()
	if err := r.e.Plan(job); !errors.Is(err, gpu.ErrBusy) || r.e.PlansRefused() != 1 {
		t.Fatalf("got %v, %d refused, want ErrBusy", err, r.e.PlansRefused())
	}
	r.open()
	r.level()
	r.steps(1)
	r.idle()
	if err := r.e.Plan(job); err != nil { // and the child holds it
		t.Fatal(err)
	}
	r.e.SetLimits(time.Millisecond)
	if err := r.step(); !errors.Is(err, gpu.ErrBehind) {
		t.Fatalf("got %v, want ErrBehind", err)
	}
	r.e.SetLimits(long)
	r.open()
	r.level()
	answer := new(gpu.PlanAnswer)
	if !r.e.Planned(answer) {
		t.Error("the job's answer is lost")
	}
	r.steps(3)
	r.same()
}

// TestLateDoesNotAllocate: no tick of a card that is late takes memory, and none waits
// for it: the child answers nothing in all of them.
func TestLateDoesNotAllocate(t *testing.T) {
	r := newLateRig(t, gpu.Tolerance{Late: 8, Behind: 1000}, lateAt(2))
	r.steps(1)
	r.late()
	in := r.drive.Next()
	if n := testing.AllocsPerRun(100, func() {
		if _, err := r.e.Step(in); !errors.Is(err, gpu.ErrBehind) {
			t.Fatal(err)
		}
		r.e.CatchUp()
		r.e.Read(field.Heading, nil)
		r.e.Lateness()
	}); n != 0 {
		t.Errorf("%v allocations per late tick, want 0", n)
	}
}

// TestNoTolerance: without a rule the first late answer is the end, and a rule of
// negative numbers is none.
func TestNoTolerance(t *testing.T) {
	r := newLateRig(t, gpu.Tolerance{}, lateAt(2))
	r.steps(1)
	r.held(func() { r.dies(r.step(), gpu.ErrLate, "") })
	o := options(t, "")
	o.Late.Behind = -1
	if _, err := gpu.NewSupervisor(o); err == nil {
		t.Error("a negative tolerance is taken")
	}
}
