package kit

import (
	"math"
	"time"

	"fieldbrain/robot"
)

const deg = math.Pi / 180

// FloorScale is the ADC count that robot.State.Floor calls 1: 12 bits.
const FloorScale = 4095

// The kit as it comes (hardware notes 2.6). Whoever takes these for granted of every car names
// them; a Sheet begins with them. What its Limits hold is robot.DefaultLimits.
const (
	Wheelbase  = 0.094   // m, between the axles
	Track      = 0.11665 // m, between the rear wheels
	TopSpeed   = 0.35    // m/s, the fastest that it is driven
	Radius     = 0.09    // m, of a disc that covers the body
	Ahead      = 0.05    // m from the rear axle to its centre
	SonarAhead = 0.11    // m from the rear axle to the front sonar's face
	SonarAbove = 0.08    // m from the floor to its middle
	FloorAhead = 0.12    // m from the rear axle to the floor sensors
	FloorPitch = 0.02    // m between two of them

	Lag       = 120 * time.Millisecond // of the motors, first order
	ServoRate = 300 * deg              // rad/s, slew of the steering servo
	Cone      = 12 * deg               // rad, half width of a sonar's beam
)

// A Sheet holds the numbers of one PiCar-X, as it comes or as its owner measured it: floor
// sensors in ADC counts. A fieldbrain.Shape is any body's, in reflectance; fieldbrain.PiCarX
// makes one of a Sheet.
type Sheet struct {
	Wheelbase  float64      // m, between the axles
	Track      float64      // m, between the rear wheels
	SonarAhead float64      // m from the rear axle to the front sonar's face
	TopSpeed   float64      // m/s, the fastest that it is driven
	Limits     robot.Limits // that no command exceeds

	Radius     float64 // m, of a disc that covers the body
	Ahead      float64 // m from the rear axle to its centre
	FloorAhead float64 // m from the rear axle to the floor sensors
	FloorPitch float64 // m between two of them

	Lag       time.Duration // of the motors, first order
	ServoRate float64       // rad/s, slew of the steering servo
	Cone      float64       // rad, half width of a sonar's beam

	// Floor sensors, left to right, in ADC counts as the vendor's tools give them.
	Line  [robot.NumFloor]int // at or below: line
	Cliff [robot.NumFloor]int // at or below: no floor
}

// PiCarX returns the kit as it comes, with the vendor's floor references.
func PiCarX() Sheet {
	return Sheet{
		Wheelbase: Wheelbase, Track: Track, SonarAhead: SonarAhead,
		TopSpeed: TopSpeed, Limits: robot.DefaultLimits(),
		Radius: Radius, Ahead: Ahead, FloorAhead: FloorAhead, FloorPitch: FloorPitch,
		Lag: Lag, ServoRate: ServoRate, Cone: Cone,
		Line:  [robot.NumFloor]int{1000, 1000, 1000},
		Cliff: [robot.NumFloor]int{500, 500, 500},
	}
}

// WholeTrack returns the track in m to the whole millimetre, which is as well as anybody
// measures it, and as the brain takes it.
func (s *Sheet) WholeTrack() float64 { return math.Round(1000*s.Track) / 1000 }

// LineReferences returns what the floor sensors read beside a line and on it, in
// reflectance: FloorScale is 1. The line's reference lies between floor and tape: 1.2 of
// it is surely floor, 0.4 of it surely tape.
func (s *Sheet) LineReferences() (light, dark [robot.NumFloor]float32) {
	for i, counts := range s.Line {
		light[i] = float32(1.2*float64(counts)) / FloorScale
		dark[i] = float32(0.4*float64(counts)) / FloorScale
	}
	return light, dark
}

// CliffReferences returns what the floor sensors read at most where there is no floor, in
// reflectance.
func (s *Sheet) CliffReferences() (dark [robot.NumFloor]float32) {
	for i, counts := range s.Cliff {
		dark[i] = float32(counts) / FloorScale
	}
	return dark
}
