package field_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// unitVector draws a vector of length 1.
func unitVector(rng *rand.Rand) (v [field.NumSenses]float32) {
	sum := 0.0
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// keep makes v the context of pattern k.
func keep(l *field.Library, k int, v [field.NumSenses]float32) {
	for i := range v {
		l.Context[i][k] = v[i]
	}
	l.Version[k] = float32(k + 1)
}

// TestT16Recall: the best three are those of a brute search, ties to the lower
// index.
func TestT16Recall(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	for range 200 {
		var l field.Library
		l.Reset(new(field.Shelf))
		n := 1 + rng.IntN(field.MaxPatterns)
		var all []int
		var vectors [field.MaxPatterns][field.NumSenses]float32
		for k := range n {
			vectors[k] = unitVector(rng)
			if k > 0 && rng.IntN(4) == 0 {
				vectors[k] = vectors[rng.IntN(k)] // a tie
			}
			if keep(&l, k, vectors[k]); rng.IntN(5) == 0 {
				l.Version[k] = 0 // free again
				continue
			}
			all = append(all, k)
		}
		l.Z = unitVector(rng)
		cosine := func(k int) (sum float32) {
			for i, v := range vectors[k] {
				sum += float32(v * l.Z[i])
			}
			return sum
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(cosine(b), cosine(a)) })
		for _, most := range []int{3, 1} {
			l.Match(&field.Matcher{Cosines: field.Cosines}, 1, most)
			for i, got := range l.Best.Index {
				want := float32(-1)
				if i < min(most, len(all)) {
					want = float32(all[i])
				}
				if got != want {
					t.Fatalf("of %d patterns number %d is %v, want %v", len(all), i, got, want)
				}
			}
		}
	}
}

// TestT16Gate: a context at cosine 0.9 to one pattern opens the gate and gives it
// nearly all the weight when the next is below 0.5.
func TestT16Gate(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	for range 100 {
		var l field.Library
		l.Reset(new(field.Shelf))
		own := unitVector(rng)
		keep(&l, 7, own)
		for k := range field.MaxPatterns {
			if v := unitVector(rng); k != 7 && math.Abs(float64(dot(v, own))) < 0.2 {
				keep(&l, k, v)
			}
		}
		other := unitVector(rng) // what of it is not along own makes the rest
		across := dot(other, own)
		length := float32(math.Sqrt(float64(1 - across*across)))
		for i := range l.Z {
			l.Z[i] = 0.9*own[i] + float32(math.Sqrt(1-0.81))*(other[i]-across*own[i])/length
		}
		l.Match(&field.Matcher{Cosines: field.Cosines}, 1, 3)
		b := &l.Best
		if b.Cosine[1] >= 0.5 {
			continue // drawn too near
		}
		if b.Index[0] != 7 || b.Gate != 1 || !(b.Weight[0] > 0.9) {
			t.Fatalf("%+v, want pattern 7 with gate 1 and a weight above 0.9", *b)
		}
	}
}

func dot(a, b [field.NumSenses]float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
