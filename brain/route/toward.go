package route

import (
	"math"

	"fieldbrain/brain/ground"
	"fieldbrain/field/exact"
)

// The directions that Toward looks in.
const (
	bearings = 64
	looks    = 4    // how many lengths it tries
	steady   = 0.10 // m that a direction opposite to the last one must be better, twice
	nearly   = 0.05 // m of the way ahead that must be gained
	sight    = 0.5  // m up to which a goal is gone to as the crow flies
)

var look = [looks]float32{0.45, 0.32, 0.2, 0.1} // m

// An answer is a finished wave.
type answer struct {
	west, south int32
	distance    [cells]float32
	block       [fine]ground.Row // fine cells in which the body's centre may not be
}

// A Way is where the way goes from a place.
type Way struct {
	Bearing  float32 // rad in the frame of the odometry
	Distance float32 // m to go; more where it is narrow or unknown
	X, Y     float32 // m, where it ends
	OK       bool    // there is one
	Ready    bool    // there is an answer at all: without OK, no way is known
}

// An aim is where the last way led.
type aim struct {
	at      point
	have    bool
	best    float32 // m, the shortest that the way to it was
	waiting float32 // s without getting nearer
}

// A bearing is what Toward returned.
type bearing struct {
	way  float32 // rad
	have bool
}

// Toward returns how the way begins at a point, that of the body's centre.
func (f *Finder) Toward(x, y float32) Way {
	if !f.ready || !somewhere(x, y) {
		return Way{}
	}
	a := &f.answer
	way := Way{Ready: true, Distance: a.sample(x, y), X: f.aim.at.x, Y: f.aim.at.y}
	if way.Distance == unreached {
		way.Distance = a.nearby(x, y)
	}
	if way.Distance == unreached {
		return way
	}
	if dx, dy := f.goal.x-x, f.goal.y-y; f.task == Goal {
		// in sight, and near: straight to it
		if d := root(float32(dx*dx) + float32(dy*dy)); d < sight && (d < 0.01 || a.passes(x, y, dx/d, dy/d, d)) {
			way.Bearing, way.OK = float32(exact.Atan2(float64(dy), float64(dx))), true
			f.last = bearing{way.Bearing, true}
			return way
		}
	}
	for _, length := range look {
		if b, ok := f.best(x, y, min(length, max(way.Distance, look[looks-1])), way.Distance); ok {
			way.Bearing, way.OK = b, true
			f.last = bearing{b, true}
			return way
		}
	}
	return way
}

// best returns the bearing of those of a length from whose end the rest of the way
// is shortest.
func (f *Finder) best(x, y, length, distance float32) (float32, bool) {
	a := &f.answer
	var value [bearings]float32
	at, found := 0, false
	for n := range bearings {
		value[n] = unreached
		way := float64(float64(n) * (2 * math.Pi / bearings))
		ux, uy := float32(exact.Cos(way)), float32(exact.Sin(way))
		if !a.passes(x, y, ux, uy, length) {
			continue
		}
		v := a.sample(x+float32(length*ux), y+float32(length*uy))
		if v > distance-nearly {
			continue
		}
		if f.last.have {
			v += float32(steady * (1 - float32(exact.Cos(way-float64(f.last.way)))))
		}
		if value[n] = v; !found || v < value[at] {
			at, found = n, true
		}
	}
	if !found {
		return 0, false
	}
	// a parabola through the best and its neighbours
	left, right := value[(at+1)%bearings], value[(at+bearings-1)%bearings]
	off := float32(0)
	if bend := left + right - float32(2*value[at]); left < unreached && right < unreached && bend > 1e-6 {
		off = float32(0.5*(right-left)) / bend
	}
	return float32(exact.Wrap(float64((float64(at) + float64(off)) * (2 * math.Pi / bearings)))), true
}

