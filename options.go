package fieldbrain

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/brain/steer"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot/kit"
)

// A Task is what the brain is asked to do. Without any it drives on a free way
// and avoids what stands in it.
type Task struct {
	Cruise     float64 // m/s, wanted speed on a free way, Shape.TopSpeed at most; of Default it is a PiCar-X's
	Goal       bool    // drive to the beacon of State.Target
	FollowLine bool    // follow a dark line under the floor sensors
	Explore    bool    // remember the space around and plan towards what was not seen
	Planner    string  // how it plans: one of brain.Planners; empty is the first
	Cliff      bool    // stop at a floor that reflects nothing
	Recall     bool    // keep what turned out well, and lean towards it
	Arrival    float64 // m from a goal the car is there; 0 is brain.Default's

	// Law are the numbers of the driving law; the zero value means steer.Default(). To
	// change one of them, start from steer.Default().
	Law steer.Params
	// Manual bounds a manual drive; the zero value means brain.DefaultManual(), no faster than the body.
	Manual brain.ManualParams
}

// Options say what a Brain shall do, in which body, and what steps its field.
// Start from Default.
type Options struct {
	Task  Task
	Shape Shape
	Arm   bool // arm once, as soon as the reflexes allow it; whoever disarms or stops it before has the last word

	Period time.Duration // between two ticks, 2.5 to 40 ms
	Seed   uint64        // of noise and random choices: the same seed, the same drive
	Clock  Clock         // the body's; nil is the kernel's monotonic clock

	// Engine steps the field. With nil New makes one on the processor, as the
	// next five fields say, and Close ends it. Any engine and any number of
	// threads compute the same field. An engine of your own stays yours, and steps
	// for one brain at a time. New puts one of the processor (Processor) to rest, with the
	// noise of Seed, and refuses one that is closed or has another period. Of any other,
	// such as gpu.Engine, it sees nothing: it must be new and made of Field's parameters,
	// whose Key is the seed of its noise.
	Engine   field.Engine
	ISA      string // instruction set: auto, or one of cpu.ISAs
	Threads  int    // 1 to 16
	Dense    bool   // step every cell, also where a channel is uniform; slower, the same field
	OnThread func() // runs first on each of the engine's threads; nil for none
	Planes   int    // 32, 16 or 8 along the feature axis of channels of three axes: fewer take less time and resolve less; 0 is 32

	Quality string        // auto, or the rung of the quality ladder to stay on: see quality.Names
	Budget  time.Duration // auto: longest time a tick should take; 0 is half the period

	// Priority asks the kernel in Run for SCHED_FIFO with this priority, 1 to 98,
	// and to keep the process in memory. Each refusal goes to Refused, which must
	// then be set. 0 asks for nothing.
	Priority int
	Refused  func(reason string)
}

// Default returns the options of a PiCar-X that cruises at 0.35 m/s, every 5 ms,
// on the best instruction set of this processor.
func Default() Options {
	shape := PiCarX(kit.PiCarX())
	return Options{
		Task: Task{Cruise: shape.TopSpeed, Recall: true}, Shape: shape,
		Period: 5 * time.Millisecond, Seed: 1,
		ISA: "auto", Threads: 1, Quality: quality.Auto,
	}
}

// params returns the brain's parameters.
func (o *Options) params() brain.Params {
	p := brain.Default()
	p.SetPeriod(o.Period)
	p.Key = o.key()
	o.Shape.tell(&p)
	p.Cruise = float32(o.Task.Cruise)
	if o.Task.Arrival != 0 {
		p.Arrival = float32(o.Task.Arrival)
	}
	if o.Task.Law != (steer.Params{}) {
		p.Law = o.Task.Law
	}
	p.Manual.Speed = min(p.Manual.Speed, p.Top)
	if o.Task.Manual != (brain.ManualParams{}) {
		p.Manual = o.Task.Manual
	}
	p.FollowLine, p.SeekGoal = o.Task.FollowLine, o.Task.Goal
	if o.Task.Explore {
		p.Effort = plan.Full()
	}
	if o.Task.Planner != "" {
		p.Planner = o.Task.Planner
	}
	p.Safety.Cliff.Enabled = o.Task.Cliff
	p.Quality, p.Budget = o.Quality, o.Budget
	return p
}

