package failover_test

import (
	"errors"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
	"fieldbrain/field/failover"
	"fieldbrain/field/fieldtest"
)

var errLate = errors.New("late")

// A snail is an engine that is late when a test says so: it keeps inputs meanwhile.
type snail struct {
	*scribe
	t     *testing.T
	stuck bool // the order under way does not end
	late  bool
	kept  []field.Input
	dead  error
}

func newSnail(t *testing.T) *snail { return &snail{scribe: &scribe{Engine: newEngine(t)}, t: t} }

func (s *snail) Step(in *field.Input) (*field.Output, error) {
	if s.dead != nil {
		return nil, s.dead
	}
	if s.late = s.late || s.stuck; s.late {
		s.kept = append(s.kept, *in)
		return nil, errLate
	}
	return s.Engine.Step(in)
}

func (s *snail) Behind() int {
	if s.late && s.dead == nil {
		return max(1, len(s.kept))
	}
	return 0
}

func (s *snail) CatchUp() int {
	if s.dead == nil && s.late && !s.stuck {
		for i := range s.kept {
			if _, err := s.Engine.Step(&s.kept[i]); err != nil {
				s.t.Fatal(err)
			}
		}
		s.kept, s.late = nil, false
	}
	return s.Behind()
}

// Write must not come while the snail is late, as nothing may touch a page then.
func (s *snail) Write(c field.Section, src []float32) {
	if s.late {
		s.t.Errorf("section %d is written to a late engine", c)
	}
	if s.late = s.stuck; s.late {
		return // lost: the worst that may happen
	}
	s.scribe.Write(c, src)
}

func (s *snail) Read(c field.Section, dst []float32) {
	if s.late {
		s.t.Errorf("section %d is read from a late engine", c)
	}
	if s.late = s.stuck; !s.late {
		s.Engine.Read(c, dst)
	}
}

// run steps a fail-over n times, with Mirror, and demands an output of each.
func run(t *testing.T, f *failover.Engine, d *exercise.Sequence, n int) {
	t.Helper()
	for range n {
		if _, err := f.Step(d.Next()); err != nil {
			t.Fatal(err)
		}
		f.Mirror()
	}
}

