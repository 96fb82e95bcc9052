package safety

import (
	"errors"
	"fmt"
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/kit"
)

// Params are the thresholds of the reflexes. Default says where each comes
// from; Validate says what is possible.
type Params struct {
	Period     time.Duration // time between two calls of Apply
	Limits     robot.Limits  // the body's limits and slew rates (R7)
	StateStale time.Duration // oldest usable state (R5)
	Pause      time.Duration // longest gap between ticks that is not a pause
	Caution    float32       // share of the full speed left by a Limited cause

	Command CommandParams
	Range   RangeParams
	Cliff   CliffParams
	Freeze  FreezeParams
	Battery BatteryParams
}

// CommandParams shape R4 and R7: old and impossible commands.
type CommandParams struct {
	Stale   time.Duration // age at which a command stops the car
	Lost    time.Duration // age at which the car must be armed again
	Invalid int           // non-finite commands in a row that latch
}

// RangeParams shape R2 and R3: the front range, from the sensor's face.
type RangeParams struct {
	Min, Max     float32       // m, the sensor's span; others are no readings
	Stale, Lost  time.Duration // ages of the last valid range
	Creep        float32       // m/s, forward cap while stale
	Sure         float32       // m, silence that reaches less far counts as stale
	Nearest      float32       // m, smallest stopping distance
	Reaction     time.Duration // delay in the stopping distance
	Deceleration float32       // m/s2 in the stopping distance
	Margin       float32       // m added to the stopping distance
	Refuse       float32       // m, below it forward motion is refused
	Release      float32       // m, above it a refusal ends
	Hysteresis   float32       // m, above the stopping distance a stop ends
}

// CliffParams shape R1.
type CliffParams struct {
	Enabled      bool                    // whether floor readings can stop the car
	Reference    [robot.NumFloor]float32 // ADC full scale = 1; at or below is an edge
	Clear        float32                 // above Clear x Reference is floor
	TripReads    int                     // new readings in a row that make an edge
	Trip         time.Duration           // where they take longer, fewer brake the car, but one
	ClearReads   int                     // new readings in a row that clear it
	Stale        time.Duration           // oldest usable floor reading
	Speed        float32                 // m/s, forward cap while enabled
	Careful      float32                 // m/s, the same until the car has come Proven forwards
	Proven       float32                 // m without an edge since it was armed or saw one
	Vouched      float32                 // m of floor behind the car for which its owner vouches by arming it
	Brake        time.Duration           // length of the reverse pulse
	Stand        time.Duration           // rest after the pulse and after a retreat
	Retreat      time.Duration           // length of one retreat
	RetreatShare float32                 // share of the full speed of a retreat
	Retreats     int                     // most retreats in one manoeuvre
	Wheelbase    float32                 // m
	Track        float32                 // m between the rear wheels
	Lag          time.Duration           // of the motors, first order
	ServoRate    float32                 // rad/s, slew of the steering servo
	Recent       time.Duration           // motion this long ago still led to the edge
}

// FreezeParams shape the search for sensors that repeat themselves.
type FreezeParams struct {
	After          time.Duration // time in motion with one value
	Speed          float32       // m/s told to the wheels from which time in motion counts whole, below in proportion
	RangeReads     int           // least equal new range readings; 0 never
	RangeChanges   int           // least changes of other sensors meanwhile
	Turn           float32       // rad, least turn meanwhile of any range but the front's
	Blind          float32       // m, up to it such a range may repeat itself
	FloorReads     int           // least equal new floor readings; 0 never
	FloorChanges   int           // least changes of other floor sensors meanwhile
	BatteryReads   int           // least equal new voltages; 0 never
	BatteryChanges int           // least changes of floor sensors meanwhile
	BatteryAfter   time.Duration // time in motion with one voltage
}

// BatteryParams shape R6.
type BatteryParams struct {
	Low     float32       // V, below it the speed is capped
	Empty   float32       // V, below it the car stops
	Recover float32       // V above a limit that ends its cause
	Filter  time.Duration // time constant of the low pass
	Stale   time.Duration // oldest usable voltage
	Min     float32       // V, below is a glitch or USB power
	Max     float32       // V, above is a glitch
}

