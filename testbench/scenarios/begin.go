package scenarios

import (
	"fmt"
	"math"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

const (
	floorNoiseLeast = 0.3  // counts, without which a sensor's readings repeat themselves
	voltsNoise      = 0.03 // V, that a reading of the pack may be off
	walkLeast       = 0.02 // m, round a mover's path
	faceSlack       = 1e-6 // m, that is a rounding
)

// checkCar looks at the car: with what it accepts a drive begins.
func (s *Scenario) checkCar(c *checker) {
	car, before := &s.Car, len(c.found)
	car.Limits(func(key string, value, low, high float64) { c.within("car."+key, value, low, high) })
	if bool(s.Brain.Cliff) && car.FloorNoise < floorNoiseLeast {
		c.complain("car.floor_noise", fmt.Sprintf("choose %v or more, or cliff = \"off\"", floorNoiseLeast), "%v: floor sensors without noise that see the same are taken for ones that hang", car.FloorNoise)
	}
	if half := car.Track / 2; half >= car.Wheelbase {
		c.complain(c.either("car.track", "car.wheelbase"), "choose a track below two wheelbases", "half the track, %v m, is not below the wheelbase, %v m: the inner wheel would turn backwards", half, car.Wheelbase)
	}
	if len(c.found) == before {
		s.checkSupply(c)
		s.checkFace(c)
	}
	s.checkLine(c)
}

// checkSupply looks at the standing car's voltage: the HAT has to run with it, and the
// driver to believe it, or nobody may arm.
func (s *Scenario) checkSupply(c *checker) {
	car := &s.Car
	rest := car.OpenVolts - float64(car.Resistance*car.IdleAmps)
	key := c.either("car.open_volts", "car.resistance", "car.idle_amps")
	if least := hat.Default().Brownout; rest < least && car.OpenVolts >= least {
		c.complain(key, "choose more open_volts, or less resistance or idle_amps", "the standing car's electronics have %.3g V, and its HAT does not run below %v V", rest, least)
	}
	if most := float64(safety.Default().Battery.Max); rest > most-voltsNoise {
		c.complain(key, fmt.Sprintf("choose open_volts so that open_volts - resistance * idle_amps is %.4g V or less", most-voltsNoise), "the standing car's pack says %.4g V: above %.3g V the driver takes that for a glitch, and the car is not armed while its battery's voltage is not known", rest, most)
	}
}

// checkFace looks at where the sonar sits: one before the body would look through what the
// body touches, and one behind it at the body's back.
func (s *Scenario) checkFace(c *checker) {
	car := &s.Car
	front, back := car.BodyAhead+car.BodyRadius, car.BodyAhead-car.BodyRadius
	key := c.either("car.sonar_ahead", "car.body_radius", "car.body_ahead")
	switch {
	case car.SonarAhead > front+faceSlack:
		c.complain(key, fmt.Sprintf("choose sonar_ahead of %.4g or less, or more body_ahead or body_radius", front), "the sonar's face, %v m ahead of the rear axle, is before the body, which ends at %.4g m: it would look through what the body touches", car.SonarAhead, front)
	case car.SonarAhead < back-faceSlack:
		c.complain(key, fmt.Sprintf("choose sonar_ahead of %.4g or more, or less body_ahead", back), "the sonar's face, %v m ahead of the rear axle, is behind the body, which begins at %.4g m", car.SonarAhead, back)
	}
}

// reference is what a floor sensor must say at least where cliff detection is to see
// floor, in counts.
func reference(sensor int) float64 {
	return float64(picarx.Default().Cal.Floor.Cliff[sensor])
}

const odd = 2 // standard deviations by which a sensor and a reading may be too dark

// firm is how bright a floor must be where cliff detection is to see floor, in counts: an edge
// ends only with readings above Clear times the reference, and a sensor may be darker by its
// spread, a reading by its noise. With the default car 750.
func (s *Scenario) firm(sensor int) float64 {
	clear := float64(float64(safety.Default().Cliff.Clear) * reference(sensor))
	share := 1 - float64(odd*s.Car.FloorSpread)
	if share <= 0 {
		return math.Inf(1)
	}
	return math.Round((clear + float64(odd*s.Car.FloorNoise)) / share)
}

// checkLine refuses a line that cliff detection would take for an edge.
func (s *Scenario) checkLine(c *checker) {
	floor := &s.World.Floor
	lines := floor.Oval != nil || len(floor.Lines) > 0
	if lines && bool(s.Brain.FollowLine) {
		s.checkSeen(c)
	}
	if least := s.firm(robot.FloorMiddle); bool(s.Brain.Cliff) && lines && (s.Brain.FollowLine || s.Start.OnLine) && floor.Tape < least {
		c.complain(c.either("world.floor.tape", "brain.cliff"), fmt.Sprintf("choose a tape of %v counts or more, or cliff = \"off\"", least), "with cliff = \"on\" what is darker than %v counts may be an edge (%v is one, and the sensors' spread and noise count), and the line's tape has %v", least, reference(robot.FloorMiddle), floor.Tape)
	}
}

// The brain sees a line between 1.2 and 0.4 times the calibration's reference (Shape.LineLight, LineDark),
// from a fifth of that range on three sensors together; a tape needs as much of one.
const (
	// floorLeast is a share of the reference: over darker floor three sensors see a line where
	// there is none (the scenario line is followed at 900 counts and lost at 880).
	floorLeast = 0.9
	tapeMost   = 1.0 // of the reference: one sensor over brighter tape tells hardly more than the floor's noise
)

// checkSeen refuses a floor on which the brain sees no line, or one everywhere.
func (s *Scenario) checkSeen(c *checker) {
	floor, line := &s.World.Floor, float64(picarx.Default().Cal.Floor.Line[robot.FloorMiddle])
	if least := floorLeast * line; floor.Background < least {
		c.complain("world.floor.background", fmt.Sprintf("choose %.0f counts or more, or follow_line = false", least), "the brain reads a line by what is darker than %.0f counts, and the floor has %v: it would be a line everywhere", 1.2*line, floor.Background)
	}
	if most := tapeMost * line; floor.Tape > most {
		c.complain("world.floor.tape", fmt.Sprintf("choose a tape of %.0f counts or less (250 is well below), or follow_line = false", most), "the brain follows a line of dark tape, of which it sees all at %.0f counts, and this one has %v: it would not be seen", 0.4*line, floor.Tape)
	}
}

// checkLength refuses a path that leads nowhere.
func (m *Mover) checkLength(c *checker, key string) {
	length := 0.0
	for i, p := range m.Path {
		length += vec(m.Path[(i+1)%len(m.Path)]).Sub(vec(p)).Norm()
	}
	if length > 0 && length < walkLeast {
		c.complain(key, "write a disc for what stands, or corners farther apart", "is %.3g m long all the way round, less than %v m: nothing walks there", length, walkLeast)
	}
}

// footing refuses a start with a wheel past the table's edge, where the drive would be over
// at once, and one with a floor sensor that sees no floor, where nobody may arm.
func (s *Scenario) footing(w *world.World, start plant.Pose, seed uint64) error {
	car, face := &s.Car, world.Unit(start.Heading)
	place := func(ahead, left float64) world.Vec { return start.At.Add(world.Vec{X: ahead, Y: left}.Turn(face)) }
	half := car.Track / 2
	if s.Measure.Fall == FallAxle {
		half = 0
	}
	for _, at := range []world.Vec{place(0, half), place(0, -half), place(car.Wheelbase, half), place(car.Wheelbase, -half)} {
		if w.Floor.Past(at) {
			return s.refuse(seed, "start", "move [start], or lower its spread", "a wheel at %.3f, %.3f begins beyond the table's edge: the car would fall at once", at.X, at.Y)
		}
	}
	if !s.Brain.Cliff {
		return nil
	}
	for i := range robot.NumFloor {
		at := place(car.FloorAhead, float64(car.FloorPitch*float64(robot.FloorMiddle-i)))
		if counts := w.Floor.Reflectance(at); counts < s.firm(i) {
			return s.refuse(seed, "start", "move [start] or the table's edge, choose a brighter floor or line, or cliff = \"off\"", "a floor sensor at %.3f, %.3f begins over %.0f counts: with cliff = \"on\" what is darker than %v may be an edge, by the sensors' spread and noise, and the car is not armed there or stops", at.X, at.Y, counts, s.firm(i))
		}
	}
	return nil
}
