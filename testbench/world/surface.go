package world

import "fieldbrain/field/exact"

// A Surface says what a wall, a disc or a mover does to sound. Ultrasound of 40 kHz
// has waves of 8.6 mm: a plaster wall or a pane is a mirror to it, a curtain or a
// pullover swallows it. To the body all of them are solid.
type Surface struct {
	Lost     float64 // probability that a ping's echo from it is lost, 0 .. 1
	Within   float64 // m from which on its echo is too weak to be heard; 0 is no bound
	Specular float64 // rad from its normal beyond which it sends nothing back; 0 leaves it to the beam
}

// A Hit is what a ray meets.
type Hit struct {
	Distance  float64  // m; +Inf for nothing
	Incidence float64  // cosine of the angle between the ray and the surface's normal
	Surface   *Surface // nil is hard and rough
}

// Echoes reports whether a hit sends a ping back. Luck in [0, 1) is drawn once a
// ping: of 0.7, surfaces that lose less than 0.7 of their echoes are heard; 1 loses
// none. Rough is the cosine of the steepest incidence that returns from surfaces that
// say nothing of their own, 0 for all.
func (h Hit) Echoes(luck, rough float64) bool {
	s := h.Surface
	if s == nil {
		return h.Incidence >= rough
	}
	if s.Specular > 0 {
		rough = exact.Cos(s.Specular)
	}
	return h.Incidence >= rough && luck >= s.Lost && (s.Within == 0 || h.Distance <= s.Within)
}
