package safety

import (
	"errors"
	"strings"
)

// ErrArmed refuses a Reset of a car that is armed: the car has latched nothing,
// and whoever asks has the wrong car in mind. Disarm first.
var ErrArmed = errors.New("safety: reset refused: the car is armed; disarm it first")

// A Refusal says why the machine did not arm or reset the car: the causes that
// must end first. Its text names each with its remedy.
type Refusal struct {
	Act    string // "arm" or "reset"
	Causes Causes // what stands against it
}

// Error returns one sentence naming every cause and its remedy. A missing guard comes
// first: its line is low, and what the car does not answer may be due to that.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString("safety: " + r.Act + " refused: ")
	sep := ""
	for _, group := range [...]Causes{r.Causes & Unguarded, r.Causes &^ Unguarded} {
		for _, f := range faults {
			if group.Has(f.Cause) {
				b.WriteString(sep + f.Means + " (" + f.Name + "): " + f.Remedy)
				sep = "; "
			}
		}
	}
	return b.String()
}

// A Machine is the failsafe machine. It holds whether the car is armed, which
// causes it latched, and which causes it observed last. It is a plain value;
// every event returns the next one. The zero Machine is disarmed and has seen
// nothing.
//
// Two rules hold in every state it can reach, and a test enumerates them all:
// an armed Machine has nothing latched and no cause present that disarms, and
// only Arm arms.
type Machine struct {
	armed   bool
	seen    bool   // whether Observe was ever called
	present Causes // as last observed
	latched Causes // kept until Reset
	tripped Causes // what disarmed the car last, for people to read
}

// Observe returns the machine after a tick in which present were the causes. It
// ignores Disarmed in present: that is the machine's own.
func (m Machine) Observe(present Causes) Machine {
	m.seen = true
	m.present = present & allCauses &^ Disarmed
	return m.trip(m.present & (latching | rearming))
}

// EStop returns the machine stopped and latched.
func (m Machine) EStop() Machine { return m.trip(EStop) }

// Disarm returns the machine disarmed. It empties no latch.
func (m Machine) Disarm() Machine {
	m.armed = false
	return m
}

// Trip returns the machine disarmed for a reason only the caller can see, such
// as Overrun, which then shows in Tripped. The reason counts as present until
// the next Observe, so that no Arm comes in between.
func (m Machine) Trip(why Causes) Machine {
	why &= allCauses &^ Disarmed
	m.present |= why
	return m.trip(why)
}

// trip disarms for why and latches those of its causes that latch.
func (m Machine) trip(why Causes) Machine {
	m.latched |= why & latching
	if why != 0 && m.armed {
		m.armed = false
		m.tripped = why
	}
	return m
}

// Arm returns the machine armed, or itself and a *Refusal with the causes that
// must end first. Arming an armed machine does nothing.
func (m Machine) Arm() (Machine, error) {
	if m.armed {
		return m, nil
	}
	if against := m.Causes().Blocking(); against != 0 {
		return m, &Refusal{Act: "arm", Causes: against}
	}
	m.armed = true
	m.tripped = 0
	return m, nil
}

// Reset returns the machine with its latch empty and still disarmed. It
// refuses with ErrArmed on an armed car, and with a *Refusal while a cause that
// latches is still present.
func (m Machine) Reset() (Machine, error) {
	if m.armed {
		return m, ErrArmed
	}
	if still := m.present & latching; still != 0 {
		return m, &Refusal{Act: "reset", Causes: still}
	}
	m.latched = 0
	return m, nil
}

// Armed reports whether the motors may be powered at all.
func (m Machine) Armed() bool { return m.armed }

// Tripped returns the causes that disarmed the car last; none after a disarm
// by a person or once the car was armed again.
func (m Machine) Tripped() Causes { return m.tripped }

// Causes returns everything that holds now: the observed causes, the latched
// ones, and Disarmed. A machine that has observed nothing adds StateStale.
func (m Machine) Causes() Causes {
	c := m.present | m.latched
	if !m.armed {
		c |= Disarmed
	}
	if !m.seen {
		c |= StateStale
	}
	return c
}

// Level returns the level of the worst of Causes.
func (m Machine) Level() Level { return m.Causes().Level() }
