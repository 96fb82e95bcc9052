package oracle

import (
	"container/heap"
	"math"
)

// A touch is a cell that marching has come to, with the distance it then had.
type touch struct {
	cell int
	left float32 // m
}

// A front holds the cells that marching has touched and not yet accepted, the
// nearest to the goal first; of two at one distance the lower cell, so that the
// order is the same everywhere.
type front []touch

func (f front) Len() int { return len(f) }

func (f front) Less(a, b int) bool {
	return f[a].left < f[b].left || f[a].left == f[b].left && f[a].cell < f[b].cell
}

func (f front) Swap(a, b int) { f[a], f[b] = f[b], f[a] }

func (f *front) Push(x any) { *f = append(*f, x.(touch)) }

func (f *front) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}

// march solves the eikonal equation from the target outwards. A cell whose
// distance fell while it waited is in the front more than once; the first time out
// accepts it.
func (m *Map) march() {
	m.left = make([]float32, len(m.free))
	accepted := make([]bool, len(m.free))
	var f front
	for i := range m.left {
		m.left[i] = float32(math.Inf(1))
		if m.target[i] && m.free[i] {
			m.left[i] = 0
			f = append(f, touch{cell: i})
		}
	}
	heap.Init(&f)
	for f.Len() > 0 {
		i := heap.Pop(&f).(touch).cell
		if accepted[i] {
			continue
		}
		accepted[i] = true
		m.around(i, func(next int) {
			if !m.free[next] || accepted[next] {
				return
			}
			if d := m.upwind(next); d < m.left[next] {
				m.left[next] = d
				heap.Push(&f, touch{next, d})
			}
		})
	}
}

// upwind returns a cell's distance from those of its nearest neighbours on either
// axis: the root of (t-a)^2 + (t-b)^2 = Cell^2.
func (m *Map) upwind(i int) float32 {
	least := func(low, high bool, step int) float64 {
		d := float32(math.Inf(1))
		if low {
			d = m.left[i-step]
		}
		if high {
			d = min(d, m.left[i+step])
		}
		return float64(d)
	}
	x := i % m.columns
	a := least(x > 0, x < m.columns-1, 1)
	b := least(i >= m.columns, i < len(m.free)-m.columns, m.columns)
	if a > b {
		a, b = b, a
	}
	if b-a >= Cell {
		return float32(a + Cell)
	}
	apart := b - a
	root := math.Sqrt(2*Cell*Cell - float64(apart*apart))
	return float32((a + b + root) / 2)
}
