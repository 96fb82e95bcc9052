package service

import (
	"fieldbrain/daemon"
	"fieldbrain/robot/safety"
)

// hindrance says why the car stands or is slow, and what to do; nil when nothing
// hinders it. A simulated car has no wires to look at.
func hindrance(s safety.Status, simulated bool) *daemon.Hindrance {
	causes, tripped := s.Causes&^safety.Disarmed, s.Tripped
	if !causes.Has(safety.EStop) { // it is reset: nothing is left to do about it
		tripped &^= safety.EStop
	}
	switch {
	case s.Level == safety.Normal:
		return nil
	case !s.Armed && causes.Has(safety.EStop):
		return &daemon.Hindrance{What: "stands: " + safety.EStop.Words(), Remedy: remedies(safety.EStop)}
	case !s.Armed && tripped != 0:
		return &daemon.Hindrance{What: "stands: it disarmed itself, " + tripped.Words(), Remedy: disarmedCondition(tripped, simulated, nil).Remedy}
	case !s.Armed && causes.Level() > safety.Limited:
		return &daemon.Hindrance{What: "stands: disarmed, and " + causes.Words(), Remedy: remedy(causes, simulated)}
	case !s.Armed && s.Tripped != 0:
		return &daemon.Hindrance{What: "stands: disarmed by the emergency stop, which is reset", Remedy: "fieldbrain arm"}
	case !s.Armed:
		return &daemon.Hindrance{What: "stands: disarmed", Remedy: "fieldbrain arm"}
	}
	does := effect(s.Level)
	if causes == safety.NoWayBack {
		does = "does not back away"
	}
	return &daemon.Hindrance{What: does + ": " + causes.Words(), Remedy: remedy(causes, simulated)}
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

// remedy returns what to do about the worst cause.
func remedy(c safety.Causes, simulated bool) string {
	worst := safety.Fault{}
	for _, f := range safety.Faults() {
		if c.Has(f.Cause) && (worst.Cause == 0 || f.Level > worst.Level) {
			worst = f
		}
	}
	if simulated && worst.Cause == safety.LinkDown {
		return simulatedRemedy
	}
	return worst.Remedy
}
