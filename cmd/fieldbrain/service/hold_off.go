package service

import (
	"time"

	"fieldbrain/daemon/loop"
)

// quietLooks is for how many looks there may be no trouble until it counts as over: what
// people hear of it is a line, too, and one that comes and goes shall not fill the log.
const quietLooks = int(10 * time.Second / lookEvery)

// A holdOff keeps a condition until its trouble has been away for quietLooks. It begins at
// once. What people may do it never delays: reflexes and arming ask the brain, not the
// conditions.
type holdOff struct {
	kept  loop.Condition // as it was last, nameless before
	grave int            // of it
	quiet int            // looks until it is over
	over  bool           // kept says that it has passed
}

// passed stands before the cause of a condition that only lingers.
const passed = "not now, but within the last 10 s: "

// look returns what to show for the state of now, and whether to show it. Of two states of
// one name the graver one stays, as long as it would without the other.
func (l *holdOff) look(c loop.Condition, holds bool, grave int) (loop.Condition, bool) {
	if holds && (l.quiet == 0 || grave >= l.grave) {
		l.kept, l.grave, l.quiet, l.over = c, grave, quietLooks, false
		return c, true
	}
	if l.quiet > 0 {
		l.quiet--
	}
	switch {
	case l.quiet == 0 && holds: // the graver one is over
		return l.look(c, true, grave)
	case l.quiet == 0:
		return c, false
	}
	if !l.over {
		l.kept.Cause, l.over = passed+l.kept.Cause, true
	}
	return l.kept, true
}
