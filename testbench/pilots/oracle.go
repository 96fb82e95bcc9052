package pilots

import (
	"errors"
	"math"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

// Oracle drives with what no car has: the true map, movers included, and its
// true pose. It plans by A* and follows by the dynamic window, under the same
// reflexes, as the pilot dwa: an upper bound of what a way on a map is worth, and
// no baseline. It alone of this package looks at the world.
func Oracle(s testbench.Vehicle) (func(now time.Duration), error) {
	eyes, is := s.Body.(interface {
		Truth(look func(c *plant.Car, w *world.World))
	})
	if !is {
		return nil, errors.New("pilots: the oracle drives on the bench only: no other body shows the truth")
	}
	h, err := newHelm(s)
	if err != nil {
		return nil, err
	}
	h.grid = newGrid(point{s.Scenario.World.Size[0] / 2, s.Scenario.World.Size[1] / 2})
	p := &windowParams{ // tried by hand: nothing here is uncertain
		Heading: 1.5, Clear: 0.4, Fast: 0.4, Predict: 0.8, Carrot: 0.5, Brake: 0.4, Margin: 0.02, Trust: 10,
	}
	d := &window{windowParams: *p, nav: newNavigator(h.grid, 0.03)}
	d.nav.exit = exitOf(s.Scenario)
	h.driver = d
	o := &omniscience{eyes: eyes.Truth, reached: h.wanted}
	h.truth = o.look
	return h.tick, nil
}

// exitOf returns whether a place is out of the scenario's region, when getting
// out is the task; nil when it is not.
func exitOf(sc *scenarios.Scenario) func(p point) bool {
	r := sc.Measure.Region
	if r == nil || sc.Stop != "exit" {
		return nil
	}
	return func(p point) bool {
		return p.x < r.Min[0]-0.02 || p.x > r.Max[0]+0.02 || p.y < r.Min[1]-0.02 || p.y > r.Max[1]+0.02
	}
}

// An omniscience replaces reckoning and sonar by the truth.
type omniscience struct {
	eyes    func(look func(c *plant.Car, w *world.World))
	still   []float32 // near without the movers
	reached bool      // whether there is a goal to know
	next    time.Duration
}

// look puts the true pose, goal and map into the view.
func (o *omniscience) look(v *view) {
	o.eyes(func(c *plant.Car, w *world.World) {
		v.pose = pose{point{c.At.X, c.At.Y}, c.Heading}
		v.speed, v.steering = c.Speed, c.Steering
		if o.reached && w.HasGoal {
			v.goal.known, v.goal.at = true, point{w.Goal.X, w.Goal.Y}
			v.goal.bearing = v.pose.bearing(v.goal.at)
		}
		if o.still == nil {
			o.draw(v.grid, w)
		}
		if len(w.Movers) > 0 && v.now >= o.next {
			o.next = v.now + decideEvery
			o.move(v.grid, w)
		}
	})
}

// draw fills the grid with the distance to everything that stands.
func (o *omniscience) draw(g *grid, w *world.World) {
	g.fixed = true
	still := world.World{Walls: w.Walls, Discs: w.Discs}
	x0, y0 := g.find(point{w.Min.X, w.Min.Y})
	x1, y1 := g.find(point{w.Max.X, w.Max.Y})
	g.used = box{x0, y0, x1, y1}
	for i := range g.near {
		g.near[i] = 0
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			i := y*side + x
			p := world.Vec{X: g.middle(i).x, Y: g.middle(i).y}
			d := min(still.Distance(p), farAway)
			if len(w.Floor.Table) > 0 {
				d = min(d, inside(w.Floor.Table, p))
			}
			g.near[i], g.odds[i] = float32(max(d, 0)), -most
		}
	}
	o.still = append([]float32(nil), g.near...)
}

// inside returns the distance from p to a table's edge, 0 beyond it.
func inside(table []world.Vec, p world.Vec) float64 {
	if !world.Inside(table, p) {
		return 0
	}
	d := math.Inf(1)
	for i, a := range table {
		d = min(d, world.Segment{A: a, B: table[(i+1)%len(table)]}.Distance(p))
	}
	return d
}

// move puts the movers where they are now.
func (o *omniscience) move(g *grid, w *world.World) {
	copy(g.near, o.still)
	for i := range w.Movers {
		disc := w.Movers[i].Disc()
		b := g.around(point{disc.Centre.X, disc.Centre.Y}, disc.Radius+0.6)
		for y := b.y0; y <= b.y1; y++ {
			for x := b.x0; x <= b.x1; x++ {
				m := g.middle(y*side + x)
				d := float32(max(disc.Distance(world.Vec{X: m.x, Y: m.y}), 0))
				g.near[y*side+x] = min(g.near[y*side+x], d)
			}
		}
	}
}
