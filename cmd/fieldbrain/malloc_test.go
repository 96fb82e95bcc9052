package main_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/tier"
)

// TestNoAllocationInC counts the C allocations of two runs of different length
// with a preloaded library. 10 more seconds are 2,000 more ticks; a tick that
// allocated would show 2,000 times, the start of one more thread a few times.
func TestNoAllocationInC(t *testing.T) {
	if os.Getenv("CGO_ENABLED") == "0" {
		t.Skip("this build has no C: CGO_ENABLED=0")
	}
	tier.Heavy(t, "builds the program, and drives for 14 s")
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skipf("no C compiler to build the counter with: %v", err)
	}
	dir := t.TempDir()
	library := filepath.Join(dir, "countalloc.so")
	program := filepath.Join(dir, "fieldbrain")
	for _, build := range []*exec.Cmd{
		exec.Command(gcc, "-shared", "-fPIC", "-O2", "-o", library, "../../gpu/worker/testdata/countalloc.c", "-ldl"),
		exec.Command("go", "build", "-o", program, "."),
	} {
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", build.Args, err, out)
		}
	}
	short := countAllocations(t, program, library, "2")
	long := countAllocations(t, program, library, "12")
	if short < 10 {
		t.Skipf("the counter saw %d allocations: the program is linked statically and cannot be watched", short)
	}
	t.Logf("%d C allocations in 2 s, %d in 12 s", short, long)
	if more := long - short; more > 20 {
		t.Errorf("2,000 more ticks made %d more C allocations (%d after %d), want none per tick", more, long, short)
	}
}

func countAllocations(t *testing.T, program, library, seconds string) int64 {
	t.Helper()
	count := filepath.Join(t.TempDir(), "count")
	if err := os.WriteFile(count, make([]byte, 8), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "sim", "--scenario", "room", "--seconds", seconds, "--seed", "3", "--threads", "2", "--json")
	cmd.Env = append(os.Environ(), "LD_PRELOAD="+library, "COUNTALLOC="+count)
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), `"pass": false`) {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	n, err := os.ReadFile(count)
	if err != nil {
		t.Fatal(err)
	}
	return int64(binary.LittleEndian.Uint64(n))
}
