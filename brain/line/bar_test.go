package line_test

import (
	"math"
	"time"

	"fieldbrain/brain/line"
	"fieldbrain/robot"
)

// What the follower reckons with (doc.go, follower.go, course.go).
const (
	deg         = math.Pi / 180
	gain        = 40 * deg // bearing of a line under an outer sensor
	search      = 35 * deg // bearing while it is searched for: full lock
	bridge      = 0.22     // m of a gap that are driven across without a search
	abreast     = 0.06     // m beyond it in which one side is searched before the other
	forgetAfter = 6.0      // s of searching
	underOne    = 0.0045   // m to both sides of a sensor that alone sees the line
	outermost   = 0.016    // m to the side at which a line counts as under the outer one
)

// A bar drives over a line at v m/s with one period of ticks.
type bar struct {
	l line.Follower
	k line.Look
	v float64
}

func newBar(period time.Duration, v float64) *bar {
	const light, dark = 1200.0 / 4095, 400.0 / 4095
	return &bar{v: v, k: line.Look{
		Light: [robot.NumFloor]float32{light, light, light}, Dark: [robot.NumFloor]float32{dark, dark, dark},
		Fresh: true, Wanted: true, Dt: period.Seconds(),
	}}
}

// see takes a tick with what its sensors read.
func (b *bar) see(left, middle, right float32, speed, yaw float64) {
	k := b.k
	k.Floor, k.Speed, k.Yaw = [robot.NumFloor]float32{left, middle, right}, speed, yaw
	b.l.Update(&k)
}

// drive goes on by way m in a bend of 1/m, with the line under the middle sensor or under
// none, and looks at each tick.
func (b *bar) drive(way, bend float64, seen bool, look func(at float64)) {
	middle := float32(0.3)
	if seen {
		middle = 0.09
	}
	step := b.v * b.k.Dt
	for at := step; at < way; at += step {
		b.see(0.3, middle, 0.3, b.v, b.v*bend)
		if look != nil {
			look(at)
		}
	}
}

// kept is what a file would keep of it.
func (b *bar) kept() (r line.Record) {
	b.l.Save(&r)
	return r
}

// bearing is where the heading is pulled, in rad.
func (b *bar) bearing() float64 {
	bearing, _ := b.l.Pull()
	return float64(bearing)
}
