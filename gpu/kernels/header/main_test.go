package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// TestCommitted holds the generated files to the Go sources.
func TestCommitted(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		got, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is older than the Go sources: run go generate ./gpu/kernels, then make kernels", path)
		}
	}
}

// TestSizes holds what the generator takes for Go's layout against Go's own.
func TestSizes(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	s := newSources(root)
	for _, c := range []struct {
		folder, name string
		want         uintptr
	}{
		{"field", "Frame", unsafe.Sizeof(field.Frame{})},
		{"field", "Constants", unsafe.Sizeof(field.Constants{})},
		{"field", "Input", unsafe.Sizeof(field.Input{})},
		{"field", "Library", unsafe.Sizeof(field.Library{})},
		{"gpu", "Answer", unsafe.Sizeof(gpu.Answer{})},
		{"gpu", "PlanJob", unsafe.Sizeof(gpu.PlanJob{})},
		{"gpu/kernels", "Memory", unsafe.Sizeof(kernels.Memory{})},
		{"gpu/kernels", "Planner", unsafe.Sizeof(kernels.Planner{})},
	} {
		p, err := s.load(c.folder)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.words(c.name, "")
		if err != nil || uintptr(4*got) != c.want {
			t.Errorf("%s.%s has %d bytes for the generator, %d in Go; %v", c.folder, c.name, 4*got, c.want, err)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"NumTerms": "num_terms", "WTurn": "w_turn", "E2": "e2", "X0": "x0", "Left30": "left30", "OBST": "obst", "S": "s",
	} {
		if got := lower(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}
