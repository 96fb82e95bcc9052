package brain

import (
	"time"

	"fieldbrain/field"
	"fieldbrain/robot/safety"
)

// What each part of a tick is told of the others. No part knows the Brain: these are the
// only places at which one part's values become another's input.

// groundInput is what the map of the ground learns from.
func (b *Brain) groundInput(now time.Duration) groundInput {
	sides := &b.guide.table
	touch, behind := b.stall.Contact()
	return groundInput{
		now: now, period: b.params.Period,
		ranges: &b.state.Range, edges: b.in.Edges,
		slant: sides.Slant(), sides: b.goal.weight == 0 || !sides.Shown(),
		contact: b.law.Recoils(), touch: touch, behind: behind,
	}
}

// guideInput is what the way to go depends on.
func (b *Brain) guideInput() guideInput {
	five, progress := b.senses.sides(), &b.progress
	return guideInput{
		grid: b.terrain.grid, at: b.odometry.axle(), dt: b.dt,
		goal: &b.goal, nose: b.law.Nose(), known: b.known(), explore: b.explorer.on(),
		search: progress.advice.Search,
		doubts: progress.monitor.Doubts(), late: progress.monitor.Despairs(),
		sides: five, look: b.params.Safety.Cliff.Enabled && !five,
		idle: b.line.Following() || b.idles(),
	}
}

// explorerInput is what the planner plans from.
func (b *Brain) explorerInput(last *decision, driving bool, now time.Duration) explorerInput {
	return explorerInput{
		now: now, dt: b.dt, ranges: &b.state.Range, edges: b.in.Edges,
		pose: b.odometry.belief(), ground: b.terrain.grid,
		speed: b.senses.speed, steering: b.senses.steering,
		goal: b.goal.bearing, weight: b.goal.weight,
		known: b.guide.known, way: b.guide.bearing, left: b.guide.ahead(&b.goal),
		halted: last.escaping || !driving || b.idles(), following: b.line.Following(),
		heading: &b.out.Marginals[field.Heading], steer: &b.points.steer,
		confidence: last.confidence,
	}
}

// moment is what the outcome of the last seconds is judged by.
func (b *Brain) moment(last *decision, driving bool) moment {
	return moment{
		dt: b.dt, goalSeen: b.goal.seen, goal: b.goal.distance, driving: driving,
		escaping: last.escaping, escapes: b.law.Count(), stalls: b.stall.Count(),
		edge: b.causes.Has(safety.Cliff), told: b.input.Outcome,
	}
}

// decodeInput is what the command depends on besides the field's output.
func (b *Brain) decodeInput(now time.Duration) decodeInput {
	front, tape, guide := b.state.Range[0], &b.line, &b.guide
	return decodeInput{
		tick: b.tick, now: now, manual: &b.manual,
		front: front, ranging: b.senses.valid(field.SlotRange) && !front.AtLeast,
		beside: b.senses.beside(), silent: silence(&b.state, now), sides: b.senses.sides(),
		echoes: b.senses.echoes(now), yields: b.senses.yields(),
		driving: b.driving() && !b.reflexes.Retreats(), disarmed: b.causes.Has(safety.Disarmed),
		held: b.trace.held >= safety.Hold, hold: b.idles() || tape.Blind(),
		following: tape.Following() && !b.manual.away(), bend: tape.Bend(),
		returns: tape.Returns(), slow: tape.Slow(),
		ground: b.terrain.grid, pose: b.odometry.axle(),
		speed: b.senses.speed, steering: b.senses.steering, yaw: b.senses.yaw,
		aim: guide.bearing, aimWeight: float64(guide.weight), goalRange: guide.far,
		back: guide.back, floorEdges: guide.floorEdges[:guide.shores],
	}
}
