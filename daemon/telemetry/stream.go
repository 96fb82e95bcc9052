package telemetry

import "fieldbrain/brain"

// A Stream is one measured length of the loop, with a histogram of its own.
type Stream uint8

// The streams in the order of the layout. Step is the whole step of the field, of
// which Doorbell, Evolve and Match are parts as far as the engine times them; Plan
// is a part of Encode.
const (
	Sense      Stream = iota // copy the newest readings
	Encode                   // readings to sensory vector and stimuli
	Doorbell                 // a graphics card alone: the step without the card's own work
	Evolve                   // the field's equation
	Match                    // patterns compared with the context
	Plan                     // belief and planner
	Step                     // the engine's whole step
	Decode                   // marginals and gradients to a wanted command
	Reflex                   // limits and reflexes overrule it
	Act                      // hand the command to the bus owner
	Busy                     // the whole tick
	Wake                     // lateness of every release
	Age                      // of the oldest reading that a command first used, as it was decided
	Response                 // data ready to command written
	NumStreams               // how many there are
)

var streamNames = [NumStreams]string{
	"sense", "encode", "doorbell", "evolve", "match", "plan", "step", "decode", "reflex", "act",
	"busy", "wake-up", "age", "response",
}

// String returns the stream's name as tables print it.
func (s Stream) String() string {
	if s < NumStreams {
		return streamNames[s]
	}
	return "unknown"
}

// ofStage is the stream of each stage of the brain's tick.
var ofStage = [brain.NumStages]Stream{Sense, Encode, Step, Decode, Reflex, Act}
