package brain

// What one stage of a tick tells the next.

import (
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/steer"
	"fieldbrain/robot"
)

// decodeInput tells decoding how the tick stands, besides the field's output.
type decodeInput struct {
	tick      uint64                    // keys the random side of an escape
	front     robot.Reading             // m, front range
	ranging   bool                      // it counts
	beside    [robot.NumSectors]float32 // m, the other beams' newest ranges; 0 for none
	silent    bool                      // no beam hears anything
	speed     float64                   // m/s, dead reckoning
	driving   bool                      // the reflexes let the car move
	disarmed  bool                      // people may carry it elsewhere
	following bool                      // a line
	bend      float64                   // 1/m, of the line
	returns   bool                      // it comes back to where the line ended
	slow      float64                   // factor on the speed while the line is lost
	yields    float64                   // 0..1, share of the speed where something comes towards the car
	hold      bool                      // people want the car to stand

	ground     *ground.Grid
	pose       ground.Pose
	steering   float64
	yaw        float64
	aim        float64
	aimWeight  float64
	goalRange  float64
	back       float64
	floorEdges []steer.FloorEdge
	sides      bool
	held       bool
	echoes     [steer.Beams]steer.Echo

	manual *manualControl
	now    time.Duration
}

// decision tells the next tick what this one has decided.
type decision struct {
	heading    float64 // rad
	desired    float64 // m/s
	confidence float64 // 0..1, of the heading
	front      float64 // how blocked the way ahead is
	escaping   bool    // the car backs out
	side       float64 // to which the nose swings meanwhile, +1 left, 0 neither
	contact    bool    // something that no beam sees holds the car
	stalled    bool    // the wheels seem to turn in vain
	holding    bool    // it stands because people want it to
}
