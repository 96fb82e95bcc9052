package brain

import (
	"fmt"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/route"
	"fieldbrain/brain/steer"
	"fieldbrain/brain/table"
	"fieldbrain/brain/walls"
	"fieldbrain/field/exact"
)

// guide knows how the way begins: to the goal, or to floor that was not seen. What
// it says draws the heading; the field decides.
type guide struct {
	finder *route.Finder
	x, y   float64       // m, where the goal is in the odometry's frame
	placed bool          // it has a place
	table  table.Map     // the sides of the table the car is on
	walls  walls.Compass // how the walls around stand
	gx, gy float64       // m, the place the finder was asked for

	floorEdges [4]steer.FloorEdge // sides of the table that are known
	shores     int                // how many they are
	back       float64            // m to go back on the way the car came, before it turns round
	bearing    float64            // rad from the heading, all round
	left       float64            // m to go
	far        float64            // m to the goal as the crow flies, 0 where none draws
	weight     float32            // 0..1
	close      float32            // 0..1, share of the obstacles' push on the heading that is waived
	known      bool               // there is a way
	shut       bool               // the map shows none
}

const (
	guideShare  = 0.08 // share of a new sighting in the goal's place
	guideStep   = 0.12 // m a goal moves before the way is looked for anew
	guideSight  = 8.0  // m
	guideHint   = 0.35 // the same of a car that does not explore, where the way ahead ends: less than turns it round
	guideYields = 0.3  // cells of full output of HEAD_PREF before which that hint is silent: who knows a place needs none
	guideStroll = 0.5  // weight of floor not seen where nothing else draws
	guideNear   = 0.7  // m free ahead below which it draws
	guideSpan   = 0.3
	guideAway   = 0.8  // weight of floor elsewhere for a car that gets nowhere: it turns round for it
	guideClose  = 0.2  // share of the obstacles' push waived where only floor draws: with 0.375 the car left the middle of a corridor
	guideOpen   = 0.6  // the same on open floor, which beams to the sides see
	guideAside  = 0.8  // m to either side that count
	guideNarrow = 1.05 // m of free floor across up to which a way is narrow
	guideWide   = 1.3  // and from where on it is open
)

// A guideInput tells the guide what one tick brings.
type guideInput struct {
	grid    *ground.Grid
	at      ground.Pose
	dt      float64
	goal    *goal
	nose    float64 // m free straight ahead
	known   float64 // cells of full output: how much the field recalls of where to go
	explore bool    // floor not seen draws all the time, not only where the way ahead ends
	search  bool    // the car gets nowhere: floor elsewhere draws, and a goal waits
	doubts  bool    // it got nowhere before, after the same thing, or the goal comes no nearer
	late    bool    // the goal has come no nearer for long
	sides   bool    // beams look to the sides
	look    bool    // it looks for edges with one beam, which has to be turned to hear the walls
	idle    bool    // no way is wanted: a line, or people want the car to stand
}

// aims reports whether the way to the goal is wanted.
func (w *guideInput) aims() bool { return w.goal.weight > 0 && !w.search }

// remembers reports whether walls that the map has forgotten count, and whether for more:
// with one beam they always do, and never for more.
func (w *guideInput) remembers() (walls, late bool) { return !w.sides || w.doubts, w.sides && w.late }

// update looks for the way.
func (g *guide) update(w *guideInput) {
	x, y := w.at.Centre()
	g.weight, g.close, g.known, g.shut, g.back, g.shores, g.far = 0, 0, false, false, 0, 0, 0
	switch {
	case w.idle:
		g.finder.Begin(route.Nothing, 0, 0)
	case w.aims():
		g.aim(w, x, y)
	default:
		g.placed = g.placed && w.goal.weight > 0
		g.finder.Begin(route.Explore, 0, 0)
	}
	g.finder.CountForgottenWalls(w.remembers())
	g.finder.Widen(w.sides)
	g.finder.Advance(w.grid, w.at, float32(w.dt))
	if w.idle {
		return
	}
	way := g.finder.Toward(float32(x), float32(y))
	g.known, g.shut, g.left = way.OK, way.Ready && !way.OK, float64(way.Distance)
	if w.aims() {
		g.weight, g.bearing = w.goal.weight, float64(w.goal.bearing)
		g.far = exact.Hypot(g.x-x, g.y-y)
	} else if g.close = w.waives(); way.OK {
		g.weight = guideStroll
		if w.search {
			g.weight = guideAway
		} else if !w.explore {
			g.weight = float32(guideHint * exact.Clip((guideNear-w.nose)/guideSpan, 0, 1) * (1 - exact.Clip(w.known/guideYields, 0, 1)))
		}
	}
	g.shores = g.table.FloorEdges(&g.floorEdges, w.goal.weight == 0)
	if off, ok := g.table.Wants(&table.View{Grid: w.grid, At: w.at, Nose: w.nose, Look: w.look}); ok && w.goal.weight == 0 {
		g.weight, g.bearing, g.back = 1, off, g.table.Back()
	} else if way.OK {
		g.bearing = exact.Wrap(float64(way.Bearing) - float64(w.at.Heading))
	}
}

