//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/tier"
)

// again runs one test of this binary in a process of its own, with faults
// ordered from the software driver. It returns what it printed.
func again(t *testing.T, test string, env ...string) (string, error) {
	t.Helper()
	words := append(strings.Fields(os.Getenv(tier.Emulator)), os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), append(env, againEnv+"=1", tier.Variable+"=quick")...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// againEnv marks a process that again started.
const againEnv = "FIELDBRAIN_WORKER_AGAIN"

// only skips what is nothing but the inside of another test.
func only(t *testing.T) {
	if os.Getenv(againEnv) == "" {
		t.Skip("runs inside of another test, with a fault")
	}
}

// soft skips tests that need a driver that fails on command.
func soft(t *testing.T) {
	t.Helper()
	d, err := FindDevice()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.ToLower(d.Name), "soft") {
		t.Skipf("%s does not fail on command, softcuda does", d.Name)
	}
}

// TestOutOfMemory fails every allocation of Open in turn, with the page
// registered and without. Each gives an error that names what was wanted, and
// nothing is left behind.
func TestOutOfMemory(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	soft(t)
	for _, c := range []struct {
		register string
		want     []string // words, by the number of the allocation
	}{
		{"SOFTCUDA_NO_REGISTER=0", []string{"worker: allocate 3 MiB on"}},
		{"SOFTCUDA_NO_REGISTER=1", []string{"worker: allocate 3 MiB on", "of pinned memory: CUDA_ERROR_OUT_OF_MEMORY"}},
	} {
		for n, words := range append(c.want, "opened") {
			out, err := again(t, "TestOpens", c.register, fmt.Sprintf("SOFTCUDA_OOM_AT=%d", n+1), "SOFTCUDA_LEAKS=1")
			if err != nil || !strings.Contains(out, words) || strings.Contains(out, "softcuda: leak") {
				t.Errorf("%s, allocation %d fails: %v, want %q:\n%s", c.register, n+1, err, words, out)
			}
		}
	}
}

