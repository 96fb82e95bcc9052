package field_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/field/exact"
	"fieldbrain/testbench/tier"
)

// line is a 1-D field: the core equation on 32 cells in float32, each product
// and sum rounded separately, lateral sums in integers.
type line struct {
	u [field.Side]float32
	f [field.Side]uint16
}

// pass convolves the outputs around the circle.
func (l *line) pass(x int, half []int32) uint16 {
	sum := int32(field.Round)
	for k := 1 - len(half); k < len(half); k++ {
		sum += half[max(k, -k)] * int32(l.f[(x+k+field.Side)%field.Side])
	}
	return uint16(sum >> 15)
}

// step advances the line by one tick under stimuli of sigma 2.
func (l *line) step(k field.Coef, c int, key uint32, terms []field.Term) {
	total := int32(0)
	for _, q := range l.f {
		total += int32(q)
	}
	global := min(40, float32(float32(total)*k.Global))
	var next [field.Side]float32
	for x := range next {
		s := float32(0)
		for _, t := range terms {
			d := math.Remainder(float64(x)-float64(t.Centre[0]), field.Side)
			s += float32(t.A * float32(exact.Exp(float64(float64(d*d)*-0.125))))
		}
		below, above := l.u[(x+31)%field.Side], l.u[(x+1)%field.Side]
		d := l.u[x] + float32(k.Nu*((below+above)-float32(2*l.u[x])))
		b := k.Resting + min(max(s, -20), 12)
		b -= global
		b += float32(float32(l.pass(x, field.Excite())) * k.Excite)
		b -= float32(float32(l.pass(x, field.Inhibit())) * k.Inhibit)
		next[x] = d + float32(k.Alpha*(b-d))
		next[x] += float32(k.Noise * field.Noise(x*field.Plane, c, key))
	}
	l.u = next
	for x, u := range l.u {
		l.f[x] = field.Q15(field.Sigmoid(u))
	}
}

// TestT5Reduction: a mask-X channel in the 3-D field equals the 1-D field bit
// for bit in every cell, in the dense step as in the collapsed one.
func TestT5Reduction(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, row := range thresholds()[:4] {
		for _, step := range []field.StepKind{field.Dense, field.Collapsed} {
			t.Run(row.regime.Name+"/"+step.String(), func(t *testing.T) {
				rng := fresh(t)
				p := bare(5 * ms)
				p.Table[solo] = channel(field.X, row.regime, 50*ms)
				p.Table[solo].Noise = 0.3
				e, err := cpu.New(p, cpu.Options{ISA: "auto", Threads: 1, Step: step})
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				r := &rig{Engine: e, in: field.Input{Quality: field.Full()}}
				coef := field.NewCoefs(&p).At(solo, 1, false)
				var one line
				for x := range one.u {
					one.u[x] = row.regime.Resting
				}
				for tick := range 60 {
					terms := []field.Term{
						field.At(solo, uniform(rng, -4, 8), float64(uniform(rng, 0, 32)), 2),
						field.At(solo, uniform(rng, -4, 8), float64(uniform(rng, 0, 32)), 2),
					}
					r.step(t, terms...)
					one.step(coef, solo, field.TickKey(uint64(tick), p.Key), terms)
				}
				for i, got := range read(e, solo, make([]float32, field.Cells)) {
					if want := one.u[i/field.Plane]; math.Float32bits(got) != math.Float32bits(want) {
						t.Fatalf("cell %d: %v, the 1-D field has %v", i, got, want)
					}
				}
			})
		}
	}
}

// TestT12Bounded: 10^6 ticks of adversarial input leave every activation within
// the bound of B.3.
func TestT12Bounded(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	t.Parallel()
	ticks := tier.Count(t, "ticks", 20_000, 200_000, 1_000_000)
	rng := fresh(t)
	p := bare(5 * ms)
	rows := thresholds()[:4]
	for i, row := range rows {
		p.Table[i] = channel(field.X, row.regime, 20*ms)
		p.Table[i].Noise = 0.5
	}
	r := newRig(t, p)
	var terms [4]field.Term
	for c := range terms {
		terms[c] = field.Term{Channel: c}
	}
	for tick := range ticks {
		for c := range terms {
			switch rng.IntN(8) { // hold, flip to either end, or jump
			case 0:
				terms[c].A = -20
			case 1:
				terms[c].A = 12
			case 2:
				terms[c].A = uniform(rng, -20, 12)
			}
		}
		out := r.step(t, terms[:]...)
		if tick%2000 != 0 {
			for c := range rows {
				if total := out.Marginals[c].Total; total < 0 || total > field.Side*field.One {
					t.Fatalf("tick %d: %s has output %d", tick, rows[c].regime.Name, total)
				}
			}
			continue
		}
		for c := range rows {
			limit := bound(&p, c)
			for x, u := range r.activation(c) {
				if !(math.Abs(float64(u)) <= limit) {
					t.Fatalf("tick %d: %s is %v at %d, bound %.1f", tick, rows[c].regime.Name, u, x, limit)
				}
			}
		}
	}
}

// bound returns the bound of B.3 for a channel that started at rest.
func bound(p *field.Params, c int) float64 {
	ch := &p.Table[c]
	r := ch.Regime
	if r.Kind != field.Amari && r.Kind != field.Linear {
		return 1
	}
	a := field.Alpha(p.Period, ch.Tau)
	b := math.Abs(float64(r.Resting)) + 60 + float64(r.Excitation) + float64(r.Inhibition)
	return b + 3.47*float64(ch.Noise)*math.Sqrt((2-a)/a) + 1e-3 // float32 rounding
}

// TestT17OdometryWarp: what stands still is carried to where the body's motion
// puts it.
func TestT17OdometryWarp(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	t.Run("straight drive toward a wall point", func(t *testing.T) {
		r := newRig(t, field.Default())
		const start, distance, speed = 1.0, 0.5, 0.2 // m, m, m/s
		r.in.NumBeams = 1
		r.in.Beams[0] = field.Beam{Range: start}
		r.run(t, 300*ms, 5*ms)
		r.in.NumBeams, r.in.Forward = 0, speed*0.005
		out := r.run(t, time.Duration(distance/speed*float64(time.Second)), 5*ms)
		best := 0
		ahead := out.Obstacle[field.Ahead*field.Side : (field.Ahead+1)*field.Side]
		for y, m := range ahead {
			if m > ahead[best] {
				best = y
			}
		}
		if want := field.RangeBin(start - distance); !(math.Abs(float64(best)-want) <= 1) {
			t.Errorf("map peak at range bin %d, want %.2f +- 1", best, want)
		}
	})
	for _, side := range []float64{1, -1} {
		t.Run("turn by 90 degrees", func(t *testing.T) {
			r := newRig(t, field.Default())
			r.in.NumBeams = 1
			r.in.Beams[0] = field.Beam{Range: 0.5, Bearing: 0.3}
			out := r.run(t, 300*ms, 5*ms)
			before, _ := field.Centroid(&out.Marginals[field.ObstMap].X)
			const ticks = 300
			r.in.NumBeams, r.in.Turn = 0, float32(side*math.Pi/2/ticks)
			for range ticks {
				out = r.step(t)
			}
			after, _ := field.Centroid(&out.Marginals[field.ObstMap].X)
			moved := math.Remainder(before-after, field.Side)
			if !(math.Abs(moved-8*side) <= 0.3) {
				t.Errorf("moved %.2f bins to the right, want %.0f +- 0.3", moved, 8*side)
			}
		})
	}
}
