package brain

import (
	"math"

	"fieldbrain/brain/progress"
	"fieldbrain/field/exact"
)

// progressWatch is what came of watching how the car gets on.
type progressWatch struct {
	monitor progress.Monitor
	advice  progress.Advice
	number  uint64 // of the mission that it is about
	hemmed  hemmed
}

// watchProgress watches whether the car gets on with what it is after. Where it does not,
// ways around the place are preferred and, for a while, floor elsewhere draws instead
// of the goal; the field decides. What cannot be had is given up in the next tick.
func (b *Brain) watchProgress() {
	s, g := &b.progress, &b.guide
	if s.number != b.missions.now.Number {
		s.number = b.missions.now.Number
		s.monitor.Forget()
		s.hemmed = hemmed{}
	}
	b.watchBlocked()
	at := b.odometry.axle()
	x, y := at.Centre()
	barren, _ := g.finder.Barren()
	l := progress.Look{
		Quest: b.quest(), Dt: b.dt, Driving: b.free() && !b.manual.away(), X: x, Y: y, Way: math.Abs(b.odometry.way),
		Entered: g.finder.Entered(), Left: math.Inf(1), Far: math.Inf(1), Shut: g.shut, Barren: barren,
		One: !b.senses.sides(),
	}
	if g.placed {
		l.Far, l.Doubt = exact.Hypot(g.x-x, g.y-y), b.missions.now.Off
	}
	if g.known && l.Quest == progress.Goal && !s.advice.Search {
		l.Left = g.left
	}
	s.advice = s.monitor.Update(&l)
	if a := &s.advice; a.Leave {
		b.missions.now.Detours++
		g.finder.Shun(float32(a.Disc.X), float32(a.Disc.Y), float32(a.Disc.R), shunned)
	}
}

// begin forgets how the car got on so far: it may stand elsewhere.
func (s *progressWatch) begin() { s.monitor.Forget(); s.advice, s.hemmed = progress.Advice{}, hemmed{} }

// shunned is how many visits a place counts that the car goes round in.
const shunned = 4

// quest is what the car is after.
func (b *Brain) quest() progress.Quest {
	switch {
	case b.line.Following() || b.missions.holds():
		return progress.Nothing
	case b.goal.weight > 0:
		return progress.Goal
	}
	return progress.Explore
}

// excuse says in the missions' words why a quest is given up.
func excuse(v progress.Verdict) Excuse {
	switch v {
	case progress.NoWay:
		return NoWay
	case progress.NoNearer:
		return NoNearer
	case progress.NoNews:
		return NothingNew
	}
	return NoExcuse
}
