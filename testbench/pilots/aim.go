package pilots

import (
	"math"
	"time"

	"fieldbrain/field/exact"
)

// A navigator says where to go: to the goal of the task, or, without one, to
// the nearest place the body was not at yet (Yamauchi's frontiers, 1997,
// doi 10.1109/CIRA.1997.613851, with places visited in place of places seen,
// because coverage is what is asked for). It plans anew three times a second
// and on request.
type navigator struct {
	*searcher
	margin  float64 // m of room the way keeps
	path    []point
	found   bool               // path leads to the target
	target  point              // end of the path, or the goal as the beacon gives it
	next    time.Duration      // of the next plan
	failed  int                // plans in a row without a way
	visited []time.Duration    // when the body was last in a place; never is 0
	since   time.Duration      // when this target was taken
	chosen  int                // place aimed at while exploring; -1 is none
	exit    func(p point) bool // the oracle's: whether a place is where it shall go; nil otherwise
}

const (
	planEvery = 333 * time.Millisecond
	placeSide = 6 // cells along a side of a place: 0.24 m
	places    = side/placeSide + 1
	patience  = 20 * time.Second // after it a place counts as not to be reached
)

func newNavigator(g *grid, margin float64) *navigator {
	return &navigator{
		searcher: newSearcher(g), margin: margin, path: make([]point, 0, 1024),
		visited: make([]time.Duration, places*places), chosen: -1,
	}
}

// place returns the number of the place a cell lies in.
func placeOf(i int) int { return i/side/placeSide*places + i%side/placeSide }

// watch notes where the body is.
func (n *navigator) watch(v *view) {
	here := placeOf(n.g.index(v.pose.body()))
	n.visited[here] = v.now
	if here == n.chosen {
		n.chosen, n.next = -1, 0
	}
}

// plan renews the way when it is due, and reports whether there is one.
func (n *navigator) plan(v *view) bool {
	if v.now < n.next {
		return n.found
	}
	n.next = v.now + planEvery
	n.g.measure(n.g.whole())
	end := n.search(v, n.margin)
	if end < 0 {
		end = n.search(v, min(n.margin, 0.005)-slack) // the sonars make every gap narrower than it is
	}
	n.found = end >= 0
	n.path = n.path[:0]
	if n.found {
		n.failed = 0
		n.path = n.way(end, n.path)
		if !v.goal.known {
			n.target = n.g.middle(end)
		}
		return true
	}
	n.failed++
	n.next = v.now + 2*planEvery
	n.g.doubt()
	if n.failed > 3 && !v.goal.known { // everything was visited: begin anew
		clear(n.visited)
		n.failed = 0
	}
	return false
}

// search looks for the goal, or for a place to visit.
func (n *navigator) search(v *view, margin float64) int {
	body := v.pose.body()
	if v.goal.known {
		n.target = v.goal.at
		return n.run(body, margin, quest{
			target: n.target, toward: true,
			arrived: func(i int) bool { return n.g.middle(i).minus(n.target).norm() < 0.10 },
		})
	}
	if n.exit != nil {
		return n.run(body, margin, quest{arrived: func(i int) bool { return n.exit(n.g.middle(i)) }})
	}
	if n.chosen >= 0 && v.now-n.since > patience {
		n.visited[n.chosen], n.chosen = v.now, -1
	}
	end := n.run(body, margin, quest{
		arrived: func(i int) bool {
			return n.visited[placeOf(i)] == 0 && n.g.room(i) > margin
		},
		extra: func(i int) float64 {
			if placeOf(i) == n.chosen {
				return 0 // what is under way is worth finishing
			}
			return 0.2 + v.detour(n.g.middle(i))
		},
	})
	if end >= 0 && placeOf(end) != n.chosen {
		n.chosen, n.since = placeOf(end), v.now
	}
	return end
}

// carrot returns the point on the way that lies ahead m from the body. A way that
// ends sooner goes on straight: places and goals are passed, not stopped at.
// Without a way it is the target itself.
func (n *navigator) carrot(v *view, ahead float64) point {
	if len(n.path) == 0 {
		return n.target
	}
	body := v.pose.body()
	first, nearest := 0, math.Inf(1)
	for i, q := range n.path {
		if d := q.minus(body).norm(); d < nearest {
			first, nearest = i, d
		}
	}
	for i := first; i < len(n.path); i++ {
		if n.path[i].minus(body).norm() >= ahead {
			return n.path[i]
		}
	}
	end := n.path[len(n.path)-1]
	if d := end.minus(body); d.norm() > 0.05 {
		return body.toward(d.direction(), ahead)
	}
	return end
}

// detour is what a car that cannot turn on the spot drives more than the way's
// length to a place, roughly, in m: for turning round, and for a place within its
// turning circles.
func (v *view) detour(p point) float64 {
	ahead, left := v.pose.local(p)
	radius := 1 / v.curvature(v.lock)
	more := float64(radius * math.Abs(v.pose.bearing(p)))
	if exact.Hypot(ahead, math.Abs(left)-radius) < radius {
		more += float64(4 * radius)
	}
	return more
}

// open returns how far the body can go on an arc, in m up to length: to an
// obstacle, and no farther than trust m beyond the ground that was seen.
func (v *view) open(curvature, length, margin, trust float64) float64 {
	open, seen := v.grid.sweep(v.pose, curvature, length, margin)
	return min(open, seen+trust)
}
