package daemon

import (
	"fmt"
	"strings"
)

// Gauges are what driver and kernel tell of a graphics card. What they do not tell is
// not OK: the kernel tells clock, load and heat of a Jetson's card alone.
type Gauges struct {
	Memory Reading `json:"memory_bytes"`  // in use, by whomever, since the card's program is ready
	Room   Reading `json:"room_bytes"`    // that there are
	Clock  Reading `json:"clock_hz"`      // now
	Most   Reading `json:"clock_most_hz"` // that it may run at
	Load   Reading `json:"load"`          // 0 .. 1
	Heat   Reading `json:"temperature_c"` // now
}

// SetMachine takes what the kernel tells.
func (g *Gauges) SetMachine(u *Usage) {
	g.Clock, g.Most, g.Load, g.Heat = u.CardClock, u.CardMost, u.CardLoad, u.CardHeat
}

// SetMemory takes what the driver told the card's program; no room is nothing known.
func (g *Gauges) SetMemory(used, room uint64) {
	g.Memory, g.Room = Reading{}, Reading{}
	if room > 0 {
		g.Memory, g.Room = Reading{float64(used), true}, Reading{float64(room), true}
	}
}

// When a card counts as held back or as nearly full.
const (
	busyLoad  = 0.9  // share of the time that it works, from which on its clock means something
	slowClock = 0.5  // of the clock it may have: below, a busy card is held back
	fullShare = 0.95 // of its memory, by whomever
)

// Slowed reports whether a busy card runs far below the clock that it may have.
func (g Gauges) Slowed() bool {
	known := g.Clock.OK && g.Most.OK && g.Load.OK
	return known && g.Load.Value >= busyLoad && g.Clock.Value < slowClock*g.Most.Value
}

// Tight reports whether the card's memory is nearly used up.
func (g Gauges) Tight() bool {
	return g.Memory.OK && g.Room.OK && g.Memory.Value >= fullShare*g.Room.Value
}

// Line returns the known ones, empty if there is none.
func (g Gauges) Line() string {
	var known []string
	add := func(r Reading, format string, unit float64) {
		if r.OK {
			known = append(known, fmt.Sprintf(format, r.Value/unit))
		}
	}
	if g.Memory.OK && g.Room.OK {
		known = append(known, fmt.Sprintf("memory %.2f of %.2f GB", g.Memory.Value/1e9, g.Room.Value/1e9))
	}
	add(g.Clock, "clock %.0f MHz", 1e6)
	add(g.Load, "load %.0f %%", 0.01)
	add(g.Heat, "%.1f C", 1)
	return strings.Join(known, ", ")
}
