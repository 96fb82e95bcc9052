package daemon

import (
	"fmt"
	"strings"
)

// Gauges are what driver and kernel tell of a graphics card. What they do not tell is
// not OK. Of a Jetson's card the kernel tells clock, load and heat, of others the driver.
type Gauges struct {
	Memory Reading `json:"memory_bytes"`  // in use, by whomever; only at its program's start where the driver tells no more
	Room   Reading `json:"room_bytes"`    // that there are
	Clock  Reading `json:"clock_hz"`      // now
	Most   Reading `json:"clock_most_hz"` // that it may run at
	Load   Reading `json:"load"`          // 0 .. 1
	Heat   Reading `json:"temperature_c"` // now
	Held   string  `json:"held_back"`     // by what the driver holds back a card that works: heat, power or both; empty by nothing, or unknown
}

// SetMachine takes what the kernel tells.
func (g *Gauges) SetMachine(u *Usage) {
	g.Clock, g.Most, g.Load, g.Heat = u.CardClock, u.CardMost, u.CardLoad, u.CardHeat
}

// SetDriver takes what the driver tells now. It speaks of the very card that steps the
// field, where the kernel speaks of the one that the machine has built in: each gauge is
// the driver's where it tells it, else what it was. Memory goes with its room and a clock
// with its limit, so that what is compared has one source.
func (g *Gauges) SetDriver(d *Gauges) {
	if d.Memory.OK && d.Room.OK {
		g.Memory, g.Room = d.Memory, d.Room
	}
	if d.Clock.OK {
		g.Clock, g.Most = d.Clock, d.Most
	}
	if d.Load.OK {
		g.Load = d.Load
	}
	if d.Heat.OK {
		g.Heat = d.Heat
	}
	g.Held = d.Held
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

// Slowed reports whether the driver holds back a card that works, or a busy card runs far
// below the clock that it may have.
func (g Gauges) Slowed() bool {
	if g.Held != "" {
		return true
	}
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
	if g.Held != "" {
		known = append(known, "held back by "+g.Held)
	}
	return strings.Join(known, ", ")
}