// waives is the share of the obstacles' push that is waived where only floor draws: in a
// room the car may come near to walls, a corridor has a middle.
func (w *guideInput) waives() float32 {
	if !w.sides {
		return guideClose
	}
	open := exact.Clip((float64(w.grid.Width(w.at, guideAside))-guideNarrow)/(guideWide-guideNarrow), 0, 1)
	return float32(guideClose + float64((guideOpen-guideClose)*open))
}

// retract takes back what the wheels turned in vain on the way from one pose to another.
// What was heard on it was heard from elsewhere than it seemed. Of a car that has only fallen
// silent where it is there is nothing to take back.
func (g *guide) retract(from, to ground.Pose) {
	if to.Apart(from) {
		g.table.Retract(from, to)
		g.walls.Forget()
	}
}

// hear takes the range that this tick brought, for a car that looks for edges; one says
// that one beam looks ahead and none to the sides.
func (g *guide) hear(t *terrain, o *odometry, one bool) {
	g.walls.Update(o.way)
	if !t.heard || t.beam.Beyond {
		return
	}
	g.walls.Hear(t.from, &t.beam)
	if off, sure := g.walls.Off(o.turn); sure {
		g.table.Face(off, one)
	}
	g.table.Hear(&t.beam, float64(t.since*o.way), one)
}

// aim keeps the goal's place and asks for the way there.
func (g *guide) aim(w *guideInput, x, y float64) {
	way := float64(w.at.Heading) + float64(w.goal.bearing)
	d := min(w.goal.far, guideSight)
	tx, ty := x+float64(d*exact.Cos(way)), y+float64(d*exact.Sin(way))
	if !g.placed || w.goal.point || exact.Hypot(tx-g.x, ty-g.y) > 1 {
		g.x, g.y, g.placed = tx, ty, true
		g.gx, g.gy = tx, ty
	}
	if w.goal.seen || w.goal.point {
		g.x += float64(guideShare * (tx - g.x))
		g.y += float64(guideShare * (ty - g.y))
	}
	if exact.Hypot(g.x-g.gx, g.y-g.gy) > guideStep {
		g.gx, g.gy = g.x, g.y
	}
	g.finder.Begin(route.Goal, float32(g.gx), float32(g.gy))
}

// ahead is how far it is to where the guide leads, in m: along the way, or as far as the
// goal seems where no way is known.
func (g *guide) ahead(to *goal) float64 {
	if g.known {
		return g.left
	}
	return to.far
}

// A Guided holds where the goal is and where the car has been, in State.
type Guided struct {
	X, Y   float64 // m, of the goal
	GX, GY float64 // m, that the finder was asked for
	Placed bool    // there is a goal
	Places route.Record
	Table  table.Record
}

// save copies the guide and ends the wave under way.
func (g *guide) save(s *Guided) {
	s.X, s.Y, s.GX, s.GY, s.Placed = g.x, g.y, g.gx, g.gy, g.placed
	g.finder.Save(&s.Places)
	g.table.Save(&s.Table)
	g.walls.Forget()
}

// restore goes on where the clock went on; after a restart, at 0, the car may
// stand elsewhere and nothing counts.
func (g *guide) restore(s *Guided, at time.Duration) {
	if at == 0 {
		g.finder.Resume(&route.Record{})
		*g = guide{finder: g.finder}
		g.table.Resume(&s.Table)
		g.table.Forget()
		return
	}
	*g = guide{finder: g.finder, x: s.X, y: s.Y, gx: s.GX, gy: s.GY, placed: s.Placed}
	g.finder.Resume(&s.Places)
	g.table.Resume(&s.Table)
}

// check returns why no brain can have been guided so, or nil.
func (s *Guided) check() error {
	const far = 1e6 // m
	for _, v := range [4]float64{s.X, s.Y, s.GX, s.GY} {
		if !(v >= -far && v <= far) { // NaN fails
			return fmt.Errorf("brain: restore: guided to %v m, must be within %v", v, far)
		}
	}
	if err := s.Table.Check(); err != nil {
		return restore(err)
	}
	return s.Places.Check()
}
