package brain

import (
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
	"fieldbrain/robot/safety"
)

// hemmed notices that a car that looks for edges gets nowhere: an edge that it has met, or what
// stands there, shuts the way on, and the floor behind it has not carried it (R1). It cannot see
// that floor, so all that helps is somebody who carries it.
type hemmed struct {
	x, y  float32 // m, where it was when it last got on
	since float64 // s of driving since
	edge  bool    // an edge has to do with it
}

const (
	hemmedWay  = 0.10 // m that count as getting on: strokes to and fro before an edge are shorter
	hemmedTell = 10.0 // s after which people are told: to turn round in strokes takes less
	hemmedLong = 40.0 // s after which an order is given up
)

// watch takes a tick: where the car is, whether it drives, and whether an edge is known.
func (h *hemmed) watch(at ground.Pose, dt float64, drives, edge bool) {
	way := exact.Hypot(float64(at.X-h.x), float64(at.Y-h.y))
	if !drives || way > hemmedWay {
		*h = hemmed{x: at.X, y: at.Y}
		return
	}
	h.since += dt
	h.edge = h.edge || edge
}

// stands reports whether it is, for as long as people shall know.
func (h *hemmed) stands() bool { return h.edge && h.since > hemmedTell }

// hopeless reports whether it is, for as long as patience lasts.
func (h *hemmed) hopeless() bool { return h.edge && h.since > hemmedLong }

// excuse says why what the car is after is given up, for a reason of the monitor's: of a car that
// is hemmed in that is the reason, whatever it has not found.
func (h *hemmed) excuse(why Excuse) Excuse {
	if h.hopeless() || why != NoExcuse && h.stands() {
		return HemmedIn
	}
	return why
}

// watchBlocked watches whether the car is hemmed in: not who waits for what comes towards it.
func (b *Brain) watchBlocked() {
	drives := b.params.Safety.Cliff.Enabled && b.free() && !b.idles() && !b.line.Following() && b.senses.yields() == 1
	b.progress.hemmed.watch(b.odometry.axle(), b.dt, drives, b.guide.table.Met() || b.causes&(safety.Cliff|safety.NoWayBack) != 0)
}
