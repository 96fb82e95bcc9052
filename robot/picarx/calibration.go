package picarx

import (
	"errors"
	"fmt"
	"math"

	"fieldbrain/robot"
	"fieldbrain/robot/kit"
	"fieldbrain/strict"
)

// A Calibration is what differs from one PiCar-X to the next. It is hardware
// data, so servo angles are degrees on the servo's own scale, as the vendor's
// tools and file give them; the driver converts once.
type Calibration struct {
	Steering Servo  `toml:"steering" comment:"servo angles in degrees; positive is right for steering"`
	Pan      Servo  `toml:"pan" comment:"positive is left"`
	Tilt     Servo  `toml:"tilt" comment:"positive is down"`
	Motors   Motors `toml:"motors"`
	Body     Shape  `toml:"body"`
	Floor    Floor  `toml:"floor"`
	Sonar    Mount  `toml:"sonar"`
}

// A Servo is one servo's trim and the range it may be driven in.
type Servo struct {
	Offset float64 `toml:"offset_deg"` // degrees, added to every angle; -20..20
	Min    float64 `toml:"min_deg"`    // degrees, lowest angle sent, offset included
	Max    float64 `toml:"max_deg"`    // degrees, highest angle sent, offset included
}

// Motors are the two rear motors.
type Motors struct {
	Swapped bool    `toml:"swapped" comment:"true when the left motor sits on the right plug"`
	Nominal float64 `toml:"nominal_v" comment:"volts of the battery while the car drives, for which body.top_speed_mps, gain and dead_band hold; with less the motors get more duty, with more less"`
	Left    Motor   `toml:"left"`
	Right   Motor   `toml:"right"`
}

// A Motor is one motor's polarity and its trim in both directions.
type Motor struct {
	Reversed bool `toml:"reversed" comment:"true when the motor's two wires are exchanged"`
	Forward  Gain `toml:"forward"`
	Backward Gain `toml:"backward"`
}

// A Gain maps wheel speed to duty: duty = DeadBand + (1-DeadBand) Gain v/TopSpeed at
// the nominal voltage; at another the second term is scaled.
type Gain struct {
	Gain     float64 `toml:"gain"`      // 1 is nominal; 0.5..1.5
	DeadBand float64 `toml:"dead_band"` // duty at which the wheel starts, 0..0.9
}

// A Shape is the car's geometry and speed as a file of calibration has them: what an owner
// measures. TopSpeed is what the motors give and not what the car is driven at; Params.Sheet
// makes the brain's numbers of it.
type Shape struct {
	Wheelbase float64 `toml:"wheelbase_m"`   // m
	Track     float64 `toml:"track_m"`       // m, between the rear wheels
	TopSpeed  float64 `toml:"top_speed_mps"` // m/s at full duty
}

// Floor holds the references of the three floor sensors, left to right, in ADC
// counts as the vendor's tools give them. Divide by FloorScale for the unit of
// robot.State.Floor.
type Floor struct {
	Swapped bool                `toml:"swapped" comment:"true when A0 is the right sensor"`
	Line    [robot.NumFloor]int `toml:"line_counts" comment:"at or below: line"`
	Cliff   [robot.NumFloor]int `toml:"cliff_counts" comment:"at or below: no floor"`
}

// FloorScale is the ADC count that robot.State.Floor calls 1.
const FloorScale = kit.FloorScale

// A Mount says where the front sonar sits; robot.State.Range is measured from
// its face.
type Mount struct {
	Ahead float64 `toml:"ahead_m"` // m from the rear axle to the sensor's face
}

// nominalVolts is what two lithium cells give in the middle of their charge.
const nominalVolts = 7.4

// DefaultCalibration returns the nominal car: no trims, the numbers of kit.PiCarX,
// motors that start at 45 % duty and were measured at 7.4 V.
func DefaultCalibration() Calibration {
	car := kit.PiCarX()
	gain := Gain{Gain: 1, DeadBand: 0.45}
	motor := Motor{Forward: gain, Backward: gain}
	return Calibration{
		Steering: Servo{Min: -30, Max: 30},
		Pan:      Servo{Min: -90, Max: 90},
		Tilt:     Servo{Min: -65, Max: 35},
		Motors:   Motors{Nominal: nominalVolts, Left: motor, Right: motor},
		Body:     Shape{Wheelbase: car.Wheelbase, Track: car.Track, TopSpeed: 0.65},
		Floor:    Floor{Line: car.Line, Cliff: car.Cliff},
		Sonar:    Mount{Ahead: car.SonarAhead},
	}
}

// A limit is one numeric key with its legal range.
type limit struct {
	key       string
	value     float64
	low, high float64
	why       string
}

