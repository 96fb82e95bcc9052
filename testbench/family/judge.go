package family

import (
	"math"

	"fieldbrain/testbench/oracle"
)

// judge sets the limits that every member has, and those of what it is about.
func (d *draft) judge(way oracle.Way) {
	d.most("collisions", 0)
	d.most("stuck", 0)
	switch {
	case d.Stop != "": // eight least times is where BARN's metric ends; 20 s are for turning round
		d.Duration = max(60, math.Ceil(8*way.Time)+20)
		d.most(map[string]string{"goal": "goal_s", "exit": "exit_s"}[d.Stop], d.Duration)
	case len(d.World.Floor.Lines) == 0:
		d.least("distance_m", math.Round(0.5*d.Brain.Cruise*d.Duration))
	}
}
