package table

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A wall stands beyond a side of the table. Where it was heard at first it is heard
// again: that tells where the car is.
type wall struct {
	far  float64 // m along its direction
	n    int     // echoes that agree where it is, to wallSure
	from float64 // m driven when the first of them came
	lost int     // echoes in a row that came from elsewhere
}

const (
	faceErr  = 3 * deg   // standard error of the compass
	faceFar  = 12 * deg  // more is another direction than the table's
	faceGain = 0.05      // of one judgement, of many that are alike
	firstWay = 4.0       // m without an edge: on no table
	cutOff   = 28 * deg  // off all sides: it was a corner that is cut off
	lookTurn = 110 * deg // that one beam turns to hear the walls, before the first edge

	wallSure  = 12       // echoes that place a wall
	wallWay   = 0.12     // m driven meanwhile, at least: what only seemed to be one moves
	wallLost  = 40       // echoes from elsewhere that end that
	wallMiss  = 0.05     // m between the echoes that place it
	wallOff   = 0.15     // m beyond a side, at least
	wallView  = 35 * deg // between the beam that places it and its normal
	wallFull  = 20 * deg // within this nothing else is heard
	wallErr   = 0.03     // of the range, standard error of an echo; many are alike
	wallGate  = 9.0      // variances by which an echo may miss
	wayDrift  = 0.00125  // m2 of variance per metre driven
	turnDrift = 0.0015   // rad2 per rad turned, beside the scale's
	edgeErr   = 0.015    // m, of an edge's place
)

// Face takes from a compass how the car heads from the nearest of the walls' directions,
// in rad; one says that one beam alone looks ahead, which has nothing else to put the
// heading right. Tables mostly stand along walls: before the first edge it makes the frame.
func (t *Map) Face(off float64, one bool) {
	if !t.known {
		t.founds(off, one)
		return
	}
	if t.way >= firstWay && !t.Met() { // walls, but no table
		*t = Map{scale: t.scale, way: t.way}
		return
	}
	placed, met := 0, false
	for q := range t.walls {
		if t.beyond(q) {
			placed++
		}
		met = met || t.sides[q].met
	}
	wrong := exact.WrapQuarter(off - t.heading)
	if !one && placed >= 2 || t.meeting || met && math.Abs(wrong) > faceFar {
		return
	}
	t.heading = exact.Wrap(t.heading + float64(faceGain*wrong))
	t.turned = 0
	t.doubt = max(t.doubt, float64(faceErr*faceErr))
}

// founds makes the frame of the walls, but not while one beam is still turned to hear them.
func (t *Map) founds(off float64, one bool) {
	if t.way >= firstWay || one && t.looks() {
		return
	}
	*t = Map{
		known: true, scale: t.scale, heading: off, way: t.way,
		doubt: float64(faceErr * faceErr), unsure: scaleFirst,
	}
}

// Met reports whether a side of the table has been met.
func (t *Map) Met() bool {
	return t.sides[0].met || t.sides[1].met || t.sides[2].met || t.sides[3].met
}

// Hear takes an echo, the way since in m, and whether one beam alone looks ahead: it tells
// where a wall is, or where the car is to walls that are known.
func (t *Map) Hear(b *ground.Beam, since float64, one bool) {
	if !t.known || t.meeting {
		return
	}
	bear := t.heading + float64(b.Bearing)
	q := quarter(bear)
	w := &t.walls[q]
	if s := &t.sides[q]; s.met && w.far < s.far+wallOff { // something on the table
		*w = wall{}
	}
	off := math.Abs(exact.Wrap(bear - float64(float64(q)*90*deg)))
	if w.n < wallSure {
		if off < wallView {
			t.place(w, t.along(q)+t.lead(q, b, since)+float64(float64(b.Range)*exact.Cos(max(0, off-float64(b.HalfWidth)))))
		}
		return
	}
	if t.locate(b, since, one) {
		w.lost = 0
	} else if off < wallFull {
		if w.lost++; w.lost > wallLost {
			*w = wall{}
		}
	}
}

// beyond reports whether a wall is placed beyond a side that is known: then it is none of
// the things that stand on the table.
func (t *Map) beyond(q int) bool {
	return t.walls[q].n >= wallSure && t.sides[q].met
}

// lead is how far the beam's face was beyond the axle, along a direction, in m.
func (t *Map) lead(q int, b *ground.Beam, since float64) float64 {
	return float64((float64(b.Lead) - since) * exact.Cos(t.heading-float64(float64(q)*90*deg)))
}

// place takes an echo that may place a wall.
func (t *Map) place(w *wall, far float64) {
	if w.n == 0 || math.Abs(w.far-far) > wallMiss {
		*w = wall{far: far, n: 1, from: t.driven}
		return
	}
	if w.n+1 < wallSure || t.driven-w.from > wallWay {
		w.n++
	}
	w.far += float64((far - w.far) / float64(w.n))
}

// expects is the range that a beam hears from the walls that are known, with the nearest
// one's quarter; nothing where it is -1.
func (t *Map) expects(b *ground.Beam, since, heading float64) (r float64, q int) {
	bear := heading + float64(b.Bearing)
	q = -1
	for i := range t.walls {
		w := &t.walls[i]
		off := math.Abs(exact.Wrap(bear - float64(float64(i)*90*deg)))
		if off = max(0, off-float64(b.HalfWidth)); w.n < wallSure || off > 60*deg {
			continue
		}
		if d := (w.far - t.along(i) - t.lead(i, b, since)) / exact.Cos(off); q < 0 || d < r {
			r, q = d, i
		}
	}
	return r, q
}

// locate corrects place and heading by an echo of a known wall, each by the share that
// its own variance has in the whole (Kalman 1960, doi:10.1115/1.3662552), and reports
// whether it was one.
func (t *Map) locate(b *ground.Beam, since float64, one bool) bool {
	const nudge = 0.01 // rad
	r, q := t.expects(b, since, t.heading)
	if q < 0 {
		return false
	}
	up, _ := t.expects(b, since, t.heading+nudge)
	down, _ := t.expects(b, since, t.heading-nudge)
	slope := (up - down) / (2 * nudge)
	off := max(0, math.Abs(exact.Wrap(t.heading+float64(b.Bearing)-float64(float64(q)*90*deg)))-float64(b.HalfWidth))
	pull := -1 / exact.Cos(off) // of the place along the wall's direction
	if one || !t.beyond(q) {    // of one echo, or of something on the table: it tells how far, and not how the car stands
		slope = 0
	}
	turns := float64(t.unsure * float64(t.turned*t.turned))
	spread := &t.spread[q&1]
	head := t.doubt + turns
	err := float64(wallErr * r)
	all := float64(float64(slope*slope)*head) + float64(float64(pull*pull)**spread) + float64(err*err)
	miss := float64(b.Range) - r
	if float64(miss*miss) > float64(wallGate*all) {
		return false
	}
	gain := head * slope / all
	t.scale = exact.Clip(t.scale+float64(float64(t.unsure*t.turned*slope)/all*miss), -scaleMost, scaleMost)
	t.unsure -= t.unsure * float64(turns*float64(slope*slope)) / all
	if slope != 0 {
		t.heading = exact.Wrap(t.heading + float64(gain*miss))
		t.doubt, t.turned = head-float64(gain*slope*head), 0
	}
	gain = *spread * pull / all
	c, s := axis(q)
	t.x += float64(gain * miss * c)
	t.y += float64(gain * miss * s)
	*spread -= float64(gain * pull * *spread)
	return true
}
