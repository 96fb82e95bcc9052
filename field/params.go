package field

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// A Coupling feeds one channel's output into another, pointwise (B.3):
// S += Weight * f of the source. Axes that only the source has are summed over
// and clipped at 1; along axes that only the target has the input is uniform.
type Coupling struct {
	From, To int
	Weight   float32
}

// Params are everything that defines the dynamics. Two engines built from
// equal Params compute the same field.
type Params struct {
	Period    time.Duration     // Dt, time between two steps
	LineTau   time.Duration     // tau of HEADING while a line is followed
	Key       uint32            // seed of the noise
	Table     [Channels]Channel // the channels
	Couplings []Coupling        // pointwise inputs between channels
	Map       MapParams         // obstacle, hazard and visited maps
	Heading   HeadingParams     // the input of the HEADING channel
	Learn     LearnParams       // prediction of the senses
	Recall    LibraryParams     // pattern library; off
}

// Default returns the validated parameters of docs/specification.md, part B at 5 ms.
func Default() Params {
	return Params{
		Period:  5 * ms,
		LineTau: 50 * ms,
		Key:     1,
		Table:   PiCarX(),
		Couplings: []Coupling{
			{TargetSeen, GoalMem, 6 * 0.6},
			{Light, GoalMem, 6 * 0.6},
			{Line, LineMem, 6},
			{TargetSeen, Gaze, 4},
			{Novelty, Gaze, 3},
		},
		Map:     DefaultMap(),
		Heading: DefaultHeading(),
		Learn:   DefaultLearn(),
	}
}

// Legal periods: of the field's step, of the brain's tick and of the
// loop that runs it.
const (
	MinPeriod = 2500 * time.Microsecond
	MaxPeriod = 40 * ms
)

// Limits of the validated range.
const (
	Bound      = 155 // B of B.3, the largest |b| without noise (see the package comment)
	inputLow   = -20 // S is clipped to [-20, 12]
	inputHigh  = 12
	globalMax  = 40 // global inhibition is clipped to 40
	detectable = 2.56
)

// Validate returns every reason why the parameters are not stable, each with
// the inequality that failed and its numbers, joined.
func (p *Params) Validate() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf("field: "+format, args...)) }
	if p.Period < MinPeriod || p.Period > MaxPeriod {
		fail("period %v must be within %v..%v", p.Period, MinPeriod, MaxPeriod)
		return errors.Join(errs...) // every other limit depends on it
	}
	if p.LineTau <= 0 {
		fail("line tau %v must be positive", p.LineTau)
	}
	for c := range p.Table {
		p.validateChannel(c, fail)
	}
	if len(p.Couplings) > MaxCouplings {
		fail("%d couplings, at most %d", len(p.Couplings), MaxCouplings)
	}
	for i, k := range p.Couplings {
		p.validateCoupling(i, k, fail)
	}
	return errors.Join(append(errs, p.Map.validate(), p.Heading.validate(), p.Learn.validate(), p.validateLibrary())...)
}

// validateChannel checks the guarantees of B.3 for one channel.
func (p *Params) validateChannel(c int, fail func(string, ...any)) {
	ch := &p.Table[c]
	at := fmt.Sprintf("channel %d %s", c, ch.Name)
	r := ch.Regime
	if ch.Mask > XYZ {
		fail("%s: mask %d must be a combination of X, Y and Z", at, ch.Mask)
		return
	}
	p.validateRole(c, at, fail)
	for _, q := range []struct {
		name  string
		value float32
	}{
		{"resting level", r.Resting},
		{"excitation", r.Excitation},
		{"inhibition", r.Inhibition},
		{"global inhibition", r.Global},
		{"diffusion", ch.Diffusion},
		{"noise", ch.Noise},
		{"preshape", ch.Preshape},
	} {
		if math.IsNaN(float64(q.value)) || math.IsInf(float64(q.value), 0) {
			fail("%s: %s is %v, must be a number", at, q.name, q.value)
			return
		}
		if q.name != "resting level" && q.value < 0 {
			fail("%s: %s %v must not be negative", at, q.name, q.value)
		}
	}
	if ch.Tau <= 0 {
		fail("%s: tau %v gives alpha = 1-exp(-Dt/tau) outside (0, 1]; tau must be positive", at, ch.Tau)
	}
	if r.Kind == Memory && ch.Decay <= 0 || r.Kind == Mapping && ch.Decay <= 0 {
		fail("%s: decay %v must be positive", at, ch.Decay)
	}
	p.validateStability(c, at, fail)
	p.validateSources(c, at, fail)
	p.validatePlanes(c, at, fail)
}

