package testbench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// A noteRecord keeps what no limit judges and a person should know all the same.
type noteRecord struct {
	met     bool          // a floor sensor was over the line
	lost    time.Duration // longest without one over it since then
	strayed int           // looks at a body outside of the world
}

// lostLong is for how long no floor sensor may be over a line without a note. A gap of 0.2 m
// and a corner of 120 degrees take 3.5 s at most, and after 6 s the brain gives a line up.
const lostLong = 6 * time.Second

// note writes down what the drive left undone: a pass says nothing of it. Struck counts
// how often each fault struck.
func (r *Rig) note(res *Result, struck []int) {
	r.noteFaults(res, struck)
	m, sc := &r.recorder, r.Scenario
	add := func(format string, args ...any) { res.Notes = append(res.Notes, fmt.Sprintf(format, args...)) }
	judged := slices.ContainsFunc(sc.Conditions(), func(l scenarios.Limit) bool { return l.Metric == scenarios.Arrival("goal") })
	if sc.Brain.Goal && m.goalAt == never && !judged {
		add("the goal was not reached (no limit on goal_s, and stop is not \"goal\")")
	}
	switch lines := len(r.world.Floor.Lines); {
	case !sc.Brain.FollowLine:
	case lines == 0:
		add("the line was never met: this world has none")
	case !m.notes.met:
		add("the line was never met: no floor sensor was over it")
	case m.notes.lost > lostLong:
		add("the line was lost: for %.1f s on end no floor sensor was over it", m.notes.lost.Seconds())
	}
	if strayed := float64(m.notes.strayed) * lookPeriod.Seconds(); strayed > 0 && m.exitAt == never {
		add("the car was outside of its world, %v m, for %.1f s: nothing keeps it in (walled = true does)", sc.World.Size, strayed)
	}
}

// noteFaults writes down the faults that did nothing.
func (r *Rig) noteFaults(res *Result, struck []int) {
	for i, f := range r.Scenario.Faults {
		switch {
		case f.From >= res.Seconds:
			res.Notes = append(res.Notes, fmt.Sprintf("fault.%d never began: the drive was over before its from_s", i))
		case i < len(struck) && struck[i] == 0:
			res.Notes = append(res.Notes, fmt.Sprintf("fault.%d (%v from %g s) never struck: in its time nothing happened that it could strike, or chance spared it", i, f.Kind, f.From))
		}
	}
}

// watchWorld looks whether the body is outside of the world.
func (m *recorder) watchWorld(c *plant.Car) {
	w, p := m.rig.world, c.Body().Centre
	if p.X < w.Min.X || p.Y < w.Min.Y || p.X > w.Max.X || p.Y > w.Max.Y {
		m.notes.strayed++
	}
}

// watchRest looks at a car whose pilot was told to stand, or has done what it was told to:
// standing is then no waste, and nothing is stuck. It reports whether the car rests.
func (m *recorder) watchRest(c *plant.Car) bool {
	if !m.resting.Load() || math.Abs(c.Speed) > slow {
		return false
	}
	m.anchor, m.anchorAt, m.idle = c.At, c.Now, 0
	m.waste.standing.Pause()
	m.waste.circling.Pause()
	return true
}
