package ablation

import (
	"time"

	"fieldbrain/field"
)

// An Engine is a field of which a part is overwritten after every step. It
// implements field.Engine; Read, Write and Hash are those of the engine inside.
type Engine struct {
	field.Engine
	kind   Kind
	period time.Duration
	decide decider // nil where the field decides the heading
	follow float32 // alpha of HEAD_TRACE
	held   bool    // there is a decision
	point  point   // of the goal

	out   field.Output
	trace [field.Side]float32  // HEAD_TRACE of the decision
	cells [field.Cells]float32 // what Write takes
}

// A decider chooses the bearing bin of the heading from its input. It is asked only
// while something is to be decided; reset tells it that nothing was.
type decider interface {
	bin(s *field.Row, onLine bool, dt float64) (x, strength float64)
	reset()
}

// Name says which engine steps and what was taken away.
func (e *Engine) Name() string { return e.Engine.Name() + ", " + string(e.kind) }

// Step implements field.Engine.
func (e *Engine) Step(in *field.Input) (*field.Output, error) {
	out, err := e.Engine.Step(in)
	if err != nil {
		return nil, err
	}
	e.out = *out
	switch e.kind {
	case Forget:
		e.out.Marginals[field.GoalMem] = field.Marginal{}
	case Point:
		e.out.Marginals[field.GoalMem] = e.point.update(in)
	default:
		e.heading(in)
	}
	return &e.out, nil
}

// Thresholds of the regime HYS1 (B.4): from the first on a decision begins, below
// the second it ends.
const (
	detects = 2.78
	loses   = 1.18
)

// heading overwrites the decision and what the library will remember of it.
func (e *Engine) heading(in *field.Input) {
	x, strength := e.decide.bin(&e.out.Heading, in.Drive.OnLine, e.period.Seconds())
	e.held = strength >= detects || e.held && strength >= loses
	m := &e.out.Marginals[field.Heading]
	*m = field.Marginal{}
	if e.held {
		bump(&m.X, x)
	} else {
		e.decide.reset()
	}
	for i, f := range m.X {
		m.Total += f
		e.trace[i] += float32(e.follow * (float32(float32(f)*(1.0/field.One)) - e.trace[i]))
		e.cells[i*field.Plane] = e.trace[i]
	}
	e.Engine.Write(field.HeadTrace, e.cells[:])
}

// The bump of output by which a decision is told: 1 to flat bins from its place, 0
// from edge bins on, in between as the field's sigmoid. Its mass is flat + edge.
const (
	flat = 2.05
	edge = 3.05
)

// bump adds a bump of output around a bin.
func bump(row *[field.Side]int32, x float64) {
	for i := range row {
		d := distance(float64(i), x)
		t := min(max(edge-max(d, -d), 0), edge-flat)
		row[i] += int32(float64(float64(t*t*(3-float64(2*t)))*field.One) + 0.5)
	}
}

// distance returns how many bins a lies from b on the circle, in [-16, 16).
func distance(a, b float64) float64 {
	d := a - b
	for d >= field.Side/2 {
		d -= field.Side
	}
	for d < -field.Side/2 {
		d += field.Side
	}
	return d
}
