package vector

import (
	"math"

	"fieldbrain/field/exact"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A Site is where cars of a fleet can stand: a world, the car that drives there and
// where it starts. A scenario's Build makes one.
type Site struct {
	World *world.World
	Car   plant.Params
	Start plant.Pose
}

// params are the fields from topSpeed on of every car of a site.
func (s *Site) params() [numParams]float64 {
	p, closest, near := &s.Car, tiny, tiny
	for i := range s.World.Movers { // one that leaves a corner may do more than a step's way
		closest = max(closest, float64(3*s.World.Movers[i].Speed*dt)+tiny)
		near = moverMargin + tiny
	}
	return [...]float64{
		p.TopSpeed, p.DeadBand, p.LeftGain, p.RightGain, 1 - p.Slip, p.Nominal, p.OpenVolts, p.Resistance, p.IdleAmps,
		p.MotorAmps, p.Linkage, p.Trim, float64(p.ServoRate * dt), 1 - exact.Exp(-dt/p.Lag), p.Wheelbase, 1 - p.Skid,
		closest, math.Abs(p.BodyAhead), near, p.DropOut, p.RangeNoise, p.MaxRange, p.Multipath, p.FloorNoise,
	}
}

// sharing is how many sites have their parameters a second time, once for all cars:
// as many as stay in the first cache.
const sharing = 8

// share appends a site's parameters for blocks whose cars are all there.
func (f *Fleet) share(s *Site) {
	for _, v := range s.params() {
		for range Lanes {
			f.params = append(f.params, v)
		}
	}
}

// unite notes whether the cars of a block are at one site.
func (f *Fleet) unite(block int) {
	sites := f.fields[(block*numFields+site)*Lanes:][:Lanes]
	f.common[block] = int32(sites[0])
	for _, s := range sites {
		if s != sites[0] {
			f.common[block] = -1
		}
	}
}
