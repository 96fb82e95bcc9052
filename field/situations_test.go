package field_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

// A pose is a situation: the readings of the sensors there.
type pose struct{ ranges [5]float32 } // m, of sectors 0, +30, -30, +60, -60 deg

// poses returns four poses that a robot tells apart: a corridor, a corner with
// the way out to the left, one to the right, and a wall ahead.
func poses() [4]pose {
	return [4]pose{
		{[5]float32{2.5, 0.5, 0.5, 0.3, 0.3}},
		{[5]float32{0.5, 1.5, 0.4, 2.0, 0.3}},
		{[5]float32{0.5, 0.4, 1.5, 0.3, 2.0}},
		{[5]float32{0.4, 0.45, 0.45, 0.8, 0.8}},
	}
}

var bearings = [5]float64{0, 30, -30, 60, -60}

// look fills an input with a place's readings, with noise.
func (w *pose) look(in *field.Input, rng *rand.Rand) {
	in.NumTerms, in.NumBeams = 0, len(w.ranges)
	in.Senses.Valid, in.Senses.Frame = 0, in.Tick%8 == 0
	for i, r := range w.ranges {
		if rng != nil {
			r *= float32(1 + 0.01*rng.NormFloat64())
		}
		psi := bearings[i] * math.Pi / 180
		in.Beams[i] = field.Beam{Bearing: float32(psi), Range: r, HalfWidth: 0.21}
		in.Add(field.Term{
			Channel: field.RangeSeen, A: 6,
			Centre: [3]float32{float32(field.BearingBin(psi)), float32(field.RangeBin(float64(r)))}, Sigma: [3]float32{1.3, 1.5},
		})
		in.Senses.Set(field.SlotRange+i, r/4)
	}
	in.Drive = field.Drive{}
}

// remembered returns the library of an engine, without its episodes.
func remembered(t *testing.T, e field.Engine) *field.Library {
	t.Helper()
	cells := make([]float32, field.Cells)
	e.Read(field.LibrarySection, cells)
	l := new(field.Library)
	p := field.Default()
	shelf := field.NewShelf(&p.Table)
	if !l.Restore(cells, &shelf) {
		t.Fatal("the engine's library holds what no library can hold")
	}
	return l
}

// visit stays at a place for a number of ticks.
func (r *rig) visit(t *testing.T, w *pose, ticks int, rng *rand.Rand, drive func(in *field.Input)) *field.Output {
	t.Helper()
	var out *field.Output
	for range ticks {
		w.look(&r.in, rng)
		if drive != nil {
			drive(&r.in)
		}
		var err error
		if out, err = r.Step(&r.in); err != nil {
			t.Fatal(err)
		}
		r.in.Outcome = 0
		r.in.Tick++
	}
	return out
}

// TestO9PlaceRecognition: the context of a revisited pose is like the stored one
// and unlike those of the others.
func TestO9PlaceRecognition(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng := fresh(t)
	p := field.Default()
	p.Recall = field.DefaultLibrary()
	r := newRig(t, p)
	var stored [4][field.NumSenses]float32
	same, other := 1.0, -1.0
	for round := range 8 {
		for n, w := range poses() {
			r.visit(t, &w, 600, rng, nil) // 3 s
			z := remembered(t, r).Z
			if round == 1 {
				stored[n] = z
			}
			if round < 2 {
				continue
			}
			for m := range stored {
				if c := float64(dot(z, stored[m])); m == n {
					same = min(same, c)
				} else {
					other = max(other, c)
				}
			}
		}
	}
	t.Logf("cosine with the stored context at least %.3f, with the others at most %.3f", same, other)
	if !(same >= 0.8) || !(other <= 0.5) {
		t.Errorf("cosine with the stored context %.3f, want 0.8; with others %.3f, want at most 0.5", same, other)
	}
}

// toward lets the heading be drawn to a side: +1 left, -1 right.
func toward(side float32) func(in *field.Input) {
	return func(in *field.Input) { in.Drive.Goal, in.Drive.GoalWeight = side*0.9, 1 }
}

// sides returns the output of HEAD_PREF left and right of ahead, in cells.
func sides(out *field.Output) (left, right float64) {
	for x, q := range out.Marginals[field.HeadPref].X {
		if d := x - field.Ahead; d > 0 {
			left += float64(q) / field.One
		} else if d < 0 {
			right += float64(q) / field.One
		}
	}
	return left, right
}

// trained goes through trials, more than 16 s apart: the corridor, then the wall where the way is
// chosen, turning to one side after the other; `good` is the side that pays.
func trained(t *testing.T, p field.Params, good float32, trials int, rng *rand.Rand) *rig {
	t.Helper()
	r := newRig(t, p)
	at := poses()
	for trial := range trials {
		side := float32(1 - 2*(trial%2))
		r.visit(t, &at[0], 400, rng, nil)
		r.visit(t, &at[3], 700, rng, toward(side))
		r.in.Outcome = -0.5
		if side == good {
			r.in.Outcome = 1
		}
		r.visit(t, &at[1], 3300, rng, nil) // until nothing of the trial can be credited any more
	}
	return r
}

// TestRecallBiasesTheHeading: where turning to one side paid, that side is
// preferred, there and nowhere else, and only if it was learned.
func TestRecallBiasesTheHeading(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rng, at := fresh(t), poses()
	for _, tt := range []struct {
		name   string
		change func(*field.LibraryParams)
		biased bool
		heavy  bool // both sides
	}{
		{"learns", func(*field.LibraryParams) {}, true, false},
		{"learns, nothing merged", func(l *field.LibraryParams) { l.Share = 0 }, true, true},
		{"does not learn", func(l *field.LibraryParams) { l.Learn = false }, false, false},
		{"off", func(l *field.LibraryParams) { *l = field.LibraryParams{} }, false, true},
	} {
		for _, good := range []float32{1, -1} {
			t.Run(fmt.Sprintf("%s/side %+.0f pays", tt.name, good), func(t *testing.T) {
				if (good > 0) != tt.biased || tt.heavy {
					tier.Heavy(t, "18,000 ticks of the other side or of another library")
				}
				p := field.Default()
				p.Recall = field.DefaultLibrary()
				tt.change(&p.Recall)
				r := trained(t, p, good, 4, rng)
				r.visit(t, &at[0], 400, rng, nil)
				left, right := sides(r.visit(t, &at[3], 300, rng, nil))
				wanted, unwanted := left, right
				if good < 0 {
					wanted, unwanted = right, left
				}
				t.Logf("HEAD_PREF %.2f cells to that side, %.2f to the other; %d patterns", wanted, unwanted, patterns(remembered(t, r)))
				if tt.biased && !(wanted > 0.5 && wanted > 4*unwanted) || !tt.biased && left+right != 0 {
					t.Errorf("HEAD_PREF %.2f to it and %.2f to the other", wanted, unwanted)
				}
			})
		}
	}
}

// patterns counts the patterns in use.
func patterns(l *field.Library) (n int) {
	for _, v := range l.Version {
		if v != 0 {
			n++
		}
	}
	return n
}

// newPureGo is the engine whose cells are easiest to follow.
func newPureGo(t *testing.T, p field.Params) *rig {
	t.Helper()
	e, err := cpu.New(p, cpu.Options{ISA: cpu.PureGo, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return &rig{Engine: e, in: field.Input{Quality: field.Full()}}
}
