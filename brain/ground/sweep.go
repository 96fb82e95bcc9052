package ground

import (
	"math"
	"math/bits"

	"fieldbrain/field/exact"
)

// A Sweep is how far the body gets along an arc, in metres of the rear axle's way.
type Sweep struct {
	Known float32 // before the body leaves floor that is known free
	Free  float32 // before it meets what is occupied, or an edge
	Ways  Ways    // as Free for margins from none to the whole: long in the middle of a gap
	Lane  float32 // before its middle leaves floor that is known free, or no margin is left
	Blind float32 // share 0..1 of what it sweeps until Free that is not known
}

// Ways are those of discs of several sizes, from a little less than the body to the body
// with its margin, each before it meets what lies clearly ahead of its centre.
type Ways [sizes]float32

// stride is the step of a sweep in m.
const stride = Cell

// A walker is the body on its way along an arc.
type walker struct {
	g            *Grid
	x, y         float32 // rear axle, in cells
	cos, sin     float32 // heading
	dcos, dsin   float32 // turn per step
	step         float32 // cells, negative backwards
	ahead        float32 // cells from the axle to the disc's centre
	lean         float32 // of the centre's own motion from the heading, its tangent
	sign         float32 // -1 backwards
	facing, spin float32 // direction of the centre's motion and its change, in directions
}

// Sweep returns how far the body can go from a pose along an arc of the rear axle
// of a curvature in 1/m, positive left, up to a length in m. What the body already
// overlaps holds it only where it would go deeper. Where there is less room than
// the margin, the margin is what room there is.
func (g *Grid) Sweep(at Pose, curvature, length float32, backward bool) Sweep {
	if !somewhere(at.X, at.Y) || !(length > 0 && length < far) || !(curvature > -100 && curvature < 100) {
		return Sweep{}
	}
	var w walker
	w.start(g, at, curvature, backward)
	cx, cy := w.cell()
	g.halo.around(g, cx, cy)
	t := track{Sweep: Sweep{Known: length, Free: length, Lane: length}, wide: g.room(at), size: sizes - 1}
	usual := int(g.masks().set[1][0][0].size)
	for s := float32(0); s < length+stride; s += stride {
		cx, cy := w.cell()
		if !g.halo.may(&g.halo.met, cx, cy) && !g.halo.may(&g.halo.lost, cx, cy) {
			if !t.met {
				t.all += usual
			}
		} else if t.step(&w, s, cx, cy) {
			break
		}
		w.advance()
	}
	for i := range t.Ways {
		if t.Ways[i] = min(t.Ways[i], length); i <= t.size {
			t.Ways[i] = length
		}
	}
	t.Known, t.Lane = min(t.Known, t.Free), min(t.Lane, max(t.Free, t.Ways[0]))
	if t.all > 0 {
		t.Blind = float32(t.dark) / float32(t.all)
	}
	return t.Sweep
}

// A track is a sweep on its way.
type track struct {
	Sweep
	wide               int  // size of the disc that must stay free
	size               int  // of the largest that does not meet anything yet, -1 when all do
	met, lost, strayed bool // Free, Known and Lane are found
	dark, all          int  // cells under the body: unknown, and all
}

// step looks at the body at the walker's place, s m along the arc, in a cell whose
// surroundings are not all free and known. It reports whether something ends the way.
func (t *track) step(w *walker, s float32, cx, cy int32) bool {
	g, p := w.g, w.g.masks()
	px, py := w.centre()
	ph, d := phase(px, py, cx, cy), w.direction()
	before := t.met
	if m := &p.set[t.wide][ph][d]; !t.met && g.hits(m, cx, cy) {
		t.Free, t.met = min(t.Free, w.meets(m, t.wide, s)), true
	}
	for t.size >= 0 {
		m := &p.head[t.size][ph][d]
		if !g.hits(m, cx, cy) {
			break
		}
		t.Ways[t.size] = w.meets(m, t.size, s)
		t.size--
	}
	if t.met != before || t.met && t.size < 0 {
		return t.size < 0
	}
	if !t.met {
		body := &p.set[1][ph][d]
		t.dark += g.unknown(body, cx, cy)
		t.all += int(body.size)
	}
	if !t.strayed && g.leaves(&p.lane[ph][d], cx, cy) {
		t.Lane, t.strayed = max(s-stride/2, 0), true
	}
	if known := min(t.wide, 1); !t.lost {
		if m := &p.set[known][ph][d]; g.leaves(m, cx, cy) {
			t.Known = min(t.Known, max(float32(w.before(m, cx, cy, p.radius[known], true)*Cell)+s, s-stride, 0))
			t.lost = true
		}
	}
	return false
}

// meets returns how far along its way in m a disc of a size meets the first of a mask's
// cells, s m after the start.
func (w *walker) meets(m *print, size int, s float32) float32 {
	cx, cy := w.cell()
	return max(float32(w.before(m, cx, cy, w.g.masks().radius[size], false)*Cell)+s, s-stride, 0)
}

