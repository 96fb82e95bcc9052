package brain

import (
	"slices"
	"time"

	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// MaxCalls is how many calls of the owner one tick can tell of.
const MaxCalls = 8

// TickInput is everything that reached a brain from outside for one tick: with its
// parameters, its engine's kind and what it carried from before, equal inputs give
// equal commands, bit for bit. It is a plain value of fixed size without pointers.
type TickInput struct {
	Tick  uint64        // its number, from 0
	Now   time.Duration // instant the tick was given, on the body's clock
	State robot.State   // as the body gave it

	Laps [NumStages]time.Duration // how long each stage took: the governor judges them
	Heat quality.Heat             // of the machine
	Save bool                     // the machine saves power

	Slowed, Tight bool // it holds itself back, and has little of the card's memory left

	Fault bool // the engine refused the step

	Strain, Guard safety.Causes // what Strained and Guarded said last

	Calls    [MaxCalls]Call // of the owner since the tick before, in their order
	NumCalls int            // how many there were; more than MaxCalls are not all in Calls

	Asked   Ask         // of a Remote, carried out when the tick began
	Order   Order       // of AskGo
	Stop    bool        // a Remote's emergency stop, behind it
	Outcome float32     // what people said of the last seconds, -1..1; 0: nothing
	Manual  ManualInput `pb:"wheel"` // what the source of a manual drive said since the tick before
	Setting Setting     // of AskSet
}

// An Ask is what a Remote asked of a tick.
type Ask uint8

// What a Remote can ask.
const (
	AskNothing Ask = iota
	AskArm
	AskDisarm
	AskEStop
	AskReset
	AskGo
	AskSet
)

// A Call is what the owner called between two ticks.
type Call struct {
	Do      OwnerCall
	Causes  safety.Causes // of CallTrip
	Order   Order         // of CallGo
	Effort  plan.Effort   // of CallEffort
	Setting Setting       // of CallSet
}

// An OwnerCall is the kind of a call.
type OwnerCall uint8

// The calls: the methods of Brain of the same names.
const (
	CallNothing OwnerCall = iota
	CallArm
	CallDisarm
	CallTrip
	CallGo
	CallEffort
	CallSet
	CallSave // which ends what is under way
)

// Whole reports whether every call is in it.
func (h *TickInput) Whole() bool { return h.NumCalls <= MaxCalls }

// Disarms reports whether somebody disarmed or stopped the car. Of calls that are not all in it
// it says yes.
func (h *TickInput) Disarms() bool {
	if h.Stop || h.Asked == AskDisarm || h.Asked == AskEStop || !h.Whole() {
		return true
	}
	return slices.ContainsFunc(h.Calls[:h.NumCalls], func(c Call) bool { return c.Do == CallDisarm })
}

// act notes a call for the next tick.
func (h *TickInput) act(a Call) {
	if h.NumCalls < MaxCalls {
		h.Calls[h.NumCalls] = a
	}
	h.NumCalls++
}

// TickInput returns what the newest tick heard. It belongs to the brain and is valid until
// the next tick. Owner only.
func (b *Brain) TickInput() *TickInput { return &b.input }

// listen begins the account of a tick.
func (b *Brain) listen(now time.Duration) {
	h := &b.input
	*h = TickInput{Tick: b.tick, Now: now, Strain: b.strain, Guard: b.guard, Calls: b.coming.Calls, NumCalls: b.coming.NumCalls}
	b.coming.NumCalls = 0
	b.coming.Calls = [MaxCalls]Call{}
}

var askNames = [...]string{"nothing", "arm", "disarm", "estop", "reset", "go", "set"}

// String returns the word by which people ask it.
func (a Ask) String() string {
	if int(a) < len(askNames) {
		return askNames[a]
	}
	return "unknown"
}

var callNames = [...]string{"nothing", "arm", "disarm", "trip", "go", "effort", "set", "save"}

// String returns the call's name.
func (d OwnerCall) String() string {
	if int(d) < len(callNames) {
		return callNames[d]
	}
	return "unknown"
}
