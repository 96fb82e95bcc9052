//go:build !cuda

package worker_test

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
	"fieldbrain/gpu/softcuda"
)

// program builds fieldbrain-gpu.
func program(t *testing.T, lib softcuda.Library) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), gpu.Program)
	tool(t, lib, "build", "-tags", "cuda", "-o", path, "./cmd/fieldbrain-gpu")
	return path
}

// TestProgram starts the child as a person would.
func TestProgram(t *testing.T) {
	lib := build(t)
	path := program(t, lib)
	for _, c := range []struct {
		args  string
		env   []string
		code  int
		words []string // on standard output or, where it fails, on standard error
	}{
		{"--probe", nil, 0, []string{"device:  softcuda", "compute capability 9.0", "kernels overlap", "page:    registered", "kernels: loaded"}},
		{"--probe", []string{"SOFTCUDA_CAPABILITY=87"}, 0, []string{"compute capability 8.7", "kernels one after the other", "kernels: loaded"}},
		{"--probe", []string{"SOFTCUDA_NO_REGISTER=1"}, 0, []string{"page:    copied", "kernels: loaded"}},
		{"--probe", []string{"SOFTCUDA_NO_DEVICE=1"}, 1, []string{"CUDA driver does not start", "CUDA_ERROR_NO_DEVICE (100)", "nvidia-smi"}},
		{"--probe", []string{"SOFTCUDA_INIT=801"}, 1, []string{"CUDA_ERROR_NOT_SUPPORTED (801)", "card rights"}},
		{"--probe", []string{"SOFTCUDA_INIT=999"}, 1, []string{"CUDA_ERROR_UNKNOWN (999)", "nvidia-uvm", "restart it"}},
		{"--probe", []string{"SOFTCUDA_INIT=802"}, 1, []string{"(802)", "nvidia-fabricmanager"}},
		{"--probe", []string{"SOFTCUDA_INIT=2"}, 1, []string{"CUDA_ERROR_OUT_OF_MEMORY (2)", "memory is full"}},
		{"", []string{"SOFTCUDA_NO_DEVICE=1"}, 1, []string{"CUDA driver does not start", "nvidia-smi"}},
		{"--arena", nil, 0, []string{"later  patterns", "147712  rays", "58968  belief", "225048  planner", "activation 0"}},
		{"--arena --dense --half", nil, 0, []string{"4194304  half 1", "end"}},
		{"--version", nil, 0, []string{"fieldbrain-gpu ", "go1."}},
		{"", nil, 1, []string{"descriptor 3 is not a page", "through fieldbrain", "--probe"}},
		{"--wrong", nil, 2, []string{"-wrong"}},
		{"serve", nil, 2, []string{`"serve" is not known`}},
	} {
		cmd := exec.Command(path, strings.Fields(c.args)...)
		cmd.Env = lib.Env(c.env...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		said := string(out)
		if c.code != 0 {
			said = stderr.String()
		}
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.code {
			t.Errorf("%q %v: %v, want exit code %d; it said %s%s", c.args, c.env, err, c.code, out, &stderr)
		}
		for _, w := range c.words {
			if !strings.Contains(said, w) {
				t.Errorf("%q %v: want %q, it said: %s", c.args, c.env, w, said)
			}
		}
	}
}

// TestNoLibrary: without a driver the dynamic linker says so, where the parent
// reads it.
func TestNoLibrary(t *testing.T) {
	cmd := exec.Command(program(t, build(t)), "--probe")
	cmd.Env = []string{"LD_LIBRARY_PATH=/nonexistent"}
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() == 1 {
		t.Skipf("this machine has a libcuda.so.1 of its own: %s", out)
	}
	if !strings.Contains(string(out), "libcuda.so.1") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestSupervised lets the supervisor start, prove and drive the child, shared
// and copied, until it is made to fail.
func TestSupervised(t *testing.T) {
	lib := build(t)
	path := program(t, lib)
	for _, c := range []struct {
		env  string
		step field.StepKind
		want string // how it ends
	}{
		{"SOFTCUDA_NO_REGISTER=0", field.Collapsed, ""},
		{"SOFTCUDA_NO_REGISTER=1", field.Collapsed, ""},
		{"SOFTCUDA_FAIL_LAUNCH=100", field.Collapsed, "CUDA_ERROR_ILLEGAL_ADDRESS"},
	} {
		t.Run(c.env, func(t *testing.T) { supervise(t, path, c.step, lib.Env(c.env), c.want) })
	}
}

func supervise(t *testing.T, path string, step field.StepKind, env []string, want string) {
	params := field.Default()
	judge := func() (field.Engine, error) {
		return cpu.New(params, cpu.DefaultOptions())
	}
	o := gpu.DefaultOptions(gpu.Setup{Params: params, Step: step, Wait: gpu.WaitBlock}, judge)
	o.Path, o.Env, o.Probes, o.Pace, o.Starts = path, env, 1, 0, 1
	o.Deadline, o.Patience, o.ProofLimit, o.StartLimit = time.Minute, time.Minute, time.Minute, time.Minute
	s, err := gpu.NewSupervisor(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	e, err := s.Await(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	t.Log(e.Name())
	if m := s.State().Memory; m.Used == 0 || m.Used >= m.Room {
		t.Errorf("%+v, want the driver's numbers", m)
	}
	j, err := judge()
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err = drive(t, e, j); (err == nil) != (want == "") || err != nil && (!errors.Is(err, gpu.ErrFailed) || !strings.Contains(err.Error(), want)) {
		t.Errorf("ends with %v, want %q", err, want)
	}
}

// drive steps both engines until one fails, at most 60 ticks, and compares them.
func drive(t *testing.T, e *gpu.Engine, j field.Engine) error {
	d := exercise.New(21)
	plans := newPlans(t)
	defer plans.judge(t)
	for range 60 {
		in := d.Next()
		got, err := plans.step(e, in)
		if err != nil {
			return err
		}
		want, err := j.Step(in)
		if err != nil {
			t.Fatal(err)
		}
		if got.Marginals != want.Marginals || *got.Obstacle != *want.Obstacle || got.Heading != want.Heading || got.Blocked != want.Blocked {
			t.Fatalf("tick %d: the answers differ", in.Tick)
		}
	}
	if a, b := field.Hash(e), field.Hash(j); a != b {
		t.Errorf("hash %#x, the processor has %#x", a, b)
	}
	return nil
}
