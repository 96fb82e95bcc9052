package bench_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector/env"
	"fieldbrain/testbench/vector/env/bench"
)

// Without the library it says how that is made.
func Example() {
	_, err := bench.Run(bench.Options{Rounds: 2, Cars: 1, Task: env.Avoid, Library: "/nowhere/libfieldbrain_env.so"})
	fmt.Println(strings.Contains(err.Error(), "make env"))
	// Output: true
}

// TestTurns builds the library and times the three for a few rounds, in which all
// earn the same.
func TestTurns(t *testing.T) {
	tier.Heavy(t, "builds a library")
	tier.Native(t, "a library for this machine")
	tier.Alone(t, "other programs")
	if !tier.Cgo {
		t.Skip("no C compiler made this build, so none can make the library")
	}
	if exec.Command("python3", "-c", "import numpy").Run() != nil && exec.Command("/usr/bin/python3", "-c", "import numpy").Run() != nil {
		t.Skip("no python3 with NumPy: apt install python3-numpy")
	}
	library := filepath.Join(t.TempDir(), "libfieldbrain_env.so")
	c := exec.Command("go", "build", "-trimpath", "-buildmode=c-shared", "-o", library, ".")
	c.Dir = "../../../../cmd/fieldbrain-env"
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	source, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Run(bench.Options{
		Rounds: 6, Cars: 64, Task: env.Avoid, Library: library,
		Header: "../../../../cmd/fieldbrain-env", Package: filepath.Join(source, "..", "python"),
	})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil || len(r.Rows) != 3 || len(r.Judged) != 2 {
		t.Errorf("%v: %s", err, text.String())
	}
	for _, row := range r.Rows {
		if row.Rate <= 0 {
			t.Errorf("%+v", row)
		}
	}
}
