package scenarios

import (
	"fmt"
	"time"

	"fieldbrain/strict"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A Scenario is one file, decoded and checked. The comment tags document its
// keys: `fieldbrain scenario doc` prints them, and Parse enforces the limits
// they state.
type Scenario struct {
	Name     string        `toml:"-"` // the file's name without folder and .toml
	Title    string        `toml:"title" comment:"one line for a person"`
	Spec     string        `toml:"spec,omitempty" comment:"row of the behavioural suite that the world belongs to"`
	Duration float64       `toml:"duration_s" comment:"length of a run in s, 0.1 .. 3600; required"`
	Runs     int           `toml:"runs" comment:"sim --suite drives the seeds from 1 to this number, 1 .. 1000"`
	Profile  plant.Profile `toml:"profile" comment:"range sensors: P0 (the front sonar only) or P1 (beams at 0, +-30 and +-60 deg)"`
	Stop     string        `toml:"stop" comment:"what ends a run early: empty (nothing), goal (reached) or exit (out of [measure.region])"`

	Start   Start        `toml:"start" comment:"Where the car stands at the beginning: the middle of its rear axle."`
	World   World        `toml:"world" comment:"The surroundings. Lengths are in m, points are [x, y]: x to the right, y up, angles from x counter-clockwise."`
	Brain   Brain        `toml:"brain" comment:"What the brain is asked to do here; the configuration may ask for more."`
	Measure Measure      `toml:"measure" comment:"Where the world's own metrics are taken."`
	Car     plant.Params `toml:"car" comment:"The simulated car. Leave the section out for the reference car."`
	Hat     Hat          `toml:"hat" comment:"The simulated Robot HAT, where it differs from the board's defaults."`
	Faults  []Fault      `toml:"fault,omitempty" comment:"A disturbance of the HAT; as many as you like."`
	Limits  []Limit      `toml:"limit,omitempty" comment:"A condition of passing: a metric between bounds, besides those of every world."`

	file  string       // as the caller named it
	lines strict.Lines // of the file, for complaints about a seed's world
}

// New returns a scenario that has every default, for a program to fill in. The name
// stands in complaints.
func New(name string) *Scenario {
	sc := defaults()
	sc.Name, sc.file = name, name
	return &sc
}

// Validate returns what Parse would complain about, for a scenario that a program
// has filled in: strict.Complaints, or nil.
func (s *Scenario) Validate() error {
	if found := s.check().Place(s.file, nil); len(found) > 0 {
		return found
	}
	return nil
}

// Length returns the duration.
func (s *Scenario) Length() time.Duration { return seconds(s.Duration) }

// A Start is where the car stands at the beginning, with the half widths of
// the seed's uniform spread. Back moves it back along its heading from (X, Y).
type Start struct {
	X             float64 `toml:"x" comment:"m, -50 .. 50"`
	Y             float64 `toml:"y" comment:"m, -50 .. 50"`
	Heading       float64 `toml:"heading_deg" comment:"deg, -360 .. 360; 0 looks along x, 90 along y"`
	Back          float64 `toml:"back" comment:"m it is moved back along its heading, -10 .. 10"`
	SpreadX       float64 `toml:"spread_x" comment:"m: the seed draws x from x - spread_x .. x + spread_x, 0 .. 10"`
	SpreadY       float64 `toml:"spread_y" comment:"m, likewise"`
	SpreadHeading float64 `toml:"spread_heading_deg" comment:"deg, likewise, 0 .. 180; 180 is any heading"`
	OnLine        bool    `toml:"on_line" comment:"the sensor bar on the first line's first point, facing along it; x, y and heading_deg then displace it"`
}

// A Brain is a hint: what the scenario expects the brain to have switched on.
// Its keys are those of the configuration's section [brain].
type Brain struct {
	Cruise     float64 `toml:"cruise" comment:"wanted speed on a free way, 0.05 .. 0.35 m/s; the lower one of this and the configuration's counts"`
	Goal       bool    `toml:"goal" comment:"drive to the beacon"`
	FollowLine bool    `toml:"follow_line" comment:"follow a dark line on the floor"`
	Explore    bool    `toml:"explore" comment:"plan ahead towards what was not seen yet"`
	Cliff      OnOff   `toml:"cliff" comment:"stop at edges: on or off; holds where the configuration says auto"`
}

// An OnOff is true as "on" and false as "off" in a file.
type OnOff bool

// MarshalText writes on or off.
func (o OnOff) MarshalText() ([]byte, error) {
	if o {
		return []byte("on"), nil
	}
	return []byte("off"), nil
}

// UnmarshalText reads on or off.
func (o *OnOff) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on", "off":
		*o = string(text) == "on"
		return nil
	}
	return fmt.Errorf("%q is neither \"on\" nor \"off\"", text)
}

// A Measure says where the scenario's own metrics are taken.
type Measure struct {
	Fall     string    `toml:"fall" comment:"what of the car past the table's edge is a fall and ends the run: wheel (any of the four) or axle (the middle of one)"`
	Without  []string  `toml:"without,omitempty" comment:"conditions of every world that this one leaves out, standing_s, circling_s, goal_s or exit_s: for faults that stop the car by design; the verdicts say so"`
	Lateral  *Lateral  `toml:"lateral" comment:"Measures the distance from the straight line at y while from <= x <= to."`
	Region   *Region   `toml:"region" comment:"The way out: exit_s ends when the body's middle is outside of it."`
	Baseline *Baseline `toml:"baseline" comment:"What others reached here, in words, for reports."`
}

// A Lateral measures the body's distance from the straight line y = Y while
// From <= x <= To.
type Lateral struct {
	Y    float64 `toml:"y" comment:"m, -100 .. 100"`
	From float64 `toml:"from" comment:"m, -100 .. 100"`
	To   float64 `toml:"to" comment:"m, likewise, and beyond from"`
}

// A Region is left when the body's centre is outside of it: the exit metric.
type Region struct {
	Min [2]float64 `toml:"min" comment:"m, -100 .. 100"`
	Max [2]float64 `toml:"max" comment:"m, likewise, and beyond min in both"`
}

// Left reports whether a place is outside of it.
func (r *Region) Left(p world.Vec) bool {
	return p.X < r.Min[0] || p.X > r.Max[0] || p.Y < r.Min[1] || p.Y > r.Max[1]
}

// A Baseline keeps the numbers a published prototype reached, for the summary.
type Baseline struct {
	Prototype string `toml:"prototype"`
	Vendor    string `toml:"vendor"`
}

// A Limit is one condition of passing: a metric of the result between bounds.
type Limit struct {
	Metric string   `toml:"metric" comment:"one of the names that sim --suite prints; a wrong one lists the right ones"`
	Min    *float64 `toml:"min"`
	Max    *float64 `toml:"max"`
	Over   string   `toml:"over,omitempty" comment:"mean (over the runs) or each of them, as without it"`
	Share  float64  `toml:"share,omitempty" comment:"part of the runs that must hold it, 0 .. 1; 0 means all"`

	Everywhere bool `toml:"-"` // a condition of every world and not the file's own
	Waived     bool `toml:"-"` // shown, not judged: the file leaves it out
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
		Brain: Brain{Cruise: 0.35}, Measure: Measure{Fall: FallWheel},
	}
}