// TestLatePrimary: ticks that the primary misses are the standby's, without a fail-over;
// when it is level again it steps with the field of one that was never late.
func TestLatePrimary(t *testing.T) {
	primary, standby, alone := newSnail(t), &scribe{Engine: newEngine(t)}, newEngine(t)
	f := failover.New(primary, standby, 5*time.Millisecond)
	d, same := exercise.New(5), exercise.New(5)
	run(t, f, d, 20)
	primary.stuck = true
	written := standby.written
	for n := range 4 {
		out, err := f.Step(d.Next())
		if err != nil || out == nil {
			t.Fatal(err)
		}
		f.Mirror()
		if s := f.State(); !s.Standby || !s.Late || s.Primary || s.Failovers != 0 || s.Err != nil || s.Lates != uint64(n+1) {
			t.Errorf("tick %d: %+v, want the standby and no fail-over", n, s)
		}
		if f.Name() != standby.Name()+" (standby)" {
			t.Errorf("%s steps", f.Name())
		}
	}
	if standby.written != written {
		t.Error("something was copied from a late engine")
	}
	if !errors.Is(f.Return(newEngine(t)), failover.ErrPrimaryWorks) {
		t.Error("a late primary gives way to another")
	}
	primary.stuck = false
	f.Mirror()
	run(t, f, d, 20)
	if s := f.State(); !s.Primary || s.Standby || s.Late || s.Failovers != 0 || s.Returns != 0 || s.Lates != 4 {
		t.Errorf("%+v, want the primary again", s)
	}
	for range 44 {
		if _, err := alone.Step(same.Next()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := field.Hash(f), field.Hash(alone); got != want {
		t.Errorf("field %#x, want %#x as if it had never been late", got, want)
	}
}

// TestLateThenDead: a primary that is late and then ends has failed, once.
func TestLateThenDead(t *testing.T) {
	primary := newSnail(t)
	f := failover.New(primary, newEngine(t), 5*time.Millisecond)
	d := exercise.New(5)
	run(t, f, d, 3)
	primary.stuck = true
	run(t, f, d, 2)
	primary.dead = fieldtest.ErrLost
	run(t, f, d, 5)
	if s := f.State(); !s.Standby || s.Late || s.Failovers != 1 || !errors.Is(s.Err, fieldtest.ErrLost) || s.At != 5 || s.Lates != 2 {
		t.Errorf("%+v", s)
	}
}

// TestLateWhileMirrored: an order of the mirror that is late loses no section: the round
// stands still and has its turn again.
func TestLateWhileMirrored(t *testing.T) {
	const period = 40 * time.Millisecond
	standby := &scribe{Engine: newEngine(t)}
	primary := newSnail(t)
	f := failover.New(primary, standby, period)
	d := exercise.New(5)
	for range 2 * time.Second / period { // late in every other tick, so half as fast
		primary.stuck = true
		f.Mirror() // the first read of it is late
		run(t, f, d, 1)
		primary.stuck = false
		f.Mirror()
		run(t, f, d, 1)
	}
	if s := f.State(); s.Failovers != 0 || s.Lates == 0 {
		t.Errorf("%+v", s)
	}
	for c, n := range standby.written {
		if n == 0 {
			t.Errorf("section %d was not copied", c)
		}
	}
}

// TestLateWhileReturning: a card that is late while it gets the field takes over later,
// with every section as new as that of one in time.
func TestLateWhileReturning(t *testing.T) {
	for _, last := range []bool{false, true} { // among the last copies, too
		standby, primary := newEngine(t), newSnail(t)
		f := failover.New(nil, standby, 40*time.Millisecond)
		d := exercise.New(5)
		run(t, f, d, 30)
		if err := f.Return(primary); err != nil {
			t.Fatal(err)
		}
		for n := 0; !f.State().Primary; n++ {
			if n > 200 {
				t.Fatal("it never returns")
			}
			primary.stuck = n%3 == 1 || last && n < 100
			run(t, f, d, 1)
		}
		if s := f.State(); s.Returns != 1 || s.Failovers != 0 {
			t.Errorf("%+v", s)
		}
		for c, n := range primary.written {
			if n == 0 {
				t.Errorf("section %d was not copied", c)
			}
		}
		want, got := make([]float32, field.Cells), make([]float32, field.Cells)
		for _, c := range []field.Section{field.Heading, field.Speed, field.LibrarySection} {
			clear(want)
			clear(got)
			standby.Read(c, want)
			primary.Read(c, got)
			for i := range want {
				if want[i] != got[i] {
					t.Fatalf("section %d is older than the step before", c)
				}
			}
		}
	}
}

// TestWriteWhileLate: a field that is written while the primary is late is the standby's;
// the primary gets all of it before it steps again, and loses none of what was written.
func TestWriteWhileLate(t *testing.T) {
	for _, when := range []string{"before", "meanwhile"} { // the write itself is the late order
		t.Run(when, func(t *testing.T) {
			primary, standby := newSnail(t), newEngine(t)
			f := failover.New(primary, standby, 40*time.Millisecond)
			d := exercise.New(5)
			run(t, f, d, 20)
			primary.stuck = true
			if when == "before" {
				run(t, f, d, 2)
			}
			cells := make([]float32, field.Cells)
			f.Write(field.HeadTrace, cells)
			if s := f.State(); s.Primary || !s.Standby {
				t.Errorf("%+v, want the standby", s)
			}
			primary.stuck = false
			clear(primary.written[:])
			for n := 0; !f.State().Primary; n++ {
				if run(t, f, d, 1); n > 100 {
					t.Fatal("it never returns")
				}
			}
			for c, n := range primary.written {
				if n == 0 {
					t.Errorf("section %d was not copied", c)
				}
			}
			if s := f.State(); s.Failovers != 0 || s.Returns != 1 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestLateDoesNotAllocate: neither a late tick nor the change takes memory.
func TestLateDoesNotAllocate(t *testing.T) {
	primary := newSnail(t)
	f := failover.New(primary, newEngine(t), 5*time.Millisecond)
	in := field.Input{Quality: field.Full()}
	primary.kept = make([]field.Input, 0, 1000)
	n := testing.AllocsPerRun(100, func() {
		primary.stuck = !primary.stuck
		if _, err := f.Step(&in); err != nil {
			t.Fatal(err)
		}
		in.Tick++
		primary.kept = primary.kept[:0]
		if f.State(); !primary.stuck {
			primary.late = false
		}
	})
	if n != 0 {
		t.Errorf("%v allocations per tick, want 0", n)
	}
}
