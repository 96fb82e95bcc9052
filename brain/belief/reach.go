package belief

// Reach says how near the car would be, at every column of cells, to floor it
// does not know: the entropy of the best floor cell, less for every cell of the
// way to it around what stands there. It leads out of pockets that no look from
// inside them does.
type Reach struct {
	value       [Padded * Padded]int32 // Q15
	near        [Padded * Padded]bool  // whether something stands in a neighbouring cell
	west, south int32                  // of the grid it was made from
}

// What is left of the worth after a cell of the way, and after one across the
// corner, in Q15; the sweeps, each from both ends, that carry it around corners.
const (
	straight = 30720 // 15/16
	diagonal = 29912 // (15/16)^sqrt 2
	sweeps   = 3
	narrow   = 24576 // 3/4, of what is carried through a cell beside an obstacle
	solid    = 32    // units: a cell that is likelier occupied stands in the way
)

// Spread computes r from the grid as it is.
func (b *Belief) Spread(r *Reach) {
	r.west, r.south = b.west, b.south
	for x := range Padded {
		for y := range Padded {
			r.value[x*Padded+y], r.near[x*Padded+y] = b.worth(x, y)
		}
	}
	for range sweeps {
		for x := 1; x <= Side; x++ {
			for y := 1; y <= Side; y++ {
				r.carry(x*Padded+y, -1)
			}
		}
		for x := Side; x >= 1; x-- {
			for y := Side; y >= 1; y-- {
				r.carry(x*Padded+y, 1)
			}
		}
	}
}

// worth returns the worth of a column of cells by itself, -1 where nothing passes,
// and whether it stands beside an obstacle: the car does not go there by itself, so
// that the column is worth nothing.
func (b *Belief) worth(x, y int) (bits int32, near bool) {
	if edge(x) || edge(y) {
		return -1, false
	}
	at := index(x, y, 0)
	if max(b.odds[at+Floor], b.odds[at+Body]) > solid {
		return -1, false
	}
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if b.odds[index(x+dx, y+dy, Body)] > solid {
				return 0, true
			}
		}
	}
	return int32(classes[class(b.odds[at+Floor])] >> 16), false
}

// carry takes over the worth of the four neighbours on one side.
func (r *Reach) carry(at, side int) {
	if r.value[at] < 0 {
		return
	}
	v := max(product(r.value[at+side], straight), product(r.value[at+side*Padded], straight))
	v = max(v, product(r.value[at+side*(Padded+1)], diagonal), product(r.value[at+side*(Padded-1)], diagonal))
	if r.near[at] {
		v = product(v, narrow)
	}
	r.value[at] = max(r.value[at], v)
}

// At returns how much a place is worth, 0..1 bit; 0 outside and in what stands
// there.
func (r *Reach) At(x, y float32) float32 {
	i, j, ok := column(x, y, r.west, r.south)
	if !ok {
		return 0
	}
	return float32(max(r.value[i*Padded+j], 0)) / One
}
