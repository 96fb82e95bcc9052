package brain

import (
	"time"

	"fieldbrain/field"
)

// escape backs the car out when no heading is left or the way is blocked
// (B.5.4). The remembered side keeps it from dithering in a dead end.
type escape struct {
	key    uint32
	timer  float64 // s, n: how long the way has been blocked
	left   float64 // s of reverse to go
	side   float64 // +1 nose swings left, -1 right, 0 never chosen
	memory float64 // e_mem, 1 at the trigger, decays with 6 s
	count  uint64  // escapes since start
}

const (
	escapeAfter = 0.4 // s blocked before backing out
	escapeTime  = 1.2 // s of reverse
	escapeSpeed = 0.6 // share of the top speed
	leanLeast   = 0.5 // of the heading's input: less is no hint
)

// active reports whether the car is backing out.
func (e *escape) active() bool { return e.left > 0 }

// A view tells the escape how one tick stands.
type view struct {
	tick     uint64        // keys a random choice
	period   time.Duration // since the last tick
	driving  bool          // the reflexes let the car move
	disarmed bool          // people may carry it elsewhere
	stuck    bool          // the car stalls

	confidence  float64 // of the heading
	front       float64 // how blocked the way ahead is
	sides, lean float64 // see ahead
}

// update runs the timer, triggers and forgets. It reports whether it triggered.
func (e *escape) update(v view) (triggered bool) {
	dt := v.period.Seconds()
	e.memory -= float64(e.memory * field.Alpha(v.period, 6*time.Second))
	if !v.driving {
		e.timer, e.left = 0, 0
		if v.disarmed {
			e.side, e.memory = 0, 0
		}
		return false
	}
	if e.active() {
		e.left -= dt
		e.timer = 0
		return false
	}
	if v.confidence < 0.3 || v.front > 0.8 {
		e.timer += dt
	} else {
		e.timer = max(0, e.timer-2*dt)
	}
	if e.timer <= escapeAfter && !v.stuck {
		return false
	}
	e.trigger(v)
	return true
}

// trigger chooses the side and starts the manoeuvre.
func (e *escape) trigger(v view) {
	e.timer = 0
	if e.memory <= 0.25 || e.side == 0 {
		e.side = e.choose(v)
	}
	e.memory, e.left = 1, escapeTime
	e.count++
}

// choose returns the freer side; on a tie the one that the rest of the heading's
// input draws to (goal, plan, recalled patterns, the last side while it is
// remembered), or a random one.
func (e *escape) choose(v view) float64 {
	switch {
	case v.sides > 0.5: // more in the way on the left
		return -1
	case v.sides < -0.5:
		return 1
	case v.lean > leanLeast:
		return 1
	case v.lean < -leanLeast:
		return -1
	case field.Mix(uint32(v.tick)^e.key)&1 == 0:
		return -1
	}
	return 1
}

// command is reverse with the wheels turned away from the side: backwards, the
// nose swings to it. top is the top speed, rear how blocked the way behind is.
func (e *escape) command(top, rear float64) (speed, steering float64) {
	return -escapeSpeed * top * max(0, 1-rear/0.7), -e.side * 30 * deg
}
