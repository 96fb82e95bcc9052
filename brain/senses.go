package brain

import (
	"time"

	"fieldbrain/brain/steer"
	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// senses finds out from one state after the other which readings are new, how fast
// ranges close, and how the body moves.
type senses struct {
	seen   [robot.NumSectors]time.Duration // instant of the newest range used
	ranges [robot.NumSectors]float32       // that range, m
	close  [robot.NumSectors]float32       // closing speed, m/s
	near   [robot.NumSectors]nearing       // what comes towards the car by itself
	floor  [robot.NumFloor]time.Duration
	oldest time.Duration // oldest reading that is new in this tick, 0 for none

	speed    float64 // m/s, dead reckoning at the rear axle
	steering float64 // rad, where the steering has got to
	yaw      float64 // rad/s

	// Sensory vector, normalised (B.5.0). What is derived from readings, such as
	// the line, is filled in once the stimuli are made.
	field.Senses
	newest time.Duration // newest reading of any kind
	framed time.Duration // when the last frame was, 0 for never
	told   time.Duration // newest reading of that frame
}

// A frame is a tick in which any reading is new, at least framePause after the
// frame before: a sonar's echo waits at most one of them, and the floor's
// readings, every 8 ms, do not make the predictor run more often than anything
// changes. When all sensors are silent there still is one every frameLimit, so
// that what they last showed does not count as surprising for ever.
const (
	framePause = 20 * time.Millisecond
	frameLimit = 100 * time.Millisecond
)

// frame decides whether this tick brings a new frame.
func (s *senses) frame(now time.Duration) {
	since := now - s.framed
	s.Frame = s.framed == 0 || since >= frameLimit || since >= framePause && s.newest > s.told
	if s.Frame {
		s.framed, s.told = now, s.newest
	}
}

// update notes the new readings of the state and reckons the body's motion.
func (s *senses) update(st *robot.State, p *Params, now time.Duration) {
	s.oldest = 0
	s.Valid = 0
	s.newest = newest(st)
	s.frame(now)
	for i := range st.Range {
		r := &st.Range[i]
		if r.At > s.seen[i] && r.Fresh(now, rangeAge) {
			s.newRange(i, r, float64(p.Cone))
			s.note(r.Ready())
		}
		if now-s.seen[i] > rangeAge {
			s.close[i], s.near[i] = 0, s.near[i].still()
		}
	}
	for i := range st.Floor {
		if r := &st.Floor[i]; r.At > s.floor[i] && r.Fresh(now, floorAge) {
			s.floor[i] = r.At
			s.note(r.At)
		}
	}
	s.reckon(st, p, now)
	s.fill(st, p, now)
}

// newest returns the instant of the newest reading that is one.
func newest(st *robot.State) (at time.Duration) {
	look := func(r *robot.Reading) {
		if r.OK {
			at = max(at, r.At)
		}
	}
	for i := range st.Range {
		look(&st.Range[i])
	}
	for i := range st.Floor {
		look(&st.Floor[i])
	}
	for _, r := range []*robot.Reading{&st.Battery, &st.Yaw, &st.Speed} {
		look(r)
	}
	if st.Target.Confidence.OK { // without it the bearing is no sighting
		look(&st.Target.Bearing)
	}
	return at
}

// note keeps the oldest instant among the readings new in this tick.
func (s *senses) note(at time.Duration) {
	if s.oldest == 0 || at < s.oldest {
		s.oldest = at
	}
}

// newRange updates the closing speed of a sector; silence has none.
func (s *senses) newRange(i int, r *robot.Reading, cone float64) {
	was := s.ranges[i]
	if s.ranges[i] = r.Value; r.AtLeast {
		s.close[i], s.ranges[i], s.near[i] = 0, silent, s.near[i].still()
	}
	if gap := r.At - s.seen[i]; s.seen[i] != 0 && gap < 2*rangeAge && was != silent && !r.AtLeast {
		s.close[i] = (was - r.Value) / float32(gap.Seconds())
		s.near[i].hear(was-r.Value, float32(gap.Seconds()), s.explained(i, r.Value, cone))
	}
	s.seen[i] = r.At
}

// silent stands for the last range of a sector that heard nothing: from there to
// an echo nothing closes in.
const silent = 0

// silenceFar is how far silence must reach in m to count in the sensory vector,
// where it is the far end of the scale, and to clear the obstacle map. Up to it
// something may have fallen silent only just now (robot.Hearing).
const silenceFar = 1.0

// reckon integrates the commands to wheels and servo, with their lag: the base kit
// has no odometry. Fitted sensors take precedence while they are
// fresh.
func (s *senses) reckon(st *robot.State, p *Params, now time.Duration) {
	if p.Lag > 0 {
		a := 1 - exact.Exp(-float64(p.Period)/float64(p.Lag))
		s.speed += float64(a * (float64(st.CommandedSpeed) - s.speed))
	} else {
		s.speed = float64(st.CommandedSpeed)
	}
	if st.Speed.Fresh(now, odometryAge) {
		s.speed = float64(st.Speed.Value)
	}
	step := float64(p.ServoRate * p.Period.Seconds())
	s.steering += min(max(float64(st.CommandedSteering)-s.steering, -step), step)
	s.yaw = float64(s.speed*exact.Tan(s.steering)) / float64(p.Wheelbase)
	if st.Yaw.Fresh(now, odometryAge) {
		s.yaw = float64(st.Yaw.Value)
	}
}

// fill normalises the state into the sensory vector (B.5.0). The body tells no
// duties: those of the two wheels follow from speed and steering as its driver
// makes them.
func (s *senses) fill(st *robot.State, p *Params, now time.Duration) {
	for i := range st.Range {
		switch r := &st.Range[i]; {
		case !r.Fresh(now, rangeAge) || r.Value < 0.02 || r.Value > 4.2:
		case !r.AtLeast:
			s.Set(field.SlotRange+i, r.Value/4)
		case r.Value >= silenceFar:
			s.Set(field.SlotRange+i, 1)
		}
	}
	for i := range st.Floor {
		if r := &st.Floor[i]; r.Fresh(now, floorAge) {
			s.Set(field.SlotFloor+i, r.Value)
		}
	}
	signed := func(slot int, v, top float64) { s.Set(slot, float32((float64(v/top)+1)/2)) }
	top, told := float64(p.Top), float64(st.CommandedSpeed)
	skew := float64(told*p.Track*exact.Tan(float64(st.CommandedSteering))) / (2 * float64(p.Wheelbase))
	signed(field.SlotSteering, float64(st.CommandedSteering), 30*deg)
	signed(field.SlotSpeed, told, top)
	signed(field.SlotDuty, told-skew, top)
	signed(field.SlotDuty+1, told+skew, top)
	s.Set(field.SlotPan, float32((float64(st.Pan)/deg+90)/180))
	s.Set(field.SlotTilt, float32((float64(st.Tilt)/deg+35)/100))
	if st.Battery.OK {
		s.Set(field.SlotBattery, float32((float64(st.Battery.Value)-6)/2.4))
	}
	signed(field.SlotYaw, s.yaw, 4)
	signed(field.SlotOwnSpeed, s.speed, top)
	s.fillTarget(&st.Target, now)
}

// fillTarget enters the goal where it is seen.
func (s *senses) fillTarget(t *robot.Target, now time.Duration) {
	if !t.Bearing.Fresh(now, targetAge) || !t.Confidence.OK {
		return
	}
	s.Set(field.SlotTarget, float32((float64(t.Bearing.Value)/(60*deg)+1)/2))
	s.Set(field.SlotTargetSure, t.Confidence.Value)
	if t.Elevation.OK {
		s.Set(field.SlotElevation, float32((float64(t.Elevation.Value)/(60*deg)+1)/2))
	}
	if t.Size.OK {
		s.Set(field.SlotSize, t.Size.Value)
	}
}

// derive enters the brain's own conclusions: where the line is and how
// sure that is, the edges, and whether the car stalls.
func (s *senses) derive(offset, confidence float64, edges [robot.NumFloor]bool, stalled bool) {
	if confidence > 0 {
		s.Set(field.SlotLine, float32((offset+1)/2))
	}
	if s.valid(field.SlotFloor) && s.valid(field.SlotFloor+1) && s.valid(field.SlotFloor+2) {
		s.Set(field.SlotLineTrust, float32(confidence))
	}
	for i, edge := range edges {
		s.Set(field.SlotCliff+i, truth(edge))
	}
	s.Set(field.SlotContact, truth(stalled))
}

func truth(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// reference returns the range of sector i from the body's reference point.
func reference(p *Params, i int, r float32) float64 {
	psi := float64(robot.SectorBearing(i))
	return float64(r) + float64(float64(p.SonarLead)*exact.Cos(psi))
}

// valid reports whether a slot of the sensory vector holds a value.
func (s *senses) valid(slot int) bool { return s.Valid>>slot&1 == 1 }

// sides reports whether any range but the front's and the rear's counts.
func (s *senses) sides() bool {
	const first, last = field.SlotRange + robot.Left30, field.SlotRange + robot.Right90
	return s.Valid>>first&(1<<(last-first+1)-1) != 0
}

// beside returns the newest ranges of all beams but the one ahead, in m: 0 where there is
// none, or no echo.
func (s *senses) beside() (r [robot.NumSectors]float32) {
	for i := 1; i < robot.NumSectors; i++ {
		if s.valid(field.SlotRange + i) {
			r[i] = s.ranges[i]
		}
	}
	return r
}

// echoes returns what the beams ahead and to the sides heard last. A ping that got lost is
// no silence, and what a beam heard long ago is not known.
func (s *senses) echoes(now time.Duration) (e [steer.Beams]steer.Echo) {
	for i := range e {
		e[i] = steer.Echo{Bearing: float64(robot.SectorBearing(i)), About: s.near[i].left > 0}
		if e[i].Known = s.seen[i] != 0 && now-s.seen[i] <= rangeAge; e[i].Known {
			e[i].Range = float64(s.ranges[i])
		}
	}
	return e
}

// silence reports whether a beam works and none hears anything.
func silence(st *robot.State, now time.Duration) bool {
	quiet := false
	for i := range st.Range {
		if r := &st.Range[i]; r.Fresh(now, rangeAge) {
			if !r.AtLeast {
				return false
			}
			quiet = true
		}
	}
	return quiet
}
