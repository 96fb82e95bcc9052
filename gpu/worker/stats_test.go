//go:build cuda

package worker

import (
	"os"
	"strconv"
	"testing"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// TestProfile wants the same field with profiling on, and times that add up.
func TestProfile(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	s := setup(field.Collapsed)
	s.Profile = true
	got, want, d := open(t, s), newJudge(t, &s), exercise.New(7)
	for range 5 {
		in := d.Next()
		together(t, got, want, in)
		n := got.page.Out.Stats.Nanos
		t.Logf("%+v", n)
		if n.Prep == 0 || n.Evolve == 0 || n.Motor == 0 {
			t.Errorf("a stage took no time: %+v", n)
		}
		if sum := n.Prep + n.Evolve + n.Motor; sum > n.Total+n.Total/10+1000 {
			t.Errorf("the stages take %d ns, all of it %d: %+v", sum, n.Total, n)
		}
		run := int32(0)
		for c := range field.Channels {
			if s.Params.Table[c].Egocentric || in.Quality.Due(c, in.Tick) {
				run++
			}
		}
		if got := got.page.Out.Stats.Updated; got != run {
			t.Errorf("tick %d: %d channels ran, want %d", in.Tick, got, run)
		}
	}
	sameField(t, got, want)
}

// TestNoAllocation wants nothing allocated per order, in Go or on the device.
func TestNoAllocation(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	for _, profile := range []bool{false, true} {
		s := setup(field.Collapsed)
		s.Profile = profile
		e, d := open(t, s), exercise.New(1)
		step := func() {
			if _, err := e.Step(d.Next()); err != nil {
				t.Fatal(err)
			}
		}
		step()
		before := freeHere(t)
		if n := testing.AllocsPerRun(20, step); n != 0 {
			t.Errorf("profiling %v: a step makes %v Go allocations", profile, n)
		}
		if n := testing.AllocsPerRun(5, func() {
			e.must(gpu.OrderRead, 3)
			e.must(gpu.OrderWrite, 3)
			e.must(gpu.OrderRest, 0)
		}); n != 0 {
			t.Errorf("profiling %v: read, write and rest make %v Go allocations", profile, n)
		}
		if n := testing.AllocsPerRun(5, func() {
			e.page.Plan.Job = gpu.PlanJob{Sequence: e.worker.begun + 1, Parts: gpu.PlanTakesGrid | gpu.PlanGivesGrid}
			e.must(gpu.OrderPlan, 0)
			if err := e.worker.spare.Synchronize(); err != nil {
				t.Fatal(err)
			}
			step()
		}); n != 0 {
			t.Errorf("profiling %v: a plan makes %v Go allocations", profile, n)
		}
		if after := freeHere(t); after != before {
			t.Errorf("profiling %v: steps took %d bytes of the device's memory", profile, before-after)
		}
	}
}

// TestManyTicks is what the count of C's allocations is taken over: see
// TestNoAllocationInC in the package's suite.
func TestManyTicks(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	only(t)
	e, d := open(t, setup(field.Collapsed)), exercise.New(1)
	for range ticksHere(t) {
		if _, err := e.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
	}
}

// ticksHere is how many ticks the suite wants.
func ticksHere(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("TICKS"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// freeHere returns how much of the device's memory is free.
func freeHere(t *testing.T) int64 {
	t.Helper()
	free, _, err := cu.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	return free
}
