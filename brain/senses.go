package brain

import (
	"math"
	"time"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// senses keeps what the state alone does not say: which readings are new, how
// fast ranges close, and how the body moved.
type senses struct {
	seen   [robot.NumSectors]time.Duration // instant of the newest range used
	ranges [robot.NumSectors]float32       // that range, m
	close  [robot.NumSectors]float32       // closing speed, m/s
	floor  [robot.NumFloor]time.Duration
	oldest time.Duration // oldest reading that is new in this tick, 0 for none

	speed    float64 // m/s, dead reckoning at the rear axle
	steering float64 // rad, where the steering has got to
	yaw      float64 // rad/s

	Vector [64]float32 // sensory vector, normalised (B.5.0)
	Valid  uint64      // bit i: slot i holds a value
}

// Age limits of the channels.
const (
	rangeAge  = 120 * time.Millisecond
	floorAge  = 100 * time.Millisecond
	targetAge = 300 * time.Millisecond
	servoRate = 300 * deg // rad/s, slew of the steering servo (C.1)

	odometryAge = 50 * time.Millisecond
)

// update notes what is new in the state and reckons the body's motion.
func (s *senses) update(st *robot.State, p *Params, now time.Duration) {
	s.oldest = 0
	s.Valid = 0
	for i := range st.Range {
		r := &st.Range[i]
		if r.At > s.seen[i] && r.Fresh(now, rangeAge) {
			s.newRange(i, r)
			s.note(r.At)
		}
		if now-s.seen[i] > rangeAge {
			s.close[i] = 0
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

// note keeps the oldest instant among the readings new in this tick.
func (s *senses) note(at time.Duration) {
	if s.oldest == 0 || at < s.oldest {
		s.oldest = at
	}
}

// newRange updates the closing speed of a sector.
func (s *senses) newRange(i int, r *robot.Reading) {
	if gap := r.At - s.seen[i]; s.seen[i] != 0 && gap < 2*rangeAge {
		s.close[i] = (s.ranges[i] - r.Value) / float32(gap.Seconds())
	}
	s.seen[i], s.ranges[i] = r.At, r.Value
}

// reckon integrates what the wheels and the servo were told, with their lag:
// the base kit has no odometry. Fitted sensors take precedence while they are
// fresh.
func (s *senses) reckon(st *robot.State, p *Params, now time.Duration) {
	if p.Lag > 0 {
		a := 1 - exact.Exp(-float64(p.Period)/float64(p.Lag))
		s.speed += float64(a * (float64(st.Wheel) - s.speed))
	} else {
		s.speed = float64(st.Wheel)
	}
	if st.Speed.Fresh(now, odometryAge) {
		s.speed = float64(st.Speed.Value)
	}
	step := float64(servoRate * p.Period.Seconds())
	s.steering += min(max(float64(st.Steering)-s.steering, -step), step)
	s.yaw = float64(s.speed*exact.Tan(s.steering)) / float64(p.Wheelbase)
	if st.Yaw.Fresh(now, odometryAge) {
		s.yaw = float64(st.Yaw.Value)
	}
}

// set fills one slot of the sensory vector, clipped to 0..1.
func (s *senses) set(slot int, v float64) {
	s.Vector[slot] = float32(min(max(v, 0), 1))
	s.Valid |= 1 << slot
}

// fill normalises the state into the 64-slot sensory vector (B.5.0).
func (s *senses) fill(st *robot.State, p *Params, now time.Duration) {
	for i := range st.Range {
		if r := &st.Range[i]; r.Fresh(now, rangeAge) && r.Value >= 0.02 && r.Value <= 4.2 {
			s.set(i, float64(r.Value)/4)
		}
	}
	for i := range st.Floor {
		if r := &st.Floor[i]; r.Fresh(now, floorAge) {
			s.set(8+i, float64(r.Value))
		}
	}
	top := float64(p.Top)
	s.set(16, (float64(st.Steering)/(30*deg)+1)/2)
	s.set(17, (float64(st.Wheel)/top+1)/2)
	s.set(20, (float64(st.Pan)/deg+90)/180)
	s.set(21, (float64(st.Tilt)/deg+35)/100)
	if st.Battery.OK {
		s.set(22, (float64(st.Battery.Value)-6)/2.4)
	}
	s.set(23, (float64(s.yaw/4)+1)/2)
	s.set(24, (s.speed/top+1)/2)
	if t := &st.Target; t.Bearing.Fresh(now, targetAge) && t.Confidence.OK {
		s.set(56, (float64(t.Bearing.Value)/(60*deg)+1)/2)
		s.set(59, float64(t.Confidence.Value))
	}
}

// reference returns the range of sector i from the body's reference point.
func reference(p *Params, i int, r float32) float64 {
	psi := float64(robot.SectorBearing[i])
	return float64(r) + float64(float64(p.SonarLead)*exact.Cos(psi))
}

// valid reports whether a slot of the sensory vector holds a value.
func (s *senses) valid(slot int) bool { return s.Valid>>slot&1 == 1 }

func clip(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }
