package steer

import "math"

// mark reports whether the node's place was new.
func (q *search) mark(n *node) bool {
	o := &q.nodes[0]
	i := int(math.Floor(float64(n.x-o.x)/cell+0.5)) + places/2
	j := int(math.Floor(float64(n.y-o.y)/cell+0.5)) + places/2
	if i < 0 || i >= places || j < 0 || j >= places {
		return false
	}
	k := (i*places+j)*headings + int(n.by)&(headings-1)
	if q.seen[k] == q.stamp {
		return false
	}
	q.seen[k] = q.stamp
	return true
}

// push puts a node among those to be expanded, best first: a binary heap.
func (q *search) push(i int16) {
	at := q.open
	q.open++
	for at > 0 {
		up := (at - 1) / 2
		if q.nodes[q.heap[up]].rank <= q.nodes[i].rank {
			break
		}
		q.heap[at] = q.heap[up]
		at = up
	}
	q.heap[at] = i
}

// pop takes the best.
func (q *search) pop() int16 {
	top := q.heap[0]
	q.open--
	last, at := q.heap[q.open], 0
	for {
		down := 2*at + 1
		if down >= q.open {
			break
		}
		if down+1 < q.open && q.nodes[q.heap[down+1]].rank < q.nodes[q.heap[down]].rank {
			down++
		}
		if q.nodes[last].rank <= q.nodes[q.heap[down]].rank {
			break
		}
		q.heap[at] = q.heap[down]
		at = down
	}
	if q.open > 0 {
		q.heap[at] = last
	}
	return top
}
