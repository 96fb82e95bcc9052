package fieldbrain

import "fieldbrain/field"

// Stimulus returns an input for a channel that is localised on the bearing alone,
// such as field.Heading: strength in units of activation around a bearing, width
// its standard deviation, both in rad. Add it to a field.Input.
func Stimulus(channel int, strength, bearing, width float64) field.Term {
	return field.At(channel, float32(strength), field.BearingBin(bearing), width/field.BinAngle)
}

// StimulusAt returns an input for a channel of bearing and range, such as
// field.Gaze: around a bearing in rad and a distance in m, as wide as width
// in rad, and as many bins deep as it is wide.
func StimulusAt(channel int, strength, bearing, distance, width float64) field.Term {
	t := Stimulus(channel, strength, bearing, width)
	t.Centre[1] = float32(field.RangeBin(distance))
	t.Sigma[1] = t.Sigma[0]
	return t
}

// Peak returns where the output of a channel lies: its centre's bearing in rad,
// positive left, and its mass in cells of full output, 0 when the channel is
// silent. It is exact for one peak narrower than half the circle.
func Peak(out *field.Output, channel int) (bearing, mass float64) {
	position, mass := field.Centroid(&out.Marginals[channel].X)
	return field.Bearing(position), mass
}
