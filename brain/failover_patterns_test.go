package brain_test

import (
	"slices"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/drill"
)

// samePatterns wants every pattern of one engine in the other, and returns how
// many there are.
func samePatterns(t *testing.T, from, to field.Engine) (n int) {
	t.Helper()
	list, want, got := make([]float32, field.Cells), make([]float32, field.Cells), make([]float32, field.Cells)
	from.Read(field.Recalled, list)
	for k, c := 0, field.NewCatalogue(list); k < field.MaxPatterns; k++ {
		if c.Version(k) == 0 {
			continue
		}
		n++
		for part := range 4 {
			from.Read(field.PatternSheet(k, part), want)
			to.Read(field.PatternSheet(k, part), got)
			if !slices.Equal(got, want) {
				t.Errorf("part %d of pattern %d is not the same", part, k)
			}
		}
	}
	return n
}

// TestFailoverMirrorsPatterns: what is remembered survives a takeover, and a new
// primary does not step before it remembers as much.
func TestFailoverMirrorsPatterns(t *testing.T) {
	const period = 40 * time.Millisecond
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	p.Period = period
	engine := func() field.Engine {
		e, err := cpu.New(p, cpu.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	primary, standby := engine(), engine()
	f := brain.NewFailover(nil, standby, period)
	d := drill.NewLoop(5, 6)
	step := func(learns bool) {
		t.Helper()
		in := d.Next()
		if !learns {
			in.Outcome = 0
		}
		if _, err := f.Step(in); err != nil {
			t.Fatal(err)
		}
		f.Mirror()
	}
	for range 150 {
		step(true)
	}
	if err := f.Return(primary); err != nil {
		t.Fatal(err)
	}
	ticks := 0
	for ; !f.State().Primary; ticks++ {
		if step(false); ticks > 100 {
			t.Fatal("it never returns")
		}
	}
	n := samePatterns(t, standby, primary)
	t.Logf("%d patterns were there after %d ticks of %v", n, ticks, period)
	if n < 3 {
		t.Errorf("%d patterns, want 3 for a test", n)
	}
	for range 100 { // the primary learns more
		step(true)
	}
	for range 60 {
		step(false)
	}
	if more := samePatterns(t, primary, standby); more <= n {
		t.Errorf("%d patterns after %d: nothing was learned meanwhile", more, n)
	}
}
