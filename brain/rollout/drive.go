package rollout

import (
	"math"

	"fieldbrain/field/exact"
)

// mix is a 32-bit word mixer (Wellons' lowbias32).
func mix(z uint32) uint32 {
	z = (z ^ z>>16) * 0x7feb352d
	z = (z ^ z>>15) * 0x846ca68b
	return z ^ z>>16
}

// bell is the sum of a word's bytes, less its mean.
func bell(w uint32) float32 {
	two := w&0x00ff00ff + w>>8&0x00ff00ff
	return float32(int32(two&0xffff+two>>16) - 510)
}

func root(v float64) float64 { return math.Sqrt(v) }

func absolute(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }

func within(v, low, high float32) float32 {
	if v < low {
		v = low
	}
	if v > high {
		v = high
	}
	return v
}

// A noise is that of one trajectory from one step to the next.
type noise struct {
	key                            uint32
	steer, speed, bySteer, bySpeed float32
}

// begin returns the noise of a trajectory; the first one has none.
func (j *job) begin(trajectory int) noise {
	firstSteer, firstSpeed := j.firstSteer, j.firstSpeed
	n := noise{key: mix(uint32(trajectory)*0x9e3779b1 + j.seed), bySteer: j.pulseSteer, bySpeed: j.pulseSpeed}
	if trajectory == 0 {
		firstSteer, firstSpeed, n.bySteer, n.bySpeed = 0, 0, 0, 0
	}
	w := mix(n.key)
	n.steer = float32(bell(w) * firstSteer)
	n.speed = float32(bell(mix(w^0xc2b2ae3d)) * firstSpeed)
	return n
}

// next returns the commands of step t.
func (j *job) next(n *noise, u []float32, t int) (steer, speed float32) {
	w := mix(n.key + uint32(t+1)*0x85ebca77)
	n.steer = float32(n.steer*j.keep) + float32(bell(w)*n.bySteer)
	n.speed = float32(n.speed*j.keep) + float32(bell(mix(w^0xc2b2ae3d))*n.bySpeed)
	return within(n.steer+u[2*t], -j.lock, j.lock), within(n.speed+u[2*t+1], j.back, j.fast)
}

// A car is what a trajectory carries along.
type car struct {
	x, y, c, s, half, v, d        float32
	turned, drove, farthest, cost float32
	hit                           bool
	cell                          uint32
}

// move drives one step.
func (a *car) move(j *job, steer, speed float32) (way float32) {
	v := a.v + float32((speed-a.v)*j.gripped)
	if a.hit {
		v = 0
	}
	a.v = v
	a.d += within(steer-a.d, -j.slew, j.slew)
	h := float32(float32(a.v*j.curve) * exact.SmallTan(a.d))
	a.c, a.s = exact.SmallTurn(a.c, a.s, a.half+h)
	a.half = h
	way = float32(a.v * j.dt)
	a.x += float32(way * a.c)
	a.y += float32(way * a.s)
	return way
}

// command prices a command; u is the plan's.
func (a *car) command(j *job, u []float32, steer, speed float32) float32 {
	cost := a.cost + float32(absolute(steer-a.turned)*j.turn)
	if float32(speed*a.drove) < 0 {
		cost += j.reverse
	}
	cost += float32((steer - u[0]) * float32(u[0]*j.leanSteer))
	cost += float32((speed - u[1]) * float32(u[1]*j.leanSpeed))
	a.turned, a.drove = steer, speed
	return cost
}

// step drives one step and prices it.
func (a *car) step(j *job, m *chart, u []float32, steer, speed float32) {
	cost := a.command(j, u, steer, speed)
	way := a.move(j, steer, speed)
	length := absolute(way)
	cost += float32(length * j.length)
	if way < 0 {
		cost += float32(length * j.backing)
	}
	x, y := a.x+float32(a.c*j.ahead), a.y+float32(a.s*j.ahead)
	a.cell = m.place(x, y)
	risk := float32(float32(a.cell&0xff) * (1.0 / 255))
	cost += float32(risk * j.risk)
	if risk >= j.lethal && !a.hit {
		cost += j.crash
		a.hit = true
	}
	dx, dy := x-j.x, y-j.y
	if off := float32(dx*dx) + float32(dy*dy); off > a.farthest {
		fresh := float32(float32(a.cell>>8&0xff) * (1.0 / 255))
		cost -= float32(float32(fresh*length) * j.look)
		a.farthest = off
	}
	dx, dy = x-j.goalX, y-j.goalY
	way2 := float32(dx*dx) + float32(dy*dy)
	a.cost = cost + float32(float32(root(float64(way2)))*j.goal)
}

// start is the car as it stands.
func (j *job) start() car {
	return car{x: j.x, y: j.y, c: j.cos, s: j.sin, v: j.speed, d: j.steering, turned: j.turned, drove: j.drove}
}

// drive returns what a trajectory costs.
func (j *job) drive(m *chart, u []float32, trajectory int) float32 {
	n, a := j.begin(trajectory), j.start()
	for t := range j.steps {
		steer, speed := j.next(&n, u, t)
		a.step(j, m, u[2*t:], steer, speed)
	}
	if a.hit {
		return a.cost
	}
	return a.cost - float32(float32(float32(a.cell>>16)*(1.0/65535))*j.reach)
}

// pureGo is the engine without a C compiler.
type pureGo struct{}

func (pureGo) prepare(*job) {}

func (pureGo) drive(p *Planner, first, last int) {
	for i := first * block; i < last*block; i++ {
		p.costs[i] = p.job.drive(&p.chart, p.mean, i)
	}
}

func (pureGo) gather(p *Planner, first, last int) {
	for i := first * block; i < last*block; i++ {
		weight := p.weights[i]
		if weight == 0 {
			continue
		}
		n := p.job.begin(i)
		for t := range p.job.steps {
			steer, speed := p.job.next(&n, p.mean, t)
			at := t*2*block + i%block
			p.sums[at] += float32((steer - p.mean[2*t]) * weight)
			p.sums[at+block] += float32((speed - p.mean[2*t+1]) * weight)
		}
	}
}
