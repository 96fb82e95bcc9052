package brain

import (
	"math"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// explorer keeps the belief and the plan, and says what of them enters the
// field: a heading on PLAN_HEAD, a throttle on PLAN_SPEED, a direction on GAZE.
type explorer struct {
	belief  *belief.Belief
	planner *plan.Planner
	effort  plan.Effort

	scan  belief.Scan
	seen  [robot.NumSectors]time.Duration // newest range written into the belief
	next  int                             // sector whose turn it is
	pose  belief.Pose                     // of the rear axle, dead reckoning
	x, y  float64                         // m, the same without rounding to float32
	turn  float64                         // rad
	ticks uint64                          // since the start

	plan    plan.Plan
	have    bool
	age     float64 // s since the plan was finished
	goal    float32 // weight of the goal the plan under way knows
	bearing float32 // rad, of the way point; kept when the car stands on it
}

// planSpeed is the channel PLAN_SPEED.
const planSpeed = field.PlanHead + 1

const (
	planHold   = 0.5      // s a plan counts
	planNear   = 0.08     // m from the way point its bearing says nothing
	planReach  = 35 * deg // how far to the side a plan pulls: full lock, and near enough for a peak to follow
	planPull   = 1        // amplitude of a plan at full confidence
	axleToBody = 0.05     // m from the rear axle to the reference point
	sonarAbove = 0.08     // m
	forgetStep = 0.02     // s between two layers that forget a unit: 80 s from certain to unknown
	occupyStep = 0.05     // s between two writings of the car's own place
)

// newExplorer returns nil when the effort is zero.
func newExplorer(p *Params) (*explorer, error) {
	if !p.Effort.On() {
		return nil, nil
	}
	b, err := belief.New(p.Rays)
	if err != nil {
		return nil, err
	}
	w := p.Plan
	w.Wheelbase, w.Cruise, w.Lag, w.Ahead = p.Wheelbase, p.Cruise, p.Lag, axleToBody
	q, err := plan.New(w)
	if err != nil {
		return nil, err
	}
	return &explorer{belief: b, planner: q, effort: p.Effort}, nil
}

// Effort sets how much is planned on the best rung, of which others take a share;
// zero pauses planning and keeps the belief. It does nothing in a brain that was
// built without effort. Owner only.
func (b *Brain) Effort(e plan.Effort) {
	b.params.Effort = e
	b.take(b.governor.Choice().Rung)
}

// explore does one tick's work on belief and plan and adds what the plan wants
// to the field's input. It runs after the senses were read.
func (b *Brain) explore(now time.Duration) {
	e := b.explorer
	if e == nil {
		return
	}
	e.move(b)
	e.learn(b, now)
	if b.escape.active() || !b.driving() || b.goal.weight > 0 != (e.goal > 0) {
		e.planner.Cancel()
		e.have = false
	}
	if e.age += b.dt; e.age > planHold {
		e.have = false
	}
	if b.escape.active() || !b.driving() || b.line.following {
		return
	}
	if !e.effort.On() { // by the quality ladder; a finished plan still counts for its time
		e.planner.Cancel()
		if e.have {
			e.stimulate(b)
		}
		return
	}
	if !e.planner.Busy() {
		e.begin(b)
	}
	if p, done := e.planner.Advance(e.belief); done { // idle without effort
		e.plan, e.have, e.age = p, true, 0
	}
	if e.have {
		e.stimulate(b)
	}
}

// every reports whether something that is due every so many seconds is now.
func (e *explorer) every(seconds, dt float64) bool {
	return e.ticks%max(uint64(seconds/dt+0.5), 1) == 0
}

// move reckons the pose on and lets the belief follow.
func (e *explorer) move(b *Brain) {
	e.ticks++
	half := float64(b.senses.yaw * b.dt / 2)
	way := float64(b.senses.speed * b.dt)
	mid := e.turn + half
	e.x += float64(way * exact.Cos(mid))
	e.y += float64(way * exact.Sin(mid))
	e.turn = exact.Wrap(mid + half)
	e.pose = belief.Pose{X: float32(e.x), Y: float32(e.y), Heading: float32(e.turn)}
}

// body is the pose of the reference point.
func (e *explorer) body() belief.Pose {
	x, y := e.pose.Ahead(0, axleToBody)
	return belief.Pose{X: x, Y: y, Heading: e.pose.Heading}
}

// learn writes what is new into the belief: at most one sonar cone per tick.
func (e *explorer) learn(b *Brain, now time.Duration) {
	at := e.body()
	e.belief.Follow(at.X, at.Y)
	if e.every(occupyStep, b.dt) && b.senses.speed != 0 {
		e.belief.Occupy(at.X, at.Y)
	}
	if e.every(forgetStep, b.dt) {
		e.belief.Forget()
	}
	for i, edge := range b.in.Edges {
		if edge {
			e.belief.Ground(at, float32(field.Bearing(floorBin(i))), 0.1, true)
		}
	}
	for range robot.NumSectors {
		i := e.next
		e.next = (i + 1) % robot.NumSectors
		if r := &b.state.Range[i]; r.At > e.seen[i] && r.Fresh(now, rangeAge) {
			e.seen[i] = r.At
			e.belief.Sonar(&e.scan, at, belief.Beam{
				Bearing: robot.SectorBearing[i], Range: r.Value, HalfWidth: b.params.Cone,
				Lead: b.params.SonarLead, Height: sonarAbove,
			})
			return
		}
	}
}

// begin starts a plan from where the car is.
func (e *explorer) begin(b *Brain) {
	s := plan.Situation{
		State: plan.State{
			X: e.pose.X, Y: e.pose.Y, Heading: e.pose.Heading,
			Speed: float32(b.senses.speed), Steering: float32(b.senses.steering),
		},
		Goal: b.goal.bearing, GoalWeight: b.goal.weight,
	}
	m := &b.out.Marginals[field.Heading]
	mass := max(1, float64(m.Sum()))
	for i, a := range plan.Set() {
		if a.Speed > 0 {
			s.Agree[i] = float32(b.points.steer.Potential(&m.X, float64(2*a.Steering)) / mass)
		}
	}
	e.goal = s.GoalWeight
	e.planner.Begin(&s, e.effort)
}

// stimulate enters the plan into the field. What it pulls is up to the field:
// HEADING takes PLAN_HEAD only where the way is free.
func (e *explorer) stimulate(b *Brain) {
	at := e.body()
	dx, dy := float64(e.plan.X-at.X), float64(e.plan.Y-at.Y)
	if exact.Hypot(dx, dy) > planNear {
		e.bearing = float32(exact.Wrap(exact.Atan2(dy, dx) - e.turn))
	}
	pull := float32(planPull * b.points.confidence)
	if e.plan.Action.Speed > 0 {
		bearing := float64(within(e.bearing, planReach))
		b.in.Add(field.At(field.PlanHead, pull, field.BearingBin(bearing), 2))
	}
	throttle := float64(e.plan.Action.Speed*b.params.Cruise) / float64(b.params.Top)
	b.in.Add(field.Term{
		Channel: planSpeed, A: pull,
		Centre: [3]float32{0, float32(field.ThrottleBin(clip(throttle, -1, 1)))}, Sigma: [3]float32{0, 2},
	})
	gaze := exact.Wrap(float64(e.plan.Gaze) - e.turn)
	if math.Abs(gaze) <= 90*deg {
		b.in.Add(field.Term{
			Channel: field.Gaze, A: gazePull,
			Centre: [3]float32{float32(field.BearingBin(gaze)), float32(field.RangeBin(1))}, Sigma: [3]float32{2, 2},
		})
	}
}

// gazePull is the amplitude with which the most informative direction draws the
// gaze: together with the direction of travel, 2, above the detection threshold.
const gazePull = 2.5
