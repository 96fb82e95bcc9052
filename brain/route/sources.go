package route

import (
	"math"
	"slices"

	"fieldbrain/field/exact"
)

// What it costs to go where the car has been, and what the unknown is worth, in m
// of way.
const (
	often    = 1.2  // of the first visit
	again    = 0.6  // of each one more: with less and less of it a car goes round in one part of a room
	around   = 0.1  // share of each of the eight places around one in what it costs; its own is the rest
	oftenest = 40   // visits that count
	base     = 0.6  // of every source, so that none is below 0
	frontier = 0.6  // less for a cell that borders on the unknown, where much does
	crowd    = 8    // cells of a frontier nearby that are much
	turning  = 0.2  // twice that behind the car, once beside it
	keeping  = 0.4  // less near where the last way led
	keepNear = 0.5  // m
	spared   = 0.35 // m around the car that is no source
	round    = 2    // cells around the goal that are as far from it as it is straight
	goalWide = 8    // cells around an occupied goal in which a passable one counts
)

// seedGoal makes the goal's cell a source, or the window's border.
func (f *Finder) seedGoal() {
	d := &f.spare.distance
	x, y, ok := f.space.cell(f.goal.x, f.goal.y)
	if !ok {
		f.seedBorder()
		return
	}
	if i := y*Side + x; f.space.slow[i] != blocks {
		for cy := max(y-round, 0); cy <= min(y+round, Side-1); cy++ {
			for cx := max(x-round, 0); cx <= min(x+round, Side-1); cx++ {
				if n := cy*Side + cx; f.space.slow[n] != blocks {
					f.wave.put(n, float32(f.space.slow[n]*gap(f.space.middle(n), f.goal)), d)
				}
			}
		}
		return
	}
	for cy := max(y-goalWide, 0); cy <= min(y+goalWide, Side-1); cy++ {
		for cx := max(x-goalWide, 0); cx <= min(x+goalWide, Side-1); cx++ {
			if i := cy*Side + cx; f.space.slow[i] != blocks {
				f.wave.put(i, 2*gap(f.space.middle(i), f.goal), d) // as near as can be
			}
		}
	}
}

// seedBorder makes the window's border the source, each cell as far as it is from
// the goal, less the way that all have in common: by the survey, or as the crow flies
// where the goal is too far off for one.
func (f *Finder) seedBorder() {
	s := &f.survey
	if !s.have {
		n := 0
		border(func(i int) {
			s.rest[n] = gap(f.space.middle(i), f.goal)
			n++
		})
	}
	common, n := slices.Min(s.rest[:]), 0
	border(func(i int) {
		if f.space.slow[i] != blocks {
			f.wave.put(i, s.rest[n]-common, &f.spare.distance)
		}
		n++
	})
}

// border calls for every cell of the window's border.
func border(each func(i int)) {
	for n := range Side {
		each(n)
		each(cells - Side + n)
		if n > 0 && n < Side-1 {
			each(n * Side)
			each(n*Side + Side - 1)
		}
	}
}

func gap(a, b point) float32 {
	return float32(exact.Hypot(float64(a.x-b.x), float64(a.y-b.y)))
}

// seedRow makes the known cells of one row sources.
func (f *Finder) seedRow(row int) {
	py, was, price := int32(row+int(f.space.south))>>2, int32(math.MinInt32), float32(0)
	for x := range Side {
		i := row*Side + x
		if px := int32(x+int(f.space.west)) >> 2; px != was {
			was, price = px, f.price(px, py)
		}
		if !f.space.known[i] || f.space.slow[i] == blocks {
			continue
		}
		at := f.space.middle(i)
		dx, dy := at.x-f.car.x, at.y-f.car.y
		d2 := float32(dx*dx) + float32(dy*dy)
		if d2 < spared*spared {
			continue
		}
		along := float32(dx*f.nose.x) + float32(dy*f.nose.y)
		t := base + price + float32(turning*(1-along/root(d2)))
		if n := f.openings(x, row); n > 0 {
			t -= float32(frontier / crowd * float32(min(n, crowd)))
		}
		if f.aim.have && gap(at, f.aim.at) < keepNear {
			t = max(t-keeping, 0)
		}
		f.wave.put(i, t, &f.spare.distance)
		f.wave.source[i] = true
	}
}

// Widen tells the finder whether a place costs what those around it were visited, too: a
// strip of floor beside a way that was driven often is no news to beams to the sides, and to
// one beam it is.
func (f *Finder) Widen(on bool) { f.wide = on }

// price is what the visits of a place, and of those around it, cost more than those of the
// least visited.
func (f *Finder) price(px, py int32) float32 {
	if !f.wide {
		return f.cost(px, py)
	}
	sum := float32(0)
	for i := range int32(9) {
		sum += f.cost(px+i%3-1, py+i/3-1)
	}
	return float32(around*sum) + float32((1-9*around)*f.cost(px, py))
}

// cost is that of the visits of one place.
func (f *Finder) cost(px, py int32) float32 {
	n := min(f.places.visits(px, py), oftenest)
	if n == 0 {
		return 0
	}
	return often + float32(again*float32(n-1))
}

// openings returns how many cells around one that borders on the unknown do so too.
func (f *Finder) openings(x, y int) int {
	if !f.open(x, y) {
		return 0
	}
	n := 0
	for cy := max(y-2, 1); cy <= min(y+2, Side-2); cy++ {
		for cx := max(x-2, 1); cx <= min(x+2, Side-2); cx++ {
			if f.open(cx, cy) {
				n++
			}
		}
	}
	return n
}

// open reports whether a known cell borders on one that is unknown and passable.
func (f *Finder) open(x, y int) bool {
	if x < 1 || x > Side-2 || y < 1 || y > Side-2 {
		return false
	}
	i := y*Side + x
	if !f.space.known[i] {
		return false
	}
	for _, n := range [4]int{i - 1, i + 1, i - Side, i + Side} {
		if !f.space.known[n] && f.space.slow[n] != blocks {
			return true
		}
	}
	return false
}
