package gpu_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// someJob casts two rows from the middle of the grid.
func someJob() *gpu.PlanJob {
	job := &gpu.PlanJob{NumFans: 1}
	job.Fans[0] = gpu.PlanFan{Origin: gpu.PlanOrigin{At: 20_000}, Stride: 1, Count: 2}
	return job
}

// planned asks until the answer is there or the engine is dead; only a broken
// program makes it give up.
func planned(t *testing.T, e *gpu.Engine, a *gpu.PlanAnswer) bool {
	t.Helper()
	if e.AwaitPlan(a, time.Minute) {
		return true
	}
	if e.Err() == nil {
		t.Fatal("no plan for a minute")
	}
	return false
}

// TestAwaitPlan: nobody waits for an answer that comes with a later order, if ever.
func TestAwaitPlan(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	e := await(t, supervise(t, options(t, "copies, slowplan served 2")))
	a, d := new(gpu.PlanAnswer), exercise.New(3)
	if err := e.Plan(someJob()); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if got := e.AwaitPlan(a, time.Hour); got != (n == 2) {
			t.Errorf("behind %d steps: an answer %v, %v", n, got, e.Err())
		}
		if _, err := e.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPlan gives jobs and takes their answers, each once.
func TestPlan(t *testing.T) {
	e := await(t, supervise(t, options(t, "")))
	job, a, d := someJob(), new(gpu.PlanAnswer), exercise.New(3)
	for n := range uint64(3) {
		if e.Planned(a) {
			t.Fatalf("before job %d: an answer", n+1)
		}
		if err := e.Plan(job); err != nil || job.Sequence != n+1 {
			t.Fatalf("job %d: %v", job.Sequence, err)
		}
		if !planned(t, e, a) || a.Sequence != n+1 || a.Fans[0].Rows != 2 {
			t.Fatalf("answer %d of %d rows, want %d of 2: %v", a.Sequence, a.Fans[0].Rows, n+1, e.Err())
		}
		if _, err := e.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		words string
		spoil func(j *gpu.PlanJob)
	}{
		{"14 fans", func(j *gpu.PlanJob) { j.NumFans = 14 }},
		{"fan 0 of a plan: cell 0 ", func(j *gpu.PlanJob) { j.Fans[0].Origin.At = 0 }},
		{"scan of a plan: first azimuth", func(j *gpu.PlanJob) { j.Parts, j.Scan.First = gpu.PlanTakesScan, -1 }},
	} {
		bad := someJob()
		c.spoil(bad)
		if err := e.Plan(bad); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%v, want %q", err, c.words)
		}
	}
	if _, err := e.Step(d.Next()); err != nil || e.PlansRefused() != 0 {
		t.Errorf("after bad jobs: %v, %d refused", err, e.PlansRefused())
	}
}

// TestPlanBusy: a job under way is waited for by nobody; the next one is refused
// and counted.
func TestPlanBusy(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	e := await(t, supervise(t, options(t, "slowplan served 3")))
	a, d := new(gpu.PlanAnswer), exercise.New(3)
	if err := e.Plan(someJob()); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if err := e.Plan(someJob()); !errors.Is(err, gpu.ErrBusy) || e.PlansRefused() != uint64(n+1) || e.Planned(a) {
			t.Fatalf("step %d: %v, %d refused", n, err, e.PlansRefused())
		}
		if _, err := e.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
	if !planned(t, e, a) || a.Sequence != 1 {
		t.Errorf("answer %d: %v", a.Sequence, e.Err())
	}
}

// TestPlanLost: a child that dies loses its plan, and the engine says of what.
func TestPlanLost(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	for _, c := range []struct {
		orders string
		kind   error
	}{
		{"slowplan served 9, crash served 2", gpu.ErrDied},
		{"badplan served 1", gpu.ErrGarbage},
	} {
		e := await(t, supervise(t, options(t, c.orders)))
		a, d := new(gpu.PlanAnswer), exercise.New(3)
		if err := e.Plan(someJob()); err != nil {
			t.Fatal(err)
		}
		if c.kind == gpu.ErrGarbage && planned(t, e, a) {
			t.Errorf("%s: believed", c.orders)
		}
		var err error
		for n := 0; n < 3 && err == nil; n++ {
			_, err = e.Step(d.Next())
		}
		if !errors.Is(err, c.kind) || e.Planned(a) || !errors.Is(e.Plan(someJob()), c.kind) {
			t.Errorf("%s: %v, then %v", c.orders, err, e.Plan(someJob()))
		}
	}
}

// TestPlanDoesNotAllocate, neither when it is busy.
func TestPlanDoesNotAllocate(t *testing.T) {
	tier.Native(t, "a child that dies, hangs or lies is the same everywhere; its page and its end are tried here, too")
	e := await(t, supervise(t, options(t, "")))
	job, a, d := someJob(), new(gpu.PlanAnswer), exercise.New(3)
	job.Parts = gpu.PlanTakesGrid | gpu.PlanTakesSeen
	in := d.Next()
	taken := 0
	if n := testing.AllocsPerRun(20, func() {
		for range 2 { // the second is refused, or the first was answered before
			if err := e.Plan(job); err != nil && err != gpu.ErrBusy {
				t.Fatal(err)
			}
		}
		if _, err := e.Step(in); err != nil {
			t.Fatal(err)
		}
		if e.Planned(a) {
			taken++
		}
	}); n != 0 {
		t.Errorf("%v allocations per tick with a plan", n)
	}
	if taken == 0 {
		t.Error("no plan was answered: the test tests nothing")
	}
}
