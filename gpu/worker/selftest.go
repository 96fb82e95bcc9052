//go:build cuda

package worker

import (
	"errors"
	"fmt"
	"io"
	"math"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exercise"
	"fieldbrain/gpu"
)

// ErrDiffers is wrapped by what SelfTest returns when the card computes another
// field than the processor: it must not drive.
var ErrDiffers = errors.New("the card and the processor differ")

// SelfTest steps the default field through an exercise on the card, collapsed and
// dense, and holds every answer and in the end every cell against the processor's
// plain engine, and then one plan. Lines for people go to out; the error is the first failure. The
// calling goroutine is locked to its thread.
func SelfTest(image []byte, ticks int, out io.Writer) error {
	var errs []error
	for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
		hash, err := selfTest(image, step, ticks)
		if err != nil {
			fmt.Fprintf(out, "FAIL %s, %d ticks: %v\n", step, ticks, err)
			errs = append(errs, err)
			continue
		}
		fmt.Fprintf(out, "PASS %s, %d ticks: every answer equal, field hash %016x on both\n", step, ticks, hash)
	}
	if err := selfPlan(image); err != nil {
		fmt.Fprintf(out, "FAIL planner: %v\n", err)
		return errors.Join(append(errs, err)...)
	}
	fmt.Fprintf(out, "PASS planner: fans, scan and paths, hash %016x\n", uint64(selfPlanHash))
	return errors.Join(errs...)
}

// selfTest returns the hash that both fields have in the end.
func selfTest(image []byte, step field.StepKind, ticks int) (hash uint64, err error) {
	setup := gpu.Setup{Params: whole(), Step: step, Wait: gpu.WaitYield}
	r, err := openRig(&setup, image)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	judge, err := cpu.New(setup.Params, cpu.Options{ISA: cpu.PureGo, Threads: 1, Step: field.Collapsed})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, judge.Close()) }()
	d := exercise.New(11)
	for range ticks {
		in := d.Next()
		want, err := judge.Step(in)
		if err != nil {
			return 0, err
		}
		got, err := r.step(in)
		if err != nil {
			return 0, fmt.Errorf("tick %d: %w", in.Tick, err)
		}
		if what := gpu.Differs(got, want); what != "" {
			return 0, fmt.Errorf("%w: tick %d: %s", ErrDiffers, in.Tick, what)
		}
	}
	if err := r.rewrite(); err != nil {
		return 0, err
	}
	return r.compare(judge)
}

// rewrite reads a channel and writes it back.
func (r *rig) rewrite() error {
	r.seen().Call.Channel = field.Heading
	if err := r.launcher.read(); err != nil {
		return err
	}
	return r.launcher.write()
}

// step runs one tick as an engine does. The output is the page itself.
func (r *rig) step(in *field.Input) (*field.Output, error) {
	if err := check(in); err != nil {
		return nil, err
	}
	page := r.seen()
	page.In = *in
	request := r.ask()
	if err := r.launcher.tick(request); err != nil {
		return nil, err
	}
	a := &page.Out
	if a.Tick != in.Tick || a.Stats.NotFinite != 0 {
		return nil, fmt.Errorf("%w: the answer is to tick %d, with %d cells that are not a number", ErrDiffers, a.Tick, a.Stats.NotFinite)
	}
	return &field.Output{
		Marginals: a.Marginals, Obstacle: &a.Obstacle, Blocked: a.Blocked, Heading: a.Heading, Prediction: a.Prediction, Recall: a.Recall,
	}, nil
}

// compare reads the whole field and names the first cell that differs.
func (r *rig) compare(judge field.Engine) (uint64, error) {
	card := reader{r: r}
	got, want := field.Hash(&card), field.Hash(judge)
	if card.err != nil {
		return 0, card.err
	}
	if got == want {
		return got, nil
	}
	a, b := make([]float32, field.Cells), make([]float32, field.Cells)
	for c := range field.FirstPattern {
		card.Read(c, a)
		judge.Read(c, b)
		for i := range a {
			if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
				return 0, fmt.Errorf("%w: channel %d, cell (%d, %d, %d) is %v, the processor has %v",
					ErrDiffers, c, i>>10, i>>5&31, i&31, a[i], b[i])
			}
		}
	}
	return 0, fmt.Errorf("%w: hash %016x, then equal cells: the card's memory changes between two reads", ErrDiffers, got)
}

// A reader lets the field's hash read the card. It implements of field.Engine
// what that needs.
type reader struct {
	field.Engine
	r   *rig
	err error // the first one
}

// Read copies one channel, or what was learned.
func (e *reader) Read(c field.Section, dst []float32) {
	page := e.r.seen()
	page.Call.Channel = uint32(c)
	if err := e.r.launcher.read(); err != nil {
		e.err = errors.Join(e.err, err)
		return
	}
	if c >= field.Channels {
		clear(dst[copy(dst, page.Cells[:c.Cells(&e.r.program.Constants.Recall.First)]):])
		return
	}
	s := &e.r.program.Layout.Storage[c]
	s.Expand(dst, page.Cells[:s.Size()])
}
