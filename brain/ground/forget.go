package ground

import (
	"encoding/binary"
	"math"
)

// Forgetting goes over the rows in turn. A pass over all of them takes off one
// step; time, way and turn make the rows of a tick more. A cell that was as sure
// as can be is no longer occupied after 76 units: 80 s, or 6 m, or 11 rad; one as free as can
// be no longer known to be after 60: 43 s, or 3.2 m, or 5.7 rad. What stands lasts longer:
// the way out of a trap leads past walls seen long ago, and a beam clears what is gone.
const (
	stepOccupied = 4 // units per pass
	stepFree     = 6
	stepEdge     = 1

	perSecond = 60  // rows
	perMetre  = 800 // rows
	perRadian = 450 // rows
	rowsMost  = 32  // per call
	owedMost  = 4 * rowsMost

	clock  = 0.5         // s of a tick of the coarse clock
	Oldest = 200 * clock // s: an age is at most that

	moverMost   = 256
	moverFade   = 60   // units per second
	moverLasts  = 10.0 // s without a new flip
	moverVisits = 8    // per call
)

// fade is the state of forgetting.
type fade struct {
	row  int32   // that comes next
	owed float32 // rows
	now  uint8   // coarse clock
	part float32 // s since its last tick
}

// movers are the cells that were surely occupied and then seen free.
type movers struct {
	cell [moverMost]int32
	left [moverMost]float32 // s until the cell counts as any other
	rest [moverMost]float32 // units that it still has to lose
	n    int
	at   int
}

// Forget lets the grid fade by some time in s, metres driven either way and
// radians turned.
func (g *Grid) Forget(seconds, metres, radians float32) {
	f := &g.fade
	if f.part += seconds; f.part >= clock {
		f.part -= clock
		f.now++
	}
	f.owed += float32(perSecond*seconds) + float32(perMetre*abs(metres)) + float32(perRadian*abs(radians))
	for n := 0; f.owed >= 1 && n < rowsMost; n++ {
		f.owed--
		g.fadeRow(int(f.row))
		f.row = (f.row + 1) & mask
	}
	f.owed = min(f.owed, owedMost)
	g.fadeMovers(seconds)
}

func abs(v float32) float32 { return float32(math.Abs(float64(v))) }

// fadeRow takes one step off every cell of a stored row.
func (g *Grid) fadeRow(row int) {
	base := row * Side
	for i := base; i < base+Side; i += 8 {
		if binary.LittleEndian.Uint64(g.odds[i:]) == 0 {
			continue
		}
		for j := i; j < i+8; j++ {
			g.fadeCell(j)
		}
	}
}

// fadeCell takes one step off a cell.
func (g *Grid) fadeCell(i int) {
	units := g.at(i)
	if units == 0 {
		return
	}
	switch {
	case units < 0:
		units = min(units+stepFree, 0)
	case g.edge.has(i):
		if units -= stepEdge; units < occupiedFrom {
			g.wipe(i)
			return
		}
	default:
		units = max(units-stepOccupied, 0)
	}
	seen := g.seen[i]
	if g.fade.now-seen > Oldest/clock {
		seen = g.fade.now - Oldest/clock
	}
	g.put(i, units)
	g.seen[i] = seen
	if units == 0 {
		g.wipe(i)
	}
}

// moved notes that what was in a cell has gone.
func (g *Grid) moved(i int) {
	m := &g.movers
	g.firm[i>>6] &^= 1 << (i & 63)
	for n, cell := range m.cell[:m.n] {
		if cell == int32(i) {
			m.left[n] = moverLasts
			return
		}
	}
	if m.n < moverMost {
		m.cell[m.n], m.left[m.n], m.rest[m.n] = int32(i), moverLasts, 0
		m.n++
	}
}

// fadeMovers lets some of the movers' cells forget fast what is in them.
func (g *Grid) fadeMovers(seconds float32) {
	m := &g.movers
	if m.n == 0 {
		return
	}
	each := float32(seconds * float32(max(m.n, moverVisits)) / moverVisits) // s between two visits
	for range min(moverVisits, m.n) {
		if m.at >= m.n {
			m.at = 0
		}
		n := m.at
		i := int(m.cell[n])
		if m.left[n] -= each; m.left[n] <= 0 {
			m.n--
			m.cell[n], m.left[n], m.rest[n] = m.cell[m.n], m.left[m.n], m.rest[m.n]
			continue
		}
		m.at++
		m.rest[n] += float32(moverFade * each)
		by := int(m.rest[n])
		m.rest[n] -= float32(by)
		if units := g.at(i); units > 0 && !g.edge.has(i) && by > 0 {
			seen := g.seen[i]
			g.put(i, max(units-by, 0))
			g.seen[i] = seen
			if units <= by {
				g.wipe(i)
			}
		}
	}
}
