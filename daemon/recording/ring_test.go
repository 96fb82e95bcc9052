package recording_test

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/recording"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// mind returns a brain on a player, which stands and ticks.
func mind(t testing.TB) (tick func() (*brain.Brain, *brain.Trace)) {
	t.Helper()
	engine, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	player := brain.NewPlayer()
	b, err := brain.New(player, engine, player, brain.Default())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	return func() (*brain.Brain, *brain.Trace) {
		now += 5 * time.Millisecond
		return b, player.Tick(b, &brain.TickInput{Now: now})
	}
}

// TestRingLoses: a ring whose writer does not come loses the newest ticks and counts
// them, and the next tick that finds a place says how many.
func TestRingLoses(t *testing.T) {
	tick, ring := mind(t), recording.NewRing(4)
	for range 10 {
		ring.Put(first(tick()))
	}
	if ring.Lost() != 6 || ring.Waiting() != 4 {
		t.Fatalf("%d lost, %d wait", ring.Lost(), ring.Waiting())
	}
	ring.Drop()
	ring.Put(first(tick()))
	for _, want := range []struct{ tick, lost uint64 }{{1, 0}, {2, 0}, {3, 0}, {10, 6}} {
		e := ring.Peek()
		if e == nil || e.Input.Tick != want.tick || e.Lost != want.lost {
			t.Fatalf("got %+v, want tick %d behind %d lost", e, want.tick, want.lost)
		}
		ring.Drop()
	}
	if ring.Peek() != nil {
		t.Error("a tick more than were put in")
	}
}

// first adds the third argument of Put.
func first(b *brain.Brain, t *brain.Trace) (*brain.Brain, *brain.Trace, uint64) { return b, t, 0 }

// TestPutDoesNotAllocate: the thread that ticks takes no memory for a recording.
func TestPutDoesNotAllocate(t *testing.T) {
	tick, ring := mind(t), recording.NewRing(8)
	b, trace := tick()
	n := testing.AllocsPerRun(100, func() {
		ring.Put(b, trace, 0)
		if ring.Waiting() == 8 {
			ring.Drop()
		}
	})
	if n != 0 {
		t.Errorf("%v allocations per tick, want 0", n)
	}
}

// TestRingHandsOver: every tick comes out once, in order, while another goroutine writes.
func TestRingHandsOver(t *testing.T) {
	tick, ring := mind(t), recording.NewRing(16)
	const ticks = 400
	done := make(chan uint64)
	go func() {
		next, lost := uint64(0), uint64(0)
		for next < ticks {
			e := ring.Peek()
			if e == nil {
				time.Sleep(10 * time.Microsecond)
				continue
			}
			if e.Input.Tick != next+e.Lost-lost {
				t.Errorf("tick %d, want %d behind %d lost", e.Input.Tick, next, e.Lost-lost)
			}
			next, lost = e.Input.Tick+1, e.Lost
			ring.Drop()
		}
		done <- next
	}()
	for range ticks {
		for ring.Waiting() == 16 {
			time.Sleep(10 * time.Microsecond)
		}
		ring.Put(first(tick()))
	}
	<-done
}

// BenchmarkPut is what a recording costs the thread that ticks.
func BenchmarkPut(b *testing.B) {
	tick, ring := mind(b), recording.NewRing(8)
	brain, trace := tick()
	for b.Loop() {
		ring.Put(brain, trace, 0)
		ring.Drop()
	}
}
