package behave

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/testbench"
)

// DefaultSoak is the length of S5 when nobody asks for another. Part C's is 8 h.
const DefaultSoak = 10 * time.Minute

const (
	soakParts = 10
	soakWarm  = 10 * time.Second // bring-up, first echoes, arming
	buckets   = 20_000           // of a microsecond: longer ticks are the last
)

// A soak is what S5 measures.
type soak struct {
	ticks   float64
	allocs  float64 // by the whole program, while it drove
	drift   float64 // quickest tenth of the last part's ticks over the first part's
	largest float64 // |u|
	median  float64 // s per tick
}

// A stopwatch is a histogram of the ticks of one part.
type stopwatch struct {
	clock  *robot.Monotonic
	counts [soakParts][buckets]uint32
	part   int
}

// quantile returns the time that a share of a part's ticks needs at most, in s.
func (w *stopwatch) quantile(part int, share float64) float64 {
	total := uint64(0)
	for _, n := range w.counts[part] {
		total += uint64(n)
	}
	sum := uint64(0)
	for i, n := range w.counts[part] {
		if sum += uint64(n); float64(sum) >= float64(share*float64(total)) {
			return float64(i+1) * 1e-6
		}
	}
	return math.NaN()
}

// soak drives the room for a long virtual time. Nothing else may run in this
// process: the soak counts allocations for all of it.
func (run *runner) soak() (s soak, err error) {
	sc := *run.newCourse(1, "room").sc[0]
	sc.Duration = (run.Soak + soakWarm).Seconds()
	rig, err := testbench.NewRig(&sc, 7, nil)
	if err != nil {
		return s, fmt.Errorf("behave: S5: %w", err)
	}
	m, err := run.Make(rig.Vehicle(run.Period), Variant{})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	w := &stopwatch{clock: robot.NewMonotonic()}
	armed := false
	rig.Drive(run.Period, func(now time.Duration) {
		begun := w.clock.Now()
		m.Brain.Tick(now)
		w.counts[w.part][min(int((w.clock.Now()-begun)/time.Microsecond), buckets-1)]++
		armed = armed || m.Brain.Arm() == nil
	})
	rig.AdvanceTo(soakWarm)
	w.counts[0] = [buckets]uint32{}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	cells := make([]float32, field.Cells)
	for part := range soakParts {
		w.part = part
		s.allocs += counted(func() { rig.AdvanceTo(soakWarm + run.Soak*time.Duration(part+1)/soakParts) })
		s.largest = max(s.largest, largest(m.Engine, cells))
	}
	if result := rig.Result(); !armed || result.Distance < 0.05*run.Soak.Seconds() {
		return s, fmt.Errorf("behave: S5 drove only %.1f m: it looked at a standing car", result.Distance)
	}
	s.ticks = float64(run.Soak / run.Period)
	s.drift = w.quantile(soakParts-1, 0.1) / w.quantile(0, 0.1)
	s.median = w.quantile(soakParts/2, 0.5)
	return s, nil
}

// counted returns how many allocations the program makes during do.
func counted(do func()) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs)
}

// largest returns the largest |u| of an engine's channels.
func largest(e field.Engine, cells []float32) (most float64) {
	for c := range field.Channels {
		e.Read(field.Section(c), cells)
		most = max(most, math.Abs(float64(slices.Max(cells))), math.Abs(float64(slices.Min(cells))))
	}
	return most
}

// The metrics of S5 and O3, which share one drive.
const (
	soakAllocs, soakDrift, soakLargest = "allocations", "tick_time_drift", "largest_activation"
	soakTick                           = "tick_s"
)

// enduring is S5.
func enduring() entry {
	return entry{
		id: "S5", name: "soak", scene: "the room for a long time, alone in the process", seeds: 1,
		prepare: (*runner).prepareSoak, pick: []string{soakAllocs, soakDrift, soakLargest},
	}
}

// timely is O3: the original's 150 ms per cycle are 1 ms here. It looks at S5's
// drive.
func timely() entry {
	return entry{
		id: "O3", name: "timing", scene: "the drive of S5, on this machine", seeds: 1,
		prepare: (*runner).prepareSoak, pick: []string{soakTick}, with: "S5",
	}
}

func (run *runner) prepareSoak(int) experiment {
	var s soak
	return experiment{alone: true, jobs: []func() error{func() (err error) { s, err = run.soak(); return err }}, judge: func() []Check {
		all := []Check{
			check(soakAllocs, atMost, 0, of(s.allocs)), check(soakDrift, atMost, 1.2, of(s.drift)),
			check(soakLargest, atMost, 155, of(s.largest)), check(soakTick, atMost, 0.001, of(s.median)),
		}
		all[0].Note = fmt.Sprintf("%.0f ticks, %v of virtual time; the specification asks for 8h", s.ticks, run.Soak)
		return all
	}}
}
