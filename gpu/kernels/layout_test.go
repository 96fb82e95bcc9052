package kernels

import (
	"os/exec"
	"testing"
)

// TestSharedLayout lets the compiler check the sizes that shared.cuh asserts: what
// one side writes the other reads at the same place.
func TestSharedLayout(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("no g++: the kernels' structs cannot be compared with Go's")
	}
	if text, err := exec.Command(compiler, "-std=c++17", "-fsyntax-only", "-x", "c++", "shared.cuh").CombinedOutput(); err != nil {
		t.Errorf("the kernels and Go disagree on a struct:\n%s", text)
	}
}
