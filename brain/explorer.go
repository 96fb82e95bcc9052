package brain

import (
	"math"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/ground"
	"fieldbrain/brain/plan"
	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
	"fieldbrain/robot/kit"
)

// explorer keeps the belief and the plan, and shows the field where the plan goes:
// a heading on PLAN_HEAD, a throttle on PLAN_SPEED, a direction on GAZE.
type explorer struct {
	belief  *belief.Belief
	planner *plan.Tree
	effort  plan.Effort
	body    physique

	imagined *imagination // plans instead of planner, nil where the parameters do not ask for it

	scan  belief.Scan
	seen  [robot.NumSectors]time.Duration // newest range written into the belief
	next  int                             // sector whose turn it is
	idle  bool                            // nobody asks for plans
	pose  belief.Pose                     // of the rear axle
	ticks uint64                          // since the start

	plan    plan.Plan
	have    bool
	age     float64 // s since the plan was finished
	goal    float32 // weight of the goal the plan under way knows
	bearing float32 // rad, of the way point; kept when the car stands on it
}

const (
	planHold   = 0.5      // s a plan counts
	planNear   = 0.08     // m from the way point its bearing says nothing
	planReach  = 35 * deg // how far to the side a plan pulls: full lock, and near enough for a peak to follow
	planPull   = 1        // amplitude of a plan at full confidence
	forgetStep = 0.02     // s between two layers that forget a unit: 80 s from certain to unknown
	occupyStep = 0.05     // s between two writings of the car's own place
)

// newExplorer returns one that is idle when the effort is zero.
func newExplorer(p *Params) (*explorer, error) {
	b, err := belief.New(p.Rays)
	if err != nil {
		return nil, err
	}
	q, err := plan.New(p.foreseen())
	if err != nil {
		return nil, err
	}
	m, err := newImagination(p)
	if err != nil {
		return nil, err
	}
	return &explorer{
		belief: b, planner: q, imagined: m, effort: p.Effort, idle: !p.Effort.On(),
		body: p.physique(),
	}, nil
}

// on reports whether the car explores.
func (e *explorer) on() bool { return e != nil && !e.idle }

// wake begins to keep belief and plan, the belief afresh, or lets them go.
func (e *explorer) wake(on bool) {
	if e == nil || e.idle == !on {
		return
	}
	e.idle, e.have = !on, false
	e.planner.Cancel()
	e.imagined.forget()
	e.belief.Clear()
}

// owes reports whether work of the newest tick waits for reclaim.
func (e *explorer) owes() bool { return e != nil && e.planner.Owes() }

// reclaim does the work on the plan that waited since the newest tick for rays that
// somebody else casts. Belief and ground must still be that tick's.
func (e *explorer) reclaim() {
	if e != nil {
		e.planner.Reclaim(e.belief)
	}
}

// take makes the next plan cost a share of the full effort, or stops planning
// where the share is 0. The belief goes on whatever the rung: no rung may degrade
// learning.
func (e *explorer) take(share int, full plan.Effort) {
	if e == nil {
		return
	}
	e.cancel() // one under way has the old effort
	e.effort = full
	if share == 0 {
		e.effort = plan.Effort{}
		return
	}
	if e.imagined != nil {
		e.imagined.share = share
	}
	e.effort.RaysPerTick /= share
	e.effort.Rays /= share // with fewer rays per pose a plan is there as soon
}

// pace plans with another speed on a free way, in m/s.
func (e *explorer) pace(cruise float32) {
	if e == nil {
		return
	}
	e.body.cruise = cruise
	e.planner.Cruise(cruise)
	if e.imagined != nil {
		e.imagined.planner.Cruise(cruise)
	}
}

// An explorerInput tells the explorer how one tick stands.
type explorerInput struct {
	now    time.Duration
	dt     float64                          // s
	ranges *[robot.NumSectors]robot.Reading // m
	edges  [robot.NumFloor]bool

	pose            belief.Pose // of the rear axle
	ground          *ground.Grid
	speed, steering float64 // m/s, rad; dead reckoning

	goal       float32         // rad
	weight     float32         // 0..1, of the goal
	known      bool            // a way leads to the goal, or to unseen floor
	way        float64         // rad from the heading, how it begins
	left       float64         // m to go
	halted     bool            // an escape or a reflex has the car: no plan counts
	following  bool            // a line: it is followed without a plan
	heading    *field.Marginal // output of HEADING
	steer      *field.Ascent
	confidence float64 // of the heading
}

// explore does one tick's work on belief and plan and enters the plan into the
// field's input.
func (e *explorer) explore(in *field.Input, o *explorerInput) {
	if e == nil || e.idle {
		return
	}
	e.ticks++
	e.pose = o.pose
	e.learn(o)
	if o.halted || o.weight > 0 != (e.goal > 0) {
		e.cancel()
		e.have = false
	}
	if o.halted || o.following {
		e.imagined.forget()
	}
	if e.age += o.dt; e.age > planHold {
		e.have = false
	}
	if o.halted || o.following {
		return
	}
	e.advance(o)
	if e.have {
		e.stimulate(in, o.confidence)
	}
}

