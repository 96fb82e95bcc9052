package telemetry_test

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/ground"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// A desk is everything that the loop's thread does for telemetry after one tick.
type desk struct {
	w     *telemetry.Writer
	trace brain.Trace
	state robot.State
	tick  telemetry.Tick
	look  telemetry.Look
	n     uint64
}

func newDesk(t testing.TB) *desk {
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{w: begin(t, options(t, 10*time.Minute))}
	d.look = telemetry.Look{Output: &field.Output{Obstacle: new([field.Plane]float32)}, Ground: g}
	t.Cleanup(func() { d.w.Close() })
	return d
}

// after is one tick's work.
func (d *desk) after() {
	d.n++
	d.trace.Tick, d.state.Now = d.n, time.Duration(d.n)
	d.tick.SetTrace(&d.trace, loop.Sample{End: 200 * time.Microsecond, Warm: true})
	d.tick.SetState(&d.state)
	d.w.Tick(&d.tick, loop.Counts{Ticks: d.n})
	d.look.Number = d.n
	d.w.Collect(&d.look)
}

// TestTickAllocatesNothing holds the loop's thread to it, slices included.
func TestTickAllocatesNothing(t *testing.T) {
	d := newDesk(t)
	if n := testing.AllocsPerRun(1000, d.after); n != 0 {
		t.Errorf("%v allocations a tick, want none", n)
	}
	c := telemetry.Nothing()
	if n := testing.AllocsPerRun(100, func() { d.w.Car(&c); d.w.Publish() }); n > 2 {
		t.Errorf("%v allocations for the slow part, want at most its two closures", n)
	}
}

// BenchmarkTick says what telemetry costs of the default and of the shortest period,
// the slices' shares included.
func BenchmarkTick(b *testing.B) {
	d := newDesk(b)
	d.after() // the first one sets the thread up
	for b.Loop() {
		d.after()
		if d.n%32 == 0 {
			b.StopTimer() // another goroutine's work
			d.w.Publish()
			b.StartTimer()
		}
	}
	took := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(100*took/float64(loop.DefaultPeriod.Nanoseconds()), "%of5ms")
	b.ReportMetric(100*took/float64(field.MinPeriod.Nanoseconds()), "%of2.5ms")
}
