package safety

import (
	"math"
	"time"

	"fieldbrain/field/exact"
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
	turned  float32       // rad turned since, to either side
	changes uint32        // how often this sensor ever changed
	others  uint32        // changes of the sensors it is compared with, then
	begun   bool          // whether others holds them
	stuck   bool          // flagged, until the value changes
	lively  float32       // share of its readings that changed while the car stood, long repeats left out
	chance  float32       // that a sensor as lively repeats itself as often as this one just did
}

// What a repeat takes for a sensor with noise. It learns that while the car stands: on its way a
// pattern of the floor changes a reading as well.
const (
	livelyGain  = 1.0 / 16               // weight of a reading in the share
	livelyRun   = 8                      // readings with one value in a row that count
	livelyLeast = 0.4                    // the share above which it has noise
	livelyMost  = 0.75                   // no more counts: a dark floor may be quieter than the one it stood on
	livelyNever = 1e-11                  // a chance below it is none: 50 repeats at livelyLeast, 19 at livelyMost
	livelyRest  = 200 * time.Millisecond // since it was told to drive, by which it stands
)

// watch takes the sensor's newest reading. One that is not new or not OK says
// nothing.
func (f *repeat) watch(r robot.Reading, rests bool) {
	if !r.OK || (f.read && r.At == f.at) {
		return
	}
	if r.AtLeast { // one silence is like the other: only an echo can freeze
		if !f.read && f.at != 0 {
			f.at = r.At
			return
		}
		*f = repeat{at: r.At, changes: f.changes + 1, lively: f.lively}
		return
	}
	b := math.Float32bits(r.Value)
	f.at = r.At
	if f.read && b == f.bits {
		f.chance *= 1 - min(f.lively, livelyMost)
		if f.reads++; rests && f.reads <= livelyRun {
			f.lively -= float32(livelyGain * f.lively)
		}
		return
	}
	lively := f.lively
	if rests {
		lively += float32(livelyGain * (1 - lively))
	}
	*f = repeat{bits: b, at: r.At, read: true, reads: 1, since: r.At, changes: f.changes + 1, lively: lively, chance: 1}
}

// move notes a tick's motion. others counts the changes of the sensors it is
// compared with.
func (f *repeat) move(dt time.Duration, turn float32, others uint32) {
	f.moving += dt
	f.turned += turn
	if !f.begun {
		f.others, f.begun = others, true
	}
}

// judge flags the sensor when it has repeated itself for reads readings and
// for long enough in motion while others, the count of changes of the sensors
// it is compared with, has grown by changes. The time is what counts; readings
// and changes are the least that proves anything where they come slowly.
func (f *repeat) judge(others uint32, reads, changes int, after time.Duration) {
	f.stuck = f.stuck || reads > 0 && f.reads >= reads && f.moving >= after &&
		others-f.others >= uint32(changes)
}

// A freezer looks for frozen sensors among those the reflexes and the brain rely
// on: the ranges, the floor while it can stop the car, and the battery.
type freezer struct {
	ranges  [robot.NumSectors]repeat
	floor   [robot.NumFloor]repeat
	battery repeat
	yaw     repeat
	rest    time.Duration // since the car was last told to drive
}

