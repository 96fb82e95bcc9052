package scenarios

import (
	"fmt"
	"strings"

	"fieldbrain/strict"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// Check parses a file and builds the worlds of its seeds 1 to runs. It returns
// everything wrong with the file, and with the first seed whose car cannot
// stand where it is put.
func Check(file string, text []byte) (*Scenario, error) {
	sc, complaints := read(file, text)
	if sc.lines != nil && !concerns(complaints) { // of what is no TOML nothing was read
		for seed := range uint64(sc.Runs) {
			if _, _, err := sc.Build(seed + 1); err != nil {
				complaints = append(complaints, sc.unplaced(err))
				break
			}
		}
	}
	if len(complaints) > 0 {
		return nil, complaints.Sorted()
	}
	return sc, nil
}

// concerns reports whether a complaint is about what a world is built of.
func concerns(cs strict.Complaints) bool {
	for _, c := range cs {
		switch top(c.Key) {
		case "", "start", "world", "car", "runs":
			return true
		}
	}
	return false
}

// unplaced turns Build's refusal back into a complaint.
func (s *Scenario) unplaced(err error) strict.Complaint {
	if cs, is := err.(strict.Complaints); is {
		return cs[0]
	}
	return strict.Complaint{File: s.file, Reason: err.Error()}
}

// refuse complains about the world of one seed.
func (s *Scenario) refuse(seed uint64, key, remedy, format string, args ...any) error {
	return strict.Complaints{{
		File: s.file, Line: s.lines.Of(key), Key: key,
		Reason: fmt.Sprintf("with seed %d ", seed) + fmt.Sprintf(format, args...), Remedy: remedy,
	}}
}

// stands refuses a start at which the car's body touches something, or has
// nothing under it.
func (s *Scenario) stands(w *world.World, start plant.Pose, seed uint64) error {
	const move = "move [start], or lower its spread"
	body := world.Disc{
		Centre: start.At.Add(world.Unit(start.Heading).Scale(s.Car.BodyAhead)),
		Radius: s.Car.BodyRadius,
	}
	at := fmt.Sprintf("the body (%g m around %.2f, %.2f)", body.Radius, body.Centre.X, body.Centre.Y)
	if p := body.Centre; p.X < 0 || p.Y < 0 || p.X > w.Max.X || p.Y > w.Max.Y {
		return s.refuse(seed, "start", move, "%s begins outside of the world, which ends at %g, %g", at, w.Max.X, w.Max.Y)
	}
	if w.Floor.Past(body.Centre) {
		return s.refuse(seed, "start", move, "%s begins beyond the table's edge", at)
	}
	switch g, r := s.World.Goal, s.Measure.Region; {
	case s.AsksGoal() && w.Arrived(body.Centre, g.Radius):
		return s.refuse(seed, "start", "move [start] or the goal, or choose less radius", "%s begins within the goal, %g m around %v: it would have nothing to do", at, g.Radius, g.At)
	case s.AsksExit() && r.Left(body.Centre):
		return s.refuse(seed, "start", "move [start] into the region", "%s begins outside of [measure.region], %v to %v: it would have nothing to do", at, r.Min, r.Max)
	}
	if what := s.touched(w, body); what != "" {
		return s.refuse(seed, "start", "move [start] or the obstacle, or lower the spread", "%s begins inside %s", at, what)
	}
	return s.footing(w, start, seed)
}

// touched names what a body touches, nothing when it stands free.
func (s *Scenario) touched(w *world.World, body world.Disc) string {
	near := func(walls ...world.Segment) bool {
		for _, wall := range walls {
			if wall.Distance(body.Centre) <= body.Radius {
				return true
			}
		}
		return false
	}
	if s.World.Walled && near(world.Room(w.Min, w.Max)...) {
		return "a wall of the room"
	}
	for i, wall := range s.World.Walls {
		if near(wall.segment()) {
			return fmt.Sprintf("world.wall.%d", i)
		}
	}
	for i, box := range s.World.Boxes {
		sides := box.sides()
		if near(sides...) || world.Inside(starts(sides), body.Centre) {
			return fmt.Sprintf("world.box.%d", i)
		}
	}
	if what := s.disc(w, body); what != "" {
		return what
	}
	for i := range w.Movers {
		if w.Movers[i].Disc().Distance(body.Centre) <= body.Radius {
			return fmt.Sprintf("world.mover.%d", i)
		}
	}
	return ""
}

// disc names the disc that a body touches, nothing when it touches none.
func (s *Scenario) disc(w *world.World, body world.Disc) string {
	for i := range w.Discs {
		if w.Discs[i].Distance(body.Centre) > body.Radius {
			continue
		}
		if i < len(s.World.Discs) {
			return fmt.Sprintf("world.disc.%d", i)
		}
		return "a disc of world.scatter"
	}
	return ""
}

// top returns the first part of a dotted key.
func top(key string) string {
	first, _, _ := strings.Cut(key, ".")
	return first
}
