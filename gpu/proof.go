package gpu

import (
	"fmt"
	"math"

	"fieldbrain/field"
	"fieldbrain/field/drill"
)

// probeTicks is how long one probe steps: two sets of stimuli, so that peaks
// form and give way.
const probeTicks = 2 * drill.Hold

// prove steps the engine and a judge side by side through random drills and
// compares everything the motors are decoded from, bit for bit, and in the end
// the whole field. In fp16 the field differs by its rounding: the totals must
// then agree within a share.
func prove(e, judge field.Engine, seed uint32, probes int, half bool) error {
	for probe := range probes {
		d := drill.New(seed + uint32(probe))
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
				differ = strays
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
	for c := range field.Channels {
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
	for _, r := range []struct {
		name      string
		got, want []float32
	}{
		{"obstacle map cell", got.Obstacle[:], want.Obstacle[:]},
		{"blocked at bearing", got.Blocked[:], want.Blocked[:]},
		{"heading input at bearing", got.Heading[:], want.Heading[:]},
	} {
		for i := range r.got {
			if math.Float32bits(r.got[i]) != math.Float32bits(r.want[i]) {
				return fmt.Sprintf("%s %d is %v, the judge has %v", r.name, i, r.got[i], r.want[i])
			}
		}
	}
	return ""
}

// strayShare is how far a total may stray in fp16, as a share of the larger
// one, beside one cell at full output.
const strayShare = 0.1

// strays names the first total that is too far from the judge's, or nothing.
func strays(got, want *field.Output) string {
	for c := range got.Marginals {
		a, b := float64(got.Marginals[c].Total), float64(want.Marginals[c].Total)
		if math.Abs(a-b) > strayShare*max(a, b)+field.One {
			return fmt.Sprintf("channel %d has the total %.0f, the judge %.0f, more than fp16 explains", c, a, b)
		}
	}
	return ""
}
