package pilots

import (
	"math"

	"fieldbrain/robot"
)

// A bumper is testbench.Reactive, the sum of attraction and repulsion of what
// the beams say at this moment, with its numbers open to tuning and with the
// escape of this package when it touched: the nearest thing to the brain
// without map or memory.
type bumper struct {
	bumperParams
	free float64 // side with more room: 1 left, -1 right
}

// bumperParams are the numbers of a bumper.
type bumperParams struct {
	Reach float64 // m, obstacles farther away do not repel
	Gain  float64 // rad of steering for a side beam at 0 m
	Near  float64 // m ahead at which it backs out
	Far   float64 // m ahead from which it drives at full speed
	Slow  float64 // of cruise, lowest
}

func (p *bumperParams) knobs() []knob {
	return []knob{
		{"reach_m", &p.Reach, 0.3, 1.2},
		{"gain", &p.Gain, 0.5, 5},
		{"near_m", &p.Near, 0.12, 0.35},
		{"far_m", &p.Far, 0.4, 1.2},
		{"slow", &p.Slow, 0.15, 1},
	}
}

func (p *bumperParams) seat(*view) driver { return &bumper{bumperParams: *p, free: -1} }

func (b *bumper) drive(v *view) wish {
	b.free = b.freer(v)
	if front := &v.beams[robot.Front]; front.ok && front.r < b.Near {
		return wish{trapped: true, steering: b.free * v.lock}
	}
	speed := v.cruise
	if front := &v.beams[robot.Front]; front.ok {
		speed *= min(max((front.r-b.Near)/max(b.Far-b.Near, 0.05), b.Slow), 1)
	}
	return wish{speed: speed, steering: b.steer(v)}
}

// push is the repulsion of a beam, 0..1.
func (b *bumper) push(v *view, sector int) float64 {
	if e := &v.beams[sector]; e.ok && e.echo {
		return min(max((b.Reach-e.r)/b.Reach, 0), 1)
	}
	return 0
}

// freer returns the side whose beams see more room, the last one when they see
// the same or there are none.
func (b *bumper) freer(v *view) float64 {
	left := b.push(v, robot.Left30) + b.push(v, robot.Left60)
	right := b.push(v, robot.Right30) + b.push(v, robot.Right60)
	switch {
	case left > right:
		return -1
	case right > left:
		return 1
	}
	return b.free
}

// steer sums attraction and repulsion, in rad.
func (b *bumper) steer(v *view) float64 {
	angle := 0.0
	if v.goal.known {
		angle = min(max(v.goal.bearing, -v.lock), v.lock)
	}
	for i := range robot.NumSectors {
		n := b.push(v, i)
		if psi := float64(robot.SectorBearing(i)); n > 0 && psi != 0 {
			angle -= math.Copysign(float64(b.Gain*float64(n*n)), psi)
		}
	}
	if n := b.push(v, robot.Front); n > 0 {
		angle += float64(b.free * float64(b.Gain*float64(n*n)))
	}
	return min(max(angle, -v.lock), v.lock)
}
