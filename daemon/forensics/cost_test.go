package forensics_test

import (
	"os"
	"runtime/metrics"
	"runtime/trace"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/forensics"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
	"fieldbrain/testbench/tier"
)

// TestPutAllocatesNothing: the loop's thread notes ticks without memory of the heap.
func TestPutAllocatesNothing(t *testing.T) {
	tier.Alone(t, "the race detector's own allocations count too")
	r := forensics.NewRecorder(5 * time.Millisecond)
	var tr brain.Trace
	if n := testing.AllocsPerRun(100, func() { r.Put(&tr, loop.Sample{}, forensics.Parts{}) }); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

// TestLookAllocatesNothing: the collector is off while the car is armed, and there are
// ten looks a second.
func TestLookAllocatesNothing(t *testing.T) {
	tier.Alone(t, "the race detector's own allocations count too")
	w := loop.NewWitness()
	defer w.Close()
	i := forensics.NewInspector(forensics.Options{Period: 5 * time.Millisecond, Witness: w})
	defer i.Close()
	now := time.Duration(0)
	if n := testing.AllocsPerRun(50, func() {
		now += forensics.LookEvery
		i.Look(now, 0)
	}); n != 0 {
		t.Errorf("%v allocations a look", n)
	}
}

// BenchmarkPut is what the loop's thread pays for a tick.
func BenchmarkPut(b *testing.B) {
	r := forensics.NewRecorder(5 * time.Millisecond)
	var tr brain.Trace
	b.ReportAllocs()
	for b.Loop() {
		r.Put(&tr, loop.Sample{}, forensics.Parts{})
	}
}

// BenchmarkLook is what the slow goroutine pays ten times a second.
func BenchmarkLook(b *testing.B) {
	w := loop.NewWitness()
	defer w.Close()
	i := forensics.NewInspector(forensics.Options{Period: 5 * time.Millisecond, Witness: w})
	defer i.Close()
	b.ReportAllocs()
	for b.Loop() {
		w.Look()
		i.Look(0, 0)
	}
}

// BenchmarkTick is a tick every 5 ms without and beside Go's flight recorder
// (docs/decisions): ns/tick is the mean busy time, late-ns that of the wake-up,
// heap-B/s what the process allocates.
func BenchmarkTick(b *testing.B) {
	for _, traced := range []bool{false, true} {
		name := "alone"
		if traced {
			name = "traced"
		}
		b.Run(name, func(b *testing.B) {
			if traced {
				f := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 2 * time.Second, MaxBytes: 8 << 20})
				if err := f.Start(); err != nil {
					b.Fatal(err)
				}
				defer f.Stop()
			}
			paced(b)
		})
	}
}

// paced lets a brain tick every 5 ms.
func paced(b *testing.B) {
	engine, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Close()
	clock := robot.NewMonotonic()
	mind, err := brain.New(&slowBody{clock: clock}, engine, clock, brain.Default())
	if err != nil {
		b.Fatal(err)
	}
	before := allocated()
	begun := clock.Now()
	release := begun
	var late, busy time.Duration
	for b.Loop() {
		release += 5 * time.Millisecond
		clock.SleepUntil(release)
		start := clock.Now()
		mind.Tick(start)
		late += start - release
		busy += clock.Now() - start
	}
	n := float64(max(b.N, 1))
	b.ReportMetric(float64(busy)/n, "ns/tick")
	b.ReportMetric(float64(late)/n, "late-ns")
	b.ReportMetric(float64(allocated()-before)/(clock.Now()-begun).Seconds(), "heap-B/s")
	if os.Getenv("GOGC") != "off" {
		b.Log("with the collector on: GOGC=off is the armed car")
	}
}

// allocated returns the bytes that were allocated since the process's start.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