// sense takes all readings of a tick and returns FrozenSensor when it flags a
// range or a floor sensor; a frozen battery is pack's to tell.
//
// It compares the front range with every other sensor, and every other range
// with the rest of the ranges: where nothing has noise, beams beside a wall repeat
// themselves and none is to blame. Nor does a wall alongside change a range while
// the car goes straight, so that only one that stays the same in a turn is flagged,
// and none from within the sensor's blind zone. It compares a floor
// sensor with its neighbours only: over a uniform floor with a quiet ADC all
// three repeat themselves and none is to blame. Where they had noise while the car stood
// and all fall still at once it is the ADC. A floor reading at an end of
// the ADC's scale repeats itself rightly, and sense never flags it. The battery
// it compares with the floor sensors, which the same ADC reads.
func (z *freezer) sense(s *robot.State, p *Params) Causes {
	dt, turn := motion(s, p)
	if z.rest += p.Period; orZero(s.CommandedSpeed) != 0 {
		z.rest = 0
	}
	ranges, floor := z.watch(s)
	all := ranges + floor + z.battery.changes + z.yaw.changes
	q, stuck := &p.Freeze, false
	for i := range z.ranges {
		f, others := &z.ranges[i], ranges
		if i == robot.Front {
			others = all
		}
		f.move(dt, turn, others-f.changes)
		if i == robot.Front || f.turned >= q.Turn && math.Float32frombits(f.bits) > q.Blind {
			f.judge(others-f.changes, q.RangeReads, q.RangeChanges, q.After)
		}
		stuck = stuck || f.stuck
	}
	stuck = z.below(p, dt, turn, floor) || stuck
	z.battery.move(dt, turn, floor)
	z.battery.judge(floor, q.BatteryReads, q.BatteryChanges, q.BatteryAfter)
	if stuck {
		return FrozenSensor
	}
	return 0
}

// below judges the floor sensors, and reports whether one is flagged that can stop the car;
// changes are of all of them together.
func (z *freezer) below(p *Params, dt time.Duration, turn float32, changes uint32) (stuck bool) {
	q := &p.Freeze
	for i := range z.floor {
		f := &z.floor[i]
		f.move(dt, turn, changes-f.changes)
		if f.inside() {
			f.judge(changes-f.changes, q.FloorReads, q.FloorChanges, q.After)
		}
	}
	z.still(p)
	for i := range z.floor {
		stuck = stuck || z.floor[i].stuck
	}
	return stuck && p.Cliff.Enabled
}

// inside reports whether the value lies within the ADC's scale.
func (f *repeat) inside() bool {
	v := math.Float32frombits(f.bits)
	return v > 0 && v < 1
}

// still flags all floor sensors when those that can tell, two at least, had noise while the car
// stood and have none on its way: each has repeated itself so often that chance does it once in
// 1e11 times, in motion for as long as a sensor may be silent. The livelier they were the sooner
// that is: in the half second that one sensor alone among others gets a car is over an edge.
func (z *freezer) still(p *Params) {
	tell := 0
	for i := range z.floor {
		f := &z.floor[i]
		switch {
		case !f.inside() || f.lively < livelyLeast: // it repeats itself rightly
		case p.Freeze.FloorReads == 0 || f.chance > livelyNever || f.moving < p.Cliff.Stale:
			return
		default:
			tell++
		}
	}
	for i := range z.floor {
		z.floor[i].stuck = z.floor[i].stuck || tell >= 2 && z.floor[i].inside()
	}
}

// watch takes all readings and returns how often ranges and floor sensors ever
// changed, each kind together.
func (z *freezer) watch(s *robot.State) (ranges, floor uint32) {
	rests := z.rest >= livelyRest
	z.battery.watch(s.Battery, rests)
	z.yaw.watch(s.Yaw, rests)
	for i := range z.ranges {
		z.ranges[i].watch(s.Range[i], rests)
		ranges += z.ranges[i].changes
	}
	for i := range z.floor {
		z.floor[i].watch(s.Floor[i], rests)
		floor += z.floor[i].changes
	}
	return ranges, floor
}

// motion returns for how long the car moved in this tick and by how many rad it
// turned, as wheels and steering were told; nothing while it stands. A slow tick counts
// for the share of it in which a car as fast as Freeze.Speed would come as far.
func motion(s *robot.State, p *Params) (dt time.Duration, turn float32) {
	v := orZero(s.CommandedSpeed)
	v = max(v, -v)
	dt = p.Period
	if v < p.Freeze.Speed {
		dt = time.Duration(float64(dt) * float64(v/p.Freeze.Speed))
	}
	steering := min(max(orZero(s.CommandedSteering), -p.Limits.Steering), p.Limits.Steering)
	turn = float32(min(v, p.Limits.Speed)*float32(exact.Tan(float64(steering)))) / p.Cliff.Wheelbase
	return dt, float32(max(turn, -turn) * seconds(p.Period))
}
