package belief

import (
	"fmt"
	"math"
	"strings"

	"fieldbrain/field/exact"
)

// The grid's shape and scale; see the package comment.
const (
	Side   = 32    // cells inside, per axis
	Padded = 34    // with the border
	Cell   = 0.125 // m
	Limit  = 123   // largest log-odds, in units
	Units  = 32    // log-odds units per nat

	Floor = 1 // z of the floor
	Body  = 2 // z of body and sonar

	border = -128
	cells  = Padded * Padded * Padded
	far    = 1e5 // m; farther, or not a number, is nowhere
	slack  = 8   // bytes after the grid that a vector load may touch
)

// A Belief is the occupancy grid around the car.
type Belief struct {
	caster caster
	isa    string
	west   int32 // world cell of column x = 1: the world's x = west*Cell is its edge
	south  int32 // world cell of row y = 1

	odds [cells + slack]int8
	mark [cells + slack]uint8
	hits [MaxRays]int32
	dirs directions
	from origin // of the fan or scan under way
	next int    // z of the layer that forgets next
}

// A caster runs the two inner loops: pure Go, or vector instructions.
type caster interface {
	fan(b *Belief, seen *Seen, f *Fan) // from b.from
	scan(b *Belief, s *Scan)
	apply(b *Belief)
}

// PureGo is the instruction set that needs no C compiler.
const PureGo = "purego"

// ISAs returns the instruction sets of this build and machine, best first; the
// last one is always purego. All give the same bits.
func ISAs() []string { return append(nativeISAs(), PureGo) }

// New returns a belief in which everything is unknown, centred on the world's
// origin. isa is one of ISAs, or "auto".
func New(isa string) (*Belief, error) {
	if isa == "auto" {
		isa = ISAs()[0]
	}
	b := &Belief{isa: isa, next: 1}
	if isa == PureGo {
		b.caster = pureGo{}
	} else if b.caster = newNative(isa); b.caster == nil {
		return nil, fmt.Errorf("belief: %s: instruction set not available; this machine and build have %s", isa, strings.Join(ISAs(), ", "))
	}
	b.dirs.fill()
	b.Clear()
	return b, nil
}

// ISA returns the instruction set in use.
func (b *Belief) ISA() string { return b.isa }

// Clear forgets everything and centres the grid on the world's origin.
func (b *Belief) Clear() {
	for x := range Padded {
		for y := range Padded {
			for z := range Padded {
				v := int8(0)
				if edge(x) || edge(y) || edge(z) {
					v = border
				}
				b.odds[index(x, y, z)] = v
			}
		}
	}
	b.west, b.south = -Side/2, -Side/2
}

func edge(i int) bool { return i == 0 || i == Padded-1 }

// index returns the place of a cell, each coordinate 0..33.
func index(x, y, z int) int { return (x*Padded+y)*Padded + z }

// column returns the grid column and row of a world point in m, and whether it
// is inside.
func (b *Belief) column(x, y float32) (i, j int, ok bool) { return column(x, y, b.west, b.south) }

func column(x, y float32, west, south int32) (i, j int, ok bool) {
	if !(x > -far && x < far && y > -far && y < far) {
		return 0, 0, false
	}
	i = int(math.Floor(float64(x)/Cell)) - int(west) + 1
	j = int(math.Floor(float64(y)/Cell)) - int(south) + 1
	return i, j, i >= 1 && i <= Side && j >= 1 && j <= Side
}

// Odds returns the log-odds in units at a world point in m and layer z of 1..32;
// 0, unknown, outside.
func (b *Belief) Odds(x, y float32, z int) int {
	i, j, ok := b.column(x, y)
	if !ok || z < 1 || z > Side {
		return 0
	}
	return int(b.odds[index(i, j, z)])
}

// Set sets the log-odds at a world point and layer, clamped; outside it does
// nothing.
func (b *Belief) Set(x, y float32, z, units int) {
	if i, j, ok := b.column(x, y); ok && z >= 1 && z <= Side {
		b.odds[index(i, j, z)] = clamp(units)
	}
}

// add moves one cell by a weight.
func (b *Belief) add(x, y float32, z, units int) { b.Set(x, y, z, b.Odds(x, y, z)+units) }

func clamp(units int) int8 { return int8(min(max(units, -Limit), Limit)) }

// Follow scrolls the grid by whole cells so that a world point lies in its
// middle. Cells that come in are unknown. A point that is not a number or
// unreasonably far moves nothing.
func (b *Belief) Follow(x, y float32) {
	if !(x > -far && x < far && y > -far && y < far) {
		return
	}
	b.scroll(int32(math.Floor(float64(x)/Cell))-Side/2-b.west, int32(math.Floor(float64(y)/Cell))-Side/2-b.south)
}

// scroll moves the window by dx columns and dy rows.
func (b *Belief) scroll(dx, dy int32) {
	if dx == 0 && dy == 0 {
		return
	}
	b.west, b.south = b.west+dx, b.south+dy
	for n := range Side {
		x := 1 + n
		if dx < 0 {
			x = Side - n // so that every column is read before it is written
		}
		for m := range Side {
			y := 1 + m
			if dy < 0 {
				y = Side - m
			}
			to := b.odds[index(x, y, 1):][:Side]
			fx, fy := x+int(dx), y+int(dy)
			if fx < 1 || fx > Side || fy < 1 || fy > Side {
				clear(to)
			} else {
				copy(to, b.odds[index(fx, fy, 1):][:Side])
			}
		}
	}
}

// Forget moves the next layer by one unit towards unknown; 32 calls reach all.
func (b *Belief) Forget() {
	for x := 1; x <= Side; x++ {
		for y := 1; y <= Side; y++ {
			if v := &b.odds[index(x, y, b.next)]; *v > 0 {
				*v--
			} else if *v < 0 {
				*v++
			}
		}
	}
	b.next = b.next%Side + 1
}

// Probability returns the occupancy of a log-odds value in units.
func Probability(units int) float64 { return 1 / (1 + exact.Exp(-float64(units)/Units)) }
