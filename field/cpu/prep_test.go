package cpu_test

import (
	"math/rand/v2"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// TestLoopsEqual: the engine's loops of the preparation give the bits of the plain ones,
// on motions, maps and weights that no drive has.
func TestLoopsEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	plain, fast := field.PlainLoops(), e.Prep().Loops
	uniform := func(row []float32, low, high float32) { someZero(rng, row, low, high) }
	for range 200 {
		var tables [3]field.Row
		for i := range tables {
			uniform(tables[i][:], -8, 8)
		}
		forward, shift := rng.Float32()*2-1, rng.Float32()*64-32
		w, v := new(field.Warp), &e.Prep().Frame.Warp
		plain.Displace(w, &tables, forward, shift)
		fast.Displace(v, &tables, forward, shift)
		w.Active = v.Active
		w.Turn, w.WTurn = v.Turn, v.WTurn
		same(t, "Displace", *w, *v)

		m, n := new(field.Maps), &e.Prep().Frame.Maps
		uniform(m.Obstacle[:], 0, 1)
		uniform(m.Hazard[:], 0, 1e-29)
		uniform(m.Visited[:], 0, 1)
		n.Obstacle, n.Hazard, n.Visited = m.Obstacle, m.Hazard, m.Visited
		plain.Carry(m, w)
		fast.Carry(n, v)
		keep := [3]float32{0.99, 0.9, rng.Float32()}
		plain.Fade(m, 0.01, &keep)
		fast.Fade(n, 0.01, &keep)
		same(t, "Carry and Fade", [3][field.Plane]float32{m.Obstacle, m.Hazard, m.Visited}, [3][field.Plane]float32{n.Obstacle, n.Hazard, n.Visited})

		eye, a, b := new(field.Eye), new(field.Glance), new(field.Glance)
		for _, row := range [][]float32{eye.Near[:], eye.Far[:], eye.Between[:], eye.SpreadOn[:], eye.SpreadOff[:]} {
			uniform(row, 0, 1)
		}
		plain.Look(m, eye, a)
		fast.Look(n, eye, b)
		same(t, "Look", *a, *b)

		var p, q field.Predictor
		var gain, known [field.NumSenses]float32
		uniform(p.W[:], -1, 1)
		uniform(p.R[:], -0.5, 0.5)
		uniform(gain[:], -0.1, 0.1)
		uniform(known[:], 1, 1)
		q = p
		plain.Learn(&p.W, &p.R, &gain, &known)
		fast.Learn(&q.W, &q.R, &gain, &known)
		plain.Expect(&p.W, &p.R, &p.Hat)
		fast.Expect(&q.W, &q.R, &q.Hat)
		same(t, "Learn and Expect", p, q)
	}
}

// someZero draws numbers, a quarter of which are 0.
func someZero(rng *rand.Rand, row []float32, low, high float32) {
	for i := range row {
		if row[i] = low + (high-low)*rng.Float32(); rng.IntN(4) == 0 {
			row[i] = 0
		}
	}
}

func same[T comparable](t *testing.T, what string, want, got T) {
	t.Helper()
	if want != got {
		t.Fatalf("%s: the engine's loop differs from the plain one", what)
	}
}
