package safety

import (
	"math"
	"time"

	"fieldbrain/robot"
)

// A repeat follows one sensor and notices when it says the same again and
// again. The freezer compares values bit for bit: a live sensor has noise.
type repeat struct {
	bits    uint32        // last value
	at      time.Duration // its instant
	read    bool          // whether bits holds one
	reads   int           // new readings in a row with these bits
	since   time.Duration // instant of the first of them
	moving  time.Duration // time in motion since
	changes uint32        // how often this sensor ever changed
	others  uint32        // changes of the sensors it is compared with, then
	stuck   bool          // flagged, until the value changes
}

// watch takes the sensor's newest reading and reports whether its value
// changed. A reading that is not new or not OK says nothing.
func (f *repeat) watch(r robot.Reading) bool {
	if !r.OK || (f.read && r.At == f.at) {
		return false
	}
	if r.Beyond { // one silence is like the other: only an echo can freeze
		if !f.read && f.at != 0 {
			f.at = r.At
			return false
		}
		f.changes++
		*f = repeat{at: r.At, changes: f.changes}
		return true
	}
	b := math.Float32bits(r.Value)
	f.at = r.At
	if f.read && b == f.bits {
		f.reads++
		return false
	}
	f.changes++
	*f = repeat{bits: b, at: r.At, read: true, reads: 1, since: r.At, changes: f.changes}
	return true
}

// judge flags the sensor when it has repeated itself for reads readings and
// for long enough in motion while others, the count of changes of the sensors
// it is compared with, has grown by changes.
func (f *repeat) judge(others uint32, reads, changes int, after time.Duration) {
	f.stuck = f.stuck || reads > 0 && f.reads >= reads && f.moving >= after &&
		others-f.others >= uint32(changes)
}

// A freezer looks for frozen sensors among those the reflexes rely on: the
// front range, and the floor while it can stop the car.
type freezer struct {
	ranges  [robot.NumSectors]repeat
	floor   [robot.NumFloor]repeat
	battery repeat
	yaw     repeat
}

// sense takes all readings of a tick and returns FrozenSensor when it flags one
// of them. moving is the speed told to the wheels in m/s.
//
// It compares the front range with every other sensor. It compares a floor
// sensor with its neighbours only: over a uniform floor with a quiet ADC all
// three repeat themselves and none is to blame. A floor reading at an end of
// the ADC's scale repeats itself rightly, and sense never flags it. It
// therefore does not notice three floor sensors that freeze at once.
func (z *freezer) sense(s *robot.State, p *Params, moving float32) Causes {
	front, floor := &z.ranges[robot.Front], uint32(0)
	z.battery.watch(s.Battery)
	z.yaw.watch(s.Yaw)
	others := z.battery.changes + z.yaw.changes
	restarted := false
	for i := range z.ranges {
		changed := z.ranges[i].watch(s.Range[i])
		if i == robot.Front {
			restarted = changed
		} else {
			others += z.ranges[i].changes
		}
	}
	var fresh [robot.NumFloor]bool
	for i := range z.floor {
		fresh[i] = z.floor[i].watch(s.Floor[i])
		floor += z.floor[i].changes
	}
	others += floor

	dt := time.Duration(0)
	if moving >= p.Freeze.Speed || -moving >= p.Freeze.Speed {
		dt = p.Period
	}
	front.moving += dt
	if restarted {
		front.others = others
	}
	front.judge(others, p.Freeze.RangeReads, p.Freeze.RangeChanges, p.Freeze.After)
	stuck := front.stuck
	for i := range z.floor {
		f := &z.floor[i]
		f.moving += dt
		if fresh[i] {
			f.others = floor - f.changes
		}
		if v := math.Float32frombits(f.bits); v > 0 && v < 1 && p.Cliff.Enabled {
			f.judge(floor-f.changes, p.Freeze.FloorReads, p.Freeze.FloorChanges, p.Freeze.After)
		}
		stuck = stuck || f.stuck
	}
	if stuck {
		return FrozenSensor
	}
	return 0
}