// advance begins a plan, or goes on with the one under way. Without effort, on a
// low rung, it plans nothing; a finished plan still counts for its time.
func (e *explorer) advance(o *explorerInput) {
	if !e.effort.On() {
		e.planner.Cancel()
		e.imagined.forget()
		return
	}
	if e.imagined != nil {
		e.imagine(o)
		return
	}
	if !e.planner.Busy() {
		e.begin(o)
	}
	if p, done := e.planner.Advance(e.belief); done {
		e.plan, e.have, e.age = p, true, 0
	}
}

// every reports whether something that is due every so many seconds is now.
func (e *explorer) every(seconds, dt float64) bool {
	return e.ticks%max(uint64(seconds/dt+0.5), 1) == 0
}

// reference is the pose of the reference point.
func (e *explorer) reference() belief.Pose {
	x, y := e.pose.Ahead(0, ground.Ahead)
	return belief.Pose{X: x, Y: y, Heading: e.pose.Heading}
}

// learn writes new readings into the belief: at most one sonar cone per tick.
func (e *explorer) learn(o *explorerInput) {
	at := e.reference()
	e.belief.Follow(at.X, at.Y)
	if e.every(occupyStep, o.dt) && o.speed != 0 {
		e.belief.Occupy(at.X, at.Y)
	}
	if e.every(forgetStep, o.dt) {
		e.belief.Forget()
	}
	for i, edge := range o.edges {
		if edge {
			e.belief.Ground(at, float32(field.Bearing(floorBin(i))), 0.1, true)
		}
	}
	for range robot.NumSectors {
		i := e.next
		e.next = (i + 1) % robot.NumSectors
		if r := &o.ranges[i]; r.At > e.seen[i] && r.Fresh(o.now, rangeAge) {
			e.seen[i] = r.At
			e.belief.Sonar(&e.scan, at, belief.Beam{
				Bearing: robot.SectorBearing(i), Range: r.Value, HalfWidth: e.body.cone,
				Lead: e.body.lead, Height: kit.SonarAbove, Beyond: r.AtLeast,
			})
			return
		}
	}
}

// begin starts a plan at the car's place.
func (e *explorer) begin(o *explorerInput) {
	s := plan.Situation{
		State: plan.State{
			X: e.pose.X, Y: e.pose.Y, Heading: e.pose.Heading,
			Speed: float32(o.speed), Steering: float32(o.steering),
		},
		Goal: o.goal, GoalWeight: o.weight, Ground: o.ground,
	}
	mass := max(1, float64(o.heading.Sum()))
	for i, a := range plan.Set(e.body.lock) {
		if a.Speed > 0 {
			s.Agree[i] = float32(o.steer.Potential(&o.heading.X, float64(2*a.Steering)) / mass)
		}
	}
	e.goal = s.GoalWeight
	e.planner.Begin(&s, e.effort)
}

// stimulate enters the plan into the field. The field decides whether to follow:
// HEADING takes PLAN_HEAD only where the way is free.
func (e *explorer) stimulate(in *field.Input, confidence float64) {
	at := e.reference()
	dx, dy := float64(e.plan.X-at.X), float64(e.plan.Y-at.Y)
	if exact.Hypot(dx, dy) > planNear {
		e.bearing = float32(exact.Wrap(exact.Atan2(dy, dx) - float64(e.pose.Heading)))
	}
	pull := float32(planPull * confidence)
	if e.plan.Action.Speed > 0 {
		bearing := float64(within(e.bearing, planReach))
		in.Add(field.At(field.PlanHead, pull, field.BearingBin(bearing), 2))
	}
	throttle := float64(e.plan.Action.Speed*e.body.cruise) / float64(e.body.top)
	in.Add(field.Term{
		Channel: field.PlanSpeed, A: pull,
		Centre: [3]float32{0, float32(field.ThrottleBin(exact.Clip(throttle, -1, 1)))}, Sigma: [3]float32{0, 2},
	})
	gaze := exact.Wrap(float64(e.plan.Gaze) - float64(e.pose.Heading))
	if math.Abs(gaze) <= 90*deg {
		in.Add(field.Term{
			Channel: field.Gaze, A: gazePull,
			Centre: [3]float32{float32(field.BearingBin(gaze)), float32(field.RangeBin(1))}, Sigma: [3]float32{2, 2},
		})
	}
}

// gazePull is the amplitude with which the most informative direction draws the
// gaze: together with the direction of travel, 2, above the detection threshold.
const gazePull = 2.5