// limits lists every number of the calibration with the reason for its range.
func (c *Calibration) limits() []limit {
	ls := make([]limit, 0, 32)
	servo := func(key string, s Servo, low, high float64) {
		ls = append(ls,
			limit{key + ".offset_deg", s.Offset, -20, 20, "the vendor's tool trims within 20 degrees; remount the horn if that is not enough"},
			limit{key + ".min_deg", s.Min, low, 0, "beyond it the linkage blocks and the servo overheats"},
			limit{key + ".max_deg", s.Max, 0, high, "beyond it the linkage blocks and the servo overheats"})
	}
	servo("steering", c.Steering, -45, 45)
	servo("pan", c.Pan, -90, 90)
	servo("tilt", c.Tilt, -90, 90)
	gain := func(key string, g Gain) {
		ls = append(ls,
			limit{key + ".gain", g.Gain, 0.5, 1.5, "a motor further off is broken"},
			limit{key + ".dead_band", g.DeadBand, 0, 0.9, "above it nothing is left to control speed with"})
	}
	ls = append(ls, limit{"motors.nominal_v", c.Motors.Nominal, 5, 9, "volts that a pack of two cells gives under load: 6 empty, 8.2 full"})
	gain("motors.left.forward", c.Motors.Left.Forward)
	gain("motors.left.backward", c.Motors.Left.Backward)
	gain("motors.right.forward", c.Motors.Right.Forward)
	gain("motors.right.backward", c.Motors.Right.Backward)
	ls = append(ls,
		limit{"body.wheelbase_m", c.Body.Wheelbase, 0.05, 0.3, "metres between the axles; a PiCar-X measures 0.087 to 0.1"},
		limit{"body.track_m", c.Body.Track, 0.03, 0.3, "metres between the rear wheels; a PiCar-X measures 0.114 to 0.117"},
		limit{"body.top_speed_mps", c.Body.TopSpeed, 0.1, 2, "metres per second at full duty; TT motors reach 0.5 to 0.8"},
		limit{"sonar.ahead_m", c.Sonar.Ahead, 0.05, 0.3, "metres from the rear axle to the sensor's face"})
	for i := range robot.NumFloor {
		ls = append(ls,
			limit{"floor.line_counts", float64(c.Floor.Line[i]), 100, 3400, "12 bits of ADC must leave room for a floor 1.2 times as bright"},
			limit{"floor.cliff_counts", float64(c.Floor.Cliff[i]), 100, 3400, "a sensor over no floor reads a few dozen counts: below that no edge is ever seen"})
	}
	return ls
}

// A CalibrationError is one complaint about a calibration file.
type CalibrationError struct {
	File   string // as the caller named it, "" when there is none
	Line   int    // 1-based, 0 when it is not known
	Key    string // dotted
	Reason string
	Remedy string
}

// Error reads file:line: key: reason: remedy.
func (e *CalibrationError) Error() string {
	at := "picarx: calibration"
	if e.File != "" {
		at = "picarx: " + e.File
	}
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Line)
	}
	if e.Key != "" {
		at += ": " + strict.Short(e.Key)
	}
	return fmt.Sprintf("%s: %s: %s", at, strict.Short(e.Reason), strict.Short(e.Remedy))
}

// Validate joins every complaint about the calibration, each a
// *CalibrationError naming its key and limits. It returns nil when there is
// none.
func (c *Calibration) Validate() error { return joinComplaints(c.complaints()) }

func (c *Calibration) complaints() []*CalibrationError {
	var all []*CalibrationError
	seen := map[string]bool{}
	for _, l := range c.limits() {
		if l.value >= l.low && l.value <= l.high || seen[l.key] {
			continue // NaN fails both comparisons and is reported
		}
		seen[l.key] = true
		all = append(all, &CalibrationError{
			Key:    l.key,
			Reason: fmt.Sprintf("%v is outside %v..%v", l.value, l.low, l.high),
			Remedy: l.why,
		})
	}
	half := c.Body.Track / 2
	tightest := c.Body.Wheelbase / math.Tan(45/degrees)
	if c.Body.Wheelbase > 0 && half >= tightest {
		all = append(all, &CalibrationError{
			Key:    "body.track_m",
			Reason: fmt.Sprintf("half the track, %v m, exceeds the tightest turning radius %v m", half, tightest),
			Remedy: "the inner wheel would turn backwards; measure wheelbase and track again",
		})
	}
	return all
}

func joinComplaints(all []*CalibrationError) error {
	errs := make([]error, len(all))
	for i, e := range all {
		errs[i] = e
	}
	return errors.Join(errs...)
}
