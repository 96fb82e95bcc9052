package verdict_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"fieldbrain/verdict"
)

// dice are random numbers that repeat: the field's own mixer, seeded.
type dice uint64

// Uint64 is splitmix64.
func (d *dice) Uint64() uint64 {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// rounds draws n times of a subject that takes ratio times as long as its
// yardstick; each has noise of its own, and drift moves both.
func rounds(n int, ratio float64, noise func() float64, drift func(round int) float64) (subject, yardstick []float64) {
	for i := range n {
		subject = append(subject, ratio*drift(i)*noise())
		yardstick = append(yardstick, drift(i)*noise())
	}
	return subject, yardstick
}

func steady(int) float64 { return 1 }

// TestOrderStatistics: the ranks of the interval are those of the binomial table.
func TestOrderStatistics(t *testing.T) {
	for _, c := range []struct {
		n         int
		low, high float64 // of the ratios 1 .. n
		level     float64
	}{
		{1, 1, 1, 0},
		{2, 1, 2, 0.5},
		{5, 1, 5, 1 - 2.0/32},
		{6, 1, 6, 1 - 2.0/64},
		{10, 2, 9, 1 - 2*11.0/1024},
		{20, 6, 15, 0.9586},
		{40, 14, 27, 0.9615},
		{100, 40, 61, 0.9648},
	} {
		ones, ratios := make([]float64, c.n), make([]float64, c.n)
		for i := range ratios {
			ones[i], ratios[c.n-1-i] = 1, float64(i+1) // falling: order must not matter
		}
		got, err := verdict.Pairs(ratios, ones)
		if err != nil {
			t.Fatal(err)
		}
		if got.Low != c.low || got.High != c.high || math.Abs(got.Level-c.level) > 1e-4 || got.Rounds != c.n {
			t.Errorf("%d rounds: %+v, want ranks %v and %v at level %v", c.n, got, c.low, c.high, c.level)
		}
		if got.Ratio != float64((c.n+1)/2) {
			t.Errorf("%d rounds: median %v", c.n, got.Ratio)
		}
	}
}

// TestCoverage draws thousands of runs with a known ratio: of their intervals at
// least 95 % hold it, whatever the distribution of the times.
func TestCoverage(t *testing.T) {
	const runs = 4000
	seed := dice(20261122)
	for _, c := range []struct {
		name  string
		noise func() float64
	}{
		{"log-normal", distuv.LogNormal{Sigma: 0.2, Src: &seed}.Rand},
		{"heavy tail", distuv.Pareto{Xm: 1, Alpha: 1.2, Src: &seed}.Rand},
		{"two speeds", func() float64 { return 1 + float64(seed.Uint64()%2) }},
		{"a coarse clock", func() float64 { return math.Ceil(10*distuv.LogNormal{Sigma: 0.2, Src: &seed}.Rand()) / 10 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{6, 11, 40} {
				held := 0
				for range runs {
					a, b := rounds(n, 1.3, c.noise, steady)
					i, err := verdict.Pairs(a, b)
					if err != nil {
						t.Fatal(err)
					}
					if i.Low <= 1.3+1e-12 && 1.3-1e-12 <= i.High {
						held++
					}
				}
				// Three standard errors of 4000 throws below 95 %.
				if share := float64(held) / runs; share < verdict.Confidence-3*math.Sqrt(0.05*0.95/runs) {
					t.Errorf("%d rounds: %.4f of the intervals hold the ratio", n, share)
				}
			}
		})
	}
}

// TestDriftCancels: a machine that becomes three times slower within the run,
// by steps and back, changes neither ratio nor verdict.
func TestDriftCancels(t *testing.T) {
	seed := dice(1)
	noise := distuv.LogNormal{Sigma: 0.02, Src: &seed}.Rand
	a, b := rounds(40, 1.2, noise, func(round int) float64 { return 1 + 2*float64(round%20)/20 })
	if slices.Max(b) < 2*slices.Min(b) {
		t.Fatalf("the yardstick moved by %.2f only", slices.Max(b)/slices.Min(b))
	}
	i, err := verdict.Pairs(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if i.Low > 1.2 || i.High < 1.2 || i.High-i.Low > 0.04 {
		t.Errorf("%+v, want 1.2 within a hundredth or two", i)
	}
	if j := (verdict.Claim{Name: "a quarter", Direction: verdict.AtMost, Limit: 1.25}).Judge(i); j.Verdict != verdict.Held {
		t.Errorf("%v", j)
	}
}

func TestJudge(t *testing.T) {
	sure := func(low, ratio, high float64) verdict.Interval {
		return verdict.Interval{Ratio: ratio, Low: low, High: high, Rounds: 40, Level: 0.96}
	}
	for _, c := range []struct {
		name      string
		direction verdict.Direction
		interval  verdict.Interval
		want      verdict.Verdict
		more      int
	}{
		{"all below", verdict.AtMost, sure(0.8, 0.9, 0.95), verdict.Held, 0},
		{"just below", verdict.AtMost, sure(0.8, 0.9, 1), verdict.Held, 0},
		{"all above", verdict.AtMost, sure(1.01, 1.1, 1.2), verdict.Missed, 0},
		{"touches", verdict.AtMost, sure(1, 1.1, 1.2), verdict.Void, 1},
		{"across", verdict.AtMost, sure(0.8, 0.9, 1.1), verdict.Void, 120}, // half the width takes four times the rounds
		{"at the limit", verdict.AtMost, sure(0.9, 1, 1.1), verdict.Void, verdict.Never},
		{"hopelessly near", verdict.AtMost, sure(0.1, 0.99999, 1.9), verdict.Void, verdict.Never},
		{"all above, wanted", verdict.AtLeast, sure(1.01, 1.1, 1.2), verdict.Held, 0},
		{"just above, wanted", verdict.AtLeast, sure(1, 1.1, 1.2), verdict.Held, 0},
		{"all below, not wanted", verdict.AtLeast, sure(0.8, 0.9, 0.99), verdict.Missed, 0},
		{"across, from above", verdict.AtLeast, sure(0.9, 1.1, 1.2), verdict.Void, 120},
		{"ties", verdict.AtMost, sure(0.9, 0.9, 0.9), verdict.Held, 0},
		{
			"few rounds", verdict.AtMost,
			verdict.Interval{Ratio: 0.5, Low: 0.5, High: 0.5, Rounds: 5, Level: 0.9375},
			verdict.Void, 1,
		},
		{
			"one round", verdict.AtMost,
			verdict.Interval{Ratio: 0.5, Low: 0.5, High: 0.5, Rounds: 1},
			verdict.Void, 5,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := verdict.Claim{Name: c.name, Direction: c.direction, Limit: 1}.Judge(c.interval)
			if j.Verdict != c.want || j.More != c.more {
				t.Errorf("%v, %d more; want %s, %d", j.Verdict, j.More, c.want, c.more)
			}
			if void := verdict.AnyVoid([]verdict.Judgement{j}); void != (c.want == verdict.Void) {
				t.Errorf("AnyVoid %v", void)
			}
		})
	}
}

// TestMoreRoundsWouldTell: the number that a void claim names does decide it,
// near enough, in most of a hundred runs.
func TestMoreRoundsWouldTell(t *testing.T) {
	seed := dice(3)
	noise := distuv.LogNormal{Sigma: 0.1, Src: &seed}.Rand
	claim := verdict.Claim{Name: "no slower than 5 %", Direction: verdict.AtMost, Limit: 1.05}
	judged := func(n int) verdict.Judgement {
		a, b := rounds(n, 1.02, noise, steady)
		i, err := verdict.Pairs(a, b)
		if err != nil {
			t.Fatal(err)
		}
		return claim.Judge(i)
	}
	short := judged(40)
	if short.Verdict != verdict.Void || short.More < 20 || short.More > 5000 {
		t.Fatalf("%v: want a void one that says how many more", short)
	}
	told := 0
	for range 100 {
		if judged(2*(short.Rounds+short.More)).Verdict != verdict.Void {
			told++
		}
	}
	if told < 80 {
		t.Errorf("twice the rounds named decide %d of 100 runs", told)
	}
}

func TestRefused(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		a, b []float64
		want string
	}{
		{"none", nil, nil, "0 times and 0"},
		{"no pairs", []float64{1, 2}, []float64{1}, "2 times and 1"},
		{"zero time", []float64{1, 0}, []float64{1, 1}, "round 2: 0 over 1"},
		{"zero yardstick", []float64{1}, []float64{0}, "round 1: 1 over 0"},
		{"not a number", []float64{math.NaN()}, []float64{1}, "round 1: NaN"},
		{"negative", []float64{1}, []float64{-1}, "1 over -1"},
		{"infinite", []float64{inf}, []float64{inf}, "+Inf over +Inf"},
	} {
		if _, err := verdict.Pairs(c.a, c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, c := range [][2]int{{-1, 5}, {6, 5}, {0, 0}} {
		if _, err := verdict.Share("late", c[0], c[1], 0.001); err == nil {
			t.Errorf("%d of %d was judged", c[0], c[1])
		}
	}
	if _, err := verdict.Share("late", 0, 5, 0); err == nil {
		t.Error("a share of nothing was judged")
	}
}

func TestScaled(t *testing.T) {
	i, err := verdict.Scaled([]float64{0.2, 0.2, 0.2, 0.2, 0.2, 0.3}, 0.25)
	if err != nil || i.Ratio != 0.8 || i.High != 0.3/0.25 || i.Rounds != 6 {
		t.Errorf("%+v, %v", i, err)
	}
}

// TestShare: limits of Clopper and Pearson from their tables, and how many
// releases a thousandth needs.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		bad, n    int
		low, high float64 // shares
		want      verdict.Verdict
	}{
		{0, 10, 0, 0.3085, verdict.Void},
		{10, 10, 0.6915, 1, verdict.Missed},
		{1, 100, 0.000253, 0.0545, verdict.Void},
		{0, 3688, 0, 0.0010, verdict.Held},
		{0, 3687, 0, 0.0010003, verdict.Void},
		{50, 10_000, 0.003713, 0.006587, verdict.Missed},
	} {
		j, err := verdict.Share("late", c.bad, c.n, 0.001)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(j.Low/1000-c.low) > 1e-4 || math.Abs(j.High/1000-c.high) > 1e-4 || j.Verdict != c.want {
			t.Errorf("%d of %d: %.5f to %.5f, %v; want %v to %v, %v", c.bad, c.n, j.Low/1000, j.High/1000, j.Verdict, c.low, c.high, c.want)
		}
	}
	j, err := verdict.Share("late", 0, 2000, 0.001)
	if err != nil || j.More != 1688 {
		t.Errorf("%v, %v: want 1688 more releases without a late one", j, err)
	}
	if j, err = verdict.Share("late", 1, 1000, 0.001); err != nil || j.More != verdict.Never {
		t.Errorf("%+v, %v: what is just at the limit is never told", j, err)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1, 3, 2}, 2}, {[]float64{9, 1, 5}, 5}} {
		before := slices.Clone(c.values)
		if got := verdict.Median(c.values); got != c.want || !slices.Equal(before, c.values) {
			t.Errorf("median of %v is %v, want %v", before, got, c.want)
		}
	}
}

// TestJSON: what scripts read.
func TestJSON(t *testing.T) {
	i, err := verdict.Scaled([]float64{1, 1, 1, 1, 1, 1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(verdict.Claim{Name: "half", Direction: verdict.AtMost, Limit: 1}.Judge(i))
	want := `{"name":"half","direction":"at most","limit":1,"ratio":0.5,"low":0.5,"high":0.5,"rounds":6,"level":0.96875,"verdict":"held","more_rounds":0}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
}
