//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"time"

	"gorgonia.org/cu"

	"fieldbrain/field"
	"fieldbrain/gpu"
	"fieldbrain/gpu/bench"
)

// BenchOptions say what to time and how long.
type BenchOptions struct {
	Step     field.StepKind
	Wait     gpu.Wait
	Rounds   int  // turns that everything takes
	Parts    bool // what the stages spend their time on, instead of the choices
	Image    []byte
	Progress func(done, total int) // nil for nobody
}

// whole is the field as the daemon has it: the default one with its library.
func whole() field.Params {
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	return p
}

// Bench times the whole field on the card, everything in turns. The calling
// goroutine is locked to its thread.
func Bench(o BenchOptions) (report *bench.Report, err error) {
	setup := gpu.Setup{Params: whole(), Step: o.Step, Wait: o.Wait}
	if err := setup.Validate(); err != nil {
		return nil, err
	}
	r, err := openRig(&setup, o.Image)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.warm(r.warmth()); err != nil {
		return nil, err
	}
	stages, err := r.stages()
	if err != nil {
		return nil, err
	}
	cycle := stages[len(stages)-1].Subject
	var switches []bench.Switch
	if o.Parts {
		parts, err := r.pieces(stages)
		if err != nil {
			return nil, err
		}
		stages = append(stages, parts...)
	} else if switches, err = r.ways(cycle); err != nil {
		return nil, err
	}
	single := &single{rig: r}
	subjects := append(bench.Subjects(stages, switches), &bench.Subject{Name: "single ticks", Turn: single.turn})
	if err := r.heat(cycle); err != nil {
		return nil, err
	}
	if err := bench.Run(subjects, o.Rounds, o.Progress); err != nil {
		return nil, err
	}
	report = r.head(o)
	return report, report.Conclude(stages, switches, single.us)
}

// ways compares every choice with its alternative.
func (r *rig) ways(cycle *bench.Subject) ([]bench.Switch, error) {
	host, err := r.hostWays()
	if err != nil {
		return nil, err
	}
	device, err := r.deviceWays(cycle)
	return append(host, device...), err
}

// heat runs ticks until the card has left its idle clocks.
func (r *rig) heat(cycle *bench.Subject) error {
	if r.software {
		return nil
	}
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); {
		if _, err := cycle.Turn(); err != nil {
			return err
		}
	}
	return nil
}

// head says what ran.
func (r *rig) head(o BenchOptions) *bench.Report {
	d := r.Device
	return &bench.Report{
		Device: d.Name, Compute: fmt.Sprintf("%d.%d", d.Major, d.Minor), Processors: d.Processors, Memory: d.Memory,
		Cache: d.cache(), Clock: d.told(cu.ClockRate), MemClock: d.told(cu.MemoryClockRate),
		Driver: fmt.Sprintf("%d.%d", d.Driver/1000, d.Driver%1000/10), Date: time.Now().UTC().Format(time.RFC3339),
		Step: o.Step.String(), Wait: string(o.Wait), Registered: r.window.registered(), IsSoftware: r.software,
		Rounds: o.Rounds, Burst: r.burst,
	}
}

// told returns an attribute, or 0 where the driver does not tell.
func (d *Device) told(a cu.DeviceAttribute) int {
	v, err := d.device.Attribute(a)
	if err != nil {
		return 0
	}
	return v
}

// cache returns the bytes of the second-level cache.
func (d *Device) cache() int { return d.told(cu.L2CacheSize) }

// single takes single ticks with ever new inputs, from the launch to the answer
// as the host sees it.
type single struct {
	*rig
	us []float64
}

func (s *single) turn() (float64, error) {
	sum := 0.0
	for range s.steps {
		s.seen().In = *s.inputs.Next()
		request := s.ask()
		begin := time.Now()
		if err := s.launcher.tick(request); err != nil {
			return 0, err
		}
		us := float64(time.Since(begin)) / 1e3
		s.us = append(s.us, us)
		sum += us
	}
	s.freeze()
	return sum / float64(s.steps), nil
}
