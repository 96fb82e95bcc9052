package pilots

import "math"

// A searcher finds ways on a grid: A* (Hart, Nilsson and Raphael, A formal basis
// for the heuristic determination of minimum cost paths, 1968,
// doi 10.1109/TSSC.1968.300136) to a place, or Dijkstra's wavefront to the
// nearest place nobody has been to. Nearness to obstacles and unknown ground
// cost extra. It moves over eight neighbours with the body's middle.
type searcher struct {
	g       *grid
	cost    []float32
	parent  []int32
	round   []uint32 // of the search that wrote cost and parent
	now     uint32
	heap    []node
	comfort float64 // m of room from which nearness costs nothing
	shy     float64 // extra cost of a touching cell, per m
	dark    float64 // extra cost of unknown ground, per m
}

// A node waits in the heap of a search.
type node struct {
	total float32 // cost so far and estimate of the rest, m
	cell  int32
}

func newSearcher(g *grid) *searcher {
	return &searcher{
		g: g, cost: make([]float32, side*side), parent: make([]int32, side*side),
		round: make([]uint32, side*side), heap: make([]node, 0, 4096),
		comfort: 0.10, shy: 4, dark: 0.6,
	}
}

// A quest says where a search may end.
type quest struct {
	target  point                  // to be neared, when toward
	toward  bool                   // the estimate of the rest is the distance to target
	arrived func(cell int) bool    // whether a search may end here
	extra   func(cell int) float64 // m of cost that an end here adds; nil adds nothing
}

// run searches from a place and returns the end's cell, or -1. A cell counts as
// passable with at least margin m of room; near the start less will do.
func (s *searcher) run(from point, margin float64, q quest) int {
	s.now++
	s.heap = s.heap[:0]
	start := s.g.index(from)
	s.reach(start, -1, 0, q)
	best, bestCost := -1, math.Inf(1)
	limit := s.g.whole()
	if q.toward { // with room to go round
		at := s.g.around(q.target, 0.6)
		limit = box{min(limit.x0, at.x0), min(limit.y0, at.y0), max(limit.x1, at.x1), max(limit.y1, at.y1)}
	}
	for len(s.heap) > 0 {
		n := s.pop()
		i := int(n.cell)
		if float64(n.total) >= bestCost {
			break
		}
		if n.total > s.cost[i]+s.rest(i, q)+1e-4 {
			continue // a better way here was taken since
		}
		if q.arrived(i) {
			total := float64(s.cost[i])
			if q.extra != nil {
				total += q.extra(i)
			}
			if total < bestCost {
				best, bestCost = i, total
			}
			if q.extra == nil {
				return best
			}
		}
		s.expand(i, from, margin, limit, q)
	}
	return best
}

// expand enters a cell's neighbours.
func (s *searcher) expand(i int, from point, margin float64, limit box, q quest) {
	for _, step := range [8]struct {
		by  int
		way float32
	}{
		{1, straight},
		{-1, straight},
		{side, straight},
		{-side, straight},
		{side + 1, diagonal},
		{side - 1, diagonal},
		{-side + 1, diagonal},
		{-side - 1, diagonal},
	} {
		k := i + step.by
		if x, y := k%side, k/side; x < limit.x0 || x > limit.x1 || y < limit.y0 || y > limit.y1 {
			continue
		}
		room := s.g.room(k)
		if room < margin && !s.leaves(i, k, from) {
			continue
		}
		price := 1.0
		if lack := s.comfort - room; lack > 0 {
			share := min(lack/s.comfort, 1.5)
			price += float64(s.shy * float64(share*share))
		}
		if s.g.odds[k] > free {
			price += s.dark
		}
		s.reach(k, i, s.cost[i]+float32(step.way*float32(price)), q)
	}
}

// leaves reports whether a step out of a place that is too narrow, near the
// start, goes to where there is no less room: the car already stands there.
func (s *searcher) leaves(i, k int, from point) bool {
	const reach = 0.25 // m
	return s.g.near[k] >= s.g.near[i] && s.g.near[k] > 0 && s.g.middle(k).minus(from).norm() < reach
}

// reach notes a way to a cell when it is the best so far.
func (s *searcher) reach(i, parent int, cost float32, q quest) {
	if s.round[i] == s.now && s.cost[i] <= cost {
		return
	}
	s.round[i], s.cost[i], s.parent[i] = s.now, cost, int32(parent)
	s.push(node{cost + s.rest(i, q), int32(i)})
}

// rest estimates the way from a cell to the end, in m, never too much.
func (s *searcher) rest(i int, q quest) float32 {
	if !q.toward {
		return 0
	}
	return float32(s.g.middle(i).minus(q.target).norm())
}

// way appends the middles of the cells from the start to an end of the newest
// search.
func (s *searcher) way(end int, into []point) []point {
	first := len(into)
	for i := int32(end); i >= 0; i = s.parent[i] {
		into = append(into, s.g.middle(int(i)))
	}
	for a, b := first, len(into)-1; a < b; a, b = a+1, b-1 {
		into[a], into[b] = into[b], into[a]
	}
	return into
}

func (s *searcher) push(n node) {
	h := append(s.heap, n)
	i := len(h) - 1
	for i > 0 && less(n, h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = n
	s.heap = h
}

func (s *searcher) pop() node {
	h := s.heap
	top, n := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for 2*i+1 < len(h) {
		k := 2*i + 1
		if k+1 < len(h) && less(h[k+1], h[k]) {
			k++
		}
		if !less(h[k], n) {
			break
		}
		h[i] = h[k]
		i = k
	}
	if len(h) > 0 {
		h[i] = n
	}
	s.heap = h
	return top
}

// less orders nodes; equal ones by cell, so that every machine searches alike.
func less(a, b node) bool {
	return a.total < b.total || a.total == b.total && a.cell < b.cell
}
