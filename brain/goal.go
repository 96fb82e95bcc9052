package brain

import (
	"time"

	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// goal is where the target is: as seen, or as the memory field holds it.
type goal struct {
	seen       bool
	sight      float32 // rad, bearing as seen
	confidence float64
	distance   float64 // m, from the apparent size; 1 m when unknown
	far        float64 // m, the same without the bounds of the field's axis

	bearing float32 // rad, where the heading is pulled
	weight  float32 // 0..1
	point   bool    // it is a place of the odometry, not a thing that is seen
}

// targetSize is the height in metres of a target that fills the image at 1 m.
const targetSize = 0.1

// update takes the target's sighting, or the peak of GOAL_MEM when it is out
// of sight.
func (g *goal) update(st *robot.State, out *field.Output, p *Params, now time.Duration) {
	t := &st.Target
	g.seen = t.Bearing.Fresh(now, targetAge) && t.Confidence.OK && t.Confidence.Value > 0.2
	g.weight, g.point = 0, false
	if g.seen {
		g.sight, g.confidence, g.distance = t.Bearing.Value, exact.Clip(float64(t.Confidence.Value), 0, 1), 1
		g.far = 1
		if t.Size.OK && t.Size.Value > 0.01 {
			g.far = targetSize / float64(t.Size.Value)
			g.distance = exact.Clip(g.far, 0.05, 2)
		}
	}
	if !p.SeekGoal {
		return
	}
	if g.seen {
		g.bearing, g.weight = g.sight, float32(g.confidence)
		return
	}
	m := &out.Marginals[field.GoalMem]
	if x, mass := field.Centroid(&m.X); mass > 1 {
		psi := field.Bearing(x)
		g.bearing, g.weight = float32(psi), 1
	}
}

// lead makes a place of the odometry the goal: its bearing from the car's heading in
// rad, and its distance in m. It counts in full whatever is seen.
func (g *goal) lead(bearing, distance float64) {
	g.bearing, g.weight, g.point, g.far = float32(bearing), 1, true, distance
	if !g.seen {
		g.distance = distance
	}
}
