package cartest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fieldbrain/gpu"
	"fieldbrain/gpu/softcuda"
	"fieldbrain/testbench/tier"
)

// A SoftwareCard is the real fieldbrain-gpu on the software driver.
type SoftwareCard struct {
	Program string
	Env     []string // with which it finds the driver and a management library that knows no card
}

// BuildCard builds driver and program, or skips where that cannot be.
func BuildCard(t testing.TB) SoftwareCard {
	t.Helper()
	tier.Heavy(t, "builds the software driver, on which a step takes 50 ms or more")
	tier.Alone(t, "the child is another process, which has no race detector")
	for _, tool := range []string{"go", "g++", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the graphics card's program cannot be built here: %v", err)
		}
	}
	lib, err := softcuda.Build(t.Context(), softcuda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	management, err := lib.NVML(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := SoftwareCard{Program: filepath.Join(t.TempDir(), gpu.Program), Env: lib.WithNVML(management, os.DevNull)}
	build := exec.Command("go", "build", "-tags", "cuda", "-o", c.Program, "fieldbrain/cmd/fieldbrain-gpu")
	build.Env = append(os.Environ(), lib.CgoEnv()...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build.Args, err, out)
	}
	return c
}

// With returns the card's environment with faults ordered from the driver.
func (c SoftwareCard) With(faults ...string) func(*gpu.Options) {
	return func(o *gpu.Options) { o.Env = append(append([]string(nil), c.Env...), faults...) }
}