// room returns the size of the disc that a sweep from a pose takes: the one with
// the whole margin, or the largest that nothing is inside of.
func (g *Grid) room(at Pose) int {
	x, y := at.place(g.body.Ahead, 0)
	radius := &g.masks().radius
	clearance := g.within(x, y, radius[sizes-1]+2*nearby)
	for s := sizes - 1; s > 0; s-- {
		if clearance >= radius[s]+nearby {
			return s
		}
	}
	return 0
}

// start puts the walker at a pose.
func (w *walker) start(g *Grid, at Pose, curvature float32, backward bool) {
	w.g, w.sign = g, 1
	if backward {
		w.sign = -1
	}
	way := float64(at.Heading)
	w.x, w.y = float32(at.X*(1/Cell)), float32(at.Y*(1/Cell))
	w.cos, w.sin = float32(exact.Cos(way)), float32(exact.Sin(way))
	turn := float64(w.sign * float32(curvature*stride))
	w.dcos, w.dsin = float32(exact.Cos(turn)), float32(exact.Sin(turn))
	w.step = w.sign * (stride / Cell)
	w.ahead = g.body.Ahead * (1 / Cell)
	w.lean = float32(curvature * g.body.Ahead)
	facing := way + exact.Atan2(float64(w.lean), 1)
	if backward {
		facing += math.Pi
	}
	w.facing = float32(facing * (directions / (2 * math.Pi)))
	w.spin = float32(turn * (directions / (2 * math.Pi)))
}

// centre returns where the disc's centre is, in cells.
func (w *walker) centre() (x, y float32) {
	return w.x + float32(w.ahead*w.cos), w.y + float32(w.ahead*w.sin)
}

// cell returns the cell of the disc's centre.
func (w *walker) cell() (cx, cy int32) {
	x, y := w.centre()
	return int32(math.Floor(float64(x))), int32(math.Floor(float64(y)))
}

// direction returns the mask's direction.
func (w *walker) direction() int {
	return int(math.Floor(float64(w.facing)+0.5)) & (directions - 1)
}

// advance moves the walker by one step: half of it before the turn, half after.
func (w *walker) advance() {
	half := float32(0.5 * w.step)
	w.x += float32(half * w.cos)
	w.y += float32(half * w.sin)
	w.cos, w.sin = turned(w.cos, w.sin, w.dcos, w.dsin)
	w.x += float32(half * w.cos)
	w.y += float32(half * w.sin)
	w.facing += w.spin
}

// hits reports whether a mask around a cell meets anything.
func (g *Grid) hits(m *print, cx, cy int32) bool {
	x := cx - reachCells
	for r := int32(m.first); r <= int32(m.last); r++ {
		if g.occupied.window(x, cy+r-reachCells)&uint64(m.row[r]) != 0 {
			return true
		}
	}
	return false
}

// leaves reports whether a mask around a cell has any that is not known free.
func (g *Grid) leaves(m *print, cx, cy int32) bool {
	x := cx - reachCells
	for r := int32(m.first); r <= int32(m.last); r++ {
		if ^g.free.window(x, cy+r-reachCells)&uint64(m.row[r]) != 0 {
			return true
		}
	}
	return false
}

// unknown counts the cells of a mask that are not known.
func (g *Grid) unknown(m *print, cx, cy int32) (n int) {
	x := cx - reachCells
	for r := int32(m.first); r <= int32(m.last); r++ {
		y := cy + r - reachCells
		n += bits.OnesCount64(^(g.free.window(x, y) | g.occupied.window(x, y)) & uint64(m.row[r]))
	}
	return n
}

// before returns how far the disc can still go, in cells, before its rim reaches
// the first of the mask's cells that stop it; negative when it is past it.
func (w *walker) before(m *print, cx, cy int32, radius float32, unknown bool) float32 {
	px, py := w.centre()
	ux := float32(w.sign * (w.cos - float32(w.lean*w.sin)))
	uy := float32(w.sign * (w.sin + float32(w.lean*w.cos)))
	pace := root(float32(ux*ux) + float32(uy*uy)) // of the centre per way of the axle
	ux, uy = ux/pace, uy/pace
	r2 := float32(float32(radius*(1/Cell)) * float32(radius*(1/Cell)))
	first := float32(0)
	for r := int32(m.first); r <= int32(m.last); r++ {
		y := cy + r - reachCells
		set := w.g.occupied.window(cx-reachCells, y)
		if unknown {
			set = ^w.g.free.window(cx-reachCells, y)
		}
		for set &= uint64(m.row[r]); set != 0; set &= set - 1 {
			dx := float32(cx+int32(bits.TrailingZeros64(set))-reachCells) + 0.5 - px
			dy := float32(y) + 0.5 - py
			along := float32(dx*ux) + float32(dy*uy)
			across := float32(dy*ux) - float32(dx*uy)
			first = min(first, (along-root(max(r2-float32(across*across), 0)))/pace)
		}
	}
	return first
}
