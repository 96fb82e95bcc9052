package reckoning

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

const deg = math.Pi / 180

// A Fix is where the car is, in the frame of the start: the reference point of the
// body as it stood when the brain began is the origin, x leads ahead from there, y to
// the left. It is dead reckoning, and Off and Astray say how far from the truth it may
// be: one standard deviation (see Reckoner).
type Fix struct {
	X, Y    float64 // m
	Heading float64 // rad, -pi..pi, positive left
	Off     float64 // m, of the place
	Astray  float64 // rad, of the heading
}

// A Reckoner keeps the pose of the rear axle's middle in the frame of this start, and how
// uncertain that is; the odometry's own frame is that of the brain's whole life, which
// a saved brain goes on with wherever somebody has carried the car. The zero Reckoner is at
// the start. Errors of two kinds add up, all to first order:
//
//	a share of every speed and one of every turn that the car does not know of
//	(diameter of the wheels, voltage; steering trim, slip): they stay the same for the
//	whole drive, so that a car that drives back to where it began finds their effect
//	undone. What they do grows with the distance from the start and with the area
//	that the way encloses.
//
//	chance, that grows with the root of the way: covariance of x, y and heading
//	(Chong and Kleeman 1997, doi:10.1109/ROBOT.1997.606708).
type Reckoner struct {
	x, y, turn float64 // m, m, rad
	turned     float64 // rad, sum of all turns: d heading / d share of turn
	sx, sy     float64 // m, d x and d y / d share of turn
	way        float64 // m driven, forward and backward

	xx, xy, yy, xt, yt, tt float64 // covariance by chance: m^2, m rad, rad^2
}

// Constants of the model; one standard deviation each. The PiCar-X has no encoders:
// the shares are what its speed and its turns differ by from one charge, floor and
// car to the next. A car with sensors of its own (State.Speed, State.Yaw) is better
// than this says.
const (
	speedShare = 0.05      // of every speed
	turnShare  = 0.08      // of every turn
	wayChance  = 0.010     // m along the way after 1 m
	turnChance = 1.5 * deg // rad after 1 m
	oncePerM   = 1.0       // m, the way that both chances belong to
)

// Update takes one tick: m that the rear axle drove, negative backwards, and rad
// that it turned.
func (o *Reckoner) Update(step, bend float64) {
	half := float64(bend / 2)
	if step == 0 && half == 0 {
		return
	}
	mid := o.turn + half
	c, s := exact.Cos(mid), exact.Sin(mid)
	dx, dy := float64(step*c), float64(step*s)
	o.turned += half
	o.sx -= float64(dy * o.turned)
	o.sy += float64(dx * o.turned)
	o.turned += half
	o.x, o.y, o.turn = o.x+dx, o.y+dy, exact.Wrap(mid+half)
	long := math.Abs(step)
	o.way += long

	o.xx += float64(dy*float64(dy*o.tt)) - float64(2*float64(dy*o.xt))
	o.yy += float64(dx*float64(dx*o.tt)) + float64(2*float64(dx*o.yt))
	o.xy += float64(dx*o.xt) - float64(dy*o.yt) - float64(dx*float64(dy*o.tt))
	o.xt -= float64(dy * o.tt)
	o.yt += float64(dx * o.tt)
	along := float64(wayChance * wayChance / oncePerM * long)
	o.xx += float64(along * float64(c*c))
	o.xy += float64(along * float64(c*s))
	o.yy += float64(along * float64(s*s))
	o.tt += float64(turnChance * turnChance / oncePerM * long)
}

// What a contact leaves in doubt, one standard deviation each: where along the way in vain it
// began, and how far the body was turned about what it touched.
const (
	vainShare = 0.5 // of the way in vain
	vainTurn  = ground.HeldTurn
)

// Retract takes back what the wheels turned in vain on the way from one pose to another, both
// of the odometry, which made the same moves in a frame of its own.
func (o *Reckoner) Retract(from, to ground.Pose) {
	bend := exact.Wrap(float64(to.Heading) - float64(from.Heading))
	vx, vy := float64(to.X)-float64(from.X), float64(to.Y)-float64(from.Y)
	if vx == 0 && vy == 0 && bend == 0 {
		return
	}
	between := o.turn - float64(from.Heading)
	c, s := exact.Cos(between), exact.Sin(between)
	dx, dy := float64(vx*c)-float64(vy*s), float64(vx*s)+float64(vy*c)
	o.sx -= float64(dy * o.turned)
	o.sy += float64(dx * o.turned)
	o.turned += bend
	o.x, o.y, o.turn = o.x+dx, o.y+dy, exact.Wrap(o.turn+bend)
	if !to.Apart(from) {
		return
	}
	o.xx += float64(vainShare * vainShare * float64(dx*dx))
	o.xy += float64(vainShare * vainShare * float64(dx*dy))
	o.yy += float64(vainShare * vainShare * float64(dy*dy))
	o.tt += vainTurn * vainTurn
}

// Fix returns where the reference point is.
func (o *Reckoner) Fix() Fix {
	p := Fix{
		X:       o.x + float64(ground.Ahead*(exact.Cos(o.turn)-1)),
		Y:       o.y + float64(ground.Ahead*exact.Sin(o.turn)),
		Heading: o.turn,
	}
	far := float64(o.x*o.x) + float64(o.y*o.y)
	bent := float64(o.sx*o.sx) + float64(o.sy*o.sy)
	spread := o.xx + o.yy + float64(speedShare*speedShare*far) + float64(turnShare*turnShare*bent)
	p.Off = math.Sqrt(max(spread, 0))
	p.Astray = math.Sqrt(o.tt + float64(turnShare*turnShare*float64(o.turned*o.turned)))
	return p
}

// Way is how far it has driven in m, forward and backward, whatever it has forgotten.
func (o *Reckoner) Way() float64 { return o.way }

// Forget begins a new frame of the start here: the car has been carried.
func (o *Reckoner) Forget() { *o = Reckoner{way: o.way} }

// Toward returns the bearing of a point of the frame of the start, in rad from the
// car's heading, and its distance in m, both from the reference point.
func (p *Fix) Toward(x, y float64) (bearing, distance float64) {
	dx, dy := x-p.X, y-p.Y
	return exact.Wrap(exact.Atan2(dy, dx) - p.Heading), exact.Hypot(dx, dy)
}
