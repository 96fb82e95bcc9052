package field_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/reference"
	"fieldbrain/testbench/tier"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the random inputs; 0 draws a fresh one")

// fresh returns a generator with a new seed for every run and names it, so
// that a failure can be repeated with -seed.
func fresh(t testing.TB) *rand.Rand {
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("random inputs of -seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// uniform returns a number in lo..hi.
func uniform(rng *rand.Rand, lo, hi float32) float32 { return lo + (hi-lo)*rng.Float32() }

// randomInput drives every channel, the body, the beams, the edges, the heading
// and the senses.
func randomInput(rng *rand.Rand, in *field.Input) {
	in.NumTerms = 0
	for c := range field.Channels {
		term := field.Term{Channel: c, A: uniform(rng, -1, 7)}
		for axis := range 3 {
			term.Centre[axis], term.Sigma[axis] = uniform(rng, 0, 32), uniform(rng, 1, 3)
		}
		if c%3 == 0 {
			term = term.From(rng.IntN(field.NumSenses))
		}
		in.Add(term)
	}
	randomFrame(rng, &in.Senses)
	in.Forward, in.Turn = uniform(rng, -0.001, 0.002), uniform(rng, -0.01, 0.01)
	in.NumBeams = 5
	for i := range in.NumBeams {
		in.Beams[i] = decidedBeam(rng)
	}
	for i := range in.Edges {
		in.Edges[i] = rng.IntN(4) == 0
	}
	in.Drive = field.Drive{
		Goal: uniform(rng, -3, 3), GoalWeight: rng.Float32(), Line: uniform(rng, -1, 1), LineWeight: rng.Float32(),
		OnLine: rng.IntN(4) == 0, Side: float32(1 - 2*rng.IntN(2)), Memory: rng.Float32(),
		Close: rng.Float32(),
	}
}

// randomFrame draws a new vector with gaps: a slot jumps, or hardly moves.
func randomFrame(rng *rand.Rand, s *field.Senses) {
	s.Frame = true
	for i := range s.S {
		v := s.S[i] + uniform(rng, -0.02, 0.02)
		if rng.IntN(4) == 0 {
			v = rng.Float32()
		}
		if s.Set(i, v); rng.IntN(10) == 0 {
			s.Valid &^= 1 << i
		}
	}
}

// decidedBeam draws a beam none of whose cells lies on the edge of being
// marked or cleared: there float32 and float64 may decide differently.
func decidedBeam(rng *rand.Rand) field.Beam {
	const margin = 1e-5
	for {
		b := field.Beam{Bearing: uniform(rng, -3, 3), Range: uniform(rng, 0.05, 3), HalfWidth: uniform(rng, 0, 0.5)}
		x, y := field.BearingBin(float64(b.Bearing)), field.RangeBin(float64(b.Range))
		width := max(1, float64(b.HalfWidth)/field.BinAngle)
		decided := math.Abs(float64(b.Range)-2.2) > margin
		for i := range field.Side {
			dx := math.Remainder(float64(i)-x, field.Side)
			gx := math.Exp(-dx * dx / (2 * width * width))
			decided = decided && math.Abs(gx-0.05) > margin && math.Abs(math.Abs(dx)-1.2) > margin
			for j := range field.Side {
				dy := float64(j) - y
				t := gx * math.Exp(-dy*dy/(2*1.2*1.2))
				decided = decided && math.Abs(t-0.35) > margin && math.Abs(dy+2) > margin
			}
		}
		if decided {
			return b
		}
	}
}

// distinct visits the distinct cells of a mask.
func distinct(m field.Mask, visit func(x, y, z int)) {
	n := [3]int{1, 1, 1}
	for axis := range n {
		if m>>axis&1 == 1 {
			n[axis] = field.Side
		}
	}
	for x := range n[0] {
		for y := range n[1] {
			for z := range n[2] {
				visit(x, y, z)
			}
		}
	}
}

// Units of the derivation in the package comment.
const (
	half15 = 1.0 / (1 << 16) // half a unit of Q15
	ulp    = 1.0 / (1 << 24) // relative rounding of float32

	senseError = 4e-6 // of an error of the senses at mu = 0.1, held by TestPredictorAgrees
	spots      = 13   // slots that have a place in NOVELTY
)

// driveError bounds |b - b_reference| of channel c by the terms of the package
// comment, when all that b reads is equal up to its rounding to Q15.
func driveError(p *field.Params, ref *reference.Field, c int) float64 {
	ch := &p.Table[c]
	r := ch.Regime
	if r.Kind != field.Amari && r.Kind != field.Linear {
		return 4 * half15 // maps and traces: the displacement, or the source's output
	}
	fractional := 0.0 // outputs between 0 and 1: the others are exact in Q15
	distinct(ch.Mask, func(x, y, z int) {
		if f := ref.Output(c, x, y, z); f > 0 && f < 1 {
			fractional++
		}
	})
	passes := float64(ch.Mask.Axes() + 1)
	b := half15*(passes*float64(r.Excitation+r.Inhibition)+fractional*float64(r.Global)) + 16*ulp*64
	for _, k := range p.Couplings {
		if k.To == c {
			b += half15 * math.Abs(float64(k.Weight)) * field.Side
		}
	}
	b += 7 * 1.25 * senseError // stimuli of a slot
	if c == field.Novelty {
		b += spots * 300 * senseError
	}
	if c == field.Heading { // obstacles, hazards and places at 4 half units, preferences at one
		h := &p.Heading
		b += half15 * float64(4*(h.Repel+h.Hazard+h.Revisit)+h.Recall+h.Plan)
	}
	return b
}

// stepError bounds the error of one step from equal states.
func stepError(p *field.Params, ref *reference.Field, c, every int) float64 {
	ch := &p.Table[c]
	a := field.Alpha(p.Period*time.Duration(every), ch.Tau)
	e := a*driveError(p, ref, c) + 8*ulp*64
	if ch.Egocentric && ch.Regime.Kind == field.Amari {
		// Place known to 2^-18 bin, neighbours at most 16 apart; phi has slope 1/4.
		moved := 16.0 / (1 << 18)
		e += moved * (1 + a*float64(ch.Regime.Excitation+ch.Regime.Inhibition)/4)
	}
	return e
}

// A gates remembers which cells of the memory traces may have been decided by
// rounding: those whose source was within 1e-3 of its gate of one half when the
// trace was updated.
type gates [field.Channels][field.Cells]bool

// note looks at the sources after a step.
func (g *gates) note(p *field.Params, ref *reference.Field, in *field.Input) {
	for c := range p.Table {
		ch := &p.Table[c]
		if ch.Regime.Kind != field.Memory || !in.Quality.Due(c, in.Tick) {
			continue
		}
		distinct(ch.Mask, func(x, y, z int) {
			if math.Abs(ref.Output(ch.Source, x, y, z)-0.5) < 1e-3 {
				g[c][(x*field.Side+y)*field.Side+z] = true
			}
		})
	}
}

// A gap is how far an engine is from the reference.
type gap struct {
	errors, values float64 // sums of squares over all distinct cells
	bounds         float64 // sum of squares of the bounds
	skipped, cells int
}

// compare adds channel c to the gap and complains about the first cell beyond
// its bound. NaN is beyond every bound.
func (g *gap) compare(m field.Mask, ref *reference.Field, u []float32, skip *gates, c int, bound float64) error {
	var err error
	distinct(m, func(x, y, z int) {
		g.cells++
		i := (x*field.Side+y)*field.Side + z
		if skip[c][i] {
			g.skipped++
			return
		}
		got, want := float64(u[i]), ref.Activation(c, x, y, z)
		d := got - want
		g.errors, g.values, g.bounds = g.errors+d*d, g.values+want*want, g.bounds+bound*bound
		if !(math.Abs(d) <= bound) && err == nil {
			err = fmt.Errorf("channel %d at (%d,%d,%d): %v, reference %v, apart %.3g, bound %.3g",
				c, x, y, z, got, want, math.Abs(d), bound)
		}
	})
	return err
}

// relative returns the relative L2 distance.
func (g *gap) relative() float64 { return math.Sqrt(g.errors / g.values) }

// read poisons the buffer and reads channel c into it.
func read(e field.Engine, c int, buf []float32) []float32 {
	for i := range buf {
		buf[i] = float32(math.NaN())
	}
	e.Read(field.Section(c), buf)
	return buf
}

// randomState fills a channel with something it may hold: rest, a peak, a
// plateau that drives the global inhibition into its limit, or anything at all.
func randomState(rng *rand.Rand, ch *field.Channel, u []float32) {
	kind, at := rng.IntN(4), [3]float32{uniform(rng, 0, 32), uniform(rng, 0, 32), uniform(rng, 0, 32)}
	for i := range u {
		cell := [3]int{i / field.Plane, i / field.Side % field.Side, i % field.Side}
		near := 0.0
		for axis, c := range cell {
			if d := float64(c) - float64(at[axis]); ch.Mask>>axis&1 == 1 {
				near += d * d / 18
			}
		}
		switch {
		case ch.Regime.Kind == field.Linear:
			u[i] = uniform(rng, -0.5, 1.5)
		case ch.Regime.Kind != field.Amari:
			u[i] = rng.Float32()
		case kind == 0:
			u[i] = -5
		case kind == 1:
			u[i] = float32(-5 + 12*math.Exp(-near))
		case kind == 2:
			u[i] = 5 - 7*rng.Float32()
		default:
			u[i] = uniform(rng, -12, 6)
		}
	}
}

// TestEveryStepAgrees restarts the reference from the engine's state at every
// tick: whatever the dynamics would make of an error, one step is bounded.
func TestEveryStepAgrees(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, isa := range cpu.ISAs() {
		t.Run(isa, func(t *testing.T) {
			rng := fresh(t)
			p := field.Default()
			for c := range field.FirstTrace {
				p.Table[c].Noise = 0.5 * rng.Float32()
			}
			e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			ref, buf := reference.New(p), make([]float32, field.Cells)
			in, worst := field.Input{Quality: field.Full()}, 0.0
			for tick := range tier.Count(t, "ticks", 20, 40, 40) {
				in.Tick = uint64(tick)
				if tick%5 == 0 {
					randomInput(rng, &in)
				}
				var bounds [field.Channels]float64
				for c := range field.Channels {
					if tick%20 == 0 {
						randomState(rng, &p.Table[c], buf)
						e.Write(field.Section(c), buf)
					}
					ref.Write(c, read(e, c, buf))
					bounds[c] = stepError(&p, ref, c, in.Quality.Every(c))
				}
				if _, err := e.Step(&in); err != nil {
					t.Fatal(err)
				}
				ref.Step(&in)
				var g gap
				skip := new(gates)
				skip.note(&p, ref, &in)
				for c := range field.Channels {
					bound := max(bounds[c], stepError(&p, ref, c, in.Quality.Every(c)))
					if err := g.compare(p.Table[c].Mask, ref, read(e, c, buf), skip, c, bound); err != nil {
						t.Fatalf("tick %d: %v", tick, err)
					}
				}
				limit := math.Sqrt(g.bounds/g.values) / 2 // roundings have both signs
				if !(g.relative() <= limit) || g.skipped > g.cells/100 {
					t.Fatalf("tick %d: relative L2 %.3g beyond %.3g, or %d of %d cells skipped", tick, g.relative(), limit, g.skipped, g.cells)
				}
				worst = max(worst, g.relative())
			}
			t.Logf("relative L2 of one step at most %.2g", worst)
		})
	}
}

// amplify is how much a field at rest may multiply the error of its input (see
// the package comment).
const amplify = 8

// steadyInput gives every channel one stimulus that is either far above every
// threshold of B.4 or too weak to make any output: no decision is close.
func steadyInput(rng *rand.Rand, in *field.Input) {
	randomInput(rng, in)
	for i := range in.Terms[:in.NumTerms] {
		term := &in.Terms[i]
		term.A, term.Sigma = uniform(rng, 6, 7), [3]float32{2, 2, 2}
		if rng.IntN(4) == 0 {
			term.A = uniform(rng, -1.5, 1.5)
		}
	}
}

// TestFreeRunAgrees lets every engine and the reference run on their own for
// up to 1000 ticks. Preshapes are off: the gate of a memory trace is discontinuous.
func TestFreeRunAgrees(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	p := field.Default()
	for c := range p.Table {
		p.Table[c].Preshape = 0
	}
	in := field.Input{Quality: field.Full()}
	steadyInput(rng, &in)
	var engines []*cpu.Engine
	for _, isa := range cpu.ISAs() {
		e, err := cpu.New(p, cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		engines = append(engines, e)
	}
	ref, buf, skip := reference.New(p), make([]float32, field.Cells), new(gates)
	for tick := range tier.Count(t, "ticks", 100, 300, 1000) {
		in.Tick = uint64(tick)
		ref.Step(&in)
		skip.note(&p, ref, &in)
		for _, e := range engines {
			if _, err := e.Step(&in); err != nil {
				t.Fatal(err)
			}
		}
		n := tick + 1
		if n != 1 && n != 10 && n != 100 && n != 1000 {
			continue
		}
		for _, e := range engines {
			var g gap
			for c := range field.Channels {
				bound := amplify * (driveError(&p, ref, c) + 8*ulp*64)
				if err := g.compare(p.Table[c].Mask, ref, read(e, c, buf), skip, c, bound); err != nil {
					t.Errorf("%s after %d ticks: %v", e.Name(), n, err)
				}
			}
			limit := math.Sqrt(g.bounds/g.values) / amplify // few cells lie where errors amplify
			t.Logf("%s after %d ticks: relative L2 %.2g, limit %.2g", e.Name(), n, g.relative(), limit)
			if !(g.relative() <= limit) || g.skipped > g.cells/100 {
				t.Errorf("%s after %d ticks: relative L2 %.3g beyond %.3g, or %d of %d cells skipped",
					e.Name(), n, g.relative(), limit, g.skipped, g.cells)
			}
		}
	}
}
