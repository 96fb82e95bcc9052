package brain

import (
	"fieldbrain/robot/safety"
)

// What events are worth (B.5.5), in -1..1.
const (
	goalReached = 1.0
	gotAway     = 0.5 // an escape is over and the way was free for 2 s
	stalledAt   = -0.5
	atTheEdge   = -0.7

	goalNear = 0.3  // m: the goal is reached
	goalLeft = 0.45 // m: and may be reached again
	freeTime = 2.0  // s
)

// outcomes notices what turned out well or badly, each event once: what was done
// in the seconds before it is remembered with it.
type outcomes struct {
	at      bool    // the goal is reached
	backing bool    // an escape was under way in the last tick
	free    float64 // s since it ended, 0 while none is waited for
	stalls  uint64
	escapes uint64
	edge    bool
}

// judge returns what this tick's events are worth together, of which people said
// `told`. The reflexes' causes are those of the last tick.
func (o *outcomes) judge(b *Brain, told float32) float32 {
	sum := float64(told)
	near := b.goal.seen && b.goal.distance < goalNear
	if near && !o.at && b.driving() {
		sum += goalReached
	}
	if near || o.at && b.goal.seen && b.goal.distance > goalLeft {
		o.at = near
	}
	sum += o.away(b)
	if o.stalls != b.stall.count {
		o.stalls = b.stall.count
		sum += stalledAt
	}
	edge := b.causes.Has(safety.Cliff)
	if edge && !o.edge {
		sum += atTheEdge
	}
	o.edge = edge
	return float32(sum)
}

// away judges escapes: one that is followed by another did not help.
func (o *outcomes) away(b *Brain) float64 {
	active := b.escape.active()
	ended := o.backing && !active
	o.backing = active
	if active || !b.driving() || o.escapes != b.escape.count {
		o.escapes, o.free = b.escape.count, 0
	}
	if ended && b.driving() {
		o.free = b.dt
		return 0
	}
	if o.free == 0 {
		return 0
	}
	if o.free += b.dt; o.free < freeTime {
		return 0
	}
	o.free = 0
	return gotAway
}
