package plan

import "fieldbrain/field/exact"

// A Motion is one propagation in numbers: what another machine needs to compute
// the same paths as Propagate.
type Motion struct {
	From                     State
	Cos, Sin                 float32          // of the heading
	Grip, Slew, Curve, Ahead float32          // see Model
	Angles, Speeds, Slopes   [Actions]float32 // rad, m/s, tangents of the angles
}

// Motion returns the propagation from a state.
func (m *Model) Motion(from State) Motion {
	out := Motion{
		From: from, Cos: float32(exact.Cos(float64(from.Heading))), Sin: float32(exact.Sin(float64(from.Heading))),
		Grip: m.grip, Slew: m.slew, Curve: m.curve, Ahead: m.ahead, Speeds: m.speeds, Slopes: m.slopes,
	}
	for i, a := range m.actions {
		out.Angles[i] = a.Steering
	}
	return out
}
