package steer

import "fieldbrain/field/exact"

// rests reports whether the rear axle, or with wheels both its wheels, would stand on
// floor that has carried the car.
func (q *search) rests(n *node, wheels bool) bool {
	o := &q.nodes[0]
	dx, dy := n.x-o.x, n.y-o.y
	c, s := float32(exact.Cos(float64(o.turn))), float32(exact.Sin(float64(o.turn)))
	ahead, left := float32(dx*c)+float32(dy*s), float32(dy*c)-float32(dx*s)
	if !wheels {
		return q.carried(ahead, left)
	}
	a, half := float64(n.turn-o.turn), q.floorEdges.half
	wx, wy := -float32(half*exact.Sin(a)), float32(half*exact.Cos(a))
	return q.carried(ahead+wx, left+wy) && q.carried(ahead-wx, left-wy)
}

// toFloorEdge is how far an arc from a node goes before a wheel is past a floor edge, in m.
func (q *search) toFloorEdge(n *node, k, most float64, back bool) float32 {
	if q.floorEdges.n == 0 {
		return float32(most)
	}
	o := &q.nodes[0]
	dx, dy := float64(n.x-o.x), float64(n.y-o.y)
	c, s := exact.Cos(float64(o.turn)), exact.Sin(float64(o.turn))
	x, y := float64(dx*c)+float64(dy*s), float64(dy*c)-float64(dx*s)
	return float32(q.floorEdges.free(spot{x, y, float64(n.turn - o.turn)}, k, most, back))
}
