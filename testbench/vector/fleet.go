package vector

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
)

// Limits of a fleet's size.
const (
	MaxCars  = 1 << 20
	MaxSites = 1 << 16
)

// Options say what a fleet is.
type Options struct {
	Cars    int           // 1 .. MaxCars
	Sites   []Site        // any mix; car i begins at site i modulo their number
	Profile plant.Profile // the sonars that every car has
	Seed    uint64        // car i begins with the seed Seed + i
	Blind   bool          // no sensor is sampled
	ISA     string        // one of ISAs; empty takes the first
}

// A Fleet is N cars in N worlds.
type Fleet struct {
	pool
	cars     int
	fields   []float64 // block, field, lane
	keys     []uint64  // block, key, lane
	feet     []float64 // car, mover: leg and metres done
	params   []float64 // site, field, lane: of the first sites, those of their cars
	common   []int32   // of each block, the site of all its cars, -1 where they differ
	sites    []Site
	bearings []float64       // rad, of the sonars
	names    [numKeys]string // of the streams of noise
	sensing  bool
	isa      string
	engine   stepper
}

// A stepper lets the cars of some blocks take n steps.
type stepper func(f *Fleet, first, last, n int)

// Go is the name of the engine in pure Go.
const Go = "go"

// ISAs returns the engines of this build that this machine runs, best first; the
// last is Go. All compute the same bits.
func ISAs() []string { return append(nativeISAs(), Go) }

// New returns a fleet whose cars stand at the starts of their sites.
func New(o Options) (*Fleet, error) {
	f := &Fleet{cars: o.Cars, sites: slices.Clone(o.Sites), bearings: bearings(o.Profile), sensing: !o.Blind, isa: o.ISA}
	if err := f.check(o); err != nil {
		return nil, err
	}
	for i, sector := range o.Profile.Sectors() {
		f.names[sonarKey+i], f.names[softKey+i] = fmt.Sprint("sonar ", sector), fmt.Sprint("soft ", sector)
	}
	for i := range numFloor {
		f.names[floorKey+i] = fmt.Sprint("floor ", i)
	}
	if f.isa == "" {
		f.isa = ISAs()[0]
	}
	if f.engine = engine(f.isa); f.engine == nil {
		return nil, fmt.Errorf("vector: no engine %q; this machine has %v", o.ISA, ISAs())
	}
	for i := range f.sites {
		f.add(f.sites[i].World, &f.sites[i].Car)
		if i < sharing {
			f.share(&f.sites[i])
		}
	}
	f.stand(o.Seed)
	return f, nil
}

// stand makes all cars, at the starts of their sites.
func (f *Fleet) stand(seed uint64) {
	blocks := (f.cars + Lanes - 1) / Lanes
	f.fields = make([]float64, blocks*numFields*Lanes)
	f.keys = make([]uint64, blocks*numKeys*Lanes)
	f.feet = make([]float64, blocks*Lanes*2*f.most)
	f.common = make([]int32, blocks)
	for i := range blocks * Lanes { // cars beyond the last fill its block
		f.reset(i, i%len(f.sites), f.sites[i%len(f.sites)].Start, seed+uint64(i))
	}
}

// check complains about options that make no fleet.
func (f *Fleet) check(o Options) error {
	var all []error
	if o.Cars < 1 || o.Cars > MaxCars {
		all = append(all, fmt.Errorf("vector: %d cars; choose 1 to %d", o.Cars, MaxCars))
	}
	if len(o.Sites) < 1 || len(o.Sites) > MaxSites {
		all = append(all, fmt.Errorf("vector: %d sites; choose 1 to %d", len(o.Sites), MaxSites))
	}
	if len(f.bearings) == 0 {
		all = append(all, fmt.Errorf("vector: unknown profile %q; known are P0 and P1", string(o.Profile)))
	}
	for i := range o.Sites {
		if o.Sites[i].World == nil {
			all = append(all, fmt.Errorf("vector: site %d has no world", i))
			continue
		}
		if err := o.Sites[i].Car.Validate(); err != nil {
			all = append(all, fmt.Errorf("vector: site %d: %w", i, err))
		}
	}
	return errors.Join(all...)
}

