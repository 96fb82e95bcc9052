package field

import (
	"math"
	"time"

	"fieldbrain/field/exact"
)

// Alpha returns 1 - exp(-dt/tau), the share of the way a first-order system of
// time constant tau goes in dt.
func Alpha(dt, tau time.Duration) float64 { return 1 - exact.Exp(-float64(dt)/float64(tau)) }

// A Coef is what one channel's update multiplies with, computed once per
// parameter set and update period. The layout is shared with the C engines.
type Coef struct {
	Alpha    float32 // share of the way to the input per update
	Nu       float32 // diffusion per update
	Resting  float32 // h
	Excite   float32 // c_exc per Q15 unit
	Inhibit  float32 // c_inh per Q15 unit
	Global   float32 // c_glob per Q15 unit
	Preshape float32 // c_pre
	Noise    float32 // q sqrt(alpha (2-alpha))
	Keep     float32 // Memory: factor of forgetting per update
	Lead     float32 // share of the way to a recalled pattern per update, 0 for none
}

// periods are the update periods that have coefficients, as powers of two.
const periods = 4

// Coefs holds the coefficients of all channels for the update periods 1, 2, 4
// and 8, and of HEADING while following a line.
type Coefs struct {
	table   [periods][Channels]Coef
	heading Coef
}

// NewCoefs derives the coefficients of valid parameters.
func NewCoefs(p *Params) *Coefs {
	k := &Coefs{}
	for n := range periods {
		for c := range p.Table {
			k.table[n][c] = p.coef(&p.Table[c], p.Period<<n, p.Table[c].Tau)
			k.table[n][c].Lead = float32(p.lead(c, p.Period<<n, Alpha(p.Period<<n, p.Table[c].Tau)))
		}
	}
	k.heading = p.coef(&p.Table[Heading], p.Period, p.LineTau)
	return k
}

// At returns the coefficients of channel c when updated every n-th tick.
func (k *Coefs) At(c, every int, lineFollowing bool) Coef {
	if c == Heading && lineFollowing {
		return k.heading
	}
	n := 0
	for every > 1 {
		every >>= 1
		n++
	}
	return k.table[n][c]
}

func (p *Params) coef(ch *Channel, dt, tau time.Duration) Coef {
	alpha := Alpha(dt, tau)
	r := ch.Regime
	nu := float64(ch.Diffusion) * (dt.Seconds() / 0.005)
	if m := ch.Mask.Axes(); m > 0 {
		nu = min(nu, 1/float64(2*m))
	}
	k := Coef{
		Alpha:    float32(alpha),
		Nu:       float32(nu),
		Resting:  r.Resting,
		Excite:   r.Excitation / One,
		Inhibit:  r.Inhibition / One,
		Global:   r.Global / One,
		Preshape: ch.Preshape,
		Noise:    float32(float64(ch.Noise) * math.Sqrt(float64(alpha*(2-alpha)))),
	}
	if r.Kind == Memory {
		k.Keep = float32(exact.Exp(-float64(dt) / float64(ch.Decay)))
	}
	return k
}
