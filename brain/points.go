package brain

import (
	"time"

	"fieldbrain/field"
)

// points are the operating points: where on the motor axes the body acts now.
// Each climbs the gradient of its channel's output (B.5.4).
type points struct {
	steer, drive, look, reach field.Ascent

	heading    float64 // rad, op_X of HEADING
	throttle   float64 // -1..1, op_Y of SPEED
	gaze       float64 // rad, op_X of GAZE
	far        float64 // bins, op_Y of GAZE
	confidence float64 // kappa, how much of a heading there is
	desired    float64 // m/s, v_des, enters SPEED with the next tick
}

// Gains of the steering ascent in 1/s: elsewhere, and on a line. Field, ascent,
// servo and bar make a chain of delays around the line; with 12 the ascent alone
// takes 1/12 s of it, and at 0.30 m/s the car swings across the line for ever.
const (
	steerGain     = 12
	steerGainLine = 40
)

func newPoints() points {
	return points{
		steer: field.HeadingAscent(), drive: field.SpeedAscent(), look: field.GazeAscent(), reach: gazeRange(),
		far: field.RangeBin(1),
	}
}

// gazeRange returns the ascent along the ranges of GAZE, in bins: 6 /s, and where
// there is no peak it stays.
func gazeRange() field.Ascent {
	a := field.Ascent{Width: 4, Gain: 6, Rate: 40, Low: 3, High: 28, Silent: 0.3}
	for y := range a.Coordinate {
		a.Coordinate[y] = float64(y)
	}
	return a
}

// update moves the operating points up their gradients; online says that the car
// follows a line.
func (p *points) update(out *field.Output, online bool, dt time.Duration) {
	m := &out.Marginals
	p.steer.Gain = steerGain
	if online {
		p.steer.Gain = steerGainLine
	}
	p.heading = p.steer.Step(&m[field.Heading].X, p.heading, dt)
	p.throttle = p.drive.Step(&m[field.Speed].Y, p.throttle, dt)
	p.gaze = p.look.Step(&m[field.Gaze].X, p.gaze, dt)
	p.far = p.reach.Step(&m[field.Gaze].Y, p.far, dt)
	p.confidence = min(1, float64(m[field.Heading].Sum())/3)
}
