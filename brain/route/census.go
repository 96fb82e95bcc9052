package route

import "fieldbrain/field/exact"

// A census looks for floor that the car can reach and from which something can be seen
// that it has never seen: a flood from where the car is over floor that is known or was
// (Yamauchi 1997, doi:10.1109/CIRA.1997.613851). Unlike the frontiers that draw the
// car, what has once been seen and is forgotten is not looked for.
type census struct {
	waves int  // until the next one
	found int  // cells of the one under way that are news
	done  bool // one has ended
	left  bool // the last one found enough
}

const (
	censusWaves = 6  // from one to the next: about every 2 s
	enough      = 12 // cells of news: less is the noise of what stands there
	beside      = 3  // cells from the car that it may start from
	inPlace     = int(placeCell / Cell)
	half        = inPlace / 2 // cells of a place in one row that tell what it is
)

// How a place that was visited often weighs on the way to a goal, in slowness: what a
// search in real time learns about a place leads it out of every cul-de-sac, also one
// that the map forgets (Korf 1990, doi:10.1016/0004-3702(90)90054-4). A wall that the map
// has forgotten makes its place dearer still: of two ways that are both shut each would
// else look open from the end of the other.
const (
	unwearied = 3    // visits that cost nothing
	weary     = 0.15 // of each one more
	wearyMost = 1.5
	stood     = 10.0 // of floor not known in a place where something stood when it was last seen
	stands    = 40.0 // likewise, for a car that is late
)

// CountForgottenWalls tells the finder whether walls that the map has forgotten count on the way to
// a goal, and whether the car is late there and they count for more: 10 m of way.
func (f *Finder) CountForgottenWalls(walls, late bool) { f.walls, f.late = walls, late }

// Barren reports whether nothing that was never seen can be reached, and whether
// anybody has looked since the task began.
func (f *Finder) Barren() (barren, known bool) { return f.census.done && !f.census.left, f.census.done }

// Shun counts visits of all places within a distance of a point, so that ways around
// and sources elsewhere are preferred.
func (f *Finder) Shun(x, y, radius float32, visits uint8) {
	if !somewhere(x, y) || !(radius >= 0 && radius < far) {
		return
	}
	for py := placeOf(y - radius); py <= placeOf(y+radius); py++ {
		for px := placeOf(x - radius); px <= placeOf(x+radius); px++ {
			dx, dy := float32((float32(px)+0.5)*placeCell)-x, float32((float32(py)+0.5)*placeCell)-y
			if f.places.inside(px, py) && float32(exact.Hypot(float64(dx), float64(dy))) <= radius {
				f.places.add(px, py, visits)
			}
		}
	}
}

// notice remembers what was seen of the places in one row of the map. Towards a goal it
// also makes cells cost more that were visited often or lie beside walls.
func (f *Finder) notice(row int) {
	y := int32(row+int(f.space.south)) >> 2
	for x := 0; x < Side; {
		px := int32(x+int(f.space.west)) >> 2
		end := max(min(int(px+1)*inPlace-int(f.space.west), Side), x+1) // at least on, wherever a damaged frozen brain lies
		seen, unseen := float32(0), float32(0)
		if f.task == Goal {
			seen, unseen = f.slowness(px, y)
		}
		known, shut := 0, 0
		for ; x < end; x++ {
			switch i := row*Side + x; {
			case f.space.slow[i] == blocks:
				shut++
			case f.space.known[i]:
				known++
				f.space.slow[i] += seen
			default:
				f.space.slow[i] += unseen
			}
		}
		f.places.judge(px, y, known, shut)
	}
}

// slowness is that of a place beyond what its floor has: where the map knows it, and
// where it does not.
func (f *Finder) slowness(px, py int32) (seen, unseen float32) {
	if !f.places.inside(px, py) {
		return 0, 0
	}
	was := f.places.count[f.places.index(px, py)]
	seen = min(float32(weary*float32(max(int(was&number)-unwearied, 0))), wearyMost)
	switch {
	case was&walled == 0 || !f.walls:
		return seen, seen
	case f.late:
		return seen, seen + stands
	}
	return seen, seen + stood
}

// judge remembers how much of one row of a place is known floor, and how much is shut.
// Floor with nothing on it takes back that something stood there.
func (p *places) judge(px, py int32, known, shut int) {
	if !p.inside(px, py) {
		return
	}
	was := &p.count[p.index(px, py)]
	if known >= half {
		*was |= noticed
		if shut == 0 {
			*was &^= walled
		}
	}
	if shut >= half {
		*was |= walled
	}
}

// count begins a census where one is due.
func (f *Finder) count() {
	if f.census.waves--; f.task == Nothing || f.census.waves > 0 {
		return
	}
	x, y, ok := f.space.cell(f.car.x, f.car.y)
	if !ok {
		return
	}
	f.census.waves, f.census.found = censusWaves, 0
	f.phase = counting
	f.wave.begin(&f.spare.distance)
	for cy := max(y-beside, 0); cy <= min(y+beside, Side-1); cy++ {
		for cx := max(x-beside, 0); cx <= min(x+beside, Side-1); cx++ {
			if i := cy*Side + cx; f.space.slow[i] != blocks && f.space.known[i] {
				f.wave.put(i, 0, &f.spare.distance)
			}
		}
	}
}

// search lets the flood pass one cell and reports whether the census is over.
func (f *Finder) search() bool {
	f.left--
	i, more := f.wave.pop(&f.spare.distance)
	if !more {
		f.census.done, f.census.left = true, false
		return true
	}
	switch {
	case f.space.known[i] || f.remembered(i) != 0:
	case f.promising(i):
		f.wave.source[i] = true
		if f.census.found++; f.census.found >= enough {
			f.census.done, f.census.left = true, true
			return true
		}
	default:
		return false
	}
	f.wave.pass(i, &f.spare.distance, &f.space.slow)
	return false
}

// remembered is what is remembered of a cell's place: 0 for news.
func (f *Finder) remembered(i int) uint8 {
	px, py := int32(i%Side+int(f.space.west))>>2, int32(i/Side+int(f.space.south))>>2
	if !f.places.inside(px, py) {
		return noticed // nobody knows
	}
	return f.places.count[f.places.index(px, py)]
}

// promising reports whether a cell of which nothing is remembered borders on floor that
// was seen, or on another such. Where a wall was, and is forgotten, nothing is promised.
func (f *Finder) promising(i int) bool {
	x, y := i%Side, i/Side
	if x < 1 || x > Side-2 || y < 1 || y > Side-2 {
		return true // the window ends; the floor need not
	}
	for _, n := range [4]int{i - 1, i + 1, i - Side, i + Side} {
		if f.wave.source[n] || f.space.known[n] && f.space.slow[n] != blocks {
			return true
		}
		if was := f.remembered(n); was != 0 && was&walled == 0 && f.space.slow[n] != blocks {
			return true
		}
	}
	return false
}
