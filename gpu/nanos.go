package gpu

import "sync/atomic"

// nanos are Nanos that one goroutine sets and any other may look at.
type nanos struct {
	prep, evolve, motor, total atomic.Uint32
}

func (n *nanos) set(to *Nanos) {
	n.prep.Store(to.Prep)
	n.evolve.Store(to.Evolve)
	n.motor.Store(to.Motor)
	n.total.Store(to.Total)
}

func (n *nanos) get() Nanos {
	return Nanos{Prep: n.prep.Load(), Evolve: n.evolve.Load(), Motor: n.motor.Load(), Total: n.total.Load()}
}
