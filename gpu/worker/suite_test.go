//go:build !cuda

package worker_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fieldbrain/gpu/softcuda"
	"fieldbrain/testbench/tier"
)

// root is the module's folder.
const root = "../.."

// build returns the software driver, or skips.
func build(t *testing.T) softcuda.Library {
	t.Helper()
	tier.Heavy(t, "compiles the software driver and what runs on it")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skipf("softcuda does not run on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	if os.Getenv("CGO_ENABLED") == "0" {
		t.Skip("the worker needs cgo: CGO_ENABLED=0")
	}
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skipf("softcuda needs a C++ compiler, apt-get install g++: %v", err)
	}
	lib, err := softcuda.Build(t.Context(), softcuda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// tool runs go with the software driver's header and library.
func tool(t *testing.T, lib softcuda.Library, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = root, append(lib.Env(), lib.CgoEnv()...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestOnSoftcuda runs this package's tests that need a device on the software
// driver, and the program's. Plain go test ./... has neither the tag nor a cuda.h.
func TestOnSoftcuda(t *testing.T) {
	lib := build(t)
	args := []string{"test", "-tags", "cuda", "-count", "1", "-vet=off", "./gpu/worker", "./testbench/vector/card", "./cmd/fieldbrain-gpu"}
	if testing.Verbose() {
		args = append(args, "-v")
	}
	t.Log(tool(t, lib, args...))
}

// TestVet holds what has the tag to the same rules as the rest.
func TestVet(t *testing.T) {
	tool(t, build(t), "vet", "-tags", "cuda", "./gpu/worker", "./testbench/vector/card", "./cmd/fieldbrain-gpu")
}

// TestNoAllocationInC counts the C allocations of two runs of different length
// with a preloaded library. A tick that allocated would show 100 times.
func TestNoAllocationInC(t *testing.T) {
	lib, dir := build(t), t.TempDir()
	counter, program := filepath.Join(dir, "countalloc.so"), filepath.Join(dir, "worker.test")
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skipf("no C compiler to build the counter with: %v", err)
	}
	if out, err := exec.Command(gcc, "-shared", "-fPIC", "-O2", "-o", counter, "testdata/countalloc.c", "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tool(t, lib, "test", "-tags", "cuda", "-c", "-o", program, "./gpu/worker")
	run := func(ticks string) int64 {
		count := filepath.Join(t.TempDir(), "count")
		if err := os.WriteFile(count, make([]byte, 8), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "-test.run=^TestManyTicks$", "-test.v")
		cmd.Env = lib.Env("LD_PRELOAD="+counter, "COUNTALLOC="+count, "TICKS="+ticks, "FIELDBRAIN_WORKER_AGAIN=1")
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "SKIP") {
			t.Fatalf("%v\n%s", err, out)
		}
		n, err := os.ReadFile(count)
		if err != nil {
			t.Fatal(err)
		}
		return int64(binary.LittleEndian.Uint64(n))
	}
	short, long := run("10"), run("60")
	if short < 10 {
		t.Skipf("the counter saw %d allocations: the program is linked statically and cannot be watched", short)
	}
	t.Logf("%d C allocations in 10 ticks, %d in 60", short, long)
	if long > short+5 {
		t.Errorf("50 more ticks made %d more C allocations, want none per tick", long-short)
	}
}
