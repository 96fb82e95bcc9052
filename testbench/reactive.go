package testbench

import (
	"math"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/robot/safety"
)

// Reactive drives by the newest readings of the sensors, under the same
// reflexes as the brain: it steers by the classical sum of an attraction to the
// goal or the line and a repulsion from every beam, slows down with the way
// ahead, and backs out where something is too near. It keeps no map, no memory and no
// decision; all that outlives a tick is a manoeuvre under way, as a timer, and
// the last echo of each beam for a quarter of a second.
//
// With d the range of a beam at bearing psi, n = clip((reach - d)/reach):
//
//	steering = goal or line + gain sum over side beams of -sign(psi) n^2
//	         + the free side's lock times n^2 of the front
//	speed    = cruise clip((d_front - near)/(far - near), 0.3, 1)
func Reactive(s Vehicle) (func(now time.Duration), error) {
	reflexes, err := s.Reflexes()
	if err != nil {
		return nil, err
	}
	r := &reactive{seat: s, reflexes: reflexes, lock: float64(s.Params.Limits.Steering), free: -1}
	return r.tick, nil
}

// Constants of Reactive, tried in every world on seeds 11 to 13, which no
// behaviour but B4's is judged on.
const (
	reactReach = 0.70 // m, obstacles farther away do not repel
	reactGain  = 2.4  // rad of steering for a side beam at 0 m
	reactNear  = 0.22 // m ahead at which it backs out
	reactFar   = 0.60 // m ahead from which it drives at full speed
	reactBack  = 1200 * time.Millisecond
	reactAge   = 250 * time.Millisecond // oldest usable echo
	reactLine  = 40 * math.Pi / 180     // rad of steering for a line at the outer sensor
)

// A reactive is the state of one Reactive.
type reactive struct {
	seat     Vehicle
	state    robot.State
	reflexes *safety.Reflexes
	armed    bool
	lock     float64       // rad, largest steering
	free     float64       // side with more room: 1 left, -1 right
	back     time.Duration // end of backing out
	line     float64       // rad, where the line was seen last
}

func (r *reactive) tick(now time.Duration) {
	r.seat.Body.Sense(&r.state)
	want := robot.Command{At: now, SensedAt: r.state.Now, Enable: true}
	if front, ok := r.beam(robot.Front, now); ok && front < reactNear && now >= r.back {
		r.back, r.free = now+reactBack, r.freer(now)
	}
	if now < r.back {
		want.Speed = float32(-0.6 * r.seat.Scenario.Brain.Cruise)
		want.Steering = float32(-r.free * r.lock) // the nose swings to the free side
	} else {
		want.Speed, want.Steering = float32(r.speed(now)), float32(r.steer(now))
	}
	command, _ := r.reflexes.Apply(&r.state, want)
	_ = r.seat.Body.Act(command) // the reflexes let nothing pass that is not finite
	r.armed = r.armed || r.reflexes.Arm() == nil
}

// beam returns a sector's range in m, if it is fresh.
func (r *reactive) beam(sector int, now time.Duration) (float64, bool) {
	b := &r.state.Range[sector]
	return float64(b.Value), b.Fresh(now, reactAge)
}

// near is n of a beam: 0 when nothing repels.
func (r *reactive) near(sector int, now time.Duration) float64 {
	d, ok := r.beam(sector, now)
	if !ok {
		return 0
	}
	return min(max((reactReach-d)/reactReach, 0), 1)
}

// freer returns the side whose beams see more room; the last one when they see
// the same, or there are none.
func (r *reactive) freer(now time.Duration) float64 {
	left := r.near(robot.Left30, now) + r.near(robot.Left60, now)
	right := r.near(robot.Right30, now) + r.near(robot.Right60, now)
	switch {
	case left > right:
		return -1
	case right > left:
		return 1
	}
	return r.free
}

// steer sums attraction and repulsion, in rad.
func (r *reactive) steer(now time.Duration) float64 {
	angle := r.attraction(now)
	for sector := range robot.NumSectors {
		n := r.near(sector, now)
		if psi := float64(robot.SectorBearing(sector)); n > 0 && psi != 0 {
			angle -= float64(math.Copysign(reactGain, psi) * float64(n*n))
		}
	}
	if n := r.near(robot.Front, now); n > 0 && !r.seat.Scenario.Brain.FollowLine {
		r.free = r.freer(now)
		angle += float64(r.free * float64(reactGain*float64(n*n)))
	}
	return min(max(angle, -r.lock), r.lock)
}

// attraction is where the task pulls: along the line, to the goal, or nowhere.
func (r *reactive) attraction(now time.Duration) float64 {
	switch sc := r.seat.Scenario; {
	case sc.Brain.FollowLine:
		return r.along()
	case sc.Brain.Goal && r.state.Target.Bearing.Fresh(now, reactAge):
		return min(max(float64(r.state.Target.Bearing.Value), -r.lock), r.lock)
	}
	return 0
}

// along steers by the darkness of the floor sensors; without any it turns to
// the side where the line was last.
func (r *reactive) along() float64 {
	var dark [robot.NumFloor]float64
	sum := 0.0
	for i := range dark {
		reference := float64(r.seat.Params.Cal.Floor.Line[i]) / picarx.FloorScale
		light, black := float64(1.2*reference), float64(0.4*reference)
		dark[i] = min(max((light-float64(r.state.Floor[i].Value))/(light-black), 0), 1)
		sum += dark[i]
	}
	if sum > 0.15 {
		r.line = float64(reactLine * ((dark[robot.FloorLeft] - dark[robot.FloorRight]) / sum))
	} else if r.line != 0 {
		r.line = math.Copysign(r.lock, r.line)
	}
	return r.line
}

// speed falls with the room ahead, in m/s.
func (r *reactive) speed(now time.Duration) float64 {
	cruise := r.seat.Scenario.Brain.Cruise
	front, ok := r.beam(robot.Front, now)
	if !ok {
		return cruise // the reflexes slow a blind car down
	}
	return float64(cruise * min(max((front-reactNear)/(reactFar-reactNear), 0.3), 1))
}
