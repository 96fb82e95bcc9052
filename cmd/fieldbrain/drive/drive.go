package drive

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/film"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/scenarios"
)

// A Drive is one run of a pilot on the bench, with the figures that only its
// owner can measure.
type Drive struct {
	Reel   *film.Reel    // keeps the pictures of the heading field, in virtual time; nil keeps none
	Orders []Timed       // for the brain, on its way
	Field  ablation.Kind // what is taken away of the brain's field; the zero one is nothing
	Tape   *Tape         // records what entered every tick, in virtual time; nil records nothing
	Page   *Page         // writes telemetry; nil writes none

	settings config.Config
	clock    *robot.Monotonic // wall time: virtual time stands still in a tick
	recorder *loop.Recorder
	mind     *car.Mind
	trace    *brain.Trace // of the newest tick
	script   script
	rows     bool                 // the run keeps rows of its track
	note     func(testbench.Peak) // takes the brain's peak, nil when the run keeps no rows
	rest     func(bool)           // takes whether the car stands because people told it to; nil: nobody asks
	armed    bool
	paced    bool // the loop releases the ticks, in real time
	ticks    uint64
	crowded  bool        // others run in this process: allocations cannot be told apart
	sampled  uint64      // ticks whose allocations were counted
	allocs   uint64      // by those ticks
	counts   loop.Counts // of the loop, in real time only
	held     held
	lates    uint64 // silences of the driver that were the computer's
}

// New prepares one run; a second run needs another Drive.
func New(settings config.Config) *Drive {
	return &Drive{settings: settings, clock: robot.NewMonotonic(), recorder: loop.NewRecorder()}
}

// Virtual drives one scenario in virtual time and gives the engine back.
func (d *Drive) Virtual(sc *scenarios.Scenario, seed uint64, pilot string, o testbench.Options) (*testbench.Result, error) {
	o.After, o.Held, d.rows = d.after, d.holds(), o.Rows
	if d.Page != nil {
		d.Page.virtual = true
	}
	result, err := testbench.Run(sc, seed, d.chosen(pilot), o)
	if d.mind != nil {
		err = errors.Join(err, d.Tape.end(), d.mind.Close())
	}
	if err != nil {
		return nil, err
	}
	result.Pilot = pilot
	return result, nil
}

// chosen returns the pilot of a name the flag allows.
func (d *Drive) chosen(pilot string) testbench.Pilot {
	if rival, known := pilots.Named(pilot); known {
		return rival
	}
	if policy.Named(pilot) {
		return learned(pilot)
	}
	return d.pilot
}

// learned returns the pilot that reads its policy from a file when it takes its seat.
func learned(path string) testbench.Pilot {
	return func(s testbench.Vehicle) (func(now time.Duration), error) {
		saved, err := policy.Read(path)
		if err != nil {
			return nil, err
		}
		return saved.Pilot()(s)
	}
}

// sampleEvery is how many ticks lie between two counts of allocations: reading
// the counter stops the world, which must not touch the times of all ticks.
const sampleEvery = 64

// pilot puts the brain into the bench's seat; it arms as soon as it may.
func (d *Drive) pilot(s testbench.Vehicle) (func(now time.Duration), error) {
	m, err := car.NewMind(d.settings, car.Seat{
		Body: s.Body, Clock: s.Clock, Seed: s.Seed, Driver: s.Params, Task: car.Task(d.settings, s.Scenario),
		Field: d.Field,
	})
	d.mind, d.script = m, newScript(d.Orders)
	d.rest = s.Rest
	if d.rows {
		d.note = s.Note
	}
	if err != nil {
		return nil, err
	}
	world := s.Scenario.Name
	if err := d.Page.begin(d.settings, m, world); err != nil { // before the tape, which empties its file
		return nil, err
	}
	return d.tick, d.Tape.begin(d.settings, m, world)
}

