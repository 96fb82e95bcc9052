package brain

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A Detour leads a car round what stands on its line; State holds it. Following slows the
// car down the nearer something is ahead, so that it comes to stand before it. There it
// waits, since people and pets walk on. What stays is gone round: the car leaves the line
// and drives as it does where there is none, drawn for a while to where the line may go on
// beyond, until a line is under the bar again.
type Detour struct {
	Stood float64     // s for which the car has stood on the line
	Off   bool        // it has left the line
	Away  float64     // m driven since, either way
	Draws float64     // s for which the place beyond still draws
	From  ground.Pose // of the rear axle, where it stood
	Far   float64     // m straight on from there to that place
}

const (
	detourStill  = 0.01 // m/s: slower it stands
	detourWait   = 3.0  // s of standing before the car leaves the line
	detourWay    = 0.5  // m, of strokes too: two lengths of the body, after which it points elsewhere
	detourDraws  = 15.0 // s
	detourBeyond = 0.55 // m from the face of what stands there: a body's length behind a chair's leg, or a box
	detourPast   = 0.25 // m before the place beyond from which on a line is the one that goes on
	detourFar    = 2.0  // m, of a face that is not heard
)

// A passage tells the detour how one tick stands.
type passage struct {
	dt      float64
	wanted  bool        // a line is to be followed
	follows bool        // the car may drive along it, and nothing comes towards it
	seen    bool        // a line is under the bar
	speed   float64     // m/s
	at      ground.Pose // of the rear axle
	ahead   float64     // m from there to what stands ahead
}

// watch begins a detour where the car has stood long enough, goes on with it, and ends it
// where the line is met again.
func (d *Detour) watch(p *passage) {
	switch {
	case !p.wanted:
		*d = Detour{}
	case d.Off:
		d.Away += math.Abs(float64(p.speed * p.dt))
		x, y := d.beyond()
		if d.Draws = math.Max(0, d.Draws-p.dt); exact.Hypot(x-float64(p.at.X), y-float64(p.at.Y)) < detourPast {
			d.Draws = 0
		}
		if p.seen && d.Away >= detourWay && (d.Draws == 0 || d.along(p.at) >= d.Far-detourPast) {
			*d = Detour{}
		}
	case !p.follows || math.Abs(p.speed) >= detourStill:
		d.Stood = 0
	default:
		if d.Stood += p.dt; d.Stood >= detourWait {
			*d = Detour{Off: true, Draws: detourDraws, From: p.at, Far: math.Min(p.ahead, detourFar) + detourBeyond}
		}
	}
}

// along is how far a pose is from where the car stood, in m along the way it faced then.
func (d *Detour) along(at ground.Pose) float64 {
	h := float64(d.From.Heading)
	return float64(float64(at.X-d.From.X)*exact.Cos(h)) + float64(float64(at.Y-d.From.Y)*exact.Sin(h))
}

// beyond is where the line may go on, in m in the odometry's frame.
func (d *Detour) beyond() (x, y float64) {
	h := float64(d.From.Heading)
	return float64(d.From.X) + float64(d.Far*exact.Cos(h)), float64(d.From.Y) + float64(d.Far*exact.Sin(h))
}

// draw shows the place beyond, while it draws, to whoever steers by goals.
func (d *Detour) draw(g *goal, at ground.Pose) {
	if d.Draws == 0 {
		return
	}
	x, y := d.beyond()
	mx, my := body(at)
	g.lead(exact.Wrap(exact.Atan2(y-my, x-mx)-float64(at.Heading)), exact.Hypot(x-mx, y-my))
}

// check returns why no car can be on such a detour, or nil.
func (d *Detour) check() error {
	const far = 1e6 // m
	for _, v := range [...]struct{ value, most float64 }{
		{d.Stood, detourWait},
		{d.Away, math.MaxFloat64},
		{d.Draws, detourDraws},
		{d.Far, detourFar + detourBeyond},
		{math.Abs(float64(d.From.X)), far},
		{math.Abs(float64(d.From.Y)), far},
		{math.Abs(float64(d.From.Heading)), 2 * math.Pi},
	} {
		if !(v.value >= 0 && v.value <= v.most) { // NaN fails
			return fmt.Errorf("brain: restore: Detour is %+v", *d)
		}
	}
	return nil
}
