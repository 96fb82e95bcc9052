package fieldbrain

import (
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/ground"
	"fieldbrain/robot"
	"fieldbrain/robot/kit"
	"fieldbrain/robot/safety"
)

// A Shape is what the brain must know of a body, a PiCar-X or not; PiCarX makes one of a
// kit.Sheet, whose floor references are counts of that car's converter. Lengths ahead are from
// the rear axle. The package's page says which of it the brain obeys, and which it only
// compares with what it takes for granted; New refuses a body that is not so.
type Shape struct {
	Wheelbase  float64 // m, between the axles of the bicycle model
	Track      float64 // m, between the driven wheels
	Radius     float64 // m, of a disc that covers the whole body, wheels and bumpers; must be given
	Ahead      float64 // m, that disc's centre
	SonarAhead float64 // m, range sensors' faces
	TopSpeed   float64 // m/s, what the brain takes for full speed; Limits.Speed at most
	Limits     Limits  // that no command exceeds; Steering above 30 degrees is not used
	Battery    Battery // voltages that slow or stop the car

	// What nobody can read off a body. 0 is the PiCar-X's.
	Lag       time.Duration // of the motors, first order; 120 ms
	ServoRate float64       // rad/s, of the steering; 300 degrees a second
	Cone      float64       // rad, half width of a range sensor's beam; 12 degrees

	// Floor sensors, left to right, in reflectance: the converter's full scale
	// is 1. A body without any leaves all five at 0; then it follows no line and knows no edge.
	LineLight  [robot.NumFloor]float32 // beside the line
	LineDark   [robot.NumFloor]float32 // on the line
	CliffDark  [robot.NumFloor]float32 // at or below: no floor
	FloorAhead float64                 // m, the bar with the sensors
	FloorPitch float64                 // m, between two of them
}

// PiCarX returns the shape of a PiCar-X: kit.PiCarX() is one as it comes, the Sheet of
// the driver's settings (picarx.Params) one that its owner has measured.
func PiCarX(car kit.Sheet) Shape {
	s := Shape{
		Wheelbase: car.Wheelbase, Track: car.WholeTrack(), Radius: car.Radius, Ahead: car.Ahead,
		SonarAhead: car.SonarAhead, TopSpeed: car.TopSpeed, Limits: car.Limits, Battery: safety.Default().Battery,
		Lag: car.Lag, ServoRate: car.ServoRate, Cone: car.Cone,
		CliffDark: car.CliffReferences(), FloorAhead: car.FloorAhead, FloorPitch: car.FloorPitch,
	}
	s.LineLight, s.LineDark = car.LineReferences()
	return s
}

// tell enters the shape into the brain's parameters.
func (s *Shape) tell(p *brain.Params) {
	usual := kit.PiCarX()
	p.Top = float32(s.TopSpeed)
	p.Wheelbase, p.Track = float32(s.Wheelbase), s.Track
	p.SonarLead = float32(s.SonarAhead - ground.Ahead)
	if p.LineLight, p.LineDark = s.LineLight, s.LineDark; !s.seesLine() {
		p.LineLight, p.LineDark = [robot.NumFloor]float32{}, [robot.NumFloor]float32{}
	}
	p.Safety.Limits, p.Safety.Battery = s.Limits, s.Battery
	cliff := &p.Safety.Cliff
	cliff.Track, cliff.Reference = float32(s.Track), s.CliffDark
	if s.Wheelbase < shortest || s.Wheelbase > longest {
		cliff.Wheelbase = p.Wheelbase
	}
	if s.Lag != 0 {
		p.Lag, cliff.Lag = s.Lag, s.Lag
		p.Safety.Range.Reaction += max(s.Lag-usual.Lag, 0) // it stops later
	}
	lead := float32(max(s.hidden()-PiCarX(usual).hidden(), 0))
	front := &p.Safety.Range // from the sensor's face
	for _, distance := range [...]*float32{&front.Nearest, &front.Margin, &front.Refuse, &front.Release} {
		*distance += lead
	}
	if s.ServoRate != 0 {
		p.ServoRate = s.ServoRate
		cliff.ServoRate = min(cliff.ServoRate, float32(s.ServoRate))
	}
	if s.Cone != 0 {
		p.Cone = float32(s.Cone)
	}
}

// hidden returns how far in m the body reaches beyond its range sensors' faces. What they read is so
// much more than what is left; the reflexes' distances hold the PiCar-X's.
func (s Shape) hidden() float64 { return s.Ahead + s.Radius - s.SonarAhead }

// A PiCar-X measures 87 to 100 mm between its axles. The reflexes take the kit's 94 mm for all
// of them, with which they were tried (robot/picarx; docs/robot.md).
const shortest, longest = 0.087, 0.1
