package brain

import (
	"math"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/line"
	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// order begins what people ordered: it sets what the parameters said at the start.
func (b *Brain) order(o Order, now time.Duration) {
	b.missions.take(o, now, b.reckoning.Way())
	b.line.Again()
	b.manual.ordered(now)
	w := b.missions.wishes()
	b.params.FollowLine, b.params.SeekGoal = w.line, w.beacon
	b.explorer.wake(w.explore)
}

// pursue reckons where the car is, shows the goal of an order that leads to a point to
// whoever steers by goals, and judges how far the order has come.
func (b *Brain) pursue(now time.Duration) {
	b.reckoning.Update(b.odometry.way, b.odometry.bend)
	l := leg{
		now: now, dt: b.dt, driving: b.free() && !b.manual.away(), way: b.reckoning.Way(),
		line: b.line.Confidence() > 0, barred: b.line.Barred(),
		ended: b.line.Ended(), near: float64(b.params.Arrival),
	}
	if b.progress.number == b.missions.now.Number {
		l.why = b.progress.hemmed.excuse(excuse(b.progress.advice.Verdict))
	}
	w, bearing := &b.missions.now, 0.0
	if w.Aimed() {
		at := b.reckoning.Fix()
		bearing, l.left = at.Toward(w.Order.X, w.Order.Y)
		l.off = at.Off
	}
	if w.Aimed() && !w.Standing.Over() {
		if b.goal.lead(bearing, l.left); b.guide.table.OverEdge(bearing, l.left, l.near) {
			l.why = OverEdge
		}
	} else {
		b.beyond()
	}
	b.missions.update(&l)
	b.params.FollowLine = b.params.FollowLine && b.missions.wishes().line
}

// beyond shows the place where the line may go on behind what the car drives around, while it
// draws, to whoever steers by goals.
func (b *Brain) beyond() {
	x, y, draws := b.line.Beyond()
	if !draws {
		return
	}
	at := b.odometry.axle()
	mx, my := at.Centre()
	b.goal.lead(exact.Wrap(exact.Atan2(y-my, x-mx)-float64(at.Heading)), exact.Hypot(x-mx, y-my))
}

// pass watches whether the line leads on.
func (b *Brain) pass(driving bool) {
	face := math.Inf(1)
	if front := &b.state.Range[robot.Front]; b.senses.valid(field.SlotRange) && !front.AtLeast {
		face = float64(front.Value) + ground.Ahead + float64(b.params.SonarLead)
	}
	edges := b.reflexes.Edges()
	b.line.Pass(&line.Passage{
		Dt: b.dt, Speed: b.senses.speed, At: b.odometry.axle(), Ahead: face, Wanted: b.params.FollowLine,
		Drives: driving, Holds: b.missions.holds(), Driven: b.manual.away(),
		Yields: b.senses.yields() < 1, Stuck: b.stall.Held(),
		Edges: b.params.Safety.Cliff.Enabled, Brink: edges != [robot.NumFloor]bool{},
	})
}
