package rollout

import (
	"fmt"
	"strings"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A State is the car's motion: its rear axle in the odometry's frame.
type State struct {
	X, Y     float32 // m
	Heading  float32 // rad
	Speed    float32 // m/s
	Steering float32 // rad, of the wheels
}

// A Situation is the beginning of a plan.
type Situation struct {
	State
	GoalX, GoalY, GoalWeight float32        // m, and 0..1
	Ground                   *ground.Grid   // what the body may touch; nil asks the belief
	Belief                   *belief.Belief // what is known
	Elapsed                  int            // steps since the last plan began: where in it the car is
}

// A Command is what the car shall do for a step.
type Command struct {
	Steering float32 // rad, positive left
	Speed    float32 // m/s
}

// A Plan is the blend of the imagined drives.
type Plan struct {
	Command            // the first
	X, Y       float32 // m, where the reference point is after Mark steps
	EndX, EndY float32 // m, the same after all steps
	Cost       float32 // of the plan before the blend, when it began
	Least      float32 // cost of the best trajectory
	Effective  float32 // trajectories that count, (sum w)^2 / sum w^2
}

// Mark is the share of a plan's steps after which its way point lies.
const Mark = 0.4

// An engine runs the inner loops.
type engine interface {
	prepare(j *job)
	drive(p *Planner, first, last int)
	gather(p *Planner, first, last int)
}

// phase is what a plan is at.
type phase int8

const (
	idle phase = iota
	mapping
	driving
	blending
)

// spreading are the units of work of belief.Reach.
const spreading = 16

// A Planner blends a little per tick.
type Planner struct {
	params Params
	engine engine
	isa    string
	seed   uint32
	plans  uint32

	job         job
	situation   Situation
	chart       chart
	bits        entropies
	reach       belief.Reach
	west, south float32 // m, the map's corner

	mean    []float32 // the commands, steering and speed in turns
	last    Command   // before them
	costs   []float32 // of every trajectory
	weights []float32
	sums    []float32

	phase            phase
	at, blocks, left int
	least            float32
	total, total2    float64
	next             Plan
}

// PureGo is the engine that needs no C compiler.
const PureGo = "purego"

// ISAs returns the engines of this build and machine, best first; the last one is
// always purego. All give the same bits.
func ISAs() []string { return append(nativeISAs(), PureGo) }

// New returns a planner that has not begun. isa is one of ISAs, or "auto".
func New(isa string, p Params, seed uint32) (*Planner, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if isa == "auto" {
		isa = ISAs()[0]
	}
	blocks := (p.Trajectories + block - 1) / block
	q := &Planner{
		params: p, isa: isa, seed: seed, job: newJob(&p), blocks: blocks,
		mean: make([]float32, 2*p.Steps), sums: make([]float32, 2*block*p.Steps),
		costs: make([]float32, blocks*block), weights: make([]float32, blocks*block),
	}
	if isa == PureGo {
		q.engine = pureGo{}
	} else if q.engine = newNative(isa); q.engine == nil {
		return nil, fmt.Errorf("rollout: %s: instruction set not available; this machine and build have %s", isa, strings.Join(ISAs(), ", "))
	}
	q.bits.fill()
	q.Reset()
	return q, nil
}

// ISA returns the engine in use.
func (p *Planner) ISA() string { return p.isa }

// Step returns the length of a step.
func (p *Planner) Step() time.Duration { return p.params.Step }

// Units returns the work of a whole plan: what Advance is to be called with in all.
func (p *Planner) Units() int { return spreading + cells + 2*p.blocks }

// Busy reports whether a plan is under way.
func (p *Planner) Busy() bool { return p.phase != idle }

// Cancel drops the plan under way; the last one stays.
func (p *Planner) Cancel() { p.phase = idle }

// Reset makes the planner what New returned.
func (p *Planner) Reset() {
	p.plans = 0
	p.Forget()
}

// Forget drops the plan under way and the last one: the next begins with straight on.
func (p *Planner) Forget() {
	p.phase, p.last = idle, Command{}
	for t := range p.params.Steps {
		p.mean[2*t], p.mean[2*t+1] = 0, p.params.Fast
	}
}

// Cruise plans with another largest speed from the next plan on, in m/s; it drops the
// plan under way.
func (p *Planner) Cruise(speed float32) {
	p.phase = idle
	p.params.Fast, p.job.fast = speed, speed
}

// Begin starts a plan from a situation and from what is left of the last plan.
func (p *Planner) Begin(s *Situation) {
	p.situation = *s
	p.shift(max(s.Elapsed, 0))
	p.corner(s.X, s.Y)
	p.plans++
	j := &p.job
	j.seed = mix(p.seed + p.plans*0x9e3779b1)
	j.x, j.y = s.X-p.west, s.Y-p.south
	j.cos, j.sin = float32(exact.Cos(float64(s.Heading))), float32(exact.Sin(float64(s.Heading)))
	j.speed, j.steering = s.Speed, within(s.Steering, -0.6, 0.6)
	j.turned, j.drove = p.last.Steering, p.last.Speed
	j.goalX, j.goalY = s.GoalX-p.west, s.GoalY-p.south
	j.goal = float32(p.params.Goal*within(s.GoalWeight, 0, 1)) / float32(j.steps)
	p.phase, p.at, p.left = mapping, 0, 0
	p.total, p.total2, p.next = 0, 0, Plan{}
	clear(p.sums)
}

// Freeze returns what a copy of the planner must know of its members: slices that are made
// once, and what New made of the instruction set's name.
func Freeze() (slices, given []string) {
	return []string{"mean", "costs", "weights", "sums"}, []string{"engine", "isa"}
}

// shift drops the commands that are over and repeats the last one.
func (p *Planner) shift(n int) {
	if n = min(n, p.params.Steps); n == 0 {
		return
	}
	p.last = Command{p.mean[2*n-2], p.mean[2*n-1]}
	end := len(p.mean) - 2*n
	steer, speed := p.mean[len(p.mean)-2], p.mean[len(p.mean)-1]
	copy(p.mean, p.mean[2*n:])
	for i := end; i < len(p.mean); i += 2 {
		p.mean[i], p.mean[i+1] = steer, speed
	}
}

// Advance does so many units of work on the plan under way and returns it when it is
// finished. Work beyond them is missing from the next call.
func (p *Planner) Advance(units int) (Plan, bool) {
	for p.left += units; p.left > 0; {
		switch p.phase {
		case mapping:
			p.mapRow()
		case driving:
			p.driveBlocks()
		case blending:
			if p.blendBlocks() {
				return p.next, true
			}
		default:
			p.left = 0
			return Plan{}, false
		}
	}
	return Plan{}, false
}

func (p *Planner) mapRow() {
	s := &p.situation
	if p.at == 0 {
		s.Belief.Spread(&p.reach)
		p.left -= spreading
	}
	p.row(p.at, s.Belief, s.Ground)
	p.left--
	if p.at++; p.at == cells {
		p.phase, p.at = driving, 0
	}
}

func (p *Planner) driveBlocks() {
	n := min(p.left, p.blocks-p.at)
	p.engine.prepare(&p.job) // it carries nothing from call to call
	p.engine.drive(p, p.at, p.at+n)
	p.at, p.left = p.at+n, p.left-n
	if p.at == p.blocks {
		p.least = p.costs[0]
		for _, c := range p.costs[:p.params.Trajectories] {
			p.least = min(p.least, c)
		}
		p.phase, p.at = blending, 0
	}
}

// faint is the exponent of a weight that does not count.
const faint = -16

// blendBlocks weighs trajectories and adds their noise; it reports the end.
func (p *Planner) blendBlocks() bool {
	n := min(p.left, p.blocks-p.at)
	for i := p.at * block; i < (p.at+n)*block; i++ {
		p.weights[i] = 0
		if e := float64((p.least - p.costs[i]) / p.params.Temperature); e > faint && i < p.params.Trajectories {
			w := float32(exact.Exp(e))
			p.weights[i] = w
			p.total += float64(w)
			p.total2 += float64(float64(w) * float64(w))
		}
	}
	p.engine.prepare(&p.job)
	p.engine.gather(p, p.at, p.at+n)
	if p.at, p.left = p.at+n, p.left-n; p.at < p.blocks {
		return false
	}
	p.finish()
	return true
}

// finish moves the commands and drives them once.
func (p *Planner) finish() {
	for i := range p.mean { // steering, speed, steering ...
		sum := float32(0)
		for _, v := range p.sums[i*block : (i+1)*block] {
			sum += v
		}
		p.mean[i] += float32(float64(sum) / p.total)
	}
	a := p.job.start()
	mark := max(int(Mark*float64(p.params.Steps)), 1)
	for t := range mark {
		a.move(&p.job, p.mean[2*t], p.mean[2*t+1])
	}
	p.next = Plan{
		Command: Command{p.mean[0], p.mean[1]},
		Cost:    p.costs[0], Least: p.least, Effective: float32(float64(p.total*p.total) / p.total2),
	}
	p.next.X, p.next.Y = p.place(&a)
	for t := mark; t < p.params.Steps; t++ {
		a.move(&p.job, p.mean[2*t], p.mean[2*t+1])
	}
	p.next.EndX, p.next.EndY = p.place(&a)
	p.phase, p.left = idle, 0
}

// place is where a car's reference point is in the odometry's frame.
func (p *Planner) place(a *car) (x, y float32) {
	return p.west + a.x + float32(a.c*p.job.ahead), p.south + a.y + float32(a.s*p.job.ahead)
}

// At returns the command of the last plan for so many steps after it began, the last one
// behind its end.
func (p *Planner) At(steps int) Command {
	t := min(max(steps, 0), p.params.Steps-1)
	return Command{p.mean[2*t], p.mean[2*t+1]}
}

// Commands copies the commands of the last plan, at most one for each step, and
// returns how many.
func (p *Planner) Commands(to []Command) int {
	n := min(len(to), p.params.Steps)
	for t := range n {
		to[t] = Command{p.mean[2*t], p.mean[2*t+1]}
	}
	return n
}
