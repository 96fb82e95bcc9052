package env

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"

	"fieldbrain/strict"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// cell is the side of the cells that explore counts, in m: the bench's.
const cell = oracle.Visit

// A place is a world that cars can be put into, with what the task asks about it.
type place struct {
	world   *world.World
	car     plant.Params
	start   plant.Pose
	skew    float64 // what the wheels of a side differ by, per tangent of the steering
	columns int     // of cells
	rows    int
	way     *oracle.Map // goal: what is left from everywhere
	radius  float64     // m, of the goal
	route   *route      // line
}

// places makes the worlds of the options, several at a time.
func places(o *Options) ([]place, error) {
	list, all := make([]place, o.Worlds), make([]error, o.Worlds)
	var group sync.WaitGroup
	permits := make(chan struct{}, runtime.GOMAXPROCS(0))
	for k := range list {
		permits <- struct{}{}
		group.Go(func() {
			defer func() { <-permits }()
			n := len(o.Families)
			list[k], all[k] = newPlace(o, o.Families[k%n], o.First+uint64(k/n))
		})
	}
	group.Wait()
	for _, err := range all {
		if err != nil {
			return nil, err // the others say the same
		}
	}
	return list, nil
}

// newPlace makes one world.
func newPlace(o *Options, name string, seed uint64) (p place, err error) {
	if bare, one := strings.CutSuffix(name, "-p0"); one {
		return p, fmt.Errorf("env: family %s: name %s, and choose profile P0 for the front sonar only: the profile is the cars', not a family's", name, bare)
	}
	if family.Title(name) == "" {
		return p, unknown(name)
	}
	sc, err := family.Make(name, o.Set, seed)
	if err != nil {
		return p, fmt.Errorf("env: %w", err)
	}
	p.car = sc.Car
	if p.world, p.start, err = sc.Build(seed); err != nil {
		return p, fmt.Errorf("env: %w", err)
	}
	size := p.world.Max.Sub(p.world.Min)
	p.columns, p.rows = max(1, int(math.Ceil(size.X/cell))), max(1, int(math.Ceil(size.Y/cell)))
	p.skew = p.car.Track / (2 * p.car.Wheelbase)
	return p, p.prepare(o, sc, name)
}

// unknown is the error of a family that there is not. It says nothing of names with
// -p0, which other programs take.
func unknown(name string) error {
	like := ""
	if near := strict.Nearest(name, family.Names()); near != "" {
		like = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("env: family %q: unknown%s; there are %s", name, like, strings.Join(family.Names(), ", "))
}

// prepare measures what the task asks about the world.
func (p *place) prepare(o *Options, sc *scenarios.Scenario, name string) (err error) {
	switch o.Task {
	case Goal:
		if !p.world.HasGoal {
			return fmt.Errorf("env: family %s has no beacon for the task goal; families with one are, among others, those of %v", name, Goal.Families())
		}
		p.radius = sc.World.Goal.Radius
		p.way, err = oracle.Survey(sc, 1)
	case Line:
		if len(p.world.Floor.Lines) == 0 {
			return fmt.Errorf("env: family %s has no line on the floor; those with one are %v", name, Line.Families())
		}
		p.route = newRoute(p.world.Floor.Lines)
	}
	return err
}

// sites returns the places as a fleet takes them.
func sites(list []place) []vector.Site {
	s := make([]vector.Site, len(list))
	for i := range list {
		s[i] = vector.Site{World: list[i].world, Car: list[i].car, Start: list[i].start}
	}
	return s
}

// cells returns the most cells that a place has.
func cells(list []place) (most int) {
	for i := range list {
		most = max(most, list[i].columns*list[i].rows)
	}
	return most
}

// cellAt returns the number of the cell that holds a point, false beyond the world.
func (p *place) cellAt(q world.Vec) (int, bool) {
	x, y := int(math.Floor((q.X-p.world.Min.X)/cell)), int(math.Floor((q.Y-p.world.Min.Y)/cell))
	if x < 0 || x >= p.columns || y < 0 || y >= p.rows {
		return 0, false
	}
	return y*p.columns + x, true
}

// falls reports whether a wheel is past the edge of a table.
func (p *place) falls(at, face world.Vec) bool {
	if len(p.world.Floor.Table) == 0 {
		return false
	}
	for _, x := range [2]float64{0, p.car.Wheelbase} {
		for _, y := range [2]float64{-p.car.Track / 2, p.car.Track / 2} {
			if p.world.Floor.Past(at.Add(world.Vec{X: x, Y: y}.Turn(face))) {
				return true
			}
		}
	}
	return false
}
