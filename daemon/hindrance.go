package daemon

import (
	"strings"

	"fieldbrain/brain"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot/safety"
)

// A Hindrance says why the car stands, or drives slower than its orders ask. A
// car that nothing hinders has none.
type Hindrance struct {
	What   string `json:"what"`             // "stands: disarmed"
	Remedy string `json:"remedy,omitempty"` // what a person can do
}

// NewHindrance says why the car stands or is slow, and what to do; nil when nothing
// hinders it. A simulated car has no wires to look at.
func NewHindrance(s safety.Status, simulated bool) *Hindrance {
	causes, tripped := s.Causes&^safety.Disarmed, s.Tripped
	if !causes.Has(safety.EStop) { // it is reset: nothing is left to do about it
		tripped &^= safety.EStop
	}
	switch {
	case s.Level == safety.Normal:
		return nil
	case !s.Armed && causes.Has(safety.EStop):
		return &Hindrance{What: "stands: " + safety.EStop.Words(), Remedy: Remedies(safety.EStop)}
	case !s.Armed && tripped != 0:
		return rearm(tripped, causes.Blocking(), simulated)
	case !s.Armed && causes.Blocking() != 0:
		against := causes.Blocking()
		return &Hindrance{What: "stands: disarmed, and " + against.Words(), Remedy: remedy(against, simulated)}
	case !s.Armed && s.Tripped != 0:
		return &Hindrance{What: "stands: disarmed by the emergency stop, which is reset", Remedy: "fieldbrain arm"}
	case !s.Armed:
		return &Hindrance{What: "stands: disarmed", Remedy: "fieldbrain arm"}
	}
	does := effect(s.Level)
	if causes == safety.NoWayBack {
		does = "does not back away"
	}
	return &Hindrance{What: does + ": " + causes.Words(), Remedy: remedy(causes, simulated)}
}

// rearm says what disarmed the car, which may be over, and what refuses to arm it now: that
// comes first in what to do.
func rearm(tripped, against safety.Causes, simulated bool) *Hindrance {
	h := &Hindrance{What: "stands: it disarmed itself, " + tripped.Words(), Remedy: Rearming(tripped, simulated)}
	if others := against &^ tripped; others != 0 {
		h.What += ", and arming is refused: " + others.Words()
		h.Remedy = thenArm(remedy(against, simulated))
	}
	return h
}

// Hemmed is what hinders a car that edges hem in.
func Hemmed() *Hindrance {
	return &Hindrance{
		What:   "stands: hemmed in by an edge that it met, or by what stands there, and the floor behind it has not carried it",
		Remedy: "fieldbrain disarm, put it where there is floor all round, fieldbrain arm: it begins anew, once it was disarmed for 2 s; on a dark floor calibrate the references",
	}
}

// Hindered says why the car stands or is slow: what its reflexes hold against it or, where they
// only make it slow, that it is hemmed in.
func Hindered(b *brain.Status, simulated bool) *Hindrance {
	const edges = safety.Cliff | safety.NoWayBack | safety.Obstacle // they come and go where it tries
	if b.Hemmed && (b.Safety.Causes&^edges).Level() < safety.Hold {
		return Hemmed()
	}
	return NewHindrance(b.Safety, simulated)
}

// effect says what a level means for an armed car.
func effect(l safety.Level) string {
	switch l {
	case safety.Limited:
		return "slow"
	case safety.Hold:
		return "does not drive forward"
	}
	return "stands"
}

// remedy returns what to do about the worst cause. A missing guard is worse than what
// is as bad: its line is low, and what the car does not answer may be due to that.
func remedy(c safety.Causes, simulated bool) string {
	if c.Has(safety.Unguarded) && c.Level() == safety.Unguarded.Level() {
		c = safety.Unguarded
	}
	worst := safety.Fault{}
	for f := range safety.EachFault() {
		if c.Has(f.Cause) && (worst.Cause == 0 || f.Level > worst.Level) {
			worst = f
		}
	}
	if simulated && worst.Cause == safety.LinkDown {
		return SimulatedRemedy
	}
	return worst.Remedy
}

// Remedies returns what to do about each of some causes.
func Remedies(why safety.Causes) string {
	var list []string
	for f := range safety.EachFault() {
		if why.Has(f.Cause) {
			list = append(list, f.Remedy)
		}
	}
	return strings.Join(list, "; ")
}

// SimulatedRemedy is for a link of the simulated car that is not up.
const SimulatedRemedy = "a fault of the scenario, or its hat.boot_ms; if it has none, this computer is too busy: end other programs on it"

// Rearming is what to do before a car drives again that disarmed itself for a reason.
func Rearming(why safety.Causes, simulated bool) string {
	remedy := Remedies(why)
	if simulated && why == safety.LinkDown {
		remedy = SimulatedRemedy
	}
	return thenArm(remedy)
}

// thenArm adds the last step to a remedy that lacks it.
func thenArm(remedy string) string {
	if !strings.Contains(remedy, "fieldbrain arm") {
		remedy += "; then fieldbrain arm"
	}
	return remedy
}

// SetPage writes the hindrance into the telemetry page; nil writes that there is none.
func (h *Hindrance) SetPage(c *telemetry.Car) {
	if h == nil {
		h = &Hindrance{}
	}
	telemetry.SetText(c.Hindered[:], h.What)
	telemetry.SetText(c.Remedy[:], h.Remedy)
}