// validateRole checks the channels that the tick addresses by number: the
// three maps have the shape of the bearing-range plane and stand nowhere else,
// and the heading is decided along the bearing.
func (p *Params) validateRole(c int, at string, fail func(string, ...any)) {
	ch := &p.Table[c]
	if ch.Regime.Kind > Mapping {
		fail("%s: kind %d is none of the %d update rules", at, ch.Regime.Kind, Mapping+1)
	}
	if ch.Regime.Kind == Mapping {
		if c != ObstMap && c != HazardMap && c != VisitedMap {
			fail("%s: a map must be channel %d, %d or %d", at, ObstMap, HazardMap, VisitedMap)
		}
		if ch.Mask != XY {
			fail("%s: mask %v of a map must be XY", at, ch.Mask)
		}
	}
	if (c == Heading || c == HeadPref || c == PlanHead) && ch.Mask != X {
		fail("%s: mask %v must be X: the heading is decided along the bearing", at, ch.Mask)
	}
}

// validateStability checks the inequalities that make the update a bounded
// convex combination.
func (p *Params) validateStability(c int, at string, fail func(string, ...any)) {
	ch := &p.Table[c]
	if m := ch.Mask.Axes(); m > 0 {
		nu := float64(ch.Diffusion) * p.Period.Seconds() / 0.005
		if limit := 1 / float64(2*m); float32(nu) > float32(limit) { // 1/6 itself may be written down
			fail("%s: diffusion nu = %.4g per tick of %v exceeds 1/(2m) = %.4g for m = %d localised axes: the checkerboard mode would grow",
				at, nu, p.Period, limit, m)
		}
	}
	r := ch.Regime
	b := math.Abs(float64(r.Resting)) - inputLow + globalMax + float64(r.Excitation) + float64(r.Inhibition)
	if b > Bound {
		fail("%s: |h| + 20 + 40 + c_exc + c_inh = %.4g exceeds the bound %d", at, b, Bound)
	}
	if ch.Noise > 2 {
		fail("%s: noise q = %.4g exceeds 2", at, ch.Noise)
	}
	if ch.Preshape >= detectable {
		fail("%s: preshape %.4g must stay below the lowest detection threshold %.4g: a memory alone would make a peak",
			at, ch.Preshape, detectable)
	}
	if ch.Egocentric && ch.Mask&X == 0 {
		fail("%s: an egocentric channel turns with the body and needs the X axis; its mask is %v", at, ch.Mask)
	}
}

// validateSources checks that traces follow channels of their own shape.
func (p *Params) validateSources(c int, at string, fail func(string, ...any)) {
	ch := &p.Table[c]
	if k := ch.Regime.Kind; k == Memory || k == Leaky {
		if ch.Source < 0 || ch.Source >= Channels || ch.Source == c {
			fail("%s: source %d must name another channel", at, ch.Source)
			return
		}
		src := &p.Table[ch.Source]
		if src.Mask != ch.Mask {
			fail("%s: mask %v differs from %v of its source %s", at, ch.Mask, src.Mask, src.Name)
		}
		if sk := src.Regime.Kind; sk != Amari && sk != Linear {
			fail("%s: source %s is itself a trace or map", at, src.Name)
		}
	}
	if ch.Trace < 0 {
		return
	}
	if ch.Trace >= Channels || p.Table[ch.Trace].Regime.Kind != Memory || p.Table[ch.Trace].Source != c {
		fail("%s: preshape trace %d is not a memory trace of this channel", at, ch.Trace)
	}
}

// validateCoupling checks one pointwise input.
func (p *Params) validateCoupling(i int, k Coupling, fail func(string, ...any)) {
	if k.From < 0 || k.From >= Channels || k.To < 0 || k.To >= Channels || k.From == k.To {
		fail("coupling %d: %d to %d must name two different channels", i, k.From, k.To)
		return
	}
	if kind := p.Table[k.To].Regime.Kind; kind != Amari && kind != Linear {
		fail("coupling %d: %s takes no input", i, p.Table[k.To].Name)
	}
	if p.Table[k.To].Mask == XYZ {
		fail("coupling %d: target %s must have at most two axes", i, p.Table[k.To].Name)
	}
	if w := float64(k.Weight); math.IsNaN(w) || math.Abs(w) > 12 {
		fail("coupling %d: weight %v must be within +-12", i, k.Weight)
	}
}
