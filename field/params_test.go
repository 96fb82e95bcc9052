package field_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

func TestDefaultIsValid(t *testing.T) {
	for _, period := range []time.Duration{2500 * time.Microsecond, 5 * ms, 10 * ms, 20 * ms, 40 * ms} {
		p := field.Default()
		p.Period = period
		if err := p.Validate(); err != nil {
			t.Errorf("period %v: %v", period, err)
		}
	}
}

// TestValidateRejects breaks one rule at a time; the complaint names the channel
// or the setting, the inequality and its numbers.
func TestValidateRejects(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	on := func(c int, change func(ch *field.Channel)) func(p *field.Params) {
		return func(p *field.Params) { change(&p.Table[c]) }
	}
	for _, tt := range []struct {
		name   string
		change func(p *field.Params)
		want   []string
	}{
		{"period short", func(p *field.Params) { p.Period = 2 * ms }, []string{"period 2ms", "2.5ms..40ms"}},
		{"period long", func(p *field.Params) { p.Period = 41 * ms }, []string{"period 41ms", "2.5ms..40ms"}},
		{"line tau", func(p *field.Params) { p.LineTau = 0 }, []string{"line tau 0s", "positive"}},
		{"diffusion 3-D", on(7, func(ch *field.Channel) { ch.Diffusion = 0.17 }), []string{"channel 7 TARGET", "nu = 0.17", "1/(2m) = 0.1667", "m = 3"}},
		{"diffusion 2-D", on(0, func(ch *field.Channel) { ch.Diffusion = 0.26 }), []string{"channel 0 RANGE", "nu = 0.26", "1/(2m) = 0.25", "m = 2"}},
		{"diffusion 1-D", on(3, func(ch *field.Channel) { ch.Diffusion = 0.51 }), []string{"channel 3 LINE", "nu = 0.51", "1/(2m) = 0.5", "m = 1"}},
		{"diffusion by period", func(p *field.Params) { p.Period, p.Table[7].Diffusion = 40*ms, 0.021 }, []string{"nu = 0.168 per tick of 40ms", "0.1667"}},
		{"diffusion negative", on(3, func(ch *field.Channel) { ch.Diffusion = -0.1 }), []string{"diffusion -0.1 must not be negative"}},
		{"diffusion NaN", on(3, func(ch *field.Channel) { ch.Diffusion = nan }), []string{"diffusion is NaN"}},
		{"resting Inf", on(3, func(ch *field.Channel) { ch.Regime.Resting = inf }), []string{"resting level is +Inf"}},
		{"excitation negative", on(3, func(ch *field.Channel) { ch.Regime.Excitation = -1 }), []string{"excitation -1 must not be negative"}},
		{"inhibition NaN", on(3, func(ch *field.Channel) { ch.Regime.Inhibition = nan }), []string{"inhibition is NaN"}},
		{"global negative", on(3, func(ch *field.Channel) { ch.Regime.Global = -1 }), []string{"global inhibition -1 must not be negative"}},
		{"bound", on(3, func(ch *field.Channel) { ch.Regime.Excitation = 91 }), []string{"|h| + 20 + 40 + c_exc + c_inh = 156", "bound 155"}},
		{"noise", on(3, func(ch *field.Channel) { ch.Noise = 2.1 }), []string{"noise q = 2.1 exceeds 2"}},
		{"noise negative", on(3, func(ch *field.Channel) { ch.Noise = -1 }), []string{"noise -1 must not be negative"}},
		{"preshape", on(3, func(ch *field.Channel) { ch.Preshape = 2.6 }), []string{"preshape 2.6", "threshold 2.56"}},
		{"tau", on(3, func(ch *field.Channel) { ch.Tau = 0 }), []string{"tau 0s", "alpha = 1-exp(-Dt/tau)", "(0, 1]"}},
		{"memory decay", on(16, func(ch *field.Channel) { ch.Decay = 0 }), []string{"channel 16 RANGE_TRACE", "decay 0s must be positive"}},
		{"map decay", on(32, func(ch *field.Channel) { ch.Decay = -1 }), []string{"OBST_MAP", "decay -1ns must be positive"}},
		{"mask", on(3, func(ch *field.Channel) { ch.Mask = 8 }), []string{"mask 8", "X, Y and Z"}},
		{"kind", on(3, func(ch *field.Channel) { ch.Regime.Kind = 9 }), []string{"kind 9", "5 update rules"}},
		{"map elsewhere", on(3, func(ch *field.Channel) { ch.Regime, ch.Mask, ch.Decay = field.MAPT(), field.XY, time.Second }), []string{"a map must be channel 32, 35 or 36"}},
		{"map mask", on(32, func(ch *field.Channel) { ch.Mask = field.XYZ }), []string{"mask XYZ of a map must be XY"}},
		{"heading mask", on(48, func(ch *field.Channel) { ch.Mask = field.XY }), []string{"channel 48 HEADING", "mask XY must be X"}},
		{"egocentric without bearing", on(49, func(ch *field.Channel) { ch.Egocentric = true }), []string{"channel 49 SPEED", "needs the X axis", "mask is Y"}},
		{"trace of nothing", on(16, func(ch *field.Channel) { ch.Source = 64 }), []string{"source 64 must name another channel"}},
		{"trace of itself", on(16, func(ch *field.Channel) { ch.Source = 16 }), []string{"source 16 must name another channel"}},
		{"trace mask", on(16, func(ch *field.Channel) { ch.Source = 1 }), []string{"mask XY differs from X of its source LOOM"}},
		{"trace of a trace", on(16, func(ch *field.Channel) { ch.Source = 25 }), []string{"source PERSON_TRACE is itself a trace"}},
		{"preshape by a stranger", on(3, func(ch *field.Channel) { ch.Trace = 20 }), []string{"preshape trace 20 is not a memory trace of this channel"}},
		{"couplings", func(p *field.Params) { p.Couplings = make([]field.Coupling, 9) }, []string{"9 couplings, at most 8"}},
		{"coupling to itself", func(p *field.Params) { p.Couplings = []field.Coupling{{3, 3, 1}} }, []string{"coupling 0: 3 to 3"}},
		{"coupling beyond", func(p *field.Params) { p.Couplings = []field.Coupling{{3, 64, 1}} }, []string{"3 to 64", "two different channels"}},
		{"coupling into a trace", func(p *field.Params) { p.Couplings = []field.Coupling{{3, 16, 1}} }, []string{"RANGE_TRACE takes no input"}},
		{"coupling into space", func(p *field.Params) { p.Couplings = []field.Coupling{{3, 7, 1}} }, []string{"TARGET must have at most two axes"}},
		{"coupling weight", func(p *field.Params) { p.Couplings = []field.Coupling{{3, 34, 13}} }, []string{"weight 13", "+-12"}},
		{"coupling NaN", func(p *field.Params) { p.Couplings = []field.Coupling{{3, 34, nan}} }, []string{"weight NaN"}},
		{"map hit", func(p *field.Params) { p.Map.Hit = 0 }, []string{"map hit time 0s must be positive"}},
		{"map clear", func(p *field.Params) { p.Map.Clear = -1 }, []string{"map clear time -1ns"}},
		{"map visit", func(p *field.Params) { p.Map.Visit = 0 }, []string{"map visit time 0s"}},
		{"map range", func(p *field.Params) { p.Map.MaxRange = 3.1 }, []string{"map range 3.1 m", "0.05..3"}},
		{"map range NaN", func(p *field.Params) { p.Map.MaxRange = nan }, []string{"map range NaN m"}},
		{"heading forward", func(p *field.Params) { p.Heading.Forward = 7.5 }, []string{"heading forward 7.5", "0..7"}},
		{"heading on line", func(p *field.Params) { p.Heading.OnLine = -1 }, []string{"heading on line -1", "0..7"}},
		{"heading goal", func(p *field.Params) { p.Heading.Goal = 8 }, []string{"heading goal 8", "0..7"}},
		{"heading line", func(p *field.Params) { p.Heading.Line = 8 }, []string{"heading line 8", "0..7"}},
		{"heading memory", func(p *field.Params) { p.Heading.Memory = nan }, []string{"heading memory NaN", "0..7"}},
		{"heading recall", func(p *field.Params) { p.Heading.Recall = 11 }, []string{"heading recall 11", "0..10"}},
		{"heading plan", func(p *field.Params) { p.Heading.Plan = 11 }, []string{"heading plan 11", "0..10"}},
		{"heading repel", func(p *field.Params) { p.Heading.Repel = 21 }, []string{"heading repel 21", "0..20"}},
		{"heading revisit", func(p *field.Params) { p.Heading.Revisit = 21 }, []string{"heading revisit 21", "0..20"}},
		{"heading behind", func(p *field.Params) { p.Heading.Behind = inf }, []string{"heading behind +Inf", "0..20"}},
		{"heading hazard", func(p *field.Params) { p.Heading.Hazard = 21 }, []string{"heading hazard 21", "0..20"}},
		{"heading ceiling", func(p *field.Params) { p.Heading.Ceiling = 8 }, []string{"heading ceiling 8", "0..7.5"}},
		{"learning rate", func(p *field.Params) { p.Learn.Rate = 2 }, []string{"mu = 2 ", "0 <= mu < 2", "|1 - mu r.r/(1e-3 + r.r)|"}},
		{"learning rate beyond", func(p *field.Params) { p.Learn.Rate = 2.1 }, []string{"mu = 2.1 ", "0 <= mu < 2"}},
		{"learning rate negative", func(p *field.Params) { p.Learn.Rate = -0.1 }, []string{"mu = -0.1 "}},
		{"learning rate NaN", func(p *field.Params) { p.Learn.Rate = nan }, []string{"mu = NaN "}},
		{"heading baseline", func(p *field.Params) { p.Heading.Baseline = 1.1 }, []string{"heading baseline 1.1", "0..1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := field.Default()
			tt.change(&p)
			err := p.Validate()
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range append(tt.want, "field: ") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("complaint %q lacks %q", err, want)
				}
			}
		})
	}
}

