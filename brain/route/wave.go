package route

import "math"

// The wave's buckets: distances of a bucket's width are as good as equal.
const (
	buckets = 2048
	bucket  = Cell / 4 // m
	none    = -1
	early   = 1e-3 // m: less is no shorter way
)

// A wave spreads distances from the sources, nearest first: the cells whose distance
// is not final wait in buckets, each a list.
type wave struct {
	first    [buckets]int16
	next     [cells]int16
	previous [cells]int16
	state    [cells]uint8
	bucket   [cells]uint16
	at       int // bucket that empties now
	waiting  int // cells
	stop     float32
	source   [cells]bool
}

// States of a cell in a wave.
const (
	untouched = iota
	waits
	final
)

// begin empties the wave and the distances.
func (w *wave) begin(distance *[cells]float32) {
	for i := range w.first {
		w.first[i] = none
	}
	w.state, w.source = [cells]uint8{}, [cells]bool{}
	for i := range distance {
		distance[i] = unreached
	}
	w.at, w.waiting = 0, 0
}

// put gives a cell a distance and the list that belongs to it.
func (w *wave) put(i int, t float32, distance *[cells]float32) {
	if w.state[i] == waits {
		w.take(i)
	}
	distance[i] = t
	w.state[i] = waits
	b := max(int(t*(1/bucket)), w.at)
	b = min(b, w.at+buckets-1) % buckets
	w.bucket[i] = uint16(b)
	w.previous[i], w.next[i] = none, w.first[b]
	if w.first[b] != none {
		w.previous[w.first[b]] = int16(i)
	}
	w.first[b] = int16(i)
	w.waiting++
}

// take takes a cell out of its list.
func (w *wave) take(i int) {
	n, p := w.next[i], w.previous[i]
	if n != none {
		w.previous[n] = p
	}
	if p != none {
		w.next[p] = n
	} else {
		w.first[w.bucket[i]] = n
	}
	w.waiting--
}

// pop returns the cell that is nearest to the sources, which is final.
func (w *wave) pop(distance *[cells]float32) (i int, more bool) {
	if w.waiting == 0 {
		return 0, false
	}
	for n := 0; w.first[w.at%buckets] == none; n++ {
		if n == buckets { // the lists of a damaged frozen brain
			w.waiting = 0
			return 0, false
		}
		w.at++
	}
	i = int(w.first[w.at%buckets])
	w.take(i)
	w.state[i] = final
	return i, true
}

// pass gives the four neighbours of a final cell their distance over it.
func (w *wave) pass(i int, distance, slow *[cells]float32) {
	x := i % Side
	if x > 0 {
		w.reach(i-1, distance, slow)
	}
	if x < Side-1 {
		w.reach(i+1, distance, slow)
	}
	if i >= Side {
		w.reach(i-Side, distance, slow)
	}
	if i < cells-Side {
		w.reach(i+Side, distance, slow)
	}
}

// reach solves the eikonal equation at a cell from its neighbours.
func (w *wave) reach(i int, distance, slow *[cells]float32) {
	f := float32(slow[i] * Cell)
	if w.state[i] == final || f == blocks {
		return
	}
	a, b := unreached, unreached // the nearer neighbour in x, in y
	if x := i % Side; x > 0 {
		a = distance[i-1]
	}
	if x := i % Side; x < Side-1 {
		a = min(a, distance[i+1])
	}
	if i >= Side {
		b = distance[i-Side]
	}
	if i < cells-Side {
		b = min(b, distance[i+Side])
	}
	t := min(a, b) + f
	if gap := a - b; gap < f && gap > -f {
		t = 0.5 * (a + b + root(float32(2*float32(f*f))-float32(gap*gap)))
	}
	if t < distance[i]-early {
		w.put(i, t, distance)
	}
}

func root(v float32) float32 { return float32(math.Sqrt(float64(v))) }
