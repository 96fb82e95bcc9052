package telemetry

import (
	"bytes"
	"math"
)

// MaxConditions and MaxParameters are how many degraded parts, and how many parameters
// that may change while the car drives, a page has room for.
const (
	MaxConditions = 16
	MaxParameters = 16
)

// A Car is what changes slowly, ten times a second: how the machine and the program
// around the loop stand. Numbers that nobody knows are NaN or Unknown, never 0;
// names that nobody knows are empty.
type Car struct {
	Wall int64 // ns since 1970 at this instant
	Mono int64 // CLOCK_MONOTONIC at the same

	Engine  [64]byte // what steps the field
	Rung    [16]byte // quality in force
	Wanted  [16]byte // engine.quality
	Why     [48]byte // the rung is not the best one
	Since   int64    // ns since 1970 at which the rung was first seen, 0 never
	Changes uint64   // of the rung
	Mode    [16]byte // what the brain is doing

	Machine Machine
	Card    Card

	Order, Former Order     // the one that the car is about, and the one before; Former.Text is empty without
	Hindered      [160]byte // why the car stands or crawls, empty when nothing hinders it
	Remedy        [320]byte

	Dropped uint64 // log lines
	Refused uint64 // connections

	NumConditions uint32 // how many there are, of which the first MaxConditions follow
	_             [4]byte
	Conditions    [MaxConditions]Condition

	NumParameters uint32 // how many follow
	_             [4]byte
	Parameters    [MaxParameters]Parameter

	Planner [16]byte // brain.planner while the car plans, empty while it does not

	Late Late

	Rays Rays
}

// Rays are the planner's, and who casts them: in so many ticks the graphics card, in so
// many others the processor, by the reason.
type Rays struct {
	Wanted   uint32   // 1: some tick has wanted rays of a card
	Card     uint32   // 1: the card cast the newest
	Why      [96]byte // it did not
	Answered uint64   // ticks whose rays the card cast
	Absent   uint64   // no card stepped the field
	Late     uint64   // its answer was not there in the next tick
	Busy     uint64   // it was not done with the answer before, or late with the field
	Gone     uint64   // it died, or its answer could not be true
	Wrong    uint64   // its answers differed from the processor's
}

// A Late is how late the graphics card is.
type Late struct {
	Recent uint32  // late answers of the last Window ticks
	Window uint32  // over which they are counted
	Behind uint32  // ticks that the card has yet to step, 0 while it keeps up
	Share  float32 // of one processor that its program took in the last second
	Ticks  uint64  // that the processor stepped because the card was late, since the program's start
}

// A Parameter is one that people may change while the car drives.
type Parameter struct {
	Key   [24]byte // of the configuration
	Unit  [8]byte  // of the numbers, empty where they are indices of words
	Value float32  // in force
	Start float32  // at the daemon's start
	Low   float32  // least
	High  float32  // largest
}

// A Machine is the computer.
type Machine struct {
	Temperature float32  // C, of the sensor nearest its limit
	Limit       float32  // C, at which it is hot
	Sensor      [32]byte // its name
	Heat        [8]byte  // cool, warm or hot
	Power       [32]byte // name of the power mode
	Share       float32  // of one processor that the program took in the last second
	Load        float32  // load average over one minute
	Clock       float32  // Hz, of the slowest processor
	Fastest     float32  // Hz, that it could run at
	Throttled   uint64   // times the processor slowed itself down for its heat, since the machine's start
	Stolen      int64    // ns that a host took, since the machine's start
	Collected   int64    // ns for which the collector stopped the program, since the program's start
	Waited      int64    // ns for which the loop's thread was ready and got no processor
}

// A Card is the graphics card.
type Card struct {
	Phase       [16]byte // of its program; empty when no card is looked for
	Device      [64]byte
	Since       int64 // ns since 1970 of the phase
	Starts      uint64
	Proofs      uint64
	Failovers   uint64
	Returns     uint64
	PID         uint32
	Temperature float32   // C
	Load        float32   // 0..1
	Clock       float32   // Hz
	Memory      uint64    // bytes in use
	Room        uint64    // bytes there are
	Error       [160]byte // why its newest process ended
}

// An Order is what the car was told.
type Order struct {
	Text     [48]byte
	Standing [16]byte
	Why      [96]byte
	Number   uint64
	Driving  float32 // s
	Way      float32 // m driven meanwhile
	Left     float32 // m to the goal, NaN without one
	Over     uint32  // 1: it has ended
}

// A Condition is one degraded part (loop.Condition).
type Condition struct {
	Name   [24]byte
	Value  [160]byte
	Cause  [320]byte
	Remedy [320]byte
	Since  int64 // ns since 1970
}

// Unknown is a count that nobody knows.
const Unknown = math.MaxUint64

// Nothing returns a Car of which nothing is known.
func Nothing() Car {
	nan := float32(math.NaN())
	return Car{
		Machine: Machine{
			Temperature: nan, Limit: nan, Share: nan, Load: nan, Clock: nan, Fastest: nan, Throttled: Unknown,
		},
		Card:   Card{Temperature: nan, Load: nan, Clock: nan, Memory: Unknown, Room: Unknown},
		Order:  Order{Left: nan},
		Former: Order{Left: nan},
		Late:   Late{Share: nan},
	}
}

// Known returns a number and whether somebody knows it.
func Known(v float32) (float64, bool) {
	return float64(v), !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0)
}

// Text returns a name of a layout: its bytes up to the first zero.
func Text(b []byte) string {
	name, _, _ := bytes.Cut(b, []byte{0})
	return string(name)
}

// SetText writes a name into a layout, cut to the room there is, with zeros behind.
func SetText(to []byte, s string) { clear(to[copy(to[:len(to)-1], s):]) }
