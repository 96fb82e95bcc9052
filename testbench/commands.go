package testbench

import (
	"math"
	"sync"
	"time"

	"fieldbrain/robot"
)

// commands measures how smoothly the brain steers.
type commands struct {
	mu       sync.Mutex
	first    time.Duration // instant of the first enabled command
	last     time.Duration
	n        uint64
	prev     robot.Command
	total    float64 // rad, total variation of the steering
	pivot    float64 // rad, last extreme of the steering
	heading  int     // side it moves to: -1, 0, 1
	reverse  int     // changes of side by more than swing
	history  [16]stamp
	newest   int
	steps    int
	stepping bool
	brakes   int
}

// A stamp is a commanded speed and when.
type stamp struct {
	at    time.Duration
	speed float64
	brake bool
}

const (
	swing        = 4 * math.Pi / 180 // rad, smaller movements are no reversal
	throttleStep = 0.2               // of full scale
	throttleTime = 20 * time.Millisecond
)

// command records the brain's decision. It does not allocate.
func (m *recorder) command(c robot.Command, now time.Duration) {
	m.enabled.Store(c.Enable)
	w := &m.way
	w.mu.Lock()
	defer w.mu.Unlock()
	if !c.Enable || !c.Finite() {
		w.prev.Enable = false
		return
	}
	if w.n == 0 {
		w.first = now
	}
	w.n++
	w.last = now
	steer := float64(c.Steering)
	if w.prev.Enable {
		w.total += math.Abs(steer - float64(w.prev.Steering))
	}
	w.turn(steer)
	w.throttle(now, float64(c.Speed), c.Brake)
	if c.Brake && !w.prev.Brake {
		w.brakes++
	}
	w.prev = c
}

// turn counts reversals: the steering moved more than swing one way and then
// more than swing the other way.
func (w *commands) turn(steer float64) {
	d := steer - w.pivot
	switch {
	case w.heading >= 0 && d > 0, w.heading <= 0 && d < 0:
		if math.Abs(d) > swing || w.heading != 0 {
			if d > 0 {
				w.heading = 1
			} else {
				w.heading = -1
			}
			w.pivot = steer
		}
	case math.Abs(d) > swing:
		w.reverse++
		w.heading = -w.heading
		w.pivot = steer
	}
}

// throttle counts steps of the commanded speed by more than throttleStep
// within throttleTime, unless a brake is in that time.
func (w *commands) throttle(now time.Duration, speed float64, brake bool) {
	full := float64(robot.DefaultLimits().Speed)
	jump, braked := 0.0, brake
	for i := range w.history {
		h := &w.history[i]
		if h.at != 0 && now-h.at <= throttleTime {
			jump = max(jump, math.Abs(speed-h.speed)/full)
			braked = braked || h.brake
		}
	}
	step := jump > throttleStep && !braked
	if step && !w.stepping {
		w.steps++
	}
	w.stepping = step
	w.newest = (w.newest + 1) % len(w.history)
	w.history[w.newest] = stamp{now, speed, brake}
}