// Default returns the thresholds of B.7, which were validated in the prototype,
// for the PiCar-X. Where hardware notes name others the reason stands here.
func Default() Params {
	car := kit.PiCarX()
	return Params{
		Period: 5 * time.Millisecond, Limits: robot.DefaultLimits(),
		StateStale: 200 * time.Millisecond,
		// The driver's lease and the watchdog stop the wheels within 150 ms of
		// a stall; half a second and more means that the world has moved on.
		Pause:   500 * time.Millisecond,
		Caution: 0.5,
		Command: CommandParams{Stale: 150 * time.Millisecond, Lost: 2 * time.Second, Invalid: 3},
		Range: RangeParams{
			Min: 0.02, Max: 4.2, // the sonar's 2..400 cm, with 5 % for noise and warm air
			Stale: 250 * time.Millisecond, Lost: time.Second, Creep: 0.10, Sure: 0.6,
			Nearest: 0.10, Reaction: 150 * time.Millisecond, Deceleration: 1.5, Margin: 0.04,
			Refuse: 0.06, Release: 0.12, Hysteresis: 0.02,
		},
		Cliff: CliffParams{
			Reference: car.CliffReferences(),
			Clear:     1.2, TripReads: 2, Trip: 20 * time.Millisecond, ClearReads: 5, Stale: 100 * time.Millisecond,
			// At 0.20 m/s the car stops 10 mm behind the edge, at 0.12 m/s 5 mm: slower
			// it may meet an edge at 33 instead of 27 degrees before an outer wheel is
			// past it (docs/robot.md). Who drove 4 m straight on is on no table.
			Speed: 0.20, Careful: 0.12, Proven: 4, Vouched: 0.10, Brake: 80 * time.Millisecond, Stand: 100 * time.Millisecond,
			// 0.27 m: from there the car can turn away to either side at full lock, its
			// outer front wheel 0.24 m from the middle of the turn, without coming back
			// to an edge that it met at 33 deg or less.
			Retreat: 2 * time.Second, RetreatShare: 0.40, Retreats: 3,
			Wheelbase: float32(car.Wheelbase), Track: float32(car.WholeTrack()), Lag: car.Lag, ServoRate: 5.2,
			Recent: 500 * time.Millisecond,
		},
		// A median of five says a value up to five times; five sonars that take
		// turns of 40 ms say six in 1.2 s. A floor may be uniform and its ADC quiet:
		// the next 50 changes of three equal sensors are the other two's once in
		// 1.5^50 = 6e8, and one that is half as lively does not change in 25
		// readings once in 3e7. A count of the pack is 16 mA of its motors' current,
		// whatever they do, and the ADC reads floor and pack alike: a floor that changes
		// at every other reading of 40 ms says that a quiet pack does not.
		Freeze: FreezeParams{
			After: 500 * time.Millisecond, Speed: 0.05,
			RangeReads: 6, RangeChanges: 5, Turn: 0.1, Blind: 0.03,
			FloorReads: 25, FloorChanges: 50,
			BatteryReads: 30, BatteryChanges: 1000, BatteryAfter: 30 * time.Second,
		},
		// 6.6 and 6.2 V are meant for the loaded pack this reflex sees; the
		// hardware notes' 6.7 and 6.4 V are the same pack without load. Both
		// leave room above the 6.0 V at which the pack's protection opens.
		Battery: BatteryParams{
			Low: 6.6, Empty: 6.2, Recover: 0.2, Filter: 3 * time.Second,
			Stale: 5 * time.Second, Min: 5.0, Max: 8.7,
		},
	}
}

// Validate returns every complaint about p joined, each naming the field, its
// value and the limit it breaks; nil when p can be used.
func (p Params) Validate() error {
	var all []error
	want := func(ok bool, key string, value any, limit string) {
		if !ok {
			all = append(all, fmt.Errorf("safety: %s is %v, must be %s", key, value, limit))
		}
	}
	within := func(key string, value, low, high float32) {
		want(value >= low && value <= high, key, value, fmt.Sprintf("%v to %v", low, high))
	}
	lasts := func(key string, value, low, high time.Duration) {
		want(value >= low && value <= high, key, value, fmt.Sprintf("%v to %v", low, high))
	}
	counts := func(key string, value, low, high int) {
		want(value >= low && value <= high, key, value, fmt.Sprintf("%d to %d", low, high))
	}
	const tick, second = time.Millisecond, time.Second
	lasts("Period", p.Period, tick, 100*tick)
	lasts("StateStale", p.StateStale, p.Period, second)
	lasts("Pause", p.Pause, 2*p.Period, 10*second)
	within("Caution", p.Caution, 0, 1)
	p.validateLimits(within)

	lasts("Command.Stale", p.Command.Stale, 2*p.Period, second)
	lasts("Command.Lost", p.Command.Lost, p.Command.Stale, 60*second)
	counts("Command.Invalid", p.Command.Invalid, 1, 100)

	lasts("Range.Stale", p.Range.Stale, tick, second)
	lasts("Range.Lost", p.Range.Lost, p.Range.Stale, 10*second)
	lasts("Range.Reaction", p.Range.Reaction, 0, 2*second)
	p.validateRange(within)

	lasts("Cliff.Stale", p.Cliff.Stale, tick, second)
	lasts("Cliff.Trip", p.Cliff.Trip, 0, second)
	lasts("Cliff.Brake", p.Cliff.Brake, 0, second)
	lasts("Cliff.Stand", p.Cliff.Stand, 0, second)
	lasts("Cliff.Retreat", p.Cliff.Retreat, 0, 2*second)
	lasts("Cliff.Lag", p.Cliff.Lag, 0, second)
	lasts("Cliff.Recent", p.Cliff.Recent, 0, 5*second)
	counts("Cliff.TripReads", p.Cliff.TripReads, 1, 100)
	counts("Cliff.ClearReads", p.Cliff.ClearReads, 1, 1000)
	counts("Cliff.Retreats", p.Cliff.Retreats, 0, 10)
	p.validateCliff(within)

	counts("Freeze.RangeReads", p.Freeze.RangeReads, 0, math.MaxInt32)
	counts("Freeze.FloorReads", p.Freeze.FloorReads, 0, math.MaxInt32)
	counts("Freeze.RangeChanges", p.Freeze.RangeChanges, 0, math.MaxInt32)
	counts("Freeze.FloorChanges", p.Freeze.FloorChanges, 0, math.MaxInt32)
	counts("Freeze.BatteryReads", p.Freeze.BatteryReads, 0, math.MaxInt32)
	counts("Freeze.BatteryChanges", p.Freeze.BatteryChanges, 0, math.MaxInt32)
	p.validateFreeze(within, lasts)

	lasts("Battery.Filter", p.Battery.Filter, 0, 60*second)
	lasts("Battery.Stale", p.Battery.Stale, tick, 60*second)
	p.validateBattery(within)
	return errors.Join(all...)
}

