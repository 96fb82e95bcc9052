package belief

import "fmt"

// Inside is how many cells there are within the border.
const Inside = Side * Side * Side

// A Record is a belief as it is kept: the log-odds within the border in units,
// x before y before z, and where in the world they lie.
type Record struct {
	Odds        [Inside]int8 // -Limit..Limit
	West, South int32        // world cell of the first column and row
	Layer       int32        // that forgets next, 1..32
}

// Save copies the belief into r.
func (b *Belief) Save(r *Record) {
	r.West, r.South, r.Layer = b.west, b.south, int32(b.next)
	b.rows(func(at, cell int) { copy(r.Odds[at:][:Side], b.odds[cell:]) })
}

// Resume takes over what Copy wrote; Check says what it must be.
func (b *Belief) Resume(r *Record) {
	b.west, b.south, b.next = r.West, r.South, int(r.Layer)
	b.rows(func(at, cell int) { copy(b.odds[cell:][:Side], r.Odds[at:]) })
}

// rows visits the rows within the border: where each begins in a Record and in
// the grid.
func (b *Belief) rows(visit func(at, cell int)) {
	for x := range Side {
		for y := range Side {
			visit((x*Side+y)*Side, index(x+1, y+1, 1))
		}
	}
}

// Check returns what in r no belief can have, or nil.
func (r *Record) Check() error {
	const far = 1 << 24 // cells, beyond what Follow follows
	if r.Layer < 1 || r.Layer > Side {
		return fmt.Errorf("belief: layer %d must be within 1..%d", r.Layer, Side)
	}
	if r.West < -far || r.West > far || r.South < -far || r.South > far {
		return fmt.Errorf("belief: its corner lies in cell %d, %d, must be within %d", r.West, r.South, far)
	}
	for i, v := range r.Odds {
		if v < -Limit || v > Limit {
			return fmt.Errorf("belief: cell %d is %d, must be within %d..%d", i, v, -Limit, Limit)
		}
	}
	return nil
}
