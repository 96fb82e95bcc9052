package fieldtest_test

import (
	"fmt"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/fieldtest"
)

func newEngine(p field.Params) field.Engine {
	e, err := cpu.New(p, cpu.DefaultOptions())
	if err != nil {
		panic(err)
	}
	return e
}

func ExampleFlaky() {
	e := &fieldtest.Flaky{Engine: newEngine(field.Default()), FailAt: 2}
	defer e.Close()
	in := field.Input{Quality: field.Full()}
	for range 2 {
		_, err := e.Step(&in)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// device lost
}

// A counter notes errors in place of a test that should fail.
type counter struct {
	testing.TB
	errors int
}

func (c *counter) Helper()               {}
func (c *counter) Errorf(string, ...any) { c.errors++ }

// TestSamePatternsSeesADifference: one cell of one part of one pattern is enough.
func TestSamePatternsSeesADifference(t *testing.T) {
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	a, b := newEngine(p), newEngine(p)
	defer a.Close()
	defer b.Close()
	library := make([]float32, field.Cells)
	a.Read(field.LibrarySection, library)
	const at = (field.NumSenses + 3) * field.PatternRow // version of pattern 0
	library[at], library[at+field.PatternRow] = 1, 1<<field.Strategic-1
	a.Write(field.LibrarySection, library)
	b.Write(field.LibrarySection, library)
	cells := make([]float32, field.Cells)
	cells[3] = 1
	a.Write(field.PatternSection(0, 1), cells)
	c := &counter{TB: t}
	if n := fieldtest.SamePatterns(c, a, b); n != 1 || c.errors != 1 {
		t.Errorf("%d patterns, %d differences, want 1 and 1", n, c.errors)
	}
	b.Write(field.PatternSection(0, 1), cells)
	if n := fieldtest.SamePatterns(t, a, b); n != 1 {
		t.Errorf("%d patterns, want 1", n)
	}
}
