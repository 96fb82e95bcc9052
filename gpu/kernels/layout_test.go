package kernels

import (
	"os/exec"
	"testing"
	"unsafe"

	"fieldbrain/gpu"
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

// TestQuads: the kernels write the marginals of an answer 16 bytes at a time, wherever in
// the page it lies.
func TestQuads(t *testing.T) {
	if at := unsafe.Offsetof(gpu.Page{}.Out) + unsafe.Offsetof(gpu.Answer{}.Marginals); at%16 != 0 {
		t.Errorf("the marginals of an answer lie %d bytes into the page, which is no whole number of 16", at)
	}
}
