package line

import (
	"fmt"
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// A Detour leads a car round what stands on its line; a Record holds it. Following slows the
// car down the nearer something is ahead, so that it comes to stand before it. There it
// waits, since people and pets walk on. What stays is gone round, and at once what the car
// touches: it leaves the line and drives as it does where there is none, drawn for a while
// to where the line may go on beyond, until a line is under the bar again. A car that looks
// for edges stays where it is: off its line it may come to the side of a table that no
// sensor shows. Its order is given up after barredAfter.
type Detour struct {
	Stood float64     // s for which the car has stood on the line
	Off   bool        // it has left the line
	Away  float64     // m driven since, either way
	Draws float64     // s for which the place beyond still draws
	From  ground.Pose // of the rear axle, where it stood
	Far   float64     // m on along the line from there to that place
	Bend  float64     // 1/m, of the line there
}

// barredAfter is how long a car that looks for edges waits before something that stands on its line,
// in s, until its order is given up.
const barredAfter = 30

const (
	detourStill  = 0.01 // m/s: slower it stands
	detourWait   = 3.0  // s of standing before the car leaves the line
	detourWay    = 0.5  // m, of strokes too: two lengths of the body, after which it points elsewhere
	detourDraws  = 15.0 // s
	detourBeyond = 0.55 // m from the face of what stands there: a body's length behind a chair's leg, or a box
	detourPast   = 0.25 // m from the place beyond within which nothing draws any more
	detourMeets  = 0.35 // m from it within which a line is the one that goes on
	detourBend   = 2.0  // rad: as far round as a bend is believed
	detourFar    = 2.0  // m, of a face that is not heard
)

// A passage tells the detour how one tick stands.
type passage struct {
	dt      float64
	wanted  bool        // a line is to be followed
	follows bool        // the car may drive along it
	yields  bool        // something comes towards it
	edges   bool        // it looks for edges
	seen    bool        // a line is under the bar
	stuck   bool        // it touches something
	speed   float64     // m/s
	at      ground.Pose // of the rear axle
	ahead   float64     // m from there to what stands ahead
	bend    float64     // 1/m, of the line
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
		left := exact.Hypot(x-float64(p.at.X), y-float64(p.at.Y))
		if d.Draws = math.Max(0, d.Draws-p.dt); left < detourPast {
			d.Draws = 0
		}
		if p.seen && d.Away >= detourWay && (d.Draws == 0 || left < detourMeets) {
			*d = Detour{}
		}
	default:
		d.wait(p)
	}
}

// wait counts how long the car has stood since it last moved, and leaves the line after
// detourWait, or at once where the car touches something.
func (d *Detour) wait(p *passage) {
	switch {
	case p.stuck:
		d.Stood = math.Max(d.Stood, detourWait)
	case !p.follows || math.Abs(p.speed) >= detourStill:
		d.Stood = 0
	case !p.yields: // who comes passes
		d.Stood = math.Min(d.Stood+p.dt, barredAfter)
	}
	if d.Stood >= detourWait && !p.edges {
		*d = Detour{Off: true, Draws: detourDraws, From: p.at, Far: math.Min(p.ahead, detourFar) + detourBeyond, Bend: p.bend}
	}
}

// beyond is where the line may go on, in m in the odometry's frame: at the end of an arc
// that bends as the line did.
func (d *Detour) beyond() (x, y float64) {
	turn := exact.Clip(float64(d.Bend*d.Far), -detourBend, detourBend)
	chord := d.Far
	if half := turn / 2; half != 0 {
		chord *= exact.Sin(half) / half
	}
	h := float64(d.From.Heading) + float64(turn/2)
	return float64(d.From.X) + float64(chord*exact.Cos(h)), float64(d.From.Y) + float64(chord*exact.Sin(h))
}

// check returns why no car can be on such a detour, or nil.
func (d *Detour) check() error {
	const far = 1e6 // m
	for _, v := range [...]struct{ value, most float64 }{
		{d.Stood, barredAfter},
		{math.Abs(d.Bend), far},
		{d.Away, math.MaxFloat64},
		{d.Draws, detourDraws},
		{d.Far, detourFar + detourBeyond},
		{math.Abs(float64(d.From.X)), far},
		{math.Abs(float64(d.From.Y)), far},
		{math.Abs(float64(d.From.Heading)), 2 * math.Pi},
	} {
		if !(v.value >= 0 && v.value <= v.most) { // NaN fails
			return fmt.Errorf("Detour is %+v", *d)
		}
	}
	return nil
}