func (d *Drive) tick(now time.Duration) {
	d.ticks++
	d.script.tick(now, d.mind.Brain)
	if d.rest != nil {
		d.rest(d.script.rests(d.mind.Brain))
	}
	var before, after runtime.MemStats
	sample := !d.crowded && d.ticks > sampleEvery && d.ticks%sampleEvery == 0
	if sample {
		runtime.ReadMemStats(&before)
	}
	s := loop.Sample{Start: d.clock.Now(), Warm: !sample && d.ticks > uint64(d.settings.Loop.WarmUp)}
	t := d.mind.Brain.Tick(now)
	s.End = d.clock.Now()
	if sample {
		runtime.ReadMemStats(&after)
		d.sampled++
		d.allocs += after.Mallocs - before.Mallocs
	}
	d.recorder.Record(t, s)
	d.held.tick(now, t.Causes, t.Command.Speed == 0)
	d.Tape.tick(d.mind, t)
	if d.Reel != nil {
		d.Reel.Watch(now, d.mind.Brain, d.mind.Engine)
	}
	if d.note != nil {
		bearing, mass := d.mind.Brain.Heading()
		d.note(testbench.Peak{Bearing: bearing, Mass: mass})
	}
	d.trace = t
	if !d.paced {
		s.Release = s.Start // virtual time is never late
		d.over(s, loop.Counts{Ticks: d.ticks})
	}
}

// over keeps a tick that has just ended, and arms the car as soon as it may drive. In real
// time the loop calls it, which knows how late the tick was.
func (d *Drive) over(s loop.Sample, counts loop.Counts) {
	if d.mind == nil || d.trace == nil { // another pilot drives
		return
	}
	d.Page.ended(d.mind, d.trace, s, counts)
	if !d.armed {
		d.armed = d.mind.Brain.Arm() == nil
	}
}

// after fills in the brain's part of the result.
func (d *Drive) after(_ *testbench.Rig, r *testbench.Result) {
	if d.mind == nil {
		return
	}
	d.recorder.Finish()
	busy := d.recorder.Table(loop.Counts{}).Rows[loop.Busy]
	ms := func(t time.Duration) float64 { return t.Seconds() * 1000 }
	r.Engine = d.mind.Engine.Name()
	r.FieldHash = fmt.Sprintf("%016x", field.Hash(d.mind.Engine))
	r.TickMS = &testbench.Percentiles{P50: ms(busy.P50), P99: ms(busy.P99), P999: ms(busy.P999), Max: ms(busy.Max)}
	if d.sampled > 0 {
		perTick := float64(d.allocs) / float64(d.sampled)
		r.Allocs = &perTick
	}
	r.Held = d.held.result(d.mind.Brain.Remote().Status().Safety.Tripped)
	r.Orders = d.script.result(d.mind.Brain, r.Track)
	r.Notes = append(r.Notes, d.script.notes(r.Seconds)...)
}

// Describe prints the brain's part of the result for a person.
func (d *Drive) Describe(w io.Writer, r *testbench.Result) {
	if d.mind != nil {
		fmt.Fprintf(w, "  engine %s, field %s, tick p50 %.3f ms, p99 %.3f ms, max %.3f ms",
			r.Engine, r.FieldHash, r.TickMS.P50, r.TickMS.P99, r.TickMS.Max)
		if r.Allocs != nil {
			fmt.Fprintf(w, ", %.3g allocations per tick", *r.Allocs)
		}
		fmt.Fprintln(w)
	}
	describeHeld(w, r.Held)
	describeOrders(w, r.Orders)
	if c := d.counts; c.Ticks > 0 {
		fmt.Fprintf(w, "  real time: %d ticks, %d overran, %d periods skipped\n", c.Ticks, c.Overruns, c.Skipped)
	}
	if d.lates > 0 {
		fmt.Fprintf(w, "  this computer was too busy: it ran the car's driver too late %d times, which stops and disarms the car; end what else runs on it, or leave out --realtime\n", d.lates)
	}
}
