package family

import (
	"fmt"
	"math"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

const (
	width    = 0.18 // m, of the car
	anywhere = 180  // deg to either side: any heading
	stand    = 0.05 // m of air around the body at its start
)

// A draft is a member in the making: the scenario, and the solid things in it so
// far, so that the next one can keep its distance.
type draft struct {
	*scenarios.Scenario
	dice    noise.Stream
	solid   world.World
	gaps    int     // that its line may have
	corners bool    // its line has
	enough  float64 // share of the floor that a body must reach where driving around is what counts
}

func newDraft(name string, dice noise.Stream) *draft {
	d := &draft{Scenario: scenarios.New(name), dice: dice, enough: 0.35}
	d.Spec, d.Runs, d.Duration = "family", 1, 120
	return d
}

// mm rounds a length to millimetres.
func mm(x float64) float64 { return math.Round(x*1000) / 1000 }

// half returns half of a length. The conversion keeps the product from being fused
// with a sum.
func half(x float64) float64 { return float64(x / 2) }

// between draws a length.
func (d *draft) between(low, high float64) float64 { return mm(d.dice.Between(low, high)) }

// whole draws a whole number, both ends included.
func (d *draft) whole(low, high int) int {
	return low + int(d.dice.Uint64()%uint64(high-low+1))
}

// one draws one of the values.
func (d *draft) one(values ...float64) float64 { return values[d.whole(0, len(values)-1)] }

// size sets the world's size and puts walls around it.
func (d *draft) size(x, y float64) {
	d.World.Size, d.World.Walled = [2]float64{x, y}, true
	d.solid.Max = world.Vec{X: x, Y: y}
	d.solid.Walls = append(d.solid.Walls, world.Room(d.solid.Min, d.solid.Max)...)
}

// wall puts a wall.
func (d *draft) wall(x1, y1, x2, y2 float64) {
	w := scenarios.Wall{From: [2]float64{mm(x1), mm(y1)}, To: [2]float64{mm(x2), mm(y2)}}
	d.World.Walls = append(d.World.Walls, w)
	d.solid.Walls = append(d.solid.Walls, world.Segment{A: vec(w.From), B: vec(w.To)})
}

// box puts a rectangle between two corners.
func (d *draft) box(x1, y1, x2, y2 float64) {
	d.turned(scenarios.Box{At: [2]float64{mm((x1 + x2) / 2), mm((y1 + y2) / 2)}, Size: [2]float64{mm(x2 - x1), mm(y2 - y1)}})
}

// turned puts a rectangle at an angle.
func (d *draft) turned(b scenarios.Box) {
	d.World.Boxes = append(d.World.Boxes, b)
	d.solid.Walls = append(d.solid.Walls, world.Box(vec(b.At), vec(b.Size), b.Angle*math.Pi/180)...)
}

// disc puts a disc.
func (d *draft) disc(x, y, radius float64) {
	disc := scenarios.Disc{At: [2]float64{mm(x), mm(y)}, Radius: radius}
	d.World.Discs = append(d.World.Discs, disc)
	d.solid.Discs = append(d.solid.Discs, world.Disc{Centre: vec(disc.At), Radius: radius})
}

// scatter puts discs where their rim keeps gap to every solid thing and clear to the
// start and the goal. Of those that find no place there are fewer.
func (d *draft) scatter(count int, low, high, gap, clear float64) {
	for range 50 * count {
		if count == 0 {
			return
		}
		radius := d.between(low, high)
		at := world.Vec{X: d.between(0, d.World.Size[0]), Y: d.between(0, d.World.Size[1])}
		if d.solid.Distance(at) < radius+gap || d.apart(at) < radius+clear {
			continue
		}
		d.disc(at.X, at.Y, radius)
		count--
	}
}

// apart returns how far a place is from the start and from the goal.
func (d *draft) apart(p world.Vec) float64 {
	far := p.Sub(world.Vec{X: d.Start.X, Y: d.Start.Y}).Norm()
	if g := d.World.Goal; g != nil {
		far = min(far, p.Sub(vec(g.At)).Norm())
	}
	return far
}

// start puts the car, its heading drawn from spread degrees to either side.
func (d *draft) start(x, y, heading, spread float64) {
	drawn := heading + d.dice.Between(-spread, spread)
	d.Start.X, d.Start.Y, d.Start.Heading = mm(x), mm(y), math.Round(drawn*10)/10
}

// startIn draws the start in a rectangle.
func (d *draft) startIn(x1, y1, x2, y2 float64) {
	d.start(d.between(x1, x2), d.between(y1, y2), 0, anywhere)
}

// goal puts the beacon; reaching it ends the drive.
func (d *draft) goal(x, y float64) {
	d.World.Goal = &scenarios.Goal{At: [2]float64{mm(x), mm(y)}, Radius: 0.25}
	d.Brain.Goal, d.Stop = true, "goal"
}

// leave makes leaving a rectangle the aim; it ends the drive.
func (d *draft) leave(x1, y1, x2, y2 float64) {
	d.Measure.Region = &scenarios.Region{Min: [2]float64{mm(x1), mm(y1)}, Max: [2]float64{mm(x2), mm(y2)}}
	d.Stop = "exit"
}

// most and least limit a metric of every run.
func (d *draft) most(metric string, bound float64) {
	d.Limits = append(d.Limits, scenarios.Limit{Metric: metric, Max: &bound})
}

func (d *draft) least(metric string, bound float64) {
	d.Limits = append(d.Limits, scenarios.Limit{Metric: metric, Min: &bound})
}

// finish measures the draft with the true map, refuses what cannot be driven, and
// sets duration and limits that follow from what can.
func (d *draft) finish() error {
	if err := d.Validate(); err != nil {
		return err
	}
	way, err := oracle.Solve(d.Scenario, 1)
	if err != nil {
		return err
	}
	if way.Start < stand {
		return fmt.Errorf("the body starts %.3f m from an obstacle", way.Start)
	}
	if d.Stop == "" && way.Reach < d.enough {
		return fmt.Errorf("the body reaches only %.2f of the floor", way.Reach)
	}
	d.judge(way)
	return nil
}

func vec(p [2]float64) world.Vec { return world.Vec{X: p[0], Y: p[1]} }
