package telemetry

import (
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/reckoning"
	"fieldbrain/daemon/loop"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// numReadings is how many readings a robot.State has: ranges, floor, battery, yaw,
// speed and the four of the target.
const numReadings = robot.NumSectors + robot.NumFloor + 3 + 4

// Flags of a Reading.
const (
	ReadingOK     = 1 << iota // the value may be used
	ReadingBeyond             // of a range: nothing was heard up to the value
)

// A Reading is one robot.Reading.
type Reading struct {
	At    int64   // instant the datum was ready, ns
	Value float32 // SI, see robot.State
	Flags uint32
}

// Flags of a Tick.
const (
	TickWarm    = 1 << iota // past the warm-up
	TickArmed               // commands reach the motors
	TickBrake               // of the command
	TickEnable              // of the command
	TickFailed              // engine or body refused
	TickCard                // a graphics card stepped the field
	TickStandby             // the processor stood in for it
	TickFault               // the engine refused the step
	TickSaving              // the machine saves power
	TickStop                // an emergency stop came with it
	TickPartly              // more reached the brain than the layout has room for: it cannot be repeated
	TickSlowed              // the machine holds itself back
	TickTight               // the card's memory is nearly used up
	TickNominal             // of the command
)

// maxCalls is how many of the owner's calls a Tick has room for.
const maxCalls = 4

// A Call is one brain.Call of the owner between two ticks. The first one that gives an order
// has it in Tick.Order, where Asked is no order, and the first one that sets a parameter in
// Tick.Setting, where Asked is no setting; others, and an effort, have no room.
type Call struct {
	Causes uint32 // safety.Causes of a trip
	Do     uint8  // brain.OwnerCall
	_      [3]byte
}

// A Tick is everything about one tick that the flight ring keeps: a fixed layout of
// plain numbers, little-endian, without gaps (docs/telemetry.md). Instants are
// those of CLOCK_MONOTONIC in ns, lengths in ns, everything else SI. The writer fills
// it in the loop's thread; it allocates nothing.
type Tick struct {
	Number  uint64             // ticks before it since the brain began: one that was restored counts on
	Now     int64              // instant the tick was given
	Release int64              // it was due
	Start   int64              // it began
	End     int64              // it returned
	Lasted  [NumStreams]uint32 // by Stream; Absent where it was not measured, one below at more than 4.29 s
	Skipped uint32             // whole periods skipped after it
	Causes  uint32             // safety.Causes that held
	Tripped uint32             // safety.Causes that disarmed the car last
	Flags   uint32
	Level   uint8   // safety.Level
	Rung    uint8   // of the quality ladder, 0 is the best
	Mode    uint8   // brain.Mode
	Link    uint8   // robot.Link
	Setting float32 // value that people set a parameter to, if they did

	Sensed   int64 // robot.State.Now
	Errors   uint64
	Resets   uint64
	Steering float32 // rad, what the body last told the servo
	Wheel    float32 // m/s, what it last told the axle
	Pan      float32 // rad
	Tilt     float32 // rad
	Readings [numReadings]Reading
	Told     [robot.NumSectors]int64 // of the ranges: when the sensor said so, 0 when at once

	Decided  int64   // robot.Command.At
	Data     int64   // robot.Command.SensedAt
	Speed    float32 // m/s, commanded
	Turn     float32 // rad, commanded steering
	LookPan  float32 // rad, commanded
	LookTilt float32 // rad, commanded

	Bearing float32 // rad of the heading's peak, positive left
	Mass    float32 // of the peak, cells of full output; 0: nothing is decided
	X, Y    float32 // m, where the car is in the frame of the start
	Heading float32 // rad
	Off     float32 // m, one standard deviation of X and Y
	Astray  float32 // rad, one of Heading
	Outcome float32 // what people said of the last seconds, -1..1; 0: nothing

	GoalX, GoalY float64        // m, of the order
	Strain       uint32         // safety.Causes that the loop reported
	Guard        uint32         // safety.Causes that the guard's ward reported
	Calls        [maxCalls]Call // of the owner since the tick before, in their order
	NumCalls     uint8          // how many there were
	Asked        uint8          // brain.Ask that the tick carried out
	Order        uint8          // brain.Do, if it was an order, or one of Calls gives one
	Heat         uint8          // quality.Heat of the machine
	Dial         uint8          // brain.Parameter that people, or one of Calls, set, 0: none
	_            [3]byte

	Throttle float32 // -1..1, what the source of a manual drive said, if it said something
	Rudder   float32 // -1..1, the same of the steering, positive left
	Word     uint8   // brain.Driver of that, 0: it said nothing
	Hand     uint8   // brain.Driver that drives, 0: unknown
	_        [6]byte
	Source   [16]byte // who drives, or did until it fell silent; empty: the brain
}

// Absent marks a length that was not measured, and a count that nobody knows.
const Absent = math.MaxUint32

// longest is the longest length a Tick holds.
const longest = Absent - 1

// length returns a duration as a Tick holds it; a negative one is absent.
func length(d time.Duration) uint32 {
	if d < 0 {
		return Absent
	}
	return uint32(min(int64(d), longest))
}

// Length returns a measured length, and false where there is none.
func (t *Tick) Length(s Stream) (time.Duration, bool) {
	if s >= NumStreams || t.Lasted[s] == Absent {
		return 0, false
	}
	return time.Duration(t.Lasted[s]), true
}

// Set takes a tick of the brain, everything that entered it, and when it was due,
// began and ended. The brain's owner calls it before the next tick. It leaves the
// streams absent that a brain does not know.
func (t *Tick) Set(b *brain.Brain, trace *brain.Trace, s loop.Sample) {
	t.SetTrace(trace, s)
	t.SetTickInput(b.TickInput())
	failsafe := b.Safety()
	t.SetSafety(&failsafe)
	t.SetPlace(b.Fix())
	helm := b.DriverState()
	t.Hand, t.Source = uint8(helm.Driver), helm.Source
	bearing, mass := b.Heading()
	t.Bearing, t.Mass, t.Mode = float32(bearing), float32(mass), uint8(b.Mode())
}

// SetTrace takes a tick of the brain and when it was due, began and ended. It leaves
// the streams absent that a trace does not know.
func (t *Tick) SetTrace(b *brain.Trace, s loop.Sample) {
	t.Number, t.Now = b.Tick, int64(b.Now)
	t.Release, t.Start, t.End = int64(s.Release), int64(s.Start), int64(s.End)
	t.Skipped = uint32(min(s.Skipped, longest))
	for i := range t.Lasted {
		t.Lasted[i] = Absent
	}
	for stage, stream := range ofStage {
		t.Lasted[stream] = length(b.Laps[stage])
	}
	t.Lasted[Busy], t.Lasted[Wake] = length(s.End-s.Start), length(s.Start-s.Release)
	t.Causes, t.Rung, t.Flags = uint32(b.Causes), uint8(b.Rung), 0
	t.flag(TickWarm, s.Warm)
	t.flag(TickFailed, b.Err != nil)
	t.setCommand(&b.Command)
	if b.Plan > 0 {
		t.Lasted[Plan] = length(b.Plan)
	}
	if b.Command.SensedAt > 0 {
		t.Lasted[Age] = length(b.Command.At - b.Command.SensedAt)
	}
}

// SetSafety takes the state of the failsafe.
func (t *Tick) SetSafety(s *safety.Status) {
	t.Level, t.Tripped = uint8(s.Level), uint32(s.Tripped)
	t.flag(TickArmed, s.Armed)
}

// SetPlace takes where the car is.
func (t *Tick) SetPlace(f reckoning.Fix) {
	t.X, t.Y, t.Heading, t.Off, t.Astray = float32(f.X), float32(f.Y), float32(f.Heading), float32(f.Off), float32(f.Astray)
}

// SetEngine says what stepped the field: a graphics card, or the processor in its place.
func (t *Tick) SetEngine(card, standby bool) {
	t.flag(TickCard, card)
	t.flag(TickStandby, standby)
}

// timed is an engine that times the parts of its steps.
type timed interface {
	Parts() (doorbell, evolve, match time.Duration)
}

// SetParts takes the parts of the newest step, as far as the engine times them.
func (t *Tick) SetParts(e field.Engine) {
	if e, times := e.(timed); times {
		doorbell, evolve, match := e.Parts()
		t.Lasted[Doorbell], t.Lasted[Evolve], t.Lasted[Match] = length(doorbell), length(evolve), length(match)
	}
}

// SetLength takes the length of a stream that a trace does not know; a negative one is
// absent.
func (t *Tick) SetLength(s Stream, d time.Duration) { t.Lasted[s] = length(d) }

// Is reports whether a flag is set.
func (t *Tick) Is(flag uint32) bool { return t.Flags&flag != 0 }

// flag sets a flag that holds and clears another one.
func (t *Tick) flag(f uint32, holds bool) {
	t.Flags &^= f
	if holds {
		t.Flags |= f
	}
}

// setCommand takes the command.
func (t *Tick) setCommand(c *robot.Command) {
	t.Decided, t.Data = int64(c.At), int64(c.SensedAt)
	t.Speed, t.Turn, t.LookPan, t.LookTilt = c.Speed, c.Steering, c.Pan, c.Tilt
	t.flag(TickBrake, c.Brake)
	t.flag(TickEnable, c.Enable)
	t.flag(TickNominal, c.IgnoreBattery)
}

// Command returns the command that the tick gave, bit for bit.
func (t *Tick) Command() robot.Command {
	return robot.Command{
		At: time.Duration(t.Decided), SensedAt: time.Duration(t.Data),
		Speed: t.Speed, Steering: t.Turn, Pan: t.LookPan, Tilt: t.LookTilt,
		Brake: t.Is(TickBrake), Enable: t.Is(TickEnable), IgnoreBattery: t.Is(TickNominal),
	}
}
