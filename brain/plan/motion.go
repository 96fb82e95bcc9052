package plan

import (
	"math"

	"fieldbrain/field/exact"
)

const deg = math.Pi / 180

// The shape of a path.
const (
	Actions = 13
	Steps   = 20
	step    = 0.05 // s
	lock    = 30 * deg
)

// An Action is a command to the car for a second.
type Action struct {
	Steering float32 // rad, positive left
	Speed    float32 // share of the cruise speed, negative backwards
}

// Set returns the thirteen actions of a car whose wheels turn as far as most, in rad: seven
// steering angles at cruise speed, four at half of it, and backwards to either side.
func Set(most float32) [Actions]Action {
	set := [Actions]Action{
		{0, 1},
		{10 * deg, 1},
		{-10 * deg, 1},
		{20 * deg, 1},
		{-20 * deg, 1},
		{lock, 1},
		{-lock, 1},
		{15 * deg, 0.5},
		{-15 * deg, 0.5},
		{lock, 0.5},
		{-lock, 0.5},
		{lock, -0.6},
		{-lock, -0.6},
	}
	for i := range set {
		set[i].Steering = min(max(set[i].Steering, -most), most)
	}
	return set
}

// A State is the car's motion: its rear axle in the odometry's frame.
type State struct {
	X, Y     float32 // m
	Heading  float32 // rad
	Speed    float32 // m/s
	Steering float32 // rad, of the wheels
}

// Marks is how many places of a path are kept, one every fourth step.
const Marks = Steps / 4

// Paths are all actions from one state: where the reference point is at every
// mark, and the state at the end.
type Paths struct {
	X, Y [Marks][Actions]float32 // m
	End  [Actions]State
}

// A Model is the bicycle model's constants.
type Model struct {
	actions [Actions]Action
	speeds  [Actions]float32 // m/s
	grip    float32          // share of the way to the wanted speed per step
	slew    float32          // rad, servo's largest move per step
	slopes  [Actions]float32 // tangents of the steering angles
	curve   float32          // half a step / wheelbase
	ahead   float32
}

// NewModel returns the model of parameters that are valid.
func NewModel(p *Params) Model {
	m := Model{actions: Set(p.Lock), grip: 1, slew: p.ServoRate * step, curve: 0.5 * step / p.Wheelbase, ahead: p.Ahead}
	if p.Lag > 0 {
		m.grip = float32(1 - exact.Exp(-step/p.Lag.Seconds()))
	}
	for i, a := range m.actions {
		m.speeds[i], m.slopes[i] = a.Speed*p.Cruise, exact.SmallTan(a.Steering)
	}
	return m
}

// Propagate moves the bicycle of specification C.1 through every action, midpoint
// rule, with the motors' lag and the servo's slew. The heading kept is that in the
// middle of a step; half is what the last step still has to turn.
func (m *Model) Propagate(from *State, out *Paths) {
	var x, y, c, s, v, d, psi, half [Actions]float32
	cos, sin := float32(exact.Cos(float64(from.Heading))), float32(exact.Sin(float64(from.Heading)))
	for i := range m.actions {
		x[i], y[i], c[i], s[i] = from.X, from.Y, cos, sin
		v[i], d[i], psi[i] = from.Speed, from.Steering, from.Heading
	}
	for n := range Steps {
		for i := range m.actions {
			mean := float32(m.grip * (m.speeds[i] - v[i]))
			next := v[i] + mean
			mean = v[i] + float32(0.5*mean)
			v[i] = next
			slope := m.slopes[i]
			if gap := m.actions[i].Steering - d[i]; gap != 0 {
				slope = m.servo(&d[i], gap)
			}
			h := float32(float32(mean*m.curve) * slope)
			c[i], s[i] = exact.SmallTurn(c[i], s[i], half[i]+h)
			half[i] = h
			psi[i] += float32(2 * h)
			way := float32(mean * step)
			x[i] += float32(way * c[i])
			y[i] += float32(way * s[i])
		}
		if n%4 == 3 {
			for i := range m.actions {
				c, s := exact.SmallTurn(c[i], s[i], half[i])
				out.X[n/4][i] = x[i] + float32(m.ahead*c)
				out.Y[n/4][i] = y[i] + float32(m.ahead*s)
			}
		}
	}
	for i := range m.actions {
		out.End[i] = State{x[i], y[i], psi[i], v[i], d[i]}
	}
}

// servo moves the wheels towards where they shall be and returns the mean slope
// of the step.
func (m *Model) servo(d *float32, gap float32) (slope float32) {
	if gap > m.slew {
		gap = m.slew
	} else if gap < -m.slew {
		gap = -m.slew
	}
	rest := max(gap, -gap) / m.slew // share of the step that the wheels move
	before := *d
	*d += gap
	moving := exact.SmallTan(before + float32(0.5*gap))
	return float32(rest*moving) + float32((1-rest)*exact.SmallTan(*d))
}
