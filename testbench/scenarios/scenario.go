package scenarios

import (
	"time"

	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A Scenario is one file, decoded and checked.
type Scenario struct {
	Name     string        `toml:"-"`          // file name without .toml
	Title    string        `toml:"title"`      // one line for a person
	Spec     string        `toml:"spec"`       // row of the suite, such as B1
	Duration float64       `toml:"duration_s"` // s of virtual time
	Runs     int           `toml:"runs"`       // seeds 1..Runs make the suite
	Profile  plant.Profile `toml:"profile"`    // range sectors of the body
	Stop     string        `toml:"stop"`       // "", "goal" or "exit": what ends a run early

	Start   Start        `toml:"start"`
	World   World        `toml:"world"`
	Car     plant.Params `toml:"car"`
	Hat     Hat          `toml:"hat"`
	Brain   Brain        `toml:"brain"`
	Measure Measure      `toml:"measure"`
	Faults  []Fault      `toml:"fault"`
	Limits  []Limit      `toml:"limit"`
}

// Length returns the duration.
func (s *Scenario) Length() time.Duration { return seconds(s.Duration) }

// A Start is where the car stands at the beginning, with the half widths of
// the seed's uniform spread. Back moves it back along its heading from (X, Y).
type Start struct {
	X             float64 `toml:"x"`
	Y             float64 `toml:"y"`
	Heading       float64 `toml:"heading_deg"`
	Back          float64 `toml:"back"`
	SpreadX       float64 `toml:"spread_x"`
	SpreadY       float64 `toml:"spread_y"`
	SpreadHeading float64 `toml:"spread_heading_deg"`
	OnLine        bool    `toml:"on_line"` // the sensor bar on the first line's first point, facing along it
}

// A World is what the file says about the surroundings.
type World struct {
	Size    [2]float64 `toml:"size"`   // m; pictures and coverage show 0..size
	Walled  bool       `toml:"walled"` // walls on that rectangle
	Walls   []Wall     `toml:"wall"`
	Boxes   []Box      `toml:"box"`
	Discs   []Disc     `toml:"disc"`
	Movers  []Mover    `toml:"mover"`
	Scatter Scatter    `toml:"scatter"`
	Floor   Floor      `toml:"floor"`
	Goal    *Goal      `toml:"goal"`
}

// A Wall is one straight wall.
type Wall struct {
	From [2]float64 `toml:"from"`
	To   [2]float64 `toml:"to"`
}

// A Box is a rectangular obstacle.
type Box struct {
	At    [2]float64 `toml:"at"`
	Size  [2]float64 `toml:"size"`
	Angle float64    `toml:"angle_deg"`
}

// A Disc is a round obstacle, displaced by up to Spread each way by the seed.
type Disc struct {
	At     [2]float64 `toml:"at"`
	Radius float64    `toml:"radius"`
	Spread float64    `toml:"spread"`
}

// A Mover is a disc that walks round a closed path.
type Mover struct {
	Path   [][2]float64 `toml:"path"`
	Radius float64      `toml:"radius"`
	Speed  float64      `toml:"speed"`
}

// A Scatter places discs by the seed: no two surfaces nearer than Gap, none
// nearer to the start's centre than Clear.
type Scatter struct {
	Count     int     `toml:"count"`
	RadiusMin float64 `toml:"radius_min"`
	RadiusMax float64 `toml:"radius_max"`
	Gap       float64 `toml:"gap"`
	Clear     float64 `toml:"clear"`
}

// A Floor is the floor's reflectances in ADC counts, its lines and its edge.
type Floor struct {
	Background float64      `toml:"background"`
	Tape       float64      `toml:"tape"`
	Void       float64      `toml:"void"`
	Lines      []Line       `toml:"line"`
	Oval       *Oval        `toml:"oval"`
	Table      [][2]float64 `toml:"table"` // corners; beyond it the car falls
}

// A Line is a polyline of tape.
type Line struct {
	Points [][2]float64 `toml:"points"`
	Width  float64      `toml:"width"`
}

// An Oval is a closed line: two straights and two half circles, the radius
// drawn by the seed.
type Oval struct {
	At        [2]float64 `toml:"at"`
	Straight  float64    `toml:"straight"`
	RadiusMin float64    `toml:"radius_min"`
	RadiusMax float64    `toml:"radius_max"`
	Width     float64    `toml:"width"`
}

// A Goal is a beacon.
type Goal struct {
	At     [2]float64 `toml:"at"`
	Radius float64    `toml:"radius"` // reached within
}

// A Hat is what differs from the board's defaults.
type Hat struct {
	Clock    int     `toml:"clock_hz"`
	Overhead float64 `toml:"overhead_us"`
	Boot     float64 `toml:"boot_ms"` // from a reset to the first acknowledge
	Sticky   bool    `toml:"sticky_desync"`
	Beams    bool    `toml:"beams"` // every range sector is a sonar on the HAT, one after the other
}

// A Brain is a hint: what the scenario expects the brain to have switched on.
type Brain struct {
	Goal    bool    `toml:"goal"`
	Line    bool    `toml:"line"`
	Cliff   bool    `toml:"cliff"`
	Explore bool    `toml:"explore"`
	Cruise  float64 `toml:"cruise_mps"` // m/s
}

// A Measure says where the scenario's own metrics are taken.
type Measure struct {
	Lateral  *Lateral  `toml:"lateral"`
	Region   *Region   `toml:"region"`
	Baseline *Baseline `toml:"baseline"`
}

// A Lateral measures the body's distance from the straight line y = Y while
// From <= x <= To.
type Lateral struct {
	Y    float64 `toml:"y"`
	From float64 `toml:"from"`
	To   float64 `toml:"to"`
}

// A Region is left when the body's centre is outside of it: the exit metric.
type Region struct {
	Min [2]float64 `toml:"min"`
	Max [2]float64 `toml:"max"`
}

// A Baseline keeps the numbers a published prototype reached, for the summary.
type Baseline struct {
	Prototype string `toml:"prototype"`
	Vendor    string `toml:"vendor"`
}

// A Fault is one disturbance of the HAT.
type Fault struct {
	Kind        hat.Kind `toml:"kind"`
	From        float64  `toml:"from_s"`
	Until       float64  `toml:"until_s"` // 0 never ends
	Probability float64  `toml:"probability"`
	Count       int      `toml:"count"`
	Which       int      `toml:"which"`
	Value       float64  `toml:"value"`
}

// A Limit is one condition of passing: a metric of the result between bounds.
type Limit struct {
	Metric string   `toml:"metric"`
	Min    *float64 `toml:"min"`
	Max    *float64 `toml:"max"`
	Over   string   `toml:"over"`  // "mean" over the runs, or "each" of them
	Share  float64  `toml:"share"` // part of the runs that must hold it; 0 means all
}

// HatFaults returns the faults as the board takes them.
func (s *Scenario) HatFaults() []hat.Fault {
	faults := make([]hat.Fault, len(s.Faults))
	for i, f := range s.Faults {
		faults[i] = hat.Fault{
			Kind: f.Kind, From: seconds(f.From), Until: seconds(f.Until),
			Probability: f.Probability, Count: f.Count, Which: f.Which, Value: f.Value,
		}
	}
	return faults
}

// HatParams returns the board's parameters for one run.
func (s *Scenario) HatParams(seed uint64) hat.Params {
	p := hat.Default()
	p.Clock, p.StickyDesync, p.Seed = s.Hat.Clock, s.Hat.Sticky, seed
	p.Overhead = time.Duration(s.Hat.Overhead * float64(time.Microsecond))
	p.Boot = time.Duration(s.Hat.Boot * float64(time.Millisecond))
	return p
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func vec(p [2]float64) world.Vec { return world.Vec{X: p[0], Y: p[1]} }

// defaults is what a file's missing keys mean.
func defaults() Scenario {
	h := hat.Default()
	return Scenario{
		Runs: 10, Profile: plant.P1, Car: plant.Default(),
		World: World{Floor: Floor{Background: 1400, Tape: 300, Void: 60}},
		Hat:   Hat{Clock: h.Clock, Overhead: h.Overhead.Seconds() * 1e6, Boot: h.Boot.Seconds() * 1e3, Sticky: h.StickyDesync},
		Brain: Brain{Cruise: 0.35},
	}
}
