package brain

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// terrain keeps the ground around the car: every new range, edge and contact goes
// into it, whatever the rung.
type terrain struct {
	grid *ground.Grid
	seen [robot.NumSectors]time.Duration // newest range written
	next int                             // sector whose turn it is
	last int                             // sector that was written last

	heard bool        // this tick wrote a range
	came  bool        // where it ends was floor known free
	beam  ground.Beam // that range
	from  ground.Pose // where the axle was then
	since float64     // ticks since
}

// terrainStill is a speed in m/s below which the car stands.
const terrainStill = 0.03

// A table ends along a line, and no sensor sees the rest of it before a wheel is past
// it (docs/robot.md): an edge is taken to go on to either side.
const (
	edgeReach = 20       // pitches of the bar to either side of a sensor that saw it
	edgeMost  = 40 * deg // slant that a sensor sees before a wheel is past the edge
)

// border writes the edge that floor sensors see.
func (t *terrain) border(at ground.Pose, edges *[robot.NumFloor]bool, off float64) {
	slant := -float32(exact.Tan(exact.Clip(off, -edgeMost, edgeMost)))
	for i, edge := range edges {
		if !edge {
			continue
		}
		for k := -edgeReach; k <= edgeReach; k++ {
			aside := float32(ground.BarPitch * float32(k))
			t.grid.Edge(at, ground.BarAhead+float32(slant*aside), float32(ground.BarPitch*float32(robot.FloorMiddle-i))+aside)
		}
	}
}

func newTerrain() (terrain, error) {
	g, err := ground.New(ground.Default())
	return terrain{grid: g}, err
}

// A groundInput tells the terrain what one tick brings.
type groundInput struct {
	now, period time.Duration
	ranges      *[robot.NumSectors]robot.Reading // m
	edges       [robot.NumFloor]bool
	sides       bool        // the table's sides are kept elsewhere
	slant       float64     // rad from the heading to the way square on to the edge
	contact     bool        // something that no beam sees held the car
	touch       ground.Pose // where
	behind      bool        // on the way back
}

// learn moves the ground on by one tick and writes what is new: at most one cone.
func (t *terrain) learn(o *odometry, l *groundInput, p *Params) {
	at := o.axle()
	t.grid.Follow(at.X, at.Y)
	t.grid.Forget(float32(l.period.Seconds()), float32(o.way), float32(o.bend))
	t.listen(o, l, p)
	t.grid.Drive(at)
	if l.contact {
		t.grid.Contact(l.touch, l.behind)
	}
	if !l.sides {
		t.border(at, &l.edges, l.slant)
	}
}

// listen writes the next new range, from where the car was when it was ready.
func (t *terrain) listen(o *odometry, l *groundInput, p *Params) {
	t.heard, t.came = false, false
	for range robot.NumSectors {
		i := t.next
		t.next = (i + 1) % robot.NumSectors
		r := &l.ranges[i]
		if r.At <= t.seen[i] || !r.Fresh(l.now, rangeAge) {
			continue
		}
		t.seen[i] = r.At
		t.since = float64(r.Age(l.now)) / float64(l.period)
		t.heard, t.from = true, o.ago(t.since)
		t.beam = ground.Beam{
			Bearing: robot.SectorBearing(i), HalfWidth: p.Cone, Range: r.Value, Beyond: r.AtLeast,
			Lead: ground.Ahead + p.SonarLead, Still: math.Abs(o.way) < float64(terrainStill*l.period.Seconds()),
		}
		t.came, t.last = t.grid.Beam(t.from, t.beam), i
		return
	}
}

// A Surveyed holds the ground and which readings are in it, in State.
type Surveyed struct {
	Ground ground.Record
	Age    [robot.NumSectors]int64 // of the newest range written into it
	Sector int32                   // whose turn it is
}

// save copies the ground.
func (t *terrain) save(s *Surveyed, now time.Duration) {
	t.grid.Save(&s.Ground)
	for i, at := range t.seen {
		s.Age[i] = age(at, now)
	}
	s.Sector = int32(t.next)
}

// restore goes on with a saved ground where the clock went on. After a restart,
// at 0, the ground begins empty: a car that stood may stand elsewhere, and a floor
// wrongly known free is worse than one not known.
func (t *terrain) restore(s *Surveyed, at time.Duration) {
	if at == 0 {
		t.grid.Clear()
		*t = terrain{grid: t.grid}
		return
	}
	t.grid.Resume(&s.Ground)
	for i, a := range s.Age {
		t.seen[i] = instant(a, at)
	}
	t.next = int(s.Sector)
}

// check returns why no brain can have surveyed this, or nil.
func (s *Surveyed) check() error {
	if s.Sector < 0 || s.Sector >= robot.NumSectors {
		return fmt.Errorf("brain: restore: surveyed Sector is %d, must be within 0..%d", s.Sector, robot.NumSectors-1)
	}
	return s.Ground.Check()
}
