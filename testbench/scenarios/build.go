package scenarios

import (
	"fmt"
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

const degree = math.Pi / 180

// Build turns the scenario into the world and the start pose of one seed. It
// returns strict.Complaints about a scatter of discs that does not fit, and about
// a car that does not stand free at its start.
func (s *Scenario) Build(seed uint64) (*world.World, plant.Pose, error) {
	dice := noise.New(seed, "layout")
	start := s.Start.pose(&dice)
	w := &world.World{
		Max:   vec(s.World.Size),
		Floor: s.World.Floor.build(&dice),
	}
	if s.Start.OnLine {
		start = s.onLine(w.Floor.Lines[0].Points, start)
	}
	if s.World.Walled {
		w.Walls = world.Room(w.Min, w.Max)
	}
	for _, wall := range s.World.Walls {
		w.Walls = append(w.Walls, wall.segment())
	}
	for _, b := range s.World.Boxes {
		w.Walls = append(w.Walls, b.sides()...)
	}
	for _, d := range s.World.Discs {
		at := vec(d.At).Add(world.Vec{X: dice.Between(-d.Spread, d.Spread), Y: dice.Between(-d.Spread, d.Spread)})
		w.Discs = append(w.Discs, world.Disc{Centre: at, Radius: d.Radius, Surface: d.sound()})
	}
	for _, m := range s.World.Movers {
		mover := world.Mover{Radius: m.Radius, Speed: m.Speed, Surface: m.sound()}
		for _, p := range m.Path {
			mover.Path = append(mover.Path, vec(p))
		}
		w.Movers = append(w.Movers, mover)
	}
	if g := s.World.Goal; g != nil {
		w.Goal, w.HasGoal = vec(g.At), true
	}
	if err := s.World.Scatter.place(w, start.At, &dice); err != nil {
		return nil, start, s.refuse(seed, "world.scatter", "lower gap, clear or count", "%v", err)
	}
	if err := s.stands(w, start, seed); err != nil {
		return nil, start, err
	}
	return w, start, nil
}

// sound returns the surface as the world has it: nothing for a hard and rough one.
func (s Surface) sound() *world.Surface {
	if s == (Surface{}) {
		return nil
	}
	return &world.Surface{Lost: s.Lost, Within: s.Within, Specular: float64(s.Specular * degree)}
}

func (w Wall) segment() world.Segment {
	return world.Segment{A: vec(w.From), B: vec(w.To), Surface: w.sound()}
}

func (b Box) sides() []world.Segment {
	sides := world.Box(vec(b.At), vec(b.Size), b.Angle*degree)
	for i := range sides {
		sides[i].Surface = b.sound()
	}
	return sides
}

// pose draws the start.
func (s *Start) pose(dice *noise.Stream) plant.Pose {
	at := world.Vec{
		X: s.X + dice.Between(-s.SpreadX, s.SpreadX),
		Y: s.Y + dice.Between(-s.SpreadY, s.SpreadY),
	}
	heading := float64((s.Heading + dice.Between(-s.SpreadHeading, s.SpreadHeading)) * degree)
	return plant.Pose{At: at.Sub(world.Unit(heading).Scale(s.Back)), Heading: heading}
}

// onLine puts the sensor bar on the line's first point, displaced as drawn.
func (s *Scenario) onLine(points []world.Vec, drawn plant.Pose) plant.Pose {
	along := points[1].Sub(points[0])
	heading := exact.Atan2(along.Y, along.X) + drawn.Heading
	at := points[0].Add(drawn.At).Sub(world.Unit(heading).Scale(s.Car.FloorAhead))
	return plant.Pose{At: at, Heading: heading}
}

// build draws the floor.
func (f *Floor) build(dice *noise.Stream) world.Floor {
	floor := world.Floor{Background: f.Background, Tape: f.Tape, Void: f.Void}
	for _, l := range f.Lines {
		line := world.Line{Width: l.Width}
		for _, p := range l.Points {
			line.Points = append(line.Points, vec(p))
		}
		floor.Lines = append(floor.Lines, line)
	}
	if o := f.Oval; o != nil {
		radius := dice.Between(o.RadiusMin, o.RadiusMax)
		floor.Lines = append(floor.Lines, world.Line{
			Width: o.Width, Points: world.Oval(vec(o.At), o.Straight, radius),
		})
	}
	for _, p := range f.Table {
		floor.Table = append(floor.Table, vec(p))
	}
	return floor
}

// place draws discs until all stand free of each other, of the walls and of
// the start.
func (s *Scatter) place(w *world.World, start world.Vec, dice *noise.Stream) error {
	const tries = 10_000
	left := s.Count
	for range tries {
		if left == 0 {
			return nil
		}
		d := world.Disc{Radius: dice.Between(s.RadiusMin, s.RadiusMax)}
		d.Centre = world.Vec{X: dice.Between(w.Min.X, w.Max.X), Y: dice.Between(w.Min.Y, w.Max.Y)}
		if w.Distance(d.Centre) < d.Radius+s.Gap || d.Distance(start) < s.Clear {
			continue
		}
		w.Discs = append(w.Discs, d)
		left--
	}
	if left > 0 {
		return fmt.Errorf("%d of %d discs find no place after %d tries", left, s.Count, tries)
	}
	return nil
}
