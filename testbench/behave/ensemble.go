package behave

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/field"
)

// crowd is how many independent channels of one regime an ensemble holds.
const crowd = 32

// An ensemble is an engine whose channels 0..crowd-1 are equal, independent and
// under test, in an otherwise empty table. It keeps its first error, and
// everything after it does nothing.
type ensemble struct {
	engine field.Engine
	in     field.Input
	period time.Duration
	out    *field.Output
	err    error
}

// newEnsemble builds an ensemble of one regime as B.4's table was made: tau 80 ms, no
// diffusion, noise q.
func (run *runner) newEnsemble(r field.Regime, q float32, key uint32, v Variant) *ensemble {
	p := field.Default()
	p.Period, p.Key, p.Couplings = run.period(v), key, nil
	for c := range p.Table {
		p.Table[c] = field.Channel{Name: "IDLE", Mask: field.Uniform, Regime: field.LIN(), Tau: time.Second, Trace: -1}
	}
	for _, c := range []int{field.Heading, field.HeadPref, field.PlanHead} {
		p.Table[c].Mask = field.X // the heading's input is computed in any case
	}
	for c := range crowd {
		p.Table[c] = field.Channel{Name: "TEST", Mask: field.X, Regime: r, Tau: 80 * time.Millisecond, Trace: -1, Noise: q}
	}
	k := &ensemble{period: p.Period, in: field.Input{Quality: field.Quality{Perception: 1, Traces: 1, Associative: 1}}}
	k.engine, k.err = run.Field(p, v.Engine)
	return k
}

// show shows the stimuli for a time, rounded up to whole ticks.
func (k *ensemble) show(d time.Duration, terms ...field.Term) {
	for range (d + k.period - 1) / k.period {
		if k.err != nil {
			return
		}
		k.in.NumTerms = 0
		for _, t := range terms {
			if !k.in.Add(t) {
				k.err = fmt.Errorf("behave: stimulus %+v refused", t)
				return
			}
		}
		k.out, k.err = k.engine.Step(&k.in)
		k.in.Tick++
	}
}

// end gives the engine back and returns the hash of its field.
func (k *ensemble) end() (hash string, err error) {
	if k.engine == nil {
		return "", k.err
	}
	if k.err == nil {
		hash = fmt.Sprintf("%016x", field.Hash(k.engine))
	}
	if err := k.engine.Close(); k.err == nil {
		k.err = err
	}
	return hash, k.err
}

// peaks returns the peaks of channel c.
func (k *ensemble) peaks(c int) []field.Peak {
	if k.err != nil {
		return nil
	}
	return field.Peaks(nil, &k.out.Marginals[c].X, true, 0.1)
}

// places returns where the only peak of each of the first n channels is; NaN
// where there is none or more than one.
func (k *ensemble) places(n int) []float64 {
	x := make([]float64, n)
	for c := range x {
		if x[c] = math.NaN(); len(k.peaks(c)) == 1 {
			x[c], _ = field.Centroid(&k.out.Marginals[c].X)
		}
	}
	return x
}

// offset returns a - b on the circle of 32 bins, within +-16.
func offset(a, b float64) float64 { return math.Remainder(a-b, field.Side) }

// drift is the root mean square of the way from a to b, in bins.
func drift(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		d := offset(a[i], b[i])
		sum += float64(d * d)
	}
	return math.Sqrt(sum / float64(len(a)))
}
