package testbench

import (
	"time"

	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/plant"
)

// bringUp is how long a car may stand at the start: the HAT boots, the first
// echoes come, the pilot arms.
const bringUp = 3 * time.Second

// lapOnLine is how many m of way over a line that is to be followed count as much
// as a new cell: a lap on the line is no circle, a circle across the line is one.
const lapOnLine = 1.5

// A wasteRecord measures the time in which the car has something to do and gets
// nowhere, by where it is and never by what its pilot says.
type wasteRecord struct {
	standing gauge.Standing
	circling *gauge.Circling
	moving   time.Duration // since the start, the time it stood left out
}

// watchWaste looks whether the car stands or circles. The first seconds and what
// comes after the arrival are no waste, nor are laps on a line.
func (m *recorder) watchWaste(c *plant.Car) {
	w := &m.waste
	switch {
	case c.Now-m.rig.start < bringUp && !w.begun(c):
		return
	case m.done():
		w.standing.Pause()
		w.circling.Pause()
		return
	}
	if w.standing.Watch(c.Now, c.At) {
		return
	}
	w.moving = max(w.moving, c.Now-m.rig.start-w.standing.Time())
	found := 0
	if m.rig.Scenario.Brain.FollowLine {
		found = int(m.onLine / lapOnLine)
	}
	w.circling.Watch(w.moving, c.Body().Centre, c.Odometer, found)
}

// done reports whether the car has arrived where it was asked to, or fallen: an
// arrival that nobody asked for ends nothing.
func (m *recorder) done() bool {
	sc := m.rig.Scenario
	return m.goalAt != never && sc.AsksGoal() || m.exitAt != never && sc.AsksExit() || m.fellAt != never
}

// begun reports whether the car has moved.
func (w *wasteRecord) begun(c *plant.Car) bool { return c.Odometer > 0 }

// fill copies the times.
func (w *wasteRecord) fill(r *Result) {
	r.Standing, r.Circling = w.standing.Time().Seconds(), w.circling.Time().Seconds()
}

// maxImpacts bounds the list of a run's contacts.
const maxImpacts = 64

// An impactRecord keeps how fast the car was when it began to touch something.
type impactRecord struct {
	contacts int
	before   float64 // m/s, one step ago: a contact blocks at once
	hardest  float64
	speeds   []float64
}

func (i *impactRecord) init() { i.speeds = make([]float64, 0, maxImpacts) }

// step looks at the car after a step and reports whether a contact began.
func (i *impactRecord) step(c *plant.Car) bool {
	speed := max(i.before, c.Speed, -c.Speed)
	i.before = max(c.Speed, -c.Speed)
	if c.Contacts <= i.contacts {
		return false
	}
	i.contacts = c.Contacts
	i.hardest = max(i.hardest, speed)
	if len(i.speeds) < cap(i.speeds) {
		i.speeds = append(i.speeds, speed)
	}
	return true
}

// fill copies the contacts.
func (i *impactRecord) fill(r *Result) {
	r.Hardest, r.Impacts = i.hardest, append([]float64(nil), i.speeds...)
}