func TestOpens(t *testing.T) {
	only(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := setup(field.Collapsed)
	w, err := Open(Options{Setup: &s, Page: newPage(t), Image: kernels.Fatbin()})
	if err != nil {
		t.Log(err)
		return
	}
	t.Log("opened")
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestCopies refuses to register the page: the worker copies, with equal
// results in every order.
func TestCopies(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	soft(t)
	for _, test := range []string{"TestEqualCollapsed", "TestWriteRead", "TestRest", "TestProfile", "TestAnsweredIsLast"} {
		if out, err := again(t, test, "SOFTCUDA_NO_REGISTER=1"); err != nil {
			t.Errorf("%s: %v\n%s", test, err, out)
		}
	}
	if out, err := again(t, "TestIsCopied", "SOFTCUDA_NO_REGISTER=1"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestIsCopied(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	only(t)
	d := open(t, setup(field.Collapsed))
	if d.worker.Unregistered == nil || d.worker.window.registered() {
		t.Error("the page was registered")
	}
	t.Log(d.worker.Unregistered)
}

// TestSmall runs the kernels of devices with little shared memory: the field is
// the same, in half precision too.
func TestSmall(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	soft(t)
	const small = "SOFTCUDA_CAPABILITY=75"
	for _, test := range []string{"TestEqualMotion", "TestEqualDense", "TestWriteRead"} {
		if out, err := again(t, test, small); err != nil {
			t.Errorf("%s: %v\n%s", test, err, out)
		}
	}
	hash := regexp.MustCompile(`kernel (\w+), hash (0x\w+)`)
	large, err := again(t, "TestHalfHash")
	if err != nil {
		t.Fatalf("%v\n%s", err, large)
	}
	little, err := again(t, "TestHalfHash", small)
	if err != nil {
		t.Fatalf("%v\n%s", err, little)
	}
	a, b := hash.FindStringSubmatch(large), hash.FindStringSubmatch(little)
	if len(a) != 3 || len(b) != 3 || a[1] != "fieldbrain_evolve_f16" || b[1] != "fieldbrain_evolve_f16_small" || a[2] != b[2] {
		t.Errorf("large: %q, small: %q, want two kernels and one hash", a, b)
	}
}

// TestLaunchFails fails a launch, of the graph and of a single kernel: the
// worker's words name it, and nothing hangs.
func TestLaunchFails(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	soft(t)
	for _, wait := range []gpu.Wait{gpu.WaitSpin, gpu.WaitYield, gpu.WaitBlock} {
		out, err := again(t, "TestFails", "SOFTCUDA_FAIL_LAUNCH=3", "WAIT="+string(wait))
		if err != nil || !strings.Contains(out, "run a tick: CUDA_ERROR_ILLEGAL_ADDRESS (700)") {
			t.Errorf("%s: %v\n%s", wait, err, out)
		}
	}
	out, err := again(t, "TestOpens", "SOFTCUDA_FAIL_LAUNCH=1")
	if err != nil || !strings.Contains(out, "put the field to rest: CUDA_ERROR_ILLEGAL_ADDRESS (700)") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFails steps until it fails, and then once more.
func TestFails(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	only(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := setup(field.Collapsed)
	s.Wait = gpu.Wait(os.Getenv("WAIT"))
	page := newPage(t)
	w, err := Open(Options{Setup: &s, Page: page, Image: kernels.Fatbin()})
	if err != nil {
		t.Fatal(err)
	}
	e := &direct{t: t, worker: w, page: page, server: gpu.NewServer(page, 0), layout: &w.program.Layout}
	fault := (*Fault)(nil)
	for d := exercise.New(1); !errors.As(err, &fault); {
		if _, err = e.Step(d.Next()); e.page.In.Tick > 5 {
			t.Fatal("5 ticks without a failure")
		}
	}
	t.Log(err)
	if page.Call.Failed != 1 || !strings.Contains(string(page.Head.Fault[:]), "ILLEGAL_ADDRESS") {
		t.Errorf("the client is told %d, %q", page.Call.Failed, page.Head.Fault)
	}
	if err := e.order(gpu.OrderStep, 0); !errors.As(err, &fault) || fault.Code != 700 {
		t.Errorf("the next order: %v, want the same fault", err)
	}
}

// TestUnanswered: kernels that end without an answer are a fault in every way
// of waiting, not a hang.
func TestUnanswered(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	for _, wait := range []gpu.Wait{gpu.WaitSpin, gpu.WaitYield, gpu.WaitBlock} {
		s := setup(field.Collapsed)
		s.Wait = wait
		d := open(t, s)
		d.page.In = *exercise.New(1).Next()
		err := d.worker.launcher.tick(12345) // the page has another number
		if err == nil || !strings.Contains(err.Error(), "without an answer") {
			t.Errorf("%s: %v", wait, err)
		}
	}
}

// TestImage refuses what is no machine code.
func TestImage(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := setup(field.Collapsed)
	_, err := Open(Options{Setup: &s, Page: newPage(t), Image: []byte("these are no kernels at all, only some words of a reasonable length")})
	if err == nil || !strings.Contains(err.Error(), "worker: load the kernels") {
		t.Errorf("%v, want a refusal", err)
	}
}

// TestNothingLeft opens and closes again and again: the device's memory is as
// free as before.
func TestNothingLeft(t *testing.T) {
	tier.Native(t, "the emulator shows equal numbers; what the program does with them is the same everywhere")
	var first int64
	for i := range 5 {
		t.Run("", func(t *testing.T) { open(t, setup(field.Collapsed)) })
		if free := freeMemory(t); i == 0 {
			first = free
		} else if free != first {
			t.Errorf("after %d times %d bytes are free, %d before", i+1, free, first)
		}
	}
}

// freeMemory asks on a context of its own.
func freeMemory(t *testing.T) int64 {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	context, err := cu.Device(0).MakeContext(cu.SchedBlockingSync)
	if err != nil {
		t.Fatal(err)
	}
	free, _, err := cu.MemInfo()
	if err = errors.Join(err, context.Destroy()); err != nil {
		t.Fatal(err)
	}
	return free
}
