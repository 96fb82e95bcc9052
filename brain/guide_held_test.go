package brain

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/table"
	"fieldbrain/brain/walls"
)

// TestGuideRetracts: what was heard while something held the car is forgotten; a car that
// has only fallen silent where it is keeps its bearings.
func TestGuideRetracts(t *testing.T) {
	var g guide
	was := table.Record{Known: true, Heading: 1}
	g.walls.Update(1)
	heard := g.walls
	g.table.Resume(&was)
	g.retract(ground.Pose{}, ground.Pose{X: 0.005, Heading: 0.01})
	var is table.Record
	if g.table.Save(&is); g.walls != heard || is != was {
		t.Error("a tick's way was taken back")
	}
	g.retract(ground.Pose{}, ground.Pose{Heading: 0.5})
	if g.table.Save(&is); g.walls != (walls.Compass{}) || math.Abs(is.Heading-0.5) > 1e-6 {
		t.Errorf("0.5 rad turned in vain: heading %.2f from 1, walls heard %v", is.Heading, g.walls != (walls.Compass{}))
	}
}
