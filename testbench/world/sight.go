package world

// touching is how far from its end a line may meet something that it still ends at, in m.
const touching = 1e-9

// Clear reports whether nothing solid lies on the straight line between two places.
// Movers do not count: they walk on. Nor does what b itself lies in or on, a disc or a
// wall: a place there is clear from every side.
func (w *World) Clear(a, b Vec) bool {
	way := b.Sub(a)
	length := way.Norm()
	if length <= touching {
		return true
	}
	u := way.Scale(1 / length)
	for i := range w.Walls {
		if d, _ := w.Walls[i].Ray(a, u); d < length-touching {
			return false
		}
	}
	for i := range w.Discs {
		if d, _ := w.Discs[i].Ray(a, u); d < length-touching && w.Discs[i].Distance(b) > touching {
			return false
		}
	}
	return true
}

// Arrived reports whether a place is at the goal: within its radius, with nothing solid
// between the two.
func (w *World) Arrived(p Vec, radius float64) bool {
	return w.HasGoal && p.Sub(w.Goal).Norm() <= radius && w.Clear(p, w.Goal)
}