// engine returns the stepper of a name, nil when there is none.
func engine(isa string) stepper {
	if isa == Go {
		return pureGo
	}
	return newNative(isa)
}

// pureGo steps car by car.
func pureGo(f *Fleet, first, last, n int) {
	for i := first * Lanes; i < min(last*Lanes, f.cars); i++ {
		c := f.lane(i)
		f.run(&c, n)
	}
}

// Cars returns how many there are.
func (f *Fleet) Cars() int { return f.cars }

// ISA returns the engine's name.
func (f *Fleet) ISA() string { return f.isa }

// Reset makes a car stand at a pose of a site, with new noise and new statistics.
// It panics where the car or the site is not there.
func (f *Fleet) Reset(car, at int, pose plant.Pose, seed uint64) {
	if car < 0 || car >= f.cars || at < 0 || at >= len(f.sites) {
		panic(fmt.Sprintf("vector: reset of car %d of %d at site %d of %d", car, f.cars, at, len(f.sites)))
	}
	f.reset(car, at, pose, seed)
}

func (f *Fleet) reset(car, at int, pose plant.Pose, seed uint64) {
	block := f.fields[car/Lanes*numFields*Lanes+car%Lanes:]
	set := func(field int, v float64) { block[field*Lanes] = v }
	for i := range numFields {
		set(i, 0)
	}
	for i, v := range f.sites[at].params() {
		set(topSpeed+i, v)
	}
	set(site, float64(at))
	p := &f.sites[at].Car
	set(posX, pose.At.X)
	set(posY, pose.At.Y)
	set(heading, pose.Heading)
	set(volts, p.OpenVolts)
	set(nextPing, PingSteps)
	set(nextLook, LookSteps)
	for i := range MaxSonars {
		set(ranges+i, -1)
		set(heard+i, math.Inf(1))
	}
	f.seed(car, p, seed)
	c := f.lane(car)
	clear(c.feet)
	for i := range f.sites[at].World.Movers {
		c.feet[2*i], c.feet[2*i+1] = f.sites[at].World.Movers[i].Way()
	}
	c.set(slack, f.Gap(car))
	f.unite(car / Lanes)
}

// seed gives a car its streams of noise, by the names that testbench/plant has.
func (f *Fleet) seed(car int, p *plant.Params, seed uint64) {
	keys := f.keys[car/Lanes*numKeys*Lanes+car%Lanes:]
	for i := range f.bearings {
		keys[(sonarKey+i)*Lanes] = noise.Key(seed, f.names[sonarKey+i])
		keys[(softKey+i)*Lanes] = noise.Key(seed, f.names[softKey+i])
	}
	unit := noise.New(seed, UnitName)
	for i := range numFloor {
		keys[(floorKey+i)*Lanes] = noise.Key(seed, f.names[floorKey+i])
		f.fields[(car/Lanes*numFields+spread+i)*Lanes+car%Lanes] = 1 + float64(p.FloorSpread*unit.Normal())
	}
}

// Step lets every car take n steps under its actions.
func (f *Fleet) Step(n int) { f.StepPart(0, 1, n) }

// StepPart is Step for one of so many parts of the fleet; different parts may run at
// once. It panics where there is no such part.
func (f *Fleet) StepPart(part, parts, n int) {
	if part < 0 || part >= parts || n < 0 {
		panic(fmt.Sprintf("vector: part %d of %d, %d steps", part, parts, n))
	}
	blocks := (f.cars + Lanes - 1) / Lanes
	if first, last := part*blocks/parts, (part+1)*blocks/parts; first < last {
		f.engine(f, first, last, n)
	}
}
