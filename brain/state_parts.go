package brain

import (
	"time"

	"fieldbrain/brain/line"
	"fieldbrain/brain/stall"
)

// A State has the records of line and stall number by number, in the order in which files
// have them. Here they are put in and taken out, and nowhere else.

// putLine copies the follower of lines.
func (s *State) putLine(l *line.Follower) {
	var r line.Record
	l.Save(&r)
	s.LineOffset, s.LineLost, s.LineFound = r.Offset, r.Lost, r.Found
	s.LineGap, s.LineMet, s.LineLeft = r.Gap, r.Met, r.Left
	s.Course, s.Crossing, s.Detour, s.Corner = r.Course, r.Crossing, r.Detour, r.Corner
}

// line returns the record of the follower of lines.
func (s *State) line() line.Record {
	return line.Record{
		Offset: s.LineOffset, Lost: s.LineLost, Found: s.LineFound, Gap: s.LineGap, Met: s.LineMet,
		Left: s.LineLeft, Course: s.Course, Crossing: s.Crossing, Detour: s.Detour, Corner: s.Corner,
	}
}

// putStall copies the watch over the wheels; now is the instant of the last tick.
func (s *State) putStall(w *stall.Watch, now time.Duration) {
	var r stall.Record
	w.Save(&r)
	s.StallDriven, s.StallWas, s.StallAge, s.StallBeside = r.Driven, r.Was, age(r.At, now), r.Beside
	s.StallTurned, s.ProbeLeft, s.ProbeFirst, s.ProbeMost, s.StallMute = r.Turned, r.ProbeLeft, r.ProbeFirst, r.ProbeMost, r.Mute
	s.StallBegun, s.StallFrom, s.StallLost, s.StallHeld = r.Begun, r.From, r.Lost, r.Held
	s.StallVain, s.TouchLeft, s.Stuck, s.Stalls = int64(r.Vain), r.Touch, r.Stuck, r.Count
	s.Rest = r.Rest
}

// stall returns the record of the watch over the wheels, at the instant of the last tick.
func (s *State) stall(at time.Duration) stall.Record {
	return stall.Record{
		Driven: s.StallDriven, Was: s.StallWas, Beside: s.StallBeside, At: instant(s.StallAge, at),
		Vain: int(s.StallVain), Begun: s.StallBegun, From: s.StallFrom, Lost: s.StallLost, Held: s.StallHeld,
		Turned: s.StallTurned, ProbeLeft: s.ProbeLeft, ProbeFirst: s.ProbeFirst, ProbeMost: s.ProbeMost, Mute: s.StallMute,
		Touch: s.TouchLeft, Stuck: s.Stuck, Count: s.Stalls, Rest: s.Rest,
	}
}
