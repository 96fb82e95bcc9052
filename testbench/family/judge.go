package family

import (
	"math"

	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
)

// judge sets the limits that every member has, and those of what it is about. What
// holds in every world (falls, standing, circling) is not among them: see
// scenarios.Scenario.Conditions.
func (d *draft) judge(way oracle.Way) {
	d.most("collisions", 0)
	d.most("stuck", 0)
	cruise := float64(d.Brain.Cruise * d.Duration) // m, without a stop
	switch {
	case d.Stop != "": // eight least times is where BARN's metric ends; 20 s are for turning round
		d.Duration = max(60, math.Ceil(8*way.Time)+20)
		d.most(scenarios.Arrival(d.Stop), d.Duration)
	case d.corners: // the bar is past the next leg before it turns
		d.most("line_lost_s", cornersLost)
		d.most("line_rms_m", cornersOff)
		d.least("distance_m", math.Round(0.7*cruise))
	case len(d.World.Floor.Lines) > 0:
		d.most("line_lost_s", lost(d.gaps, d.Brain.Cruise))
		d.most("line_rms_m", 0.015+float64(0.005*float64(d.gaps)))
		d.least("distance_m", math.Round(0.8*cruise))
	case len(d.World.Floor.Table) > 0 || len(d.Faults) > 0: // turns at every edge; half the speed
		d.least("distance_m", math.Round(0.25*cruise))
		d.least("oracle", 0.15)
	default:
		d.least("distance_m", math.Round(0.5*cruise))
		d.least("oracle", 0.25)
	}
}

// lost returns for how long no sensor need see the line, in s: the wait until a bar
// that swings over a curve comes back, and the way over the longest gap.
func lost(gaps int, cruise float64) float64 {
	if gaps == 0 {
		return 0.3
	}
	return mm(0.3 + longestGap/cruise)
}
