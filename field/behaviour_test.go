package field_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench/tier"
)

// The behaviours B10 and B11 are the field's own: they have no body, so no
// driving baseline stands beside them. Both are tested on the regime of B.4 as
// tabulated, which has tau = 80 ms and no diffusion, and on the channel the
// brain uses, which diffuses: that costs some of the margin, and the rows say
// how much.

// crowd is how many independent channels of one regime a crew holds.
const crowd = 32

// newCrew returns a rig with crowd equal, independent channels 0..crowd-1 whose
// noise differs by channel and key.
func newCrew(t *testing.T, ch field.Channel, key uint32) *rig {
	t.Helper()
	p := bare(5 * ms)
	p.Key = key
	for c := range crowd {
		p.Table[c] = ch
	}
	return newRig(t, p)
}

// tabled is a channel as B.4's table was made.
func tabled(r field.Regime, q float32) field.Channel {
	ch := channel(field.X, r, 80*ms)
	ch.Diffusion, ch.Noise = 0, q
	return ch
}

// used is a channel of the default table with its noise replaced.
func used(c int, q float32) field.Channel {
	ch := field.PiCarX()[c]
	ch.Noise = q
	return ch
}

// offset returns a - b on the circle of 32 bins, within +-16.
func offset(a, b float64) float64 { return math.Remainder(a-b, field.Side) }

// peaks returns the peaks of channel c.
func peaks(out *field.Output, c int) []field.Peak {
	return field.Peaks(nil, &out.Marginals[c].X, true, 0.1)
}

// places returns where the peaks of the first n channels are.
func places(t *testing.T, out *field.Output, n int) []float64 {
	t.Helper()
	x := make([]float64, n)
	for c := range x {
		if found := peaks(out, c); len(found) != 1 {
			t.Fatalf("channel %d has %d peaks, want 1", c, len(found))
		}
		x[c], _ = field.Centroid(&out.Marginals[c].X)
	}
	return x
}

// drift is the root mean square of the way from a to b, in bins.
func drift(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		d := offset(a[i], b[i])
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(a)))
}

// positions is how many places B10 remembers.
const positions = 20

// memorise shows each of the first channels a stimulus of amplitude 7 for 1 s,
// the amplitude of B.4's peaks. From 4 to 6 a peak under its input leans half a
// bin to either side and may come to rest one bin off.
func (r *rig) memorise(t *testing.T, x []float64) {
	t.Helper()
	var terms []field.Term
	for c := range x {
		terms = append(terms, field.At(c, 7, x[c], 2))
	}
	r.run(t, time.Second, 5*ms, terms...)
}

// spared lowers h for half a second and returns how many memories live on.
func (r *rig) spared(t *testing.T, lower float32) (n int) {
	t.Helper()
	var terms []field.Term
	for c := range positions {
		terms = append(terms, field.Term{Channel: c, A: -lower})
	}
	r.run(t, 500*ms, 5*ms, terms...)
	out := r.run(t, 2*time.Second, 5*ms)
	for c := range positions {
		n += len(peaks(out, c))
	}
	return n
}

// TestB10WorkingMemory: a stimulus of 1 s leaves a peak that lives for 60 s,
// stays where it was put, and is erased on purpose only.
//
// Without input a peak rests on a whole bin; under an input between two bins it
// leans to the middle of them. So a memory resolves one bin: shown whole bins it
// must stay there; shown any place it may first move to a bin nearby, and then
// must stay.
func TestB10WorkingMemory(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, tt := range []struct {
		name, why  string
		channel    field.Channel
		keep, lose float32 // lowering h for 0.5 s by this much keeps, or erases, all
	}{
		{"quiet", "B.4's table, thresholds as in B10", tabled(field.MEM1(), 0), 2.0, 2.2},
		{"noisy", "B10's limit on noise; it blurs the threshold", tabled(field.MEM1(), 0.25), 1.7, 2.2},
		{"as used", "ESC_SIDE: diffusion moves the threshold from 2.08 to 1.5", used(field.EscapeSide, 0.25), 1.1, 1.7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole, between := make([]float64, positions), make([]float64, positions)
			for c := range positions {
				whole[c] = float64(c * field.Side / positions)
				between[c] = 1.65 * float64(c)
			}
			r := newCrew(t, tt.channel, 1)
			r.memorise(t, whole)
			end := places(t, r.run(t, time.Minute, 5*ms), positions)
			if rms := drift(end, whole); rms > 0.3 {
				t.Errorf("RMS drift %.3f bin from whole bins in 60 s, want at most 0.3: %s", rms, tt.why)
			}
			if n := r.spared(t, tt.keep); n != positions {
				t.Errorf("h lowered by %v: %d of %d memories live on, want all: %s", tt.keep, n, positions, tt.why)
			}
			if n := r.spared(t, tt.lose); n != 0 {
				t.Errorf("h lowered by %v: %d memories live on, want none: %s", tt.lose, n, tt.why)
			}

			r = newCrew(t, tt.channel, 2)
			r.memorise(t, between)
			rested := places(t, r.run(t, 5*time.Second, 5*ms), positions)
			end = places(t, r.run(t, 55*time.Second, 5*ms), positions)
			if rms := drift(end, rested); rms > 0.3 {
				t.Errorf("RMS drift %.3f bin after it came to rest, want at most 0.3: %s", rms, tt.why)
			}
			for c := range positions {
				if d := math.Abs(offset(end[c], between[c])); d > 1.2 {
					t.Errorf("shown %.2f, remembers %.2f: more than a bin and its noise away: %s", between[c], end[c], tt.why)
				}
			}
		})
	}
}

