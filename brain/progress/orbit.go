package progress

import "math"

const (
	spacing = 0.1 // m between two samples of the way
	pause   = 1.0 // s, a sample comes at least so often
	samples = 128 // kept
	news    = 3   // places entered for the first time during a stretch, at most: the drift makes some
)

// A Disc is a part of the floor.
type Disc struct{ X, Y, R float64 } // m

// A size is one kind of stretch that is looked for.
type size struct {
	radius float64 // m, of the disc around it
	way    float64 // m that it is long
	time   float64 // s, or so long; 0 asks for the way
}

var sizes = [...]size{{0.3, 2.4, 12}, {0.6, 5, 28}, {1.0, 9.5, 0}}

// A sample is a place on the way.
type sample struct {
	x, y      float64 // m
	time, way float64 // s, m
	entered   uint64
}

// An orbit finds stretches of the way that get nowhere.
type orbit struct {
	ring  [samples]sample
	next  int // where the next sample goes
	count int // samples kept
}

// watch takes the newest place and reports the disc of a stretch that ends there.
func (o *orbit) watch(s sample) (Disc, bool) {
	if o.count > 0 {
		last := o.back(0)
		if s.way-last.way < spacing && s.time-last.time < pause {
			return Disc{}, false
		}
	}
	o.ring[o.next] = s
	o.next = (o.next + 1) % samples
	o.count = min(o.count+1, samples)
	for i := range sizes {
		if d, found := o.stretch(&sizes[i]); found {
			o.count = 0 // the next one is another
			return d, true
		}
	}
	return Disc{}, false
}

// back returns the sample that many before the newest.
func (o *orbit) back(n int) *sample { return &o.ring[(o.next-1-n+2*samples)%samples] }

// stretch looks for one of a size that ends with the newest sample.
func (o *orbit) stretch(s *size) (Disc, bool) {
	newest := o.back(0)
	west, east, south, north := newest.x, newest.x, newest.y, newest.y
	for n := 1; n < o.count; n++ {
		p := o.back(n)
		west, east = math.Min(west, p.x), math.Max(east, p.x)
		south, north = math.Min(south, p.y), math.Max(north, p.y)
		if newest.entered-p.entered > news || east-west > 2*s.radius || north-south > 2*s.radius {
			break
		}
		if newest.way-p.way >= s.way || s.time > 0 && newest.time-p.time >= s.time {
			d := Disc{float64(0.5 * (west + east)), float64(0.5 * (south + north)), s.radius}
			return d, o.within(n, &d)
		}
	}
	return Disc{}, false
}

// within reports whether the newest n + 1 samples lie in a disc.
func (o *orbit) within(n int, d *Disc) bool {
	for i := range n + 1 {
		p := o.back(i)
		dx, dy := p.x-d.X, p.y-d.Y
		if float64(dx*dx)+float64(dy*dy) > float64(d.R*d.R) {
			return false
		}
	}
	return true
}
