package env

import (
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/world"
)

// A Place is a world of an environment with what the task asks about it, for an engine
// outside of this package.
type Place struct {
	World         *world.World
	Car           plant.Params
	Start         plant.Pose
	Skew          float64     // what the wheels of a side differ by, per tangent of the steering
	Columns, Rows int         // of the cells that explore counts
	Radius        float64     // m, of the goal
	Way           *oracle.Map // goal: what is left from everywhere; nil for other tasks
	Points        []world.Vec // line: corners of the route
	Begins        []float64   // m along the route where the edge from each corner begins
	Length        float64     // m, of the route
}

// Places returns the worlds of an environment, in the order of their numbers.
func (e *Env) Places() []Place {
	list := make([]Place, len(e.places))
	for i := range e.places {
		p := &e.places[i]
		list[i] = Place{
			World: p.world, Car: p.car, Start: p.start, Skew: p.skew, Columns: p.columns, Rows: p.rows,
			Radius: p.radius, Way: p.way,
		}
		if p.route != nil {
			list[i].Points, list[i].Begins, list[i].Length = p.route.points, p.route.begins, p.route.length
		}
	}
	return list
}

// Fleet returns the environment's cars. Whoever changes them changes the environment.
func (e *Env) Fleet() *vector.Fleet { return e.fleet }

// Rules are the numbers of all tasks, for an engine outside of this package.
type Rules struct {
	Rope     float64 // m
	OnLine2  float64 // m2, squared distance within which way along the line earns
	Lost     float64 // ms
	Arrival  float64
	Penalty  float64
	Cell     float64 // m, of explore
	Farthest float64 // m, that a range can read
	Slowest  float64 // m/s, below which the car stands
	Middle   float64 // s, the pulse of wheels that look ahead
	Radian   float64 // s, what the pulse falls by per rad
	Reach    float64 // m along the line within which a car comes in one step
	Ball     float64 // m, width of the beacon
	Speed    float32 // m/s, bound of an action
	Steering float32 // rad, likewise
	Words    int     // of 64 cells, that a car needs to remember where it was
}

// Rules returns those of the environment.
func (e *Env) Rules() Rules {
	return Rules{
		Rope: rope, OnLine2: onLine * onLine, Lost: lostTime * 1000, Arrival: arrival, Penalty: penalty, Cell: cell,
		Farthest: farthest, Slowest: slowest, Middle: middle, Radian: radian, Reach: e.reach, Ball: ball,
		Speed: e.limits[0], Steering: e.limits[1], Words: e.words,
	}
}
