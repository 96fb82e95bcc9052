// Package fieldtest holds what the tests of several packages need to judge
// engines: a comparison of two pattern libraries and an engine that fails on
// command. Only tests import it.
//
// # Concurrency
//
// An engine wrapped by a Flaky has one owner, as any engine.
package fieldtest

import (
	"errors"
	"slices"
	"testing"

	"fieldbrain/field"
)

// SamePatterns reports an error for every part of a pattern in which got differs
// from want, and returns how many patterns want has.
func SamePatterns(t testing.TB, got, want field.Engine) (n int) {
	t.Helper()
	library, a, b := make([]float32, field.Cells), make([]float32, field.Cells), make([]float32, field.Cells)
	want.Read(field.LibrarySection, library)
	for k, c := 0, field.NewCatalogue(library); k < field.MaxPatterns; k++ {
		if c.Version(k) == 0 {
			continue
		}
		n++
		for part := range field.Strategic {
			got.Read(field.PatternSection(k, part), a)
			want.Read(field.PatternSection(k, part), b)
			if !slices.Equal(a, b) {
				t.Errorf("part %d of pattern %d is not the same", part, k)
			}
		}
	}
	return n
}

// ErrLost is the failure of a Flaky.
var ErrLost = errors.New("device lost")

// A Flaky engine fails from step FailAt on, until somebody sets FailAt to 0.
type Flaky struct {
	field.Engine
	FailAt  int // number of the first step that fails, counted from 1; 0: none does
	Steps   int // calls of Step
	Touched int // calls of Read after the failure
	Closed  int // calls of Close
}

// Step fails with ErrLost or steps the engine.
func (f *Flaky) Step(in *field.Input) (*field.Output, error) {
	f.Steps++
	if f.failed() {
		return nil, ErrLost
	}
	return f.Engine.Step(in)
}

// Read reads the engine and counts the call if the engine has failed.
func (f *Flaky) Read(s field.Section, dst []float32) {
	if f.failed() {
		f.Touched++
	}
	f.Engine.Read(s, dst)
}

// Close closes the engine and counts the call.
func (f *Flaky) Close() error {
	f.Closed++
	return f.Engine.Close()
}

func (f *Flaky) failed() bool { return f.FailAt != 0 && f.Steps >= f.FailAt }
