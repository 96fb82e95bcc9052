package car_test

import (
	"fmt"
	"sync"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/testbench/tier"
)

// TestSoftwareCardKilled is the whole way from the kernels to the motors, with
// the child killed in every phase of its life.
func TestSoftwareCardKilled(t *testing.T) {
	card := cartest.BuildCard(t)
	kills := tier.Count(t, "kills", 1, 2, 200)
	h, rig := cartest.NewHunt(t, card.Program, card.With())
	var late sync.WaitGroup
	h.Attack = func(pid int) {
		wait := time.Duration(h.Rng.IntN(100)) * time.Millisecond // a tick takes about as long
		late.Add(1)
		time.AfterFunc(wait, func() { defer late.Done(); _ = unix.Kill(pid, unix.SIGKILL) })
		h.Quiet = 1 << 30 // until this one has been noticed
	}
	h.Noticed = func() { h.Quiet = 1 + h.Rng.IntN(4) }
	for h.Attacks < kills {
		rig.AdvanceTo(rig.Clock().Now() + 100*time.Millisecond)
	}
	late.Wait()
	for h.Mind.GPU.Failover.State().Failovers < uint64(kills) { // the last one is noticed by a tick
		rig.AdvanceTo(rig.Clock().Now() + 5*time.Millisecond)
	}
	h.Judge(rig, kills)
}

// TestSoftwareCardFaults lets the driver fail under the kernels, some time after
// the proof. Each fault costs no tick its output.
func TestSoftwareCardFaults(t *testing.T) {
	card := cartest.BuildCard(t)
	var p gpu.Page
	total := unsafe.Offsetof(p.Out) + unsafe.Offsetof(p.Out.Marginals) +
		field.Heading*unsafe.Sizeof(p.Out.Marginals[0]) + unsafe.Offsetof(p.Out.Marginals[0].Total)
	faults := []struct{ fault, reason string }{
		{"SOFTCUDA_FAIL_LAUNCH=330", "failed"},
		{fmt.Sprintf("SOFTCUDA_WRONG_RESULT=330+:%d", total), "garbage"},
		{"SOFTCUDA_HANG_LAUNCH=330", "late"},
		{"SOFTCUDA_NO_REGISTER=1", ""},
		{"SOFTCUDA_NO_DEVICE=1", "start"},
	}
	for _, c := range faults[:tier.Count(t, "faults", 2, 2, len(faults))] {
		t.Run(c.fault, func(t *testing.T) {
			h, rig := cartest.NewHunt(t, card.Program, func(o *gpu.Options) {
				card.With(c.fault)(o)
				if c.reason == "late" {
					o.Deadline, o.Patience = 3*time.Second, 3*time.Second
				}
			})
			h.Attack, h.Patient = func(int) { h.Attacks-- }, c.reason != "start"
			s := h.Mind.GPU.Supervisor
			over := func(st gpu.State) bool { return st.Ends[c.reason] > 0 }
			if c.reason == "" {
				over = func(st gpu.State) bool { return st.Copies && h.Mind.GPU.Failover.State().Primary }
			}
			for !over(s.State()) && !t.Failed() {
				rig.AdvanceTo(rig.Clock().Now() + 5*time.Millisecond)
			}
			st, f := s.State(), h.Mind.GPU.Failover.State()
			if want := c.reason != "" && c.reason != "start"; h.Errs != 0 || (f.Failovers == 1) != want || want && len(st.Ends) != 1 {
				t.Errorf("%d ticks without output, %d fail-overs, ends %v (%v)", h.Errs, f.Failovers, st.Ends, st.Err)
			}
		})
	}
}
