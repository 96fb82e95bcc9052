package scenarios

import "fmt"

// Beyond names what stands wholly behind the walls of the room, in every run: no car meets
// it there, and most often a point is missing in a number. A world without walls goes on
// beyond its size, and has none.
func (s *Scenario) Beyond() []string {
	if !s.World.Walled {
		return nil
	}
	var all []string
	look := func(name string, i int, around float64, points ...[2]float64) {
		if s.World.beyond(around, points) {
			all = append(all, fmt.Sprintf("world.%s.%d", name, i))
		}
	}
	for i, b := range s.World.Boxes {
		var corners [][2]float64
		for _, at := range starts(b.sides()) {
			corners = append(corners, [2]float64{at.X, at.Y})
		}
		look("box", i, 0, corners...)
	}
	for i, d := range s.World.Discs {
		look("disc", i, d.Radius+d.Spread, d.At)
	}
	for i, m := range s.World.Movers {
		look("mover", i, m.Radius, m.Path...)
	}
	for i, w := range s.World.Walls {
		look("wall", i, 0, w.From, w.To)
	}
	for i, l := range s.World.Floor.Lines {
		look("floor.line", i, float64(l.Width/2), l.Points...)
	}
	return all
}

// beyond reports whether all points lie so far behind one wall of the room, and more.
func (w *World) beyond(around float64, points [][2]float64) bool {
	for axis, size := range w.Size {
		below, above := true, true
		for _, p := range points {
			below = below && p[axis] < -around
			above = above && p[axis] > size+around
		}
		if below || above {
			return true
		}
	}
	return false
}
