package ground

import (
	"fmt"
	"math"
)

// The grid's shape and scale; see the package comment.
const (
	Side     = 256      // cells per axis
	Cell     = 1.0 / 32 // m
	Occupied = 100      // largest log-odds in units
	Free     = 72       // largest magnitude of a free cell's

	occupiedFrom = 24 // units and above: something stands here
	firmFrom     = 64 // and surely so: seen free after that, it has moved
	freeFrom     = -12

	cells  = Side * Side
	mask   = Side - 1
	words  = cells / 64
	perRow = Side / 64
	far    = 1e5 // m; farther, or not a number, is nowhere
)

// A bitmap is one bit per cell, four words per row.
type bitmap [words]uint64

// A Grid is the belief about the floor around the car.
type Grid struct {
	body        Body
	west, south int32 // world cell of the window's corner

	odds [cells]uint8 // int8
	seen [cells]uint8 // ticks of the coarse clock at which it was last written

	free, occupied bitmap
	firm           bitmap // was surely occupied
	edge           bitmap // the floor ends here
	movers         movers
	fade           fade
	prints         [2]prints // with Margin, with Sides
	sides          uint8     // 1 where beams look to the sides
	halo           halo
	arc            arc // scratch of Beam
}

// New returns a grid in which everything is unknown, around the world's origin.
func New(b Body) (*Grid, error) {
	b.Sides = max(b.Sides, b.Margin)
	if !(b.Radius >= 0.03 && b.Margin >= 0 && b.Radius+b.Sides <= 0.13) {
		return nil, fmt.Errorf("ground: body radius %v m must be at least 0.03, and at most 0.13 with its margin of %v", b.Radius, b.Sides)
	}
	if !(b.Ahead >= -0.2 && b.Ahead <= 0.2) {
		return nil, fmt.Errorf("ground: body centre %v m ahead of the axle, must be within 0.2", b.Ahead)
	}
	g := &Grid{body: b}
	g.prints[0].fill(&b, b.Margin)
	g.prints[1].fill(&b, b.Sides)
	g.Clear()
	return g, nil
}

// Clear forgets everything and puts the window around the world's origin.
func (g *Grid) Clear() {
	g.odds, g.seen = [cells]uint8{}, [cells]uint8{}
	g.free, g.occupied, g.firm, g.edge = bitmap{}, bitmap{}, bitmap{}, bitmap{}
	g.movers, g.fade = movers{}, fade{}
	g.west, g.south = -Side/2, -Side/2
	g.halo.stale = true
}

// Body returns the body that New took.
func (g *Grid) Body() Body { return g.body }

// Look says whether beams look to the sides: whoever sees there where it turns may keep
// more room and take more of the floor before an echo for free, and with one beam the
// lanes that it has seen are as narrow as the car.
func (g *Grid) Look(sides bool) {
	if g.sides = 0; sides {
		g.sides = 1
	}
}

// masks are those with the margin that is kept now.
func (g *Grid) masks() *prints { return &g.prints[g.sides] }

// margin is what is kept around the body now, in m.
func (g *Grid) margin() float32 { return g.masks().radius[sizes-1] - g.body.Radius }

// Corner returns the world cell of the window's corner: its west and south edges
// lie at that many cells.
func (g *Grid) Corner() (west, south int32) { return g.west, g.south }

// coordinate returns the world cell of a coordinate in m.
func coordinate(m float32) int32 { return int32(math.Floor(float64(m) / Cell)) }

// index returns where a world cell is stored.
func index(x, y int32) int { return int(y&mask)*Side + int(x&mask) }

// somewhere reports whether a point is a place at all.
func somewhere(x, y float32) bool { return x > -far && x < far && y > -far && y < far }

// inside reports whether a world cell lies in the window.
func (g *Grid) inside(x, y int32) bool {
	return uint32(x-g.west) < Side && uint32(y-g.south) < Side
}

// put writes one cell's log-odds and keeps its bits.
func (g *Grid) put(i, units int) {
	g.odds[i], g.seen[i] = uint8(int8(units)), g.fade.now
	g.halo.stale = true
	w, b := i>>6, uint64(1)<<(i&63)
	g.free[w] &^= b
	g.occupied[w] &^= b
	if units <= freeFrom {
		g.free[w] |= b
	} else if units >= occupiedFrom {
		g.occupied[w] |= b
		if units >= firmFrom {
			g.firm[w] |= b
		}
	}
}

// at returns one cell's log-odds.
func (g *Grid) at(i int) int { return int(int8(g.odds[i])) }

// has reports whether a cell's bit is set.
func (m *bitmap) has(i int) bool { return m[i>>6]>>(i&63)&1 != 0 }

// wipe makes one cell unknown.
func (g *Grid) wipe(i int) {
	g.odds[i], g.halo.stale = 0, true
	w, b := i>>6, uint64(1)<<(i&63)
	g.free[w] &^= b
	g.occupied[w] &^= b
	g.firm[w] &^= b
	g.edge[w] &^= b
}

// Follow moves the window by whole cells so that a point lies in its middle.
// Cells that come in are unknown. A point that is not a number or unreasonably
// far moves nothing.
func (g *Grid) Follow(x, y float32) {
	if !somewhere(x, y) {
		return
	}
	g.columns(coordinate(x) - Side/2)
	g.rows(coordinate(y) - Side/2)
}

// columns moves the window to a western edge.
func (g *Grid) columns(west int32) {
	from, to := g.west+Side, west+Side // that come in when it moves east
	if west < g.west {
		from, to = west, g.west
	}
	g.west = west
	if to-from > Side {
		from = to - Side
	}
	for x := from; x < to; x++ {
		for i := index(x, 0); i < cells; i += Side {
			g.wipe(i)
		}
	}
}

// rows moves the window to a southern edge.
func (g *Grid) rows(south int32) {
	from, to := g.south+Side, south+Side
	if south < g.south {
		from, to = south, g.south
	}
	g.south = south
	if to-from > Side {
		from = to - Side
	}
	for y := from; y < to; y++ {
		i := index(0, y)
		clear(g.odds[i : i+Side])
		for w := i >> 6; w < i>>6+perRow; w++ {
			g.free[w], g.occupied[w], g.firm[w], g.edge[w] = 0, 0, 0, 0
		}
	}
}

// A State says what is known of a cell.
type State uint8

// The states of a cell.
const (
	Unknown  State = iota
	Clear          // seen free
	Blocked        // something stands there
	Cliff          // the floor ends there
	numState       // how many there are
)

// String returns the state's name.
func (s State) String() string {
	if s >= numState {
		return "invalid"
	}
	return [numState]string{"unknown", "free", "occupied", "edge"}[s]
}

// A Look is what At returns.
type Look struct {
	State State
	Odds  int     // units, positive for occupied
	Age   float32 // s since it was last seen, at most Oldest; 0 for unknown
}

// At says what is known of the cell at a point; outside the window it is unknown.
func (g *Grid) At(x, y float32) Look {
	if !somewhere(x, y) {
		return Look{}
	}
	cx, cy := coordinate(x), coordinate(y)
	if !g.inside(cx, cy) {
		return Look{}
	}
	i := index(cx, cy)
	look := Look{Odds: g.at(i)}
	switch {
	case g.edge.has(i):
		look.State = Cliff
	case g.occupied.has(i):
		look.State = Blocked
	case g.free.has(i):
		look.State = Clear
	}
	if look.Odds != 0 {
		look.Age = float32(g.fade.now-g.seen[i]) * clock
	}
	return look
}
