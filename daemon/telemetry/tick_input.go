package telemetry

import (
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// SetHeard takes everything that entered a tick. SetTrace comes before it.
func (t *Tick) SetTickInput(h *brain.TickInput) {
	t.SetState(&h.State)
	t.Outcome, t.GoalX, t.GoalY = h.Outcome, h.Order.X, h.Order.Y
	t.Strain, t.Guard = uint32(h.Strain), uint32(h.Guard)
	t.Asked, t.Order, t.Heat = uint8(h.Asked), uint8(h.Order.Do), uint8(h.Heat)
	t.Dial, t.Setting = uint8(h.Setting.Parameter), h.Setting.Value
	t.Throttle, t.Rudder, t.Word, t.Source = h.Manual.Throttle, h.Manual.Steering, uint8(h.Manual.Driver), h.Manual.Source
	t.flag(TickFault, h.Fault)
	t.flag(TickSaving, h.Save)
	t.flag(TickSlowed, h.Slowed)
	t.flag(TickTight, h.Tight)
	t.flag(TickStop, h.Stop)
	partly := !t.setCalls(h)
	for _, d := range h.Laps {
		partly = partly || d < 0 || d > longest
	}
	t.flag(TickPartly, partly)
}

// TickInput returns everything that had entered the tick, bit for bit, and false where the
// layout has no room for all of it.
func (t *Tick) TickInput() (h brain.TickInput, whole bool) {
	h = brain.TickInput{
		Tick: t.Number, Now: time.Duration(t.Now), State: t.State(),
		Heat: quality.Heat(t.Heat), Save: t.Is(TickSaving), Slowed: t.Is(TickSlowed), Tight: t.Is(TickTight), Fault: t.Is(TickFault),
		Strain: safety.Causes(t.Strain), Guard: safety.Causes(t.Guard),
		Asked: brain.Ask(t.Asked), Order: brain.Order{Do: brain.Do(t.Order), X: t.GoalX, Y: t.GoalY},
		Stop: t.Is(TickStop), Outcome: t.Outcome, NumCalls: min(int(t.NumCalls), maxCalls),
		Manual:  brain.ManualInput{Driver: brain.Driver(t.Word), Throttle: t.Throttle, Steering: t.Rudder},
		Setting: brain.Setting{Parameter: brain.Parameter(t.Dial), Value: t.Setting},
	}
	if h.Manual.Driver == brain.DriverPerson || h.Manual.Driver == brain.DriverLost {
		h.Manual.Source = t.Source
	}
	t.calls(&h)
	for stage, stream := range ofStage {
		h.Laps[stage], _ = t.Length(stream) // absent in virtual time, where it is 0
	}
	return h, !t.Is(TickPartly)
}

// setCalls takes what the owner called, and reports whether there was room for all of it:
// for maxCalls calls, of which one may give an order where nobody else asked for one in
// that tick, and one set a parameter where nobody else did; a change of the planner's effort
// has none. SetHeard has taken Asked, Order and Setting before.
func (t *Tick) setCalls(h *brain.TickInput) (whole bool) {
	t.NumCalls, whole = uint8(min(h.NumCalls, maxCalls)), h.NumCalls <= maxCalls
	order, setting := h.Asked != brain.AskGo, h.Asked != brain.AskSet // there is room for one
	for i := range t.Calls {
		c := &h.Calls[i]
		t.Calls[i] = Call{Causes: uint32(c.Causes), Do: uint8(c.Do)}
		switch {
		case i >= h.NumCalls:
		case c.Do == brain.CallGo && order:
			t.Order, t.GoalX, t.GoalY, order = uint8(c.Order.Do), c.Order.X, c.Order.Y, false
		case c.Do == brain.CallSet && setting:
			t.Dial, t.Setting, setting = uint8(c.Setting.Parameter), c.Setting.Value, false
		case c.Do == brain.CallGo || c.Do == brain.CallSet || c.Do == brain.CallEffort:
			whole = false
		}
	}
	return whole
}

// calls restores into h what setCalls stored. Where no remote asked for an order or a
// setting, the one stored belongs to the owner's first call of that kind.
func (t *Tick) calls(h *brain.TickInput) {
	order, setting := h.Asked != brain.AskGo, h.Asked != brain.AskSet
	for i := range h.NumCalls {
		c := &h.Calls[i]
		*c = brain.Call{Do: brain.OwnerCall(t.Calls[i].Do), Causes: safety.Causes(t.Calls[i].Causes)}
		switch {
		case c.Do == brain.CallGo && order:
			c.Order, h.Order, order = h.Order, brain.Order{}, false
		case c.Do == brain.CallSet && setting:
			c.Setting, h.Setting, setting = h.Setting, brain.Setting{}, false
		}
	}
}

// SetState takes what the body sensed.
func (t *Tick) SetState(s *robot.State) {
	t.Sensed, t.Errors, t.Resets, t.Link = int64(s.Now), s.Errors, s.Resets, uint8(s.Link)
	t.Steering, t.Wheel, t.Pan, t.Tilt = s.CommandedSteering, s.CommandedSpeed, s.Pan, s.Tilt
	for i := range s.Range {
		t.Told[i] = int64(s.Range[i].ReportedAt)
	}
	for i := range t.Readings {
		from, to := part(s, i), &t.Readings[i]
		to.At, to.Value, to.Flags = int64(from.At), from.Value, 0
		if from.OK {
			to.Flags |= ReadingOK
		}
		if from.AtLeast {
			to.Flags |= ReadingBeyond
		}
	}
}

// State returns what the body had sensed, bit for bit.
func (t *Tick) State() robot.State {
	s := robot.State{
		Now: time.Duration(t.Sensed), Errors: t.Errors, Resets: t.Resets, Link: robot.Link(t.Link),
		CommandedSteering: t.Steering, CommandedSpeed: t.Wheel, Pan: t.Pan, Tilt: t.Tilt,
	}
	for i := range t.Readings {
		from, to := &t.Readings[i], part(&s, i)
		to.At, to.Value = time.Duration(from.At), from.Value
		to.OK, to.AtLeast = from.Flags&ReadingOK != 0, from.Flags&ReadingBeyond != 0
	}
	for i := range s.Range {
		s.Range[i].ReportedAt = time.Duration(t.Told[i])
	}
	return s
}

// part returns the i-th reading of a state, in the order of the layout.
func part(s *robot.State, i int) *robot.Reading {
	const floor = robot.NumSectors
	const others = floor + robot.NumFloor
	switch {
	case i < floor:
		return &s.Range[i]
	case i < others:
		return &s.Floor[i-floor]
	}
	switch i - others {
	case 0:
		return &s.Battery
	case 1:
		return &s.Yaw
	case 2:
		return &s.Speed
	case 3:
		return &s.Target.Bearing
	case 4:
		return &s.Target.Elevation
	case 5:
		return &s.Target.Size
	}
	return &s.Target.Confidence
}
