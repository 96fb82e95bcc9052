package steer

import "fieldbrain/field/exact"

// What stands beside the body no beam sees any more, nor does one on the inside of a bend
// before the body is there: a car with five beams touched with its flank what it turned
// towards (docs/decisions/0036).
const (
	flankWay  = 0.15 // m of an arc that count: farther ahead the beams still look
	flankAt   = 3    // places on it
	flankBand = 0.04 // m beside the body within which what stands there costs
	flankCost = 2    // of an arc that touches it, in shares of the lock
	darkBand  = 0.02 // m beside the body within which floor costs that is not known to be free
	darkDeep  = 0.05 // m inside of the body's outline where such floor costs all
	darkCost  = 1
)

// flank is what it costs how near the body comes, on the next stretch of an arc, to what
// is beside it: to what stands there, and to floor not seen, behind which something may.
func (l *Law) flank(s *Situation, steering float64) float64 {
	k := exact.Tan(steering) / l.body.Wheelbase
	h, ahead := float64(s.Pose.Heading), float64(s.Ground.Body().Ahead)
	gap, dark := float32(flankBand), float32(darkBand)
	for i := 1; i <= flankAt; i++ {
		d := float64(flankWay / flankAt * float64(i))
		turn := float64(d * k)
		chord, nose := h+float64(0.5*turn), h+turn
		x := float64(s.Pose.X) + float64(d*exact.Cos(chord)) + float64(ahead*exact.Cos(nose))
		y := float64(s.Pose.Y) + float64(d*exact.Sin(chord)) + float64(ahead*exact.Sin(nose))
		gap = min(gap, s.Ground.Gap(float32(x), float32(y), flankBand))
		dark = min(dark, s.Ground.Dark(float32(x), float32(y), darkBand))
	}
	touches := 1 - exact.Clip(float64(gap)/flankBand, 0, 1)
	gropes := exact.Clip((darkBand-float64(dark))/(darkBand+darkDeep), 0, 1)
	return float64(flankCost*touches) + float64(darkCost*gropes)
}
