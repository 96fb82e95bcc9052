//go:build cgo && !cuda && linux && (amd64 || arm64)

package cpu

import (
	"fmt"
	"math"
	"testing"

	"fieldbrain/field"
)

func pow(e int) float32 { return float32(math.Ldexp(1, e)) }

// at is a term around one place.
func at(c int, a, place, sigma float32) field.Term {
	return field.Term{Channel: c, A: a, Centre: [3]float32{place, place, place}, Sigma: [3]float32{sigma, sigma, sigma}}
}

// TestSubnormalsDecide has inputs in which a subnormal number decides how a sum rounds, or
// might be taken for nothing: every engine, with such numbers and where it may leave them
// out, has the field of the plain one.
func TestSubnormalsDecide(t *testing.T) {
	const free = field.FirstFree // linear, X, Y and Z, at rest at 0
	uniform := func(c int, exponents ...int) (list []field.Term) {
		for _, e := range exponents {
			list = append(list, field.Term{Channel: c, A: pow(e)})
		}
		return list
	}
	// levels are activations one ulp apart, of which half an ulp is as much as that of first.
	levels := func(first float32) []float32 {
		u := make([]float32, field.Cells)
		for i := range u {
			u[i] = math.Float32frombits(math.Float32bits(first) + uint32(i))
		}
		return u
	}
	for _, c := range []struct {
		name   string
		change func(p *field.Params)
		write  []float32 // activations of channel free
		turn   float32
		ticks  [][]field.Term
	}{
		{name: "a chain of ties up to a resting level", ticks: [][]field.Term{
			{{Channel: 0, A: 3, Centre: [3]float32{16, 16}, Sigma: [3]float32{5, 5}}}, uniform(0, -141, -118, -94, -70, -46, -22),
		}},
		{name: "the same, downwards", ticks: [][]field.Term{{at(0, 3, 16, 5)}, uniform(0, -22, -46, -70, -94, -118, -141)}},
		{name: "an amplitude that 2^64 makes infinite", ticks: [][]field.Term{{at(free, 1e20, 16, 1.5), at(free, 5, 12, 1.5)}}},
		{name: "two of them", ticks: [][]field.Term{{at(free, 3e20, 16, 1.5), at(free, -1e20, 12, 1.5)}}},
		{name: "the largest that is scaled", ticks: [][]field.Term{{at(free, pow(40), 16, 1.5), at(free, -pow(39), 12, 1.5)}}},
		{name: "a subnormal term behind half an ulp of the activation", write: levels(pow(-99)), ticks: [][]field.Term{uniform(free, -123, -146)}},
		{name: "before it", write: levels(-pow(-99)), ticks: [][]field.Term{uniform(free, -146, -123)}},
		{name: "three that make a normal one", write: levels(pow(-99)), ticks: [][]field.Term{uniform(free, -127, -127, -124, -124, -124)}},
		{name: "a product that is rounded to a tie along X", write: levels(pow(-99)), ticks: tied(0)},
		{name: "along Y", write: levels(pow(-99)), ticks: tied(1)},
		{name: "along Z", write: levels(pow(-99)), ticks: tied(2)},
		{name: "terms that cancel", write: levels(-pow(-99)), ticks: [][]field.Term{
			{{Channel: free, A: pow(-60)}, {Channel: free, A: -pow(-60)}, {Channel: free, A: pow(-123)}, {Channel: free, A: pow(-146)}},
		}},
		{
			name: "faint activations that were written, and diffuse", write: faintAside(), change: func(p *field.Params) { p.Table[free].Diffusion = 0.01 },
			ticks: [][]field.Term{uniform(free, -99)},
		},
		{name: "displaced activations that stay", turn: pow(-28), write: faintAside(), change: func(p *field.Params) {
			ch := &p.Table[free]
			ch.Mask, ch.Egocentric = field.X|field.Z, true
		}},
		{name: "displaced activations that diffuse", turn: pow(-28), write: faintAside(), change: func(p *field.Params) {
			ch := &p.Table[free]
			ch.Mask, ch.Egocentric, ch.Diffusion = field.X|field.Z, true, 0.2
		}},
	} {
		p := field.Default()
		if c.change != nil {
			c.change(&p)
		}
		drive := func(e *Engine) uint64 {
			if c.write != nil {
				e.Write(field.Section(free), c.write)
			}
			for _, terms := range append(c.ticks, nil, nil) {
				in := field.Input{Quality: field.Full(), Turn: c.turn * float32(field.BinAngle)}
				for _, term := range terms {
					if !in.Add(term) {
						t.Fatalf("%s: %v is refused", c.name, term)
					}
				}
				if _, err := e.Step(&in); err != nil {
					t.Fatal(err)
				}
			}
			return field.Hash(e)
		}
		for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
			plain := open(t, p, "purego", step)
			want := drive(plain)
			for _, set := range nativeISAs() {
				for _, slow := range []bool{false, true} {
					e := open(t, p, set, step)
					e.backend.(nativeBackend).kernel.Subnormals(slow)
					if got := drive(e); got != want {
						t.Errorf("%s: %s/%s, left out %v: field %#x, plain %#x", c.name, set, step, slow, got, want)
					}
				}
			}
		}
	}
}

// tied are inputs of half an ulp of 2^-99, and of one term that six bins from its middle is
// rounded to half an ulp of that.
func tied(axis int) [][]field.Term {
	term := field.Term{Channel: field.FirstFree, A: float32(1.05 * math.Ldexp(1, -147) / math.Exp(-18))}
	term.Centre[axis], term.Sigma[axis] = 10, 1
	return [][]field.Term{{{Channel: field.FirstFree, A: pow(-123)}, term}}
}

// open returns an engine of one thread.
func open(t *testing.T, p field.Params, set string, step field.StepKind) *Engine {
	e, err := New(p, Options{ISA: set, Threads: 1, Step: step})
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", set, err))
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// faintAside are activations of X and Z, 0 or Faint at least, whose neighbours a small turn
// leaves less than that.
func faintAside() []float32 {
	u := make([]float32, field.Cells)
	put := func(x, z int, v float32) {
		for y := range field.Side {
			u[(x*field.Side+y)*field.Side+z] = v
		}
	}
	for z := 3; z < 30; z += 5 {
		put(8, z, 1.5*pow(-82))
		put(10, z, pow(-76)-1.5*pow(-82))
		put(9, z+1, pow(-99))
	}
	return u
}
