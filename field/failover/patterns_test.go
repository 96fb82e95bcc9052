package failover_test

import (
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/field/failover"
	"fieldbrain/field/fieldtest"
	"fieldbrain/testbench/tier"
)

// TestMirrorsPatterns: patterns survive a takeover, and a new primary does not step
// before it has all of them.
func TestMirrorsPatterns(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere, and equal hashes carry the field over")
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
	f := failover.New(nil, standby, period)
	d := exercise.NewLoop(5, 6)
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
	n := fieldtest.SamePatterns(t, primary, standby)
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
	if more := fieldtest.SamePatterns(t, standby, primary); more <= n {
		t.Errorf("%d patterns after %d: nothing was learned meanwhile", more, n)
	}
}
