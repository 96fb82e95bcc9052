package verdict_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"fieldbrain/verdict"
)

func TestDifference(t *testing.T) {
	ours, theirs := make([]float64, 50), make([]float64, 50)
	for i := range ours {
		theirs[i] = float64(i)
		ours[i] = theirs[i] + 1 + float64(i%3-1) // differences of 0, 1 and 2
	}
	g, err := verdict.Difference(ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	// The normal interval of 50 values with deviation 0.82: +- 0.226.
	if math.Abs(g.Mean-0.98) > 0.03 || math.Abs(g.Low-(g.Mean-0.226)) > 0.03 || math.Abs(g.High-(g.Mean+0.226)) > 0.03 || g.Pairs != 50 {
		t.Errorf("%+v", g)
	}
	again, _ := verdict.Difference(ours, theirs)
	if again != g {
		t.Errorf("two calls: %+v and %+v", g, again)
	}
	if same, _ := verdict.Difference(ours, ours); same.Mean != 0 || same.Low != 0 || same.High != 0 {
		t.Errorf("equal values: %+v", same)
	}
	for _, bad := range [][2][]float64{{nil, nil}, {{1}, {1, 2}}, {{math.NaN()}, {1}}, {{math.Inf(1)}, {1}}} {
		if _, err := verdict.Difference(bad[0], bad[1]); err == nil {
			t.Errorf("%v is no complaint", bad)
		}
	}
}

func TestDifferenceHoldsTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(-100, 100), 1, 30).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(-100, 100), len(a), len(a)).Draw(t, "b")
		g, err := verdict.Difference(a, b)
		if err != nil || g.Low > g.Mean+1e-9 || g.High < g.Mean-1e-9 {
			t.Fatalf("%+v, %v", g, err)
		}
	})
}

func TestDiscordant(t *testing.T) {
	yes := func(n, of int) []bool {
		b := make([]bool, of)
		for i := range n {
			b[i] = true
		}
		return b
	}
	c, err := verdict.Discordant(yes(0, 20), yes(6, 20))
	if err != nil || c.Theirs != 6 || c.Ours != 0 || c.Pairs != 20 || math.Abs(c.P-2.0/64) > 1e-9 {
		t.Errorf("none against six: %+v, %v; want p = 2/64", c, err)
	}
	if c, _ := verdict.Discordant(yes(5, 20), yes(5, 20)); c.P != 1 || c.Ours+c.Theirs != 0 {
		t.Errorf("equal: %+v", c)
	}
	if _, err := verdict.Discordant(nil, nil); err == nil {
		t.Error("nothing is no complaint")
	}
}

func TestProportion(t *testing.T) {
	for _, tt := range []struct {
		held, n   int
		low, high float64
	}{{0, 10, 0, 0.3085}, {10, 10, 0.6915, 1}, {5, 10, 0.1871, 0.8129}, {0, 0, 0, 1}} {
		if low, high := verdict.Proportion(tt.held, tt.n); math.Abs(low-tt.low) > 1e-4 || math.Abs(high-tt.high) > 1e-4 {
			t.Errorf("%d of %d: %.4f..%.4f, want %.4f..%.4f", tt.held, tt.n, low, high, tt.low, tt.high)
		}
	}
}
