package failover_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/failover"
	"fieldbrain/field/fieldtest"
)

func newEngine(t testing.TB) field.Engine {
	t.Helper()
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestWhenBothFail(t *testing.T) {
	f := failover.New(&fieldtest.Flaky{Engine: newEngine(t), FailAt: 1}, &fieldtest.Flaky{Engine: newEngine(t), FailAt: 1}, 5*time.Millisecond)
	if _, err := f.Step(&field.Input{Quality: field.Full()}); !errors.Is(err, fieldtest.ErrLost) {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Error(err)
	}
}

func TestDoesNotAllocate(t *testing.T) {
	f := failover.New(newEngine(t), newEngine(t), 5*time.Millisecond)
	in := field.Input{Quality: field.Full()}
	n := testing.AllocsPerRun(200, func() {
		if _, err := f.Step(&in); err != nil {
			t.Fatal(err)
		}
		f.Mirror()
		in.Tick++
	})
	if n != 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// TestReturnsWithTheNewestDecision: what moves the motors is copied once
// more when the primary takes over, however long ago its turn was.
func TestReturnsWithTheNewestDecision(t *testing.T) {
	primary, standby := newEngine(t), newEngine(t)
	f := failover.New(nil, standby, 5*time.Millisecond)
	if err := f.Return(primary); err != nil {
		t.Fatal(err)
	}
	in := field.Input{Quality: field.Full()}
	in.Add(field.At(field.Heading, 6, 20, 2))
	for !f.State().Primary {
		if _, err := f.Step(&in); err != nil {
			t.Fatal(err)
		}
		f.Mirror()
		if in.Tick++; in.Tick > 1000 {
			t.Fatal("it never returns")
		}
	}
	want, got := make([]float32, field.Cells), make([]float32, field.Cells)
	for _, c := range []field.Section{field.Heading, field.ObstMap, field.Speed, field.Gaze, field.PredictorSection, field.LibrarySection} {
		standby.Read(c, want)
		primary.Read(c, got)
		if !slices.Equal(got, want) {
			t.Errorf("channel %d is older than the step before", c)
		}
	}
}

// A caller's mistake is not the primary's failure.
func TestKeepsThePrimaryAfterABadInput(t *testing.T) {
	f := failover.New(newEngine(t), newEngine(t), 5*time.Millisecond)
	if _, err := f.Step(&field.Input{}); err == nil {
		t.Error("a quality that does not exist was accepted")
	}
	if s := f.State(); !s.Primary || s.Failovers != 0 {
		t.Errorf("%+v, want the primary to step", s)
	}
}

// A scribe counts how often each of its channels, the predictor and the library
// were written.
type scribe struct {
	field.Engine
	written [field.FirstPattern]int
}

func (s *scribe) Write(c field.Section, src []float32) {
	s.written[c]++
	s.Engine.Write(c, src)
}

// A whole round of copies takes at most a second at every legal period and
// copies every channel; the decision is copied far more often.
func TestCopiesEverything(t *testing.T) {
	for _, period := range []time.Duration{2500 * time.Microsecond, 5 * time.Millisecond, 40 * time.Millisecond} {
		standby := &scribe{Engine: newEngine(t)}
		f := failover.New(newEngine(t), standby, period)
		in := field.Input{Quality: field.Full()}
		for range time.Second / period {
			if _, err := f.Step(&in); err != nil {
				t.Fatal(err)
			}
			f.Mirror()
			in.Tick++
		}
		for c, n := range standby.written {
			if n == 0 {
				t.Errorf("period %v: channel %d was not copied within a second", period, c)
			}
		}
		if n := standby.written[field.Heading]; n < 10 {
			t.Errorf("period %v: the heading was copied %d times in a second", period, n)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, kind := range []string{"alone", "with standby"} {
		b.Run(kind, func(b *testing.B) {
			e, mirror := newEngine(b), func() {}
			if kind != "alone" {
				f := failover.New(e, newEngine(b), 5*time.Millisecond)
				e, mirror = f, f.Mirror
			}
			in := field.Input{Quality: field.Full()}
			for b.Loop() {
				if _, err := e.Step(&in); err != nil {
					b.Fatal(err)
				}
				mirror()
				in.Tick++
			}
		})
	}
}

func TestClosesAlone(t *testing.T) {
	f := failover.New(nil, newEngine(t), 5*time.Millisecond)
	in := field.Input{Quality: field.Full()}
	if _, err := f.Step(&in); err != nil {
		t.Error(err)
	}
	f.Write(field.Heading, make([]float32, field.Cells))
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A mute engine cannot be read.
type mute struct{ field.Engine }

func (mute) Read(field.Section, []float32) {}

// What an engine cannot give does not spoil the other one's field.
func TestCopiesNoLeftovers(t *testing.T) {
	standby := newEngine(t)
	rest := field.Hash(standby)
	f := failover.New(mute{newEngine(t)}, standby, 40*time.Millisecond)
	in := field.Input{Quality: field.Full()}
	for range 50 {
		if _, err := f.Step(&in); err != nil {
			t.Fatal(err)
		}
		in.Tick++
	}
	if got := field.Hash(standby); got != rest {
		t.Errorf("the standby's field became %#x, want %#x as at rest", got, rest)
	}
}