// Field returns the parameters of the field that the options ask for: those of
// an engine that is to be given as Options.Engine.
func (o *Options) Field() field.Params {
	p := field.Default()
	p.Period, p.Key = o.Period, o.key()
	if o.Task.Recall {
		p.Recall = field.DefaultLibrary()
	}
	if o.Planes != 0 {
		field.Reduce(&p.Table, o.Planes)
	}
	return p
}

// Processor makes the engine that the options describe.
func (o *Options) Processor() (*cpu.Engine, error) {
	c := cpu.Options{ISA: o.ISA, Threads: o.Threads, Step: field.Collapsed, OnThread: o.OnThread}
	if o.Dense {
		c.Step = field.Dense
	}
	return cpu.New(o.Field(), c)
}

// settle puts a processor's engine that was given to rest. What others do cannot be seen.
func (o *Options) settle() error {
	e, is := o.Engine.(*cpu.Engine)
	if !is {
		return nil
	}
	if made := e.Params().Period; made != o.Period {
		return fmt.Errorf("fieldbrain: Options.Engine was made for a period of %v, Options.Period is %v: make it of the same options (Processor)", made, o.Period)
	}
	if err := e.Rest(o.key()); err != nil {
		return fmt.Errorf("fieldbrain: Options.Engine: %w: make another one (Processor)", err)
	}
	return nil
}

// key returns the seed of noise and random choices, all of its bits in 32; a small one as it is.
func (o *Options) key() uint32 { return uint32(o.Seed) ^ field.Mix(uint32(o.Seed>>32)) }

// check returns everything that is wrong with the options. An engine that is given is not looked at.
func (o Options) check() error { // of a copy, which it mends
	var c checkup
	c.want(o.Priority >= 0 && o.Priority <= 98, "Options.Priority %d must be within 0..98", o.Priority)
	c.want(o.Priority <= 0 || o.Refused != nil, "Options.Priority %d needs Options.Refused: the kernel may say no", o.Priority)
	o.checkField(&c)
	top := o.Shape.TopSpeed
	o.Shape.check(&o.Task, &c)
	o.checkTask(&c, top)
	p := o.params()
	c.take(p.Validate())
	return errors.Join(c.errs...)
}

// checkField complains about what engine and loop are told.
func (o *Options) checkField(c *checkup) {
	usual := Default()
	if o.Period < field.MinPeriod || o.Period > field.MaxPeriod {
		c.want(false, "Options.Period %v must be within %v..%v", o.Period, field.MinPeriod, field.MaxPeriod)
		o.Period, o.Budget = usual.Period, 0
	}
	if o.Budget < 0 || o.Budget > o.Period {
		c.want(false, "Options.Budget %v must be within 0..%v, the period", o.Budget, o.Period)
		o.Budget = 0
	}
	if o.Planes != 0 && !slices.Contains(field.Planes(), o.Planes) {
		c.want(false, "Options.Planes %d must be 0 or one of %v", o.Planes, field.Planes())
		o.Planes = 0
	}
	if o.Engine != nil {
		return
	}
	c.want(o.Threads >= 1 && o.Threads <= 16, "Options.Threads %d must be within 1..16", o.Threads)
	_, err := cpu.Known(o.ISA)
	c.want(err == nil, "Options.ISA: %w", err)
}

// checkTask complains about what the brain shall do, of a body with a top speed in m/s.
func (o *Options) checkTask(c *checkup, top float64) {
	t := &o.Task
	if !(t.Cruise > 0) || float32(t.Cruise) > float32(top) {
		c.want(false, "Task.Cruise %v m/s must be above 0 and at most Shape.TopSpeed, %v m/s", t.Cruise, top)
		t.Cruise = o.Shape.TopSpeed
	}
	t.Cruise = min(t.Cruise, o.Shape.TopSpeed)
	if t.Arrival != 0 {
		c.within([]bounded{{"Task.Arrival", &t.Arrival, 0.01, 1, 0, "m", "so near to a goal it is there; 0 is brain.Default's"}})
	}
}
