package robot

import (
	"math"
	"time"
)

// Sector numbers of State.Range, in the order of the sensory vector.
const (
	Front      = iota // 0 deg: the sonar every PiCar-X has
	Left30            // the remaining sectors exist only where fitted
	Right30           //
	Left60            //
	Right60           //
	Left90            //
	Right90           //
	Rear              //
	NumSectors        // length of State.Range
)

// bearings are the directions of the sectors, in rad.
var bearings = [NumSectors]float32{
	0, math.Pi / 6, -math.Pi / 6, math.Pi / 3, -math.Pi / 3,
	math.Pi / 2, -math.Pi / 2, math.Pi,
}

// SectorBearing returns the direction a sector looks at, in radians, positive to
// the left, seen from the body's reference point.
func SectorBearing(sector int) float32 { return bearings[sector] }

// SectorNames returns the sectors' names, as settings and pictures have them.
func SectorNames() [NumSectors]string {
	return [NumSectors]string{"front", "left30", "right30", "left60", "right60", "left90", "right90", "rear"}
}

// Floor sensor numbers of State.Floor, left to right as seen by the car.
const (
	FloorLeft = iota
	FloorMiddle
	FloorRight
	NumFloor // length of State.Floor
)

// A Reading is one sensed quantity with the instant its datum was ready. A tag pb is the
// name that recordings have for a field, here and in State.
//
// A Reading that is not OK carries no information in Value: a missing echo is
// never a short distance and a failed read is never a dark floor.
//
// A range that is OK with AtLeast is silence: the sensor works and heard nothing
// nearer than Value. Nothing is known to stand at Value, and a thing that returns
// no sound may stand before it. See Hearing.
type Reading struct {
	Value   float32       // SI, see the field that holds the Reading
	At      time.Duration // instant the datum was ready, on the body's clock
	OK      bool          // whether Value may be used at all
	AtLeast bool          `pb:"beyond"` // of a range: Value is how far nothing was heard, not where something is

	ReportedAt time.Duration `pb:"told"` // when the sensor said so, where that is later than At: it ends a silence of its own accord
}

// Ready returns the instant at which the reading was there to be had.
func (r Reading) Ready() time.Duration { return max(r.At, r.ReportedAt) }

// Age returns how old the reading is at now. A reading never taken is as old
// as the clock itself.
func (r Reading) Age(now time.Duration) time.Duration { return now - r.At }

// Fresh reports whether the reading is usable: valid and at most limit old.
func (r Reading) Fresh(now, limit time.Duration) bool {
	return r.OK && now-r.At <= limit
}

// Link is the health of the connection to sensors and motors.
type Link uint8

// Link levels, from best to worst.
const (
	LinkUp       Link = iota // transactions succeed
	LinkDegraded             // recent errors, all recovered by a retry
	LinkDown                 // no actuators: the body is resetting or absent
	LinkLate                 // no actuators: reset because the computer did not serve the bus in time
)

// String returns the level's name as logs and telemetry print it.
func (l Link) String() string {
	switch l {
	case LinkUp:
		return "up"
	case LinkDegraded:
		return "degraded"
	case LinkDown:
		return "down"
	case LinkLate:
		return "late"
	}
	return "unknown"
}

// Target is what a camera or beacon receiver says about the goal.
type Target struct {
	Bearing    Reading // rad, positive left
	Elevation  Reading // rad, positive up
	Size       Reading // apparent size, 0..1 of the image height
	Confidence Reading // 0..1
}

// A State is everything a body has sensed, newest values only.
type State struct {
	Now     time.Duration       // instant of the copy, on the body's clock
	Range   [NumSectors]Reading // m, from the sensor's face to the obstacle
	Floor   [NumFloor]Reading   // reflectance, ADC full scale = 1, bright is high
	Battery Reading             // V, filtered
	Yaw     Reading             // rad/s, only where a gyroscope is fitted
	Speed   Reading             // m/s along x, only where odometry is fitted
	Target  Target              // goal, only where a camera or beacon is fitted

	CommandedSteering float32 `pb:"steering"` // rad, what the body last told the steering servo
	CommandedSpeed    float32 `pb:"wheel"`    // m/s, what the body last told the rear axle
	Pan, Tilt         float32 // rad, what the body last told the camera servos

	Link   Link   // health of the bus
	Errors uint64 // failed transactions since start
	Resets uint64 // controller resets since start
}