// selectionRuns is how many independent decisions B11 asks for.
const selectionRuns = 200

// decide shows two inputs 12 bins apart, the first stronger by an advantage,
// and returns how many runs end with one peak, and how many of them at the
// first input.
func decide(t *testing.T, ch field.Channel, advantage float32) (single, first int) {
	t.Helper()
	for n := 0; n < selectionRuns; n += crowd {
		r := newCrew(t, ch, uint32(1+n))
		var terms []field.Term
		for c := range crowd {
			terms = append(terms, field.At(c, 6+advantage, 10, 2), field.At(c, 6, 22, 2))
		}
		out := r.run(t, 2*time.Second, 5*ms, terms...)
		for c := range min(crowd, selectionRuns-n) {
			if p := peaks(out, c); len(p) == 1 {
				single++
				if math.Abs(offset(p[0].Position, 10)) < 4 {
					first++
				}
			}
		}
	}
	return single, first
}

// resist establishes a peak at an input of 6, shows a competitor 12 bins away
// and returns how many of the crew stay with the first.
func resist(t *testing.T, ch field.Channel, competitor float32) (kept int) {
	t.Helper()
	r := newCrew(t, ch, 5)
	var terms []field.Term
	for c := range crowd {
		terms = append(terms, field.At(c, 6, 10, 2))
	}
	r.run(t, time.Second, 5*ms, terms...)
	for c := range crowd {
		terms = append(terms, field.At(c, competitor, 22, 2))
	}
	out := r.run(t, 3*time.Second, 5*ms, terms...)
	for c := range crowd {
		if p := peaks(out, c); len(p) == 1 && math.Abs(offset(p[0].Position, 10)) < 4 {
			kept++
		}
	}
	return kept
}

// TestB11Selection: two equal inputs make exactly one peak, either side as
// often; a small advantage decides; a decision once made resists.
func TestB11Selection(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	for _, tt := range []struct {
		name, why     string
		channel       field.Channel
		resists, lost float32 // competitors that no run, and every run, yields to
	}{
		{"tabulated", "B.4's table, thresholds as in B11", tabled(field.HYS1(), 0.25), 10, 11},
		{"as used", "HEADING: with diffusion 29 of 32 runs still resist 11", used(field.Heading, 0.25), 10, 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, row := range []struct {
				advantage float32
				low, high float64 // share of the runs that must choose the stronger
			}{{0, 0.40, 0.60}, {0.5, 0.95, 1}, {1, 0.99, 1}} {
				single, first := decide(t, tt.channel, row.advantage)
				if single != selectionRuns {
					t.Errorf("advantage %v: one peak in %d of %d runs", row.advantage, single, selectionRuns)
				}
				if share := float64(first) / selectionRuns; share < row.low || share > row.high {
					t.Errorf("advantage %v: %.3f choose the first, want %v..%v: %s", row.advantage, share, row.low, row.high, tt.why)
				}
			}
			if n := resist(t, tt.channel, tt.resists); n != crowd {
				t.Errorf("%d of %d resist a competitor of %v, want all: %s", n, crowd, tt.resists, tt.why)
			}
			if n := resist(t, tt.channel, tt.lost); n != 0 {
				t.Errorf("%d of %d resist a competitor of %v, want none: %s", n, crowd, tt.lost, tt.why)
			}
		})
	}
}
