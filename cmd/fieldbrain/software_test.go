package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/softcuda"
)

// A software card is the real fieldbrain-gpu on the software driver.
type softwareCard struct {
	program string
	env     []string // with which it finds the driver
}

// buildCard builds driver and program, or skips where that cannot be.
func buildCard(t *testing.T) softwareCard {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: a step on the software driver takes 50 ms or more")
	}
	for _, tool := range []string{"go", "g++", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the graphics card's program cannot be built here: %v", err)
		}
	}
	lib, err := softcuda.Build(t.Context(), softcuda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := softwareCard{program: filepath.Join(t.TempDir(), gpu.Program), env: lib.Env()}
	build := exec.Command("go", "build", "-tags", "cuda", "-o", c.program, "fieldbrain/cmd/fieldbrain-gpu")
	build.Env = append(os.Environ(), lib.CgoEnv()...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build.Args, err, out)
	}
	return c
}

// with returns the card's environment with faults ordered from the driver.
func (c softwareCard) with(faults ...string) func(*gpu.Options) {
	return func(o *gpu.Options) { o.Env = append(append([]string(nil), c.env...), faults...) }
}

// TestSoftwareCardKilled is the whole way from the kernels to the motors, with
// the child killed in every phase of its life: 200 times with
// FIELDBRAIN_FULL=1, a few times without.
func TestSoftwareCardKilled(t *testing.T) {
	card := buildCard(t)
	kills := 3
	if os.Getenv("FIELDBRAIN_FULL") != "" {
		kills = 200
	} else {
		t.Logf("%d kills; FIELDBRAIN_FULL=1 makes it 200", kills)
	}
	h, rig := newHunt(t, card.program, card.with())
	var late sync.WaitGroup
	h.attack = func(pid int) {
		wait := time.Duration(h.rng.IntN(100)) * time.Millisecond // a tick takes about as long
		late.Add(1)
		time.AfterFunc(wait, func() { defer late.Done(); _ = unix.Kill(pid, unix.SIGKILL) })
		h.quiet = 1 << 30 // until this one has been noticed
	}
	h.noticed = func() { h.quiet = 1 + h.rng.IntN(4) }
	for h.attacks < kills {
		rig.AdvanceTo(rig.Clock().Now() + 100*time.Millisecond)
	}
	late.Wait()
	for h.mind.card.failover.State().Failovers < uint64(kills) { // the last one is noticed by a tick
		rig.AdvanceTo(rig.Clock().Now() + 5*time.Millisecond)
	}
	h.judge(rig, kills)
}

// TestSoftwareCardFaults lets the driver fail under the kernels, some time after
// the proof. Each fault costs no tick its output.
func TestSoftwareCardFaults(t *testing.T) {
	card := buildCard(t)
	var p gpu.Page
	total := unsafe.Offsetof(p.Out) + unsafe.Offsetof(p.Out.Marginals) +
		field.Heading*unsafe.Sizeof(p.Out.Marginals[0]) + unsafe.Offsetof(p.Out.Marginals[0].Total)
	for _, c := range []struct{ fault, reason string }{
		{"SOFTCUDA_FAIL_LAUNCH=330", "failed"},
		{fmt.Sprintf("SOFTCUDA_WRONG_RESULT=330+:%d", total), "garbage"},
		{"SOFTCUDA_HANG_LAUNCH=330", "late"},
		{"SOFTCUDA_NO_REGISTER=1", ""},
		{"SOFTCUDA_NO_DEVICE=1", "start"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			h, rig := newHunt(t, card.program, func(o *gpu.Options) {
				card.with(c.fault)(o)
				if c.reason == "late" {
					o.Deadline, o.Patience = 3*time.Second, 3*time.Second
				}
			})
			h.attack, h.patient = func(int) { h.attacks-- }, c.reason != "start"
			s := h.mind.card.supervisor
			over := func(st gpu.State) bool { return st.Ends[c.reason] > 0 }
			if c.reason == "" {
				over = func(st gpu.State) bool { return st.Copies && h.mind.card.failover.State().Primary }
			}
			for !over(s.State()) && !t.Failed() {
				rig.AdvanceTo(rig.Clock().Now() + 5*time.Millisecond)
			}
			st, f := s.State(), h.mind.card.failover.State()
			if want := c.reason != "" && c.reason != "start"; h.errs != 0 || (f.Failovers == 1) != want || want && len(st.Ends) != 1 {
				t.Errorf("%d ticks without output, %d fail-overs, ends %v (%v)", h.errs, f.Failovers, st.Ends, st.Err)
			}
		})
	}
}

// TestSoftwareCardScripts runs the daemon in real time with the software card:
// far too slow for the period, and nothing here is about time.
func TestSoftwareCardScripts(t *testing.T) {
	card := buildCard(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/software",
		Setup: func(e *testscript.Env) error {
			e.Setenv("TMPDIR", e.WorkDir)
			e.Setenv("XDG_RUNTIME_DIR", "")
			e.Setenv("RUNTIME_DIRECTORY", "")
			for _, v := range card.env {
				if name, value, _ := strings.Cut(v, "="); name == "LD_LIBRARY_PATH" {
					e.Setenv(name, value)
				}
			}
			return os.Symlink(card.program, filepath.Join(e.WorkDir, "card"))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}