// TestValidateJoins expects every complaint at once.
func TestValidateJoins(t *testing.T) {
	p := field.Default()
	p.LineTau, p.Table[3].Noise, p.Map.Hit, p.Heading.Goal = 0, 3, 0, 9
	err := p.Validate()
	for _, want := range []string{"line tau", "noise", "map hit", "heading goal"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	if _, err := cpu.New(p, cpu.DefaultOptions()); err == nil {
		t.Error("an engine was built from invalid parameters")
	}
}

// drawParams draws parameters from the whole of what is valid, its edges
// included, and a little beyond; those that Validate refuses are skipped.
func drawParams(t *rapid.T) field.Params {
	number := func(lo, hi float32, name string) float32 { return rapid.Float32Range(lo, hi).Draw(t, name) }
	p := field.Default()
	p.Period = time.Duration(rapid.Int64Range(int64(field.MinPeriod), int64(field.MaxPeriod)).Draw(t, "period"))
	p.Key = rapid.Uint32().Draw(t, "key")
	p.Learn = field.LearnParams{Predict: rapid.Bool().Draw(t, "predict"), Rate: number(0, 2, "mu")}
	tau := func(name string) time.Duration {
		return time.Duration(rapid.Int64Range(1, int64(2*time.Second)).Draw(t, name))
	}
	masks := []field.Mask{field.Uniform, field.X, field.Y, field.Z, field.XY, field.XZ, field.Y | field.Z, field.XYZ}
	for range 6 {
		c := rapid.IntRange(0, 15).Draw(t, "channel")
		ch := &p.Table[c]
		ch.Mask = rapid.SampledFrom(masks).Draw(t, "mask")
		p.Table[field.FirstTrace+c].Mask = ch.Mask
		ch.Tau, ch.Noise = tau("tau"), number(0, 2, "q")
		limit := 1 / float32(2*max(1, ch.Mask.Axes()))
		ch.Diffusion = number(0, 1, "nu") * limit * float32(5*ms) / float32(p.Period)
		ch.Egocentric = ch.Mask&field.X != 0 && rapid.Bool().Draw(t, "egocentric")
		ch.Trace, ch.Preshape = field.FirstTrace+c, number(0, 2.5, "c_pre")
		ch.Regime = field.Regime{Name: "DRAWN", Kind: field.Amari, Resting: number(-20, 20, "h")}
		if rapid.Bool().Draw(t, "linear") {
			ch.Regime.Kind = field.Linear
		}
		ch.Regime.Excitation = number(0, 75, "c_exc")
		ch.Regime.Inhibition = number(0, 75-ch.Regime.Excitation, "c_inh")
		ch.Regime.Global = number(0, 5, "c_glob")
	}
	for i := range p.Couplings {
		k := &p.Couplings[i]
		k.From, k.To = rapid.IntRange(0, 15).Draw(t, "from"), rapid.IntRange(0, 15).Draw(t, "to")
		if k.From == k.To || p.Table[k.To].Mask == field.XYZ {
			k.From, k.To = 10, field.LineMem
		}
		k.Weight = number(-12, 12, "w")
	}
	return p
}

// drawInput draws an input that a broken or hostile caller could send.
func drawInput(t *rapid.T, in *field.Input) {
	in.NumTerms = 0
	for range rapid.IntRange(0, 12).Draw(t, "terms") {
		term := field.Term{Channel: rapid.IntRange(-1, 16).Draw(t, "channel"), A: rapid.Float32().Draw(t, "A"), Of: rapid.Int32Range(-1, 65).Draw(t, "slot")}
		for axis := range 3 {
			term.Centre[axis] = rapid.Float32().Draw(t, "centre")
			term.Sigma[axis] = rapid.OneOf(rapid.Just(float32(0)), rapid.Float32()).Draw(t, "sigma")
		}
		in.Add(term)
	}
	any := rapid.OneOf(rapid.Float32Range(-4, 4), rapid.Float32(), rapid.SampledFrom([]float32{
		float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32,
	}))
	in.Forward, in.Turn = any.Draw(t, "forward"), any.Draw(t, "turn")
	in.NumBeams = rapid.IntRange(0, field.MaxBeams).Draw(t, "beams")
	for i := range in.Beams {
		in.Beams[i] = field.Beam{Bearing: any.Draw(t, "bearing"), Range: any.Draw(t, "range"), HalfWidth: any.Draw(t, "width")}
	}
	in.Drive = field.Drive{
		Goal: any.Draw(t, "goal"), GoalWeight: any.Draw(t, "goal weight"), Line: any.Draw(t, "line"),
		LineWeight: any.Draw(t, "line weight"), Side: any.Draw(t, "side"), Memory: any.Draw(t, "memory"),
		OnLine: rapid.Bool().Draw(t, "on line"),
	}
	in.Edges[0] = rapid.Bool().Draw(t, "edge")
	in.Senses.Frame, in.Senses.Valid = rapid.Bool().Draw(t, "frame"), rapid.Uint64().Draw(t, "valid")
	for i := range in.Senses.S {
		in.Senses.S[i] = any.Draw(t, "s")
	}
	period := rapid.SampledFrom([]int{1, 2, 4, 8})
	in.Quality = field.Quality{
		Perception: period.Draw(t, "perception"), Traces: period.Draw(t, "traces"), Associative: period.Draw(t, "associative"),
	}
}

// TestBoundedForAllValidParams: whatever passes Validate and whatever comes in,
// no activation leaves the bound of B.3 and none ceases to be a number.
func TestBoundedForAllValidParams(t *testing.T) {
	tier.Native(t, "takes minutes, and equal hashes carry its result over")
	tier.Compiled(t, "equal hashes carry its result over")
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		e, err := cpu.New(p, cpu.DefaultOptions())
		if err != nil {
			t.Skip("invalid: ", err)
		}
		defer e.Close()
		var in field.Input
		for range 4 {
			drawInput(t, &in)
			for range 4 {
				if _, err := e.Step(&in); err != nil {
					t.Fatal(err)
				}
				in.Tick++
			}
		}
		u := make([]float32, field.Cells)
		for c := range p.Table {
			limit := bound(&p, c)
			for i, v := range read(e, c, u) {
				if !(math.Abs(float64(v)) <= limit) {
					t.Fatalf("channel %d %s is %v at %d, bound %.1f", c, p.Table[c].Name, v, i, limit)
				}
			}
		}
	})
}
