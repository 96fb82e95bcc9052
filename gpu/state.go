package gpu

import (
	"errors"
	"time"
)

// A Phase is what a supervisor's child is doing.
type Phase string

// The phases, in the order of a life.
const (
	Stopped  Phase = "stopped"  // not begun, or ended
	Starting Phase = "starting" // the child prepares the device
	Proving  Phase = "proving"  // it steps beside a judge
	Proven   Phase = "proven"   // it waits for being taken
	Serving  Phase = "serving"  // it steps the field
	Waiting  Phase = "waiting"  // it failed; another will be started
	GivenUp  Phase = "given up" // it failed too often; no other will be started
)

// A State is what a supervisor says of itself.
type State struct {
	Phase  Phase
	Since  time.Time         // wall time at which the phase began
	Device string            // name of the newest card, empty before the first
	Copies bool              // the device may not see the page: the child copies it
	Memory Memory            // of the newest card
	Gauges Gauges            // of the running child's card, as far as its driver tells them
	PID    int               // of the newest child
	Starts uint64            // children started
	Proofs uint64            // of these, proven ones
	Ends   map[string]uint64 // of these, ended, by reason: late, died, garbage, failed, start, proof
	Err    error             // why the newest one ended, nil while none has
	Retry  time.Duration     // Waiting: until the next start
}

// A Memory is that of a card, once its child was ready; the child takes none later. Used
// counts everybody's. The zero value is one that nobody knows, and that of a card with the
// processor's memory: Gauges have the whole machine's.
type Memory struct {
	Used, Room uint64 // bytes
}

// memoryOf returns what a child says, unless it cannot be true.
func memoryOf(h *Head) Memory {
	if m := (Memory{Used: h.Memory, Room: h.Room}); m.Used <= m.Room && m.Room <= largestCard {
		return m
	}
	return Memory{}
}

// reason returns the short name of a failure's kind.
func reason(err error) string {
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	return "start"
}
