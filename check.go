package fieldbrain

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/ground"
	"fieldbrain/robot/kit"
)

// A checkup collects complaints about options. What it complains about it sets to what Default
// has, so that nothing that follows from it is complained about, too.
type checkup struct{ errs []error }

// want adds a complaint unless all is well.
func (c *checkup) want(ok bool, format string, of ...any) {
	if !ok {
		c.errs = append(c.errs, fmt.Errorf("fieldbrain: "+format, of...))
	}
}

// take adds the complaints of brain and reflexes about what they were told, under the options' names.
func (c *checkup) take(err error) {
	if several, is := err.(interface{ Unwrap() []error }); is {
		for _, one := range several.Unwrap() {
			c.take(one)
		}
		return
	}
	if err == nil {
		return
	}
	for _, name := range [...][2]string{
		{"safety: Limits.", "Shape.Limits."},
		{"safety: Battery.", "Shape.Battery."},
		{"brain: steering limit ", "Shape.Limits.Steering: "},
		{"brain: quality ", "Options.Quality: "},
		{"brain: planner ", "Task.Planner: "},
		{"brain: manual ", "Task.Manual: "},
		{"steer: ", "Task.Law: "},
	} {
		if said, is := strings.CutPrefix(err.Error(), name[0]); is {
			err = errors.New("fieldbrain: " + name[1] + said)
			break
		}
	}
	c.errs = append(c.errs, err)
}

// A bounded number is what people choose within bounds.
type bounded struct {
	name             string
	value            *float64
	low, high, usual float64
	unit, about      string
}

// within wants numbers within their bounds. NaN is outside.
func (c *checkup) within(all []bounded) {
	for _, b := range all {
		ok := *b.value >= b.low && *b.value <= b.high
		c.want(ok, "%s %v %s must be within %.4g..%.4g: %s", b.name, *b.value, b.unit, b.low, b.high, b.about)
		if !ok {
			*b.value = b.usual
		}
	}
}

// What the brain takes for granted of a body, in m.
const (
	barNear   = 0.01 // by which the floor bar may be off: more, and an edge is not where the brain writes it
	pitchNear = 0.005
	barLead   = 0.01 // from the front axle to the bar: as far as the car goes after the bar has seen an edge
	whole     = 1e-6 // and less is nothing
)

// check complains about everything of the body that the brain neither obeys nor takes for granted.
func (s *Shape) check(t *Task, c *checkup) {
	usual, top := PiCarX(kit.PiCarX()), s.TopSpeed
	optional := func(b bounded) bounded { // 0 is the PiCar-X's
		if *b.value == 0 {
			b.low = 0
		}
		return b
	}
	c.within([]bounded{
		{"Shape.Wheelbase", &s.Wheelbase, 0.05, 0.5, usual.Wheelbase, "m", "between the axles"},
		{"Shape.Track", &s.Track, 0.05, 0.5, usual.Track, "m", "between the driven wheels"},
		{"Shape.Ahead", &s.Ahead, -1, 1, usual.Ahead, "m", "from the rear axle to the middle of the disc that covers the body"},
		{"Shape.TopSpeed", &s.TopSpeed, brain.LeastTop, brain.MaxTop, usual.TopSpeed, "m/s", "the fastest that it is to drive"},
		optional(bounded{"Shape.ServoRate", &s.ServoRate, 0.1, 100, 0, "rad/s", "of the steering; 0 is the PiCar-X's"}),
		optional(bounded{"Shape.Cone", &s.Cone, 0, math.Pi / 4, 0, "rad", "half the width of a range sensor's beam; 0 is the PiCar-X's"}),
		{"Shape.FloorAhead", &s.FloorAhead, 0, 0.5, usual.FloorAhead, "m", "from the rear axle to the floor sensors; 0 where there are none"},
		{"Shape.FloorPitch", &s.FloorPitch, 0, 0.5, usual.FloorPitch, "m", "between two floor sensors; 0 where there are none"},
	})
	c.want(s.Lag >= 0 && s.Lag <= time.Second, "Shape.Lag %v must be within 0..1s: the motors' time constant; 0 is the PiCar-X's", s.Lag)
	if s.Lag < 0 || s.Lag > time.Second {
		s.Lag = 0
	}
	c.want(s.TopSpeed != top || !(float32(top) > s.Limits.Speed), "Shape.TopSpeed %v m/s must be at most Shape.Limits.Speed, %v m/s, which no command exceeds",
		s.TopSpeed, s.Limits.Speed)
	s.checkOutline(c)
	s.checkFloor(t, c)
}

// checkOutline wants wheels and range sensors inside of the body's disc, and that inside of the disc
// which the brain keeps free.
func (s *Shape) checkOutline(c *checkup) {
	kept, usual := ground.Default(), kit.PiCarX()
	if !(s.Radius > 0) {
		c.want(false, "Shape.Radius %v m must be given: the radius of a disc around Shape.Ahead that covers the whole body, %v m at most",
			s.Radius, kept.Radius)
		s.Radius, s.Ahead, s.SonarAhead = usual.Radius, usual.Ahead, usual.SonarAhead
		return
	}
	for _, axle := range [...]struct {
		name  string
		ahead float64
	}{{"rear", 0}, {"front", s.Wheelbase}} {
		off := math.Hypot(axle.ahead-s.Ahead, s.Track/2)
		c.want(off <= s.Radius+whole, "a wheelbase of %v m and a track of %v m put a %s wheel %.3f m from Shape.Ahead %v m, outside of Shape.Radius %v m: "+
			"give the disc that covers the whole body", s.Wheelbase, s.Track, axle.name, off, s.Ahead, s.Radius)
	}
	beyond := s.Radius + math.Abs(s.Ahead-float64(kept.Ahead)) - float64(kept.Radius)
	c.want(beyond <= whole, "Shape.Radius %v m around Shape.Ahead %v m is %.3g mm too large: the law keeps a disc of %v m free, %v m ahead of the rear axle, "+
		"and a body that reaches beyond it scrapes along what stands there; no setting makes that disc larger: only a smaller body can be driven",
		s.Radius, s.Ahead, 1000*beyond, kept.Radius, kept.Ahead)
	sonarFits := s.SonarAhead >= ground.Ahead && s.SonarAhead <= s.Ahead+s.Radius+whole
	c.want(sonarFits, "Shape.SonarAhead %v m must be within %v..%.4g m, the foremost point of the disc that covers the whole body (Shape.Ahead and Radius)",
		s.SonarAhead, ground.Ahead, s.Ahead+s.Radius)
	if !sonarFits {
		s.SonarAhead = usual.SonarAhead
	}
}
