package ablation

import (
	"fieldbrain/field"
	"fieldbrain/field/exact"
)

// A point remembers the goal as one place beside the body: the newest sighting,
// moved by dead reckoning while there is none.
type point struct {
	known bool
	x, y  float64 // m, ahead and to the left
}

// sighted is the amplitude of a stimulus from which on it counts: the brain itself
// believes sightings of a confidence above 0.2, and shows the field 6 times that.
const sighted = 1.2

// update moves the point by the tick's motion, takes a sighting, and tells where it is
// as the output of GOAL_MEM would.
func (p *point) update(in *field.Input) (m field.Marginal) {
	if p.known {
		sin, cos := exact.Sin(float64(in.Turn)), exact.Cos(float64(in.Turn))
		x := p.x - float64(in.Forward)
		p.x, p.y = float64(x*cos)+float64(p.y*sin), float64(p.y*cos)-float64(x*sin)
	}
	for i := range in.Terms[:in.NumTerms] {
		t := &in.Terms[i]
		if t.Channel == field.TargetSeen && t.A > sighted {
			psi, r := field.Bearing(float64(t.Centre[0])), field.Range(float64(t.Centre[1]))
			p.x, p.y, p.known = float64(r*exact.Cos(psi)), float64(r*exact.Sin(psi)), true
		}
	}
	if !p.known {
		return m
	}
	bump(&m.X, field.BearingBin(exact.Atan2(p.y, p.x)))
	bump(&m.Y, field.RangeBin(exact.Hypot(p.x, p.y)))
	for _, f := range m.X {
		m.Total += f
	}
	return m
}
