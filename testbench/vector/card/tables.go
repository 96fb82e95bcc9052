//go:build cuda

package card

// #include "shim.h"
import "C"

import (
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/vector/env"
)

// rules are the tasks' numbers for the kernels.
func rules(r *env.Rules) C.LearnRules {
	return C.LearnRules{
		rope: C.double(r.Rope), on_line2: C.double(r.OnLine2), lost: C.double(r.Lost), arrival: C.double(r.Arrival),
		penalty: C.double(r.Penalty), cell: C.double(r.Cell), farthest: C.double(r.Farthest), slowest: C.double(r.Slowest),
		middle: C.double(r.Middle), per_radian: C.double(r.Radian), reach: C.double(r.Reach),
		ball: C.double(r.Ball), grid: oracle.Cell, around: oracle.Near,
		speed: C.float(r.Speed), steering: C.float(r.Steering),
	}
}

// places puts the worlds of a task beside the cars.
func (e *Env) places(p *putter) {
	var left []float32
	var route []float64
	list := e.env.Places()
	to := make([]C.LearnPlace, len(list))
	for i := range list {
		to[i] = place(&list[i])
		to[i].grid, to[i].route = C.int64_t(len(left)), C.int64_t(len(route))
		if w := list[i].Way; w != nil {
			g := w.Grid()
			to[i].grid_columns, to[i].grid_rows = C.int32_t(g.Columns), C.int32_t(g.Rows)
			left = append(left, g.Left...)
		}
		for k, q := range list[i].Points {
			route = append(route, q.X, q.Y, list[i].Begins[k])
		}
	}
	e.host.places = C.int32_t(len(to))
	e.host.place = pointer[C.LearnPlace](beside(p, "places", to))
	e.host.left, e.host.route = pointer[C.float](beside(p, "maps", left)), pointer[C.double](beside(p, "routes", route))
}

// place is a world for the kernels, without its map and its route.
func place(l *env.Place) C.LearnPlace {
	return C.LearnPlace{
		low_x: C.double(l.World.Min.X), low_y: C.double(l.World.Min.Y),
		skew: C.double(l.Skew), top_speed: C.double(l.Car.TopSpeed), dead_band: C.double(l.Car.DeadBand),
		body_ahead: C.double(l.Car.BodyAhead), floor_ahead: C.double(l.Car.FloorAhead),
		wheelbase: C.double(l.Car.Wheelbase), half_track: C.double(l.Car.Track / 2),
		goal_x: C.double(l.World.Goal.X), goal_y: C.double(l.World.Goal.Y), radius: C.double(l.Radius),
		beacon_field: C.double(l.Car.BeaconField), beacon_noise: C.double(l.Car.BeaconNoise), length: C.double(l.Length),
		corners: C.int32_t(len(l.Points)), columns: C.int32_t(l.Columns), rows: C.int32_t(l.Rows),
	}
}
