package brain_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
)

// TestFailoverBeginsAlone: without a primary the standby steps and is no
// stand-in; the first primary takes over within a second and without a jump.
func TestFailoverBeginsAlone(t *testing.T) {
	const tellAt = 500
	standby := newEngine(t)
	f := brain.NewFailover(nil, standby, 5*time.Millisecond)
	if s := f.State(); s.Standby || s.Engine != standby.Name() || s.Err != nil || s.Failovers != 0 {
		t.Fatalf("at the start: %+v", s)
	}
	primary := &flaky{Engine: newEngine(t)}
	back := 0
	commands := driveRoom(t, f, 1500, func(tick int, _ *brain.Brain, tr *brain.Trace) {
		if tr.Err != nil {
			t.Errorf("tick %d: %v", tick, tr.Err)
		}
		if tick == tellAt {
			if err := f.Return(primary); err != nil {
				t.Error(err)
			}
		}
		if back == 0 && f.State().Returns == 1 {
			back = tick
			primary.failAt = primary.steps + 300
		}
	})
	if wait := time.Duration(back-tellAt) * 5 * time.Millisecond; back == 0 || wait > time.Second {
		t.Fatalf("the primary steps after %v, want within a second", wait)
	}
	for i := back - 2; i < len(commands); i++ {
		if d := jump(commands[i-1], commands[i]); d > 0.1 && i < back+40 {
			t.Errorf("tick %d: a motor jumps by %.3f of its range", i+1, d)
		}
	}
	if s := f.State(); !s.Standby || s.Failovers != 1 || !strings.HasSuffix(s.Engine, "(standby)") {
		t.Errorf("after the primary's failure: %+v", s)
	}
	if err := f.Close(); err != nil || primary.closed != 1 {
		t.Errorf("closed %d times, %v", primary.closed, err)
	}
}

func TestFailoverClosesAlone(t *testing.T) {
	f := brain.NewFailover(nil, newEngine(t), 5*time.Millisecond)
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

func (mute) Read(int, []float32) {}

// What an engine cannot give does not spoil the other one's field.
func TestFailoverCopiesNoLeftovers(t *testing.T) {
	standby := newEngine(t)
	rest := field.Hash(standby)
	f := brain.NewFailover(mute{newEngine(t)}, standby, 40*time.Millisecond)
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
