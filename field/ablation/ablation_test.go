package ablation_test

import (
	"math"
	"strings"
	"testing"

	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/field/exact"
	"fieldbrain/testbench/tier"
)

const deg = math.Pi / 180

// run steps an engine and returns the last decision, in degrees, and its mass.
func run(t *testing.T, e field.Engine, in *field.Input, ticks int) (bearing, mass float64) {
	t.Helper()
	for range ticks {
		out, err := e.Step(in)
		if err != nil {
			t.Fatal(err)
		}
		in.Tick++
		var x float64
		x, mass = field.Centroid(&out.Marginals[field.Heading].X)
		bearing = field.Bearing(x) / deg
	}
	return bearing, mass
}

// TestNeuralIsTheField: nothing is wrapped around the whole field.
func TestNeuralIsTheField(t *testing.T) {
	e := build(ablation.Neural)
	defer e.Close()
	if _, wrapped := e.(*ablation.Engine); wrapped {
		t.Error("the whole field is wrapped")
	}
}

// TestDecides: with nothing in the way everybody drives ahead; with an obstacle
// ahead and the left side open everybody goes left, with the field's own mass.
func TestDecides(t *testing.T) {
	for _, kind := range ablation.Kinds() {
		e := build(kind)
		in := field.Input{Quality: field.Full()}
		ahead, mass := run(t, e, &in, 300)
		if math.Abs(ahead) > 2 || mass < 4 || mass > 7 {
			t.Errorf("%s: free way: %.1f deg with %.2f cells, want 0 with about 5", kind, ahead, mass)
		}
		in.Beams[0] = field.Beam{Bearing: 0, Range: 0.6, HalfWidth: 12 * deg}
		in.Beams[1] = field.Beam{Bearing: -30 * deg, Range: 0.6, HalfWidth: 12 * deg}
		in.NumBeams = 2
		if side, mass := run(t, e, &in, 400); side < 10 || mass < 3 {
			t.Errorf("%s: obstacle ahead and right: %.1f deg with %.2f cells, want left", kind, side, mass)
		}
		if !strings.Contains(e.Name(), string(kind)) && kind != ablation.Neural {
			t.Errorf("the name %q does not tell %s", e.Name(), kind)
		}
		e.Close()
	}
}

// TestRemembers: a goal is seen, then hidden while the car turns 60 degrees away from
// it. The field and the point still know where it is; forget does not.
func TestRemembers(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere, and equal hashes carry the field over")
	for _, kind := range []ablation.Kind{ablation.Neural, ablation.Point, ablation.Forget} {
		e := build(kind)
		in := field.Input{Quality: field.Full()}
		in.Add(field.Term{
			Channel: field.TargetSeen, A: 6,
			Centre: [3]float32{float32(field.BearingBin(30 * deg)), float32(field.RangeBin(1)), field.Side / 2},
			Sigma:  [3]float32{2, 2, 2},
		})
		run(t, e, &in, 300)
		in.NumTerms, in.Turn = 0, -60*deg/400
		run(t, e, &in, 399)
		out, err := e.Step(&in)
		if err != nil {
			t.Fatal(err)
		}
		x, mass := field.Centroid(&out.Marginals[field.GoalMem].X)
		if kind == ablation.Forget {
			if mass != 0 {
				t.Errorf("%s: still %.1f cells", kind, mass)
			}
		} else if off := exact.Wrap(field.Bearing(x)-90*deg) / deg; mass <= 1 || math.Abs(off) > 8 {
			t.Errorf("%s: the goal is %.1f deg off, with %.1f cells", kind, off, mass)
		}
		e.Close()
	}
}

// TestTrace: what the library remembers of the car's conduct is the decision that the
// car followed.
func TestTrace(t *testing.T) {
	e := build(ablation.Argmax)
	defer e.Close()
	in := field.Input{Quality: field.Full()}
	in.Drive.Line, in.Drive.LineWeight, in.Drive.OnLine = 60*deg, 1, true
	went, _ := run(t, e, &in, 600)
	cells := make([]float32, field.Cells)
	e.Read(field.HeadTrace, cells)
	sum, moment := 0.0, 0.0
	for x := range field.Side {
		v := float64(cells[x*field.Plane])
		sum, moment = sum+v, moment+v*field.Bearing(float64(x))/deg
	}
	if off := moment/sum - went; !(math.Abs(off) < 6) || went < 30 {
		t.Errorf("went to %.1f deg, remembers %.1f", went, moment/sum)
	}
}

// preset is an engine whose HEADING has a given input.
type preset struct {
	field.Engine
	out field.Output
}

func (p *preset) Step(*field.Input) (*field.Output, error) { return &p.out, nil }
func (p *preset) Write(field.Section, []float32)           {}
func (p *preset) Name() string                             { return "preset" }

// TestThresholds: a decision begins at the input at which the field's own regime
// detects, lasts until the one at which that loses its peak, and is not there below:
// then the brain can escape.
func TestThresholds(t *testing.T) {
	for _, kind := range ablation.Kinds()[1:4] {
		inside := &preset{}
		p := field.Default()
		e := kind.Wrap(inside, &p)
		for _, tt := range []struct {
			input   float32
			decided bool
		}{{-3, false}, {2.5, false}, {3, true}, {1.5, true}, {1, false}, {2.5, false}} {
			inside.out.Heading = field.Row{}
			for i := range inside.out.Heading {
				inside.out.Heading[i] = -5
			}
			for _, x := range [...]int{19, 20, 21} {
				inside.out.Heading[x] = tt.input
			}
			in := field.Input{Quality: field.Full()}
			bearing, mass := run(t, e, &in, 400)
			if (mass > 1) != tt.decided || tt.decided && math.Abs(bearing-45) > 6 {
				t.Errorf("%s: input %v at 45 deg: %.1f deg with %.1f cells, want decided %v", kind, tt.input, bearing, mass, tt.decided)
			}
		}
	}
}

// TestStepIsCheap: the wrapper allocates nothing.
func TestStepIsCheap(t *testing.T) {
	for _, kind := range ablation.Kinds() {
		e := build(kind)
		in := field.Input{Quality: field.Full()}
		run(t, e, &in, 5)
		if n := testing.AllocsPerRun(20, func() { run(t, e, &in, 1) }); n != 0 {
			t.Errorf("%s allocates %v times a step", kind, n)
		}
		e.Close()
	}
}

// TestParse: a wrong name is refused with the right ones.
func TestParse(t *testing.T) {
	if _, err := ablation.Parse("none"); err == nil || !strings.Contains(err.Error(), "attractor, argmax, lowpass") {
		t.Errorf("none: %v", err)
	}
	if k, err := ablation.Parse(""); k != ablation.Neural || err != nil {
		t.Errorf("empty: %v, %v", k, err)
	}
}
