package pilots

import (
	"math"
	"time"

	"fieldbrain/robot"
)

// A stall looks for a car that drives and gets nowhere: its front range stays
// while the wheels should have turned some way. The kit has no sensor of touch
// or turning.
type stall struct {
	smooth [robot.NumSectors]float64 // m, low-pass ranges
	was    [robot.NumSectors]float64 // m, at the beginning of the window
	heard  [robot.NumSectors]bool    // was holds one
	begun  time.Duration             // of the window
	way    float64                   // m on the odometer then
	count  int                       // windows in a row without a change
}

const (
	stallWindow = 500 * time.Millisecond
	stallWay    = 0.06 // m that the wheels should do in a window to judge it
	stallShare  = 0.3  // of that way: a change below it is none
	stallNoise  = 0.01 // of the range, likewise
	stallCount  = 2    // windows
)

// hear follows the ranges, slowly.
func (s *stall) hear(v *view) {
	for i := range v.beams {
		if b := &v.beams[i]; b.ok && b.echo {
			s.smooth[i] += float64((b.r - s.smooth[i]) * 0.05)
		} else {
			s.smooth[i] = 0
		}
	}
}

// unmoved reports that the front range, and every other one that was heard, is what it
// was before the wheels turned some way.
func (s *stall) unmoved(way float64) bool {
	judged, still := false, true
	for i := range s.smooth {
		if !s.heard[i] || s.smooth[i] == 0 {
			continue
		}
		judged = judged || i == robot.Front
		change := math.Abs(s.smooth[i] - s.was[i])
		still = still && change < float64(stallShare*way)+float64(stallNoise*s.was[i])
	}
	return judged && still
}

// notice reports a stall once, when it is sure of one.
func (s *stall) notice(v *view) bool {
	s.hear(v)
	if v.now-s.begun < stallWindow {
		return false
	}
	if way := math.Abs(v.way - s.way); way > stallWay && s.unmoved(way) {
		s.count++
	} else {
		s.count = 0
	}
	s.begun, s.way, s.was = v.now, v.way, s.smooth
	for i := range s.heard {
		s.heard[i] = s.smooth[i] > 0
	}
	if s.count >= stallCount {
		s.count = 0
		return true
	}
	return false
}

// An escape backs the car out, the nose swinging to one side, and then drives
// on to that side. Every driver of this package has it, with or without a map.
type escape struct {
	side     float64 // 1 left, -1 right
	steering float64 // rad while backing
	until    time.Duration
	turn     time.Duration // end of driving on to the side
	way      float64       // m on the odometer at the beginning
	want     float64       // m to back
	backing  bool
	edge     time.Duration // of the last edge
	stood    time.Duration // when the car last moved
	anchor   point         // where the car last got on
	at       time.Duration // when that was
	from     point         // where the last one began
	begun    time.Duration // when that was
	again    float64       // how many have begun here
}

const (
	backSpeed = 0.6 // of cruise
	backWay   = 0.25
	backTime  = 1500 * time.Millisecond
	turnTime  = 700 * time.Millisecond
	sameTime  = 15 * time.Second // within it, and within samePlace m, an escape is one more
	samePlace = 0.5
	backAgain = 3 // largest multiple of backWay
)

// begin starts backing out, farther each time that it did not help. At an edge
// the reflexes allow little of it, and no map tells how it looks behind: no
// sensor sees the floor there.
func (e *escape) begin(v *view, side float64, edge bool) {
	if v.now-e.begun < sameTime && v.pose.point.minus(e.from).norm() < samePlace {
		e.again = min(e.again+1, backAgain-1)
	} else {
		e.again = 0
	}
	e.side, e.backing, e.from, e.begun = side, true, v.pose.point, v.now
	farther := 1.0
	if v.grid != nil { // without a map nothing says what is behind
		farther += e.again
	}
	e.until = v.now + time.Duration(float64(backTime)*farther)
	e.way, e.want = v.way, backWay*farther
	e.turn = e.until
	if edge || e.again > 0 {
		e.turn += turnTime
	}
	e.steering = -side * v.lock
	switch {
	case edge:
		e.edge, e.want = v.now, 0.10
	case v.grid != nil:
		e.steering, e.want = e.rear(v)
	}
	e.rest(v)
}

// rest begins anew to count the time without getting on.
func (e *escape) rest(v *view) { e.anchor, e.at, e.stood = v.pose.point, v.now, v.now }

// rear chooses how to back out on a map: with the nose to the wanted side when
// the ground there is known and free, else where there is most of it.
func (e *escape) rear(v *view) (steering, way float64) {
	v.grid.measure(v.grid.around(v.pose.point, 0.8))
	best := -1.0
	const roll = 0.03 // m it rolls on after the motors stop
	for i, angle := range [3]float64{-e.side * v.lock, 0, e.side * v.lock} {
		open, seen := v.grid.sweep(v.pose, v.curvature(angle), -e.want-roll, 0.01)
		if score := min(open, seen) - float64(0.03*float64(i)); score > best+0.001 {
			best, steering = score, angle
			way = min(max(min(open, seen)-roll, 0), e.want)
		}
	}
	return steering, way
}

// busy reports whether the manoeuvre is under way.
func (e *escape) busy(v *view) bool {
	if e.backing && (v.now >= e.until || e.way-v.way >= e.want) {
		e.backing = false
		e.turn = v.now + (e.turn - e.until)
	}
	return e.backing || v.now < e.turn
}

func (e *escape) drive(v *view) wish {
	if e.backing {
		return wish{speed: -backSpeed * v.cruise, steering: e.steering}
	}
	return wish{speed: backSpeed * v.cruise, steering: e.side * v.lock}
}

// hopeless reports whether a wish leads nowhere: the driver says so, or nothing
// moves, or for long it has not got away from where it was.
func (e *escape) hopeless(v *view, want wish) bool {
	if math.Abs(v.speed) > 0.02 {
		e.stood = v.now
	}
	if v.pose.point.minus(e.anchor).norm() > 0.15 {
		e.anchor, e.at = v.pose.point, v.now
	}
	return want.trapped || v.now-e.stood > 800*time.Millisecond || v.now-e.at > 6*time.Second
}

// freer returns the side with more room before the car, the last one's other
// side when it cannot tell.
func (e *escape) freer(v *view) float64 {
	left, right := 0.0, 0.0
	if v.grid != nil {
		v.grid.measure(v.grid.around(v.pose.point, 0.8))
		l, _ := v.grid.sweep(v.pose, v.curvature(v.lock), 0.6, 0)
		r, _ := v.grid.sweep(v.pose, v.curvature(-v.lock), 0.6, 0)
		left, right = l, r
	} else {
		left = min(v.ahead(robot.Left30), v.ahead(robot.Left60), 1)
		right = min(v.ahead(robot.Right30), v.ahead(robot.Right60), 1)
	}
	switch {
	case left > right+0.05:
		return 1
	case right > left+0.05:
		return -1
	case e.side == 0:
		return -1
	case v.now-e.at > 10*time.Second:
		return -e.side
	}
	return e.side
}
