package gpu

import (
	"fmt"
	"math"

	"fieldbrain/field"
	"fieldbrain/field/exercise"
)

// probeTicks is how long one probe steps: two sets of stimuli, so that peaks
// form and give way.
const probeTicks = 2 * exercise.Hold

// prove steps the engine and a judge side by side through random exercises and
// compares everything the motors are decoded from, bit for bit, and in the end
// the whole field. In fp16 the field differs by its rounding: its outputs must then
// agree as far as Strays says.
func prove(e, judge field.Engine, seed uint32, probes int, half bool) error {
	for probe := range probes {
		d := exercise.New(seed + uint32(probe))
		for range probeTicks {
			in := d.Next()
			got, err := e.Step(in)
			if err != nil {
				return fmt.Errorf("probe %d: %w", probe, err)
			}
			want, err := judge.Step(in)
			if err != nil {
				return fmt.Errorf("gpu: the judge fails: %w", err)
			}
			differ := Differs
			if half {
				differ = Strays
			}
			if what := differ(got, want); what != "" {
				return fmt.Errorf("%w: probe %d, tick %d, seed %d: %s", ErrProof, probe, in.Tick, seed, what)
			}
		}
	}
	if !half {
		return proveField(e, judge)
	}
	return nil
}

// proveField compares the fields as Read gives them.
func proveField(e, judge field.Engine) error {
	a, b := make([]float32, field.Cells), make([]float32, field.Cells)
	for c := range field.FirstPattern {
		clear(a)
		e.Read(c, a)
		judge.Read(c, b)
		for i := range a {
			if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
				return fmt.Errorf("%w: channel %d, cell %d is %v, the judge has %v", ErrProof, c, i, a[i], b[i])
			}
		}
	}
	return nil
}

// Differs names the first difference of two outputs, or nothing.
func Differs(got, want *field.Output) string {
	for c := range got.Marginals {
		if got.Marginals[c] != want.Marginals[c] {
			return fmt.Sprintf("channel %d has the total %d, the judge %d, or the same elsewhere",
				c, got.Marginals[c].Total, want.Marginals[c].Total)
		}
	}
	if what := differsFrame(got, want); what != "" {
		return what
	}
	return differs("heading input at bearing", got.Heading[:], want.Heading[:])
}

// differsFrame compares the parts of an output that never depend on how the field is
// stored: the maps, all that is computed from them alone, and the prediction.
func differsFrame(got, want *field.Output) string {
	p, q := &got.Prediction, &want.Prediction
	for _, r := range [...]struct {
		name      string
		got, want []float32
	}{
		{"obstacle map cell", got.Obstacle[:], want.Obstacle[:]},
		{"blocked at bearing", got.Blocked[:], want.Blocked[:]},
		{"error of slot", p.Error[:], q.Error[:]},
		{"surprise of slot", p.Novelty[:], q.Novelty[:]},
		{"confidence of slot", p.Confidence[:], q.Confidence[:]},
		{"recalled pattern", got.Recall.Index[:], want.Recall.Index[:]},
		{"weight of recalled pattern", got.Recall.Weight[:], want.Recall.Weight[:]},
	} {
		if what := differs(r.name, r.got, r.want); what != "" {
			return what
		}
	}
	return ""
}

// differs names the first value that is not the judge's bit for bit, or nothing.
func differs(name string, got, want []float32) string {
	for i := range got {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			return fmt.Sprintf("%s %d is %v, the judge has %v", name, i, got[i], want[i])
		}
	}
	return ""
}

// What fp16 may differ by. In 40 probes on the software device no total was
// further off than the share and 0.0004 cells, no sum along an axis than the
// share and 0.005 cells, no heading input than 0.012. Of a channel on one axis a
// sum is one cell: a whole cell of slack would let its peak be anywhere.
const (
	strayShare = 0.1             // of the larger sum, besides
	strayTotal = field.One       // of a total
	straySum   = field.One / 8.0 // of a sum along an axis
	strayRow   = 0.25            // of a heading input, in units of activation
)

// Strays names the first difference of two outputs, one of a field in fp16, that
// fp16 does not explain, or nothing. Maps, predictor and library are never stored in
// fp16: they and all that is computed from them alone must be equal bit for bit.
// Every sum may stray by a share, which keeps a peak where it is.
func Strays(got, want *field.Output) string {
	if what := differsFrame(got, want); what != "" {
		return what
	}
	for c := range got.Marginals {
		a, b := &got.Marginals[c], &want.Marginals[c]
		if strays(a.Total, b.Total, strayTotal) {
			return fmt.Sprintf("channel %d has the total %d, the judge %d, more than fp16 explains", c, a.Total, b.Total)
		}
		for i := range field.Side {
			if strays(a.X[i], b.X[i], straySum) || strays(a.Y[i], b.Y[i], straySum) || strays(a.Z[i], b.Z[i], straySum) {
				return fmt.Sprintf("channel %d has at %d the sums %d, %d, %d, the judge %d, %d, %d, more than fp16 explains",
					c, i, a.X[i], a.Y[i], a.Z[i], b.X[i], b.Y[i], b.Z[i])
			}
		}
	}
	for i := range got.Heading {
		if a, b := got.Heading[i], want.Heading[i]; !(math.Abs(float64(a)-float64(b)) <= strayRow) {
			return fmt.Sprintf("heading input at bearing %d is %v, the judge has %v, more than fp16 explains", i, a, b)
		}
	}
	return ""
}

// strays reports whether one sum of outputs is too far from the judge's.
func strays(got, want int32, slack float64) bool {
	a, b := float64(got), float64(want)
	return math.Abs(a-b) > strayShare*max(a, b)+slack
}
