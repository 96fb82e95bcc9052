package route

import "math"

// Places count how often the car has been where, and remember what it has seen: a ring
// of cells of 0.25 m, 32 m square, larger than the window, because what has been
// forgotten has been visited and seen all the same.
const (
	placeSide = 128
	placeCell = 0.25 // m
	lingers   = 4.0  // s in one place that count as another visit
	mostOften = 60
	noticed   = 0x80 // bit of a count: the place was seen
	walled    = 0x40 // something stands there, or stood there when it was last seen
	number    = 0x3f // the visits
)

type places struct {
	count        [placeSide * placeSide]uint8
	x, y         int32 // where the car is, a world place
	west, south  int32 // world place of the ring's corner
	stayed       float32
	entered      uint64 // places visited for the first time since the finder began
	here, placed bool   // the car has a place; the ring has one
}

func placeOf(m float32) int32 { return int32(math.Floor(float64(m) / placeCell)) }

// index returns where a world place is kept.
func (p *places) index(x, y int32) int {
	return int(y&(placeSide-1))*placeSide + int(x&(placeSide-1))
}

// visit notes that the car is at a point for some seconds.
func (p *places) visit(x, y, seconds float32) {
	px, py := placeOf(x), placeOf(y)
	p.follow(px-placeSide/2, py-placeSide/2)
	if p.here && px == p.x && py == p.y {
		if p.stayed += seconds; p.stayed < lingers {
			return
		}
	}
	p.x, p.y, p.here, p.stayed = px, py, true, 0
	if p.count[p.index(px, py)]&number == 0 {
		p.entered++
	}
	p.add(px, py, 1)
}

// add counts some visits of a place.
func (p *places) add(x, y int32, n uint8) {
	c := &p.count[p.index(x, y)]
	*c = *c&^number | min(*c&number+min(n, mostOften), mostOften)
}

// inside reports whether a place is in the ring.
func (p *places) inside(x, y int32) bool {
	return x >= p.west && x-p.west < placeSide && y >= p.south && y-p.south < placeSide
}

// Entered returns how many places the car has visited for the first time.
func (f *Finder) Entered() uint64 { return f.places.entered }

// follow moves the ring by whole places and clears those that come in.
func (p *places) follow(west, south int32) {
	if !p.placed || west-p.west >= placeSide || p.west-west >= placeSide || south-p.south >= placeSide || p.south-south >= placeSide {
		p.count = [placeSide * placeSide]uint8{}
		p.west, p.south, p.placed = west, south, true
		return
	}
	for p.west != west {
		gone := p.west
		if west > p.west {
			p.west++
		} else {
			p.west--
			gone = p.west
		}
		for y := range int32(placeSide) {
			p.count[p.index(gone, y)] = 0
		}
	}
	for p.south != south {
		gone := p.south
		if south > p.south {
			p.south++
		} else {
			p.south--
			gone = p.south
		}
		for x := range int32(placeSide) {
			p.count[p.index(x, gone)] = 0
		}
	}
}

// visits returns how often the car was at a world place.
func (p *places) visits(px, py int32) int {
	if !p.inside(px, py) {
		return 0
	}
	return int(p.count[p.index(px, py)] & number)
}
