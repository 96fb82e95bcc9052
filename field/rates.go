package field

import (
	"math"
	"time"

	"fieldbrain/field/exact"
)

// rates are the numbers that the update rules multiply with, computed once from
// valid Params. A Prep reads them in every tick, a device gets them as Constants.
type rates struct {
	coefs   *Coefs
	warp    warpTables
	maps    mapRates
	heading headingTables
	spots   [MaxSpots]Spot
	places  int32 // how many spots there are
	recall  RecallRates
}

func newRates(p *Params) rates {
	r := rates{
		coefs: NewCoefs(p), warp: newWarpTables(), maps: newMapRates(p),
		heading: newHeadingTables(), recall: newRecallRates(p),
	}
	r.spots, r.places = newSpots()
	return r
}

// Alpha returns 1 - exp(-dt/tau), the share of the way a first-order system of
// time constant tau goes in dt.
func Alpha(dt, tau time.Duration) float64 { return 1 - exact.Exp(-float64(dt)/float64(tau)) }

// A Coef holds the factors of one channel's update, computed once per
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

// warpTables are the constants of the displacement: sin and cos of psi_x, divided by
// BinAngle and by k, and 1/r_y in 1/m.
type warpTables [3]Row

func newWarpTables() warpTables {
	var t warpTables
	for i := range Side {
		psi := Bearing(float64(i))
		t[0][i] = float32(exact.Sin(psi) / BinAngle)
		t[1][i] = float32(exact.Cos(psi) / rangeLog)
		t[2][i] = float32(1 / Range(float64(i)))
	}
	return t
}

// mapRates are the shares by which the maps move per tick.
type mapRates struct {
	hit, clear, visit float32
	keep              [3]float32 // of obstacles, hazards and visited places
	maxRange          float32
}

func newMapRates(p *Params) mapRates {
	keep := func(c int) float32 {
		return float32(exact.Exp(-float64(p.Period) / float64(p.Table[c].Decay)))
	}
	return mapRates{
		hit:      float32(Alpha(p.Period, p.Map.Hit)),
		clear:    float32(Alpha(p.Period, p.Map.Clear)),
		visit:    float32(Alpha(p.Period, p.Map.Visit)),
		keep:     [3]float32{keep(ObstMap), keep(HazardMap), keep(VisitedMap)},
		maxRange: p.Map.MaxRange,
	}
}

// headingTables are the constants of the heading input.
type headingTables struct {
	eye             Eye        // SpreadOn exp(-k^2/(2 2.5^2)), SpreadOff exp(-k^2/(2 1.6^2))
	ahead           Row        // forward pull, amplitude 1
	behind          Row        // 1 beyond 100 deg
	central         [Side]bool // |psi| < 80 deg
	left30, right30 Row        // remembered escape sides
}

func newHeadingTables() headingTables {
	const deg = math.Pi / 180
	var t headingTables
	for i := range Side {
		r, psi := Range(float64(i)), Bearing(float64(i))
		t.eye.Near[i] = float32(min(1, exact.Exp(-(r-0.25)/0.12)))
		t.eye.Far[i] = float32(min(1, exact.Exp(-(r-0.25)/0.40)))
		t.eye.Between[i] = float32(flag(r > 0.25 && r < 1.2))
		t.central[i] = math.Abs(psi) < 80*deg-1e-9
		if math.Abs(psi) > 100*deg {
			t.behind[i] = 1
		}
	}
	for k := range t.eye.SpreadOn {
		d := float64(k * k)
		t.eye.SpreadOn[k] = float32(exact.Exp(-d / (2 * 2.5 * 2.5)))
		t.eye.SpreadOff[k] = float32(exact.Exp(-d / (2 * 1.6 * 1.6)))
	}
	t.ahead.gaussian(Ahead, 45*deg/BinAngle, true)
	t.left30.gaussian(BearingBin(70*deg), 30*deg/BinAngle, true)
	t.right30.gaussian(BearingBin(-70*deg), 30*deg/BinAngle, true)
	return t
}

// newSpots returns the table of places.
func newSpots() (spots [MaxSpots]Spot, n int32) {
	add := func(s Spot) {
		spots[n] = s
		n++
	}
	for i, degrees := range [...]float64{0, 30, -30, 60, -60, 90, -90, 180} {
		psi := float64(degrees * (math.Pi / 180))
		lead := float32(float64(sensorLead * exact.Cos(psi)))
		add(Spot{Slot: int32(SlotRange + i), Ranging: 1, X: float32(BearingBin(psi)), Y: lead, Width: 2})
	}
	near := float32(RangeBin(edgeRange))
	for i := range 3 {
		add(Spot{Slot: int32(SlotFloor + i), X: float32(edgeBin(i)), Y: near, Width: 1.2})
	}
	add(Spot{Slot: SlotContact, X: Ahead, Y: near, Width: 2})
	const reach = 60.0 / (360.0 / Side) // bins
	add(Spot{
		Slot: SlotTarget, X: Ahead - reach, Turn: 2 * reach,
		Y: float32(RangeBin(1)), Width: 2,
	})
	return spots, n
}

// RecallRates are the constants of the library at one period. The kernels keep
// the same struct.
type RecallRates struct {
	Fade         float64 // exponent of a credit per tick of its age
	Match, Learn int32
	Context      int32   // the predictor reads the context
	Share        float32 // see LibraryParams
	Keep         float32 // of a pattern's freshness per context
	ContextEvery int32   // ticks
	EpisodeEvery int32   // ticks
	First        [Strategic + 1]int32
}

func newRecallRates(p *Params) RecallRates {
	every := func(d time.Duration) int32 { return int32((d + p.Period/2) / p.Period) }
	r := RecallRates{
		Fade:  -float64(p.Period) / float64(creditTau),
		Match: flag(p.Recall.Match), Learn: flag(p.Recall.Learn), Context: flag(p.Recall.Context), Share: p.Recall.Share,
		Keep:         float32(exact.Exp(-float64(contextPause) / float64(forgetTau))),
		ContextEvery: every(contextPause), EpisodeEvery: every(episodePause),
		First: NewShelf(&p.Table),
	}
	return r
}
