package train

import (
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/tune"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// A score follows a drive by where the car is, as the bench's recorder does.
type score struct {
	arena    *arena
	entered  []bool
	cells    int
	standing gauge.Standing
	circling *gauge.Circling
	moving   time.Duration // since the start, the time it stood left out
}

// newScore begins one.
func newScore(a *arena) score {
	return score{arena: a, entered: make([]bool, a.cells), circling: gauge.NewCircling(a.ground)}
}

// watch looks at the car.
func (s *score) watch(t *vector.Truth, odometer float64, now time.Duration) {
	middle := t.At.Add(world.Unit(t.Heading).Scale(s.arena.site.Car.BodyAhead))
	if i := s.arena.cell(middle); i >= 0 && !s.entered[i] {
		s.entered[i] = true
		s.cells++
	}
	if odometer == 0 && now < 3*time.Second || s.standing.Watch(now, t.At) {
		return
	}
	s.moving = max(s.moving, now-s.standing.Time())
	s.circling.Watch(s.moving, middle, odometer, 0)
}

// cost judges the drive, as the bench's tuning does.
func (s *score) cost(e vector.Episode, seconds float64) float64 {
	share := 0.0
	if most := s.arena.most[seconds]; most > 0 {
		share = min(float64(s.cells)/float64(s.arena.cells)/most, 1)
	}
	return tune.Cost(&testbench.Result{
		Collisions: e.Contacts, Oracle: &share,
		Standing: s.standing.Time().Seconds(), Circling: s.circling.Time().Seconds(),
	}, seconds)
}
