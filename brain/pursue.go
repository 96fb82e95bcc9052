package brain

import (
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// order begins what people ordered: it sets what the parameters said at the start.
func (b *Brain) order(o Order, now time.Duration) {
	b.missions.take(o, now, b.reckoning.way)
	if b.line.crossing.Ended {
		b.line.crossing = Crossing{}
	}
	b.manual.ordered(now)
	w := b.missions.wishes()
	b.params.FollowLine, b.params.SeekGoal = w.line, w.beacon
	b.explorer.wake(w.explore)
}

// pursue reckons where the car is, shows the goal of an order that leads to a point to
// whoever steers by goals, and judges how far the order has come.
func (b *Brain) pursue(now time.Duration) {
	b.reckoning.move(b.odometry.way, b.odometry.bend)
	l := leg{
		now: now, dt: b.dt, driving: b.free() && !b.manual.away(), way: b.reckoning.way,
		line: b.line.confidence > 0, barred: b.line.detour.Stood >= lineWait,
		ended: b.line.crossing.Ended, near: float64(b.params.Arrival),
	}
	if b.progress.number == b.missions.now.Number {
		l.why = b.progress.hemmed.excuse(excuse(b.progress.advice.Verdict))
	}
	w, bearing := &b.missions.now, 0.0
	if w.Aimed() {
		at := b.reckoning.fix()
		bearing, l.left = at.toward(w.Order.X, w.Order.Y)
		l.off = at.Off
	}
	if w.Aimed() && !w.Standing.Over() {
		if b.goal.lead(bearing, l.left); b.guide.table.OverEdge(bearing, l.left, l.near) {
			l.why = OverEdge
		}
	} else {
		b.line.detour.draw(&b.goal, b.odometry.axle())
	}
	b.missions.update(&l)
	b.params.FollowLine = b.params.FollowLine && b.missions.wishes().line
}

// pass watches whether the line leads on.
func (b *Brain) pass(driving bool) {
	at, face := b.odometry.axle(), float64(detourFar)
	if front := &b.state.Range[robot.Front]; b.senses.valid(field.SlotRange) && !front.AtLeast {
		face = float64(front.Value) + ground.Ahead + float64(b.params.SonarLead)
	}
	b.line.detour.watch(&passage{
		dt: b.dt, wanted: b.params.FollowLine, seen: b.line.confidence > 0,
		stuck: b.line.following && b.stall.stuck, speed: b.senses.speed, at: at, ahead: face,
		edges: b.params.Safety.Cliff.Enabled, bend: b.line.course.Bend,
		follows: b.line.following && driving && !b.idles(), yields: b.senses.yields() < 1,
	})
	b.cross(driving)
}

// cross watches the ways across gaps of the line, where there may be edges. A car that has
// driven elsewhere since, or that a person drives, begins anew with the next line; one that
// was told to stand goes on from there.
func (b *Brain) cross(driving bool) {
	if b.manual.away() || !b.params.FollowLine && !b.missions.holds() {
		b.line.begin()
	}
	if !b.params.Safety.Cliff.Enabled {
		b.line.crossing = Crossing{}
		return
	}
	seen := b.line.confidence > 0 && (!b.line.crossing.Back || b.line.confidence >= lineFaint)
	edges := b.reflexes.Edges()
	b.line.crossing.watch(&crossed{
		dt: b.dt, follows: b.line.following, drives: driving && !b.missions.holds(), seen: seen, left: b.line.left,
		brink: edges != [robot.NumFloor]bool{}, speed: b.senses.speed, bend: b.line.course.Bend,
	})
}
