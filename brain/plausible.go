package brain

import (
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// Bounds of what can be sensed at all where the reflexes name none.
const (
	fastestTurn = 50 // rad/s, more than any small car spins
	fastest     = 10 // m/s, of a unit mistaken and not of a car
)

// How long readings count.
const (
	rangeAge    = 120 * time.Millisecond
	floorAge    = 100 * time.Millisecond
	targetAge   = 300 * time.Millisecond
	odometryAge = 50 * time.Millisecond
)

// discard marks the readings no sensor can give as not OK, so that they are
// worth as much as readings that never came: no stimulus, no odometry, no
// learning. NaN fails every comparison. The reflexes get the state as it was
// sensed and count what they refuse.
//
// So are ranges that the reflexes found frozen, which must neither clear the ground
// nor hold what is gone; but for the one ahead, for which the reflexes stop the car.
func discard(s *robot.State, p *safety.Params, frozen [robot.NumSectors]bool) {
	within := func(r *robot.Reading, low, high float32) {
		r.OK = r.OK && r.Value >= low && r.Value <= high
	}
	for i := range s.Range {
		within(&s.Range[i], p.Range.Min, p.Range.Max)
		s.Range[i].OK = s.Range[i].OK && (i == robot.Front || !frozen[i])
	}
	for i := range s.Floor {
		within(&s.Floor[i], 0, 1)
	}
	within(&s.Battery, p.Battery.Min, p.Battery.Max)
	within(&s.Yaw, -fastestTurn, fastestTurn)
	within(&s.Speed, -fastest, fastest)
	for _, told := range []*float32{&s.CommandedSpeed, &s.CommandedSteering, &s.Pan, &s.Tilt} {
		if !(*told >= -fastest && *told <= fastest) {
			*told = 0 // no driver tells that; dead reckoning must not keep a NaN
		}
	}
	t := &s.Target
	within(&t.Bearing, -math.Pi, math.Pi)
	within(&t.Elevation, -math.Pi, math.Pi)
	within(&t.Size, 0, 1)
	within(&t.Confidence, 0, 1)
}
