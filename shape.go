package fieldbrain

import (
	"errors"
	"fmt"
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/ground"
	"fieldbrain/robot"
	"fieldbrain/robot/kit"
	"fieldbrain/robot/safety"
)

// A Shape is what the brain must know of a body. Lengths ahead are from the rear axle. The
// package's page says which of it the brain obeys, and which it only compares with what it
// takes for granted; New refuses a body that is not so.
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
	// is 1. They matter to Task.FollowLine and Task.Cliff only.
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
	p.SonarLead = float32(s.SonarAhead - referencePoint)
	p.LineLight, p.LineDark = s.LineLight, s.LineDark
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
	if s.ServoRate != 0 {
		p.ServoRate = s.ServoRate
		cliff.ServoRate = min(cliff.ServoRate, float32(s.ServoRate))
	}
	if s.Cone != 0 {
		p.Cone = float32(s.Cone)
	}
}

// A PiCar-X measures 87 to 100 mm between its axles. The reflexes take the kit's 94 mm for all
// of them, with which they were tried (robot/picarx; docs/robot.md).
const shortest, longest = 0.087, 0.1

// What the brain takes for granted of a body, in m.
const (
	referencePoint = 0.05 // ahead of the rear axle, where its bearings start
	barNear        = 0.01 // by which the floor bar may be off: more, and an edge is not where the brain writes it
	pitchNear      = 0.005
	barLead        = 0.01 // from the front axle to the bar: as far as the car goes after the bar has seen an edge
	whole          = 1e-6 // and less is nothing
)

// check returns everything about the body that the brain neither obeys nor takes for granted.
func (s *Shape) check(t *Task) error {
	var errs []error
	fail := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("fieldbrain: "+format, args...))
		}
	}
	fail(s.SonarAhead >= referencePoint && s.SonarAhead <= referencePoint+0.3, // as brain.Params.SonarLead
		"Shape.SonarAhead %v m must be within %v..%v", s.SonarAhead, referencePoint, referencePoint+0.3)
	fail(!(float32(s.TopSpeed) > s.Limits.Speed), "Shape.TopSpeed %v m/s must be at most Shape.Limits.Speed, %v m/s, which no command exceeds",
		s.TopSpeed, s.Limits.Speed)
	s.checkOutline(fail)
	if t.Cliff || t.FollowLine {
		s.checkFloor(t, fail)
	}
	return errors.Join(errs...)
}

// checkOutline wants the wheels inside of the body's disc, and that inside of the disc which the
// brain keeps free.
func (s *Shape) checkOutline(fail func(ok bool, format string, args ...any)) {
	kept := ground.Default()
	if !(s.Radius > 0) {
		fail(false, "Shape.Radius %v m must be given: the radius of a disc around Shape.Ahead that covers the whole body, %v m at most",
			s.Radius, kept.Radius)
		return
	}
	for _, axle := range [...]struct {
		name  string
		ahead float64
	}{{"rear", 0}, {"front", s.Wheelbase}} {
		off := math.Hypot(axle.ahead-s.Ahead, s.Track/2)
		fail(off <= s.Radius+whole, "a wheelbase of %v m and a track of %v m put a %s wheel %.3f m from Shape.Ahead %v m, outside of Shape.Radius %v m: "+
			"give the disc that covers the whole body", s.Wheelbase, s.Track, axle.name, off, s.Ahead, s.Radius)
	}
	beyond := s.Radius + math.Abs(s.Ahead-float64(kept.Ahead)) - float64(kept.Radius)
	fail(beyond <= whole, "Shape.Radius %v m around Shape.Ahead %v m is %.3f m too large: the law keeps a disc of %v m free, %v m ahead of the rear axle, "+
		"and a body that reaches beyond it scrapes along what stands there; no setting makes that disc larger: only a smaller body can be driven",
		s.Radius, s.Ahead, beyond, kept.Radius, kept.Ahead)
}

// checkFloor wants the floor bar where the brain reckons with it, and before the front wheels
// where it looks for edges.
func (s *Shape) checkFloor(t *Task, fail func(ok bool, format string, args ...any)) {
	usual := kit.PiCarX()
	near := func(name string, value, want, by float64) {
		fail(math.Abs(value-want) <= by+whole, "Shape.%s %v m must be within %.3f..%.3f where Task.Cliff or Task.FollowLine is set: "+
			"the brain takes the floor sensors to be there; move them, or drive without both", name, value, want-by, want+by)
	}
	near("FloorAhead", s.FloorAhead, usual.FloorAhead, barNear)
	near("FloorPitch", s.FloorPitch, usual.FloorPitch, pitchNear)
	fail(!t.Cliff || s.FloorAhead-s.Wheelbase >= barLead-whole, "Shape.FloorAhead %v m must be at least %v m more than Shape.Wheelbase %v m where Task.Cliff is set: "+
		"a front wheel is past an edge before the car stands; move the floor sensors ahead, or drive where nothing can be driven off",
		s.FloorAhead, barLead, s.Wheelbase)
}
