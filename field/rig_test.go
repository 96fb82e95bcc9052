package field_test

import (
	"slices"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

const ms = time.Millisecond

// A rig runs single-channel experiments on the engine: the channels under test
// stand in an otherwise empty table, so that a tick is cheap and nothing else
// reaches them.
type rig struct {
	*cpu.Engine
	in field.Input
}

// solo is the free channel a rig with one experiment uses.
const solo = 59

// channel is a channel under test: default diffusion, no noise, no trace.
func channel(m field.Mask, r field.Regime, tau time.Duration) field.Channel {
	ch := field.Channel{Name: "TEST", Mask: m, Regime: r, Tau: tau, Trace: -1}
	if r.Kind == field.Amari {
		ch.Diffusion = 0.02
	}
	return ch
}

// bare returns parameters whose channels are all one idle number.
func bare(period time.Duration) field.Params {
	p := field.Default()
	p.Period, p.Couplings, p.Recall = period, nil, field.LibraryParams{}
	for c := range p.Table {
		p.Table[c] = field.Channel{Name: "IDLE", Mask: field.Uniform, Regime: field.LIN(), Tau: time.Second, Trace: -1}
	}
	p.Table[field.Heading].Mask = field.X
	p.Table[field.HeadPref].Mask = field.X
	p.Table[field.PlanHead].Mask = field.X
	return p
}

// newRig builds the collapsed engine that is fastest here; which one it is makes
// no difference to a single bit (TestT18OneHash).
func newRig(t testing.TB, p field.Params) *rig {
	t.Helper()
	e, err := cpu.New(p, cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return &rig{Engine: e, in: field.Input{Quality: field.Quality{Perception: 1, Traces: 1, Associative: 1}}}
}

// one returns a rig whose channel 59 is ch.
func one(t testing.TB, period time.Duration, ch field.Channel) *rig {
	t.Helper()
	p := bare(period)
	p.Table[solo] = ch
	return newRig(t, p)
}

// step runs one tick with the given stimuli.
func (r *rig) step(t testing.TB, terms ...field.Term) *field.Output {
	t.Helper()
	r.in.NumTerms = 0
	for _, term := range terms {
		if !r.in.Add(term) {
			t.Fatalf("stimulus %+v refused", term)
		}
	}
	out, err := r.Step(&r.in)
	if err != nil {
		t.Fatal(err)
	}
	r.in.Tick++
	return out
}

// run repeats step for a time and returns the last output.
func (r *rig) run(t testing.TB, d, period time.Duration, terms ...field.Term) *field.Output {
	t.Helper()
	var out *field.Output
	for range max(1, int(d/period)) {
		out = r.step(t, terms...)
	}
	return out
}

// activation returns channel c, expanded.
func (r *rig) activation(c int) []float32 {
	u := make([]float32, field.Cells)
	r.Read(field.Section(c), u)
	return u
}

// highest returns the largest activation of channel c.
func (r *rig) highest(c int) float32 { return slices.Max(r.activation(c)) }

// bump is the stimulus of B.4: amplitude a, sigma 2 bins, at bin 16 of every
// axis the channel has.
func bump(c int, a float32) field.Term {
	return field.Term{Channel: c, A: a, Centre: [3]float32{16, 16, 16}, Sigma: [3]float32{2, 2, 2}}
}
