package cpu

import (
	"time"

	"fieldbrain/field"
)

// A Profile is where the time of the profiled steps went. Prepare runs on the
// caller's thread in Go; the others share the wall time of the evolve pass in
// proportion to the processor time of all workers. The pure Go engine does not
// split it: all of it is in Evolve.
type Profile struct {
	Steps    int
	Prepare  time.Duration // displacement table, maps, heading input, profiles of the terms
	Displace time.Duration // egocentric channels moved, old activations kept
	Lateral  time.Duration // interaction kernels
	Evolve   time.Duration // the core equation, outputs, marginals
	Traces   time.Duration // memory traces, averages, maps
}

// Time switches the profile on or off and starts it anew. Profiled steps read
// the clock more often.
func (e *Engine) Time(on bool) {
	e.timing, e.profile = on, Profile{}
	if t, ok := e.backend.(timer); ok {
		t.time(on)
	}
}

// Profile returns where the time went since Time(true).
func (e *Engine) Profile() Profile {
	p := e.profile
	t, ok := e.backend.(timer)
	if !ok {
		return p
	}
	ticks := t.ticks()
	sum := ticks[0] + ticks[1] + ticks[2] + ticks[3]
	if sum == 0 {
		return p
	}
	part := func(i int) time.Duration { return time.Duration(float64(p.Evolve) * ticks[i] / sum) }
	p.Displace, p.Lateral, p.Traces = part(0), part(1), part(3)
	p.Evolve = part(2)
	return p
}

// A timer is a backend that counts its stages.
type timer interface {
	time(on bool)
	ticks() [4]float64
}

func (e *Engine) timedStep(in *field.Input) {
	begin := time.Now()
	e.prep.Tick(in)
	e.release()
	prepared := time.Now()
	e.pool.run()
	e.profile.Steps++
	e.profile.Prepare += prepared.Sub(begin)
	e.profile.Evolve += time.Since(prepared)
}

// Scale multiplies values in place: the memory yardstick of the computed
// floor, as fast as the machine reads and writes the same lines.
func Scale(values []float32, by float32) { scale(values, by) }