// between is the test of one number that Validate hands on.
type between func(key string, value, low, high float32)

// The wheel can turn no faster than 10 m/s and no servo further than half a
// turn: wide bounds that catch a wrong unit, not a wrong robot.
func (p Params) validateLimits(within between) {
	l := p.Limits
	within("Limits.Speed", l.Speed, 0, 10)
	within("Limits.Steering", l.Steering, 0, math.Pi)
	within("Limits.Pan", l.Pan, 0, math.Pi)
	within("Limits.TiltDown", l.TiltDown, -math.Pi, 0)
	within("Limits.TiltUp", l.TiltUp, 0, math.Pi)
	within("Limits.SteeringRate", l.SteeringRate, 0.01, 1000)
	within("Limits.SpeedRate", l.SpeedRate, 0.01, 1000)
}

func (p Params) validateRange(within between) {
	r := p.Range
	within("Range.Min", r.Min, 0, 1)
	within("Range.Max", r.Max, r.Min, 100)
	within("Range.Creep", r.Creep, 0, 10)
	within("Range.Sure", r.Sure, 0, 100)
	within("Range.Nearest", r.Nearest, 0, 10)
	within("Range.Deceleration", r.Deceleration, 0.01, 100)
	within("Range.Margin", r.Margin, 0, 10)
	within("Range.Refuse", r.Refuse, 0, 10)
	within("Range.Release", r.Release, r.Refuse, 10)
	within("Range.Hysteresis", r.Hysteresis, 0, 10)
}

func (p Params) validateCliff(within between) {
	c := p.Cliff
	for i, ref := range c.Reference {
		within(fmt.Sprintf("Cliff.Reference[%d]", i), ref, 0, 1)
	}
	within("Cliff.Clear", c.Clear, 1, 10)
	within("Cliff.Speed", c.Speed, 0, 10)
	within("Cliff.Careful", c.Careful, 0, c.Speed)
	within("Cliff.Proven", c.Proven, 0, 1000)
	within("Cliff.Vouched", c.Vouched, 0, 1)
	within("Cliff.Wheelbase", c.Wheelbase, 0.05, 0.5)
	within("Cliff.Track", c.Track, 0.05, 0.5)
	within("Cliff.ServoRate", c.ServoRate, 0.1, 100)
	within("Cliff.RetreatShare", c.RetreatShare, 0, 1)
}

func (p Params) validateFreeze(within between, lasts func(key string, value, low, high time.Duration)) {
	f := p.Freeze
	lasts("Freeze.After", f.After, 0, time.Minute)
	lasts("Freeze.BatteryAfter", f.BatteryAfter, 0, time.Hour)
	within("Freeze.Speed", f.Speed, 0, 10)
	within("Freeze.Turn", f.Turn, 0, 10)
	within("Freeze.Blind", f.Blind, 0, 1)
}

func (p Params) validateBattery(within between) {
	b := p.Battery
	within("Battery.Min", b.Min, 0, 100)
	within("Battery.Max", b.Max, b.Min, 100)
	within("Battery.Low", b.Low, b.Min, b.Max)
	within("Battery.Empty", b.Empty, b.Min, b.Low)
	within("Battery.Recover", b.Recover, 0, 10)
}