// passes reports whether the body may go straight for a length. What already is too
// near where it stands does not stop it.
func (a *answer) passes(x, y, ux, uy, length float32) bool {
	const step = ground.Cell
	inside := true
	for s := float32(0); s <= length; s += step {
		blocked := a.blocked(x+float32(s*ux), y+float32(s*uy))
		if blocked && !inside {
			return false
		}
		if inside = inside && blocked; inside && s > 0.12 {
			return false
		}
	}
	return !inside
}

// blocked reports whether the body's centre may not be at a point. Outside the map
// it may be anywhere.
func (a *answer) blocked(x, y float32) bool {
	cx := int(math.Floor(float64(x)/ground.Cell)) - 2*int(a.west)
	cy := int(math.Floor(float64(y)/ground.Cell)) - 2*int(a.south)
	if cx < 0 || cx >= fine || cy < 0 || cy >= fine {
		return false
	}
	return a.block[cy][cx>>6]>>(cx&63)&1 != 0
}

// sample returns the distance at a point, between the middles of four cells; of
// those that no way leads to, as far as the nearest of the others and a step.
func (a *answer) sample(x, y float32) float32 {
	fx, fy := float32(x*(1/Cell))-0.5-float32(a.west), float32(y*(1/Cell))-0.5-float32(a.south)
	cx, cy := int(math.Floor(float64(fx))), int(math.Floor(float64(fy)))
	if cx < 0 || cy < 0 || cx >= Side-1 || cy >= Side-1 {
		return unreached
	}
	i := cy*Side + cx
	v := [4]float32{a.distance[i], a.distance[i+1], a.distance[i+Side], a.distance[i+Side+1]}
	least := min(v[0], v[1], v[2], v[3])
	if least == unreached {
		return unreached
	}
	for n := range v {
		v[n] = min(v[n], least+2*Cell)
	}
	px, py := fx-float32(cx), fy-float32(cy)
	low := v[0] + float32(px*(v[1]-v[0]))
	high := v[2] + float32(px*(v[3]-v[2]))
	return low + float32(py*(high-low))
}

// nearby returns the shortest distance within three cells of a point that no way
// leads to: the car stands nearer to something than it may.
func (a *answer) nearby(x, y float32) float32 {
	best := unreached
	for dy := float32(-3); dy <= 3; dy++ {
		for dx := float32(-3); dx <= 3; dx++ {
			best = min(best, a.sample(x+float32(dx*Cell), y+float32(dy*Cell))+float32(root(float32(dx*dx)+float32(dy*dy))*Cell))
		}
	}
	return best
}

// How long a source that the car does not get nearer to is believed, and by how much
// it must.
const (
	patience = 12.0 // s
	gained   = 0.15 // m
)

// follow finds out where the way leads that the wave has found, and counts visits
// where the car has not got nearer for long.
func (f *Finder) follow() {
	x, y, ok := f.space.cell(f.car.x, f.car.y)
	t := f.answer.sample(f.car.x, f.car.y)
	if !ok || t == unreached {
		f.aim.have = false
		return
	}
	end := f.space.middle(f.answer.downhill(y*Side + x))
	m := &f.aim
	switch same := m.have && gap(end, m.at) < 2*keepNear; {
	case !same:
		*m = aim{at: end, have: true, best: t}
	case t < m.best-gained:
		m.at, m.best, m.waiting = end, t, 0
	default:
		m.at = end
		if m.waiting += f.since; m.waiting > patience {
			f.places.add(placeOf(end.x), placeOf(end.y), 3)
			m.waiting, m.best = 0, t
		}
	}
	f.since = 0
}

// downhill returns the cell that the way from a cell ends in.
func (a *answer) downhill(i int) int {
	for range 4 * Side {
		best := i
		x, y := i%Side, i/Side
		for cy := max(y-1, 0); cy <= min(y+1, Side-1); cy++ {
			for cx := max(x-1, 0); cx <= min(x+1, Side-1); cx++ {
				if n := cy*Side + cx; a.distance[n] < a.distance[best] {
					best = n
				}
			}
		}
		if best == i {
			break
		}
		i = best
	}
	return i
}
