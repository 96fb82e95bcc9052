package ground

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/robot/kit"
)

// Where the brain takes the parts of every body to be: where the PiCar-X has them.
const (
	Ahead    = kit.Ahead      // m from the rear axle to the body's centre, which is its reference point
	BarAhead = kit.FloorAhead // m from the rear axle to the floor bar
	BarPitch = kit.FloorPitch // m between two of the bar's sensors
)

// HeldTurn is how far something that held the car may have turned it: rad, one standard
// deviation (docs/decisions/0042).
const HeldTurn = 4 * math.Pi / 180

// A Body is the disc that must not touch anything, and what is kept around it. It is the
// brain's: a body of another shape has to lie within it.
type Body struct {
	Radius float32 // m
	Ahead  float32 // m from the rear axle to its centre
	Margin float32 // m kept around it where there is room
	Sides  float32 // m, the same where beams look to the sides; no less than Margin
}

// Default returns the body of the PiCar-X.
func Default() Body { return Body{Radius: kit.Radius, Ahead: Ahead, Margin: 0.02, Sides: 0.03} }

// A Pose is where the middle of the rear axle is in the odometry's frame.
type Pose struct {
	X, Y    float32 // m
	Heading float32 // rad
}

// Apart reports whether two poses are farther apart than the motion of one tick.
func (p Pose) Apart(from Pose) bool {
	const still, turned = 0.01, 1 * math.Pi / 180 // m, rad
	return exact.Hypot(float64(p.X-from.X), float64(p.Y-from.Y)) > still ||
		math.Abs(exact.Wrap(float64(p.Heading-from.Heading))) > turned
}

// Centre returns where the body's centre is then, in m in the same frame.
func (p Pose) Centre() (x, y float64) {
	h := float64(p.Heading)
	return float64(p.X) + float64(Ahead*exact.Cos(h)), float64(p.Y) + float64(Ahead*exact.Sin(h))
}
