package gpu

import (
	"sync/atomic"
	"time"
)

// A Told is a number that a driver may not tell: 0 while it does not, else one more
// than the number.
type Told uint64

// Tell returns a number that is told.
func Tell(v uint64) Told { return Told(v + 1) }

// Get returns the number, and whether it is told.
func (t Told) Get() (v uint64, ok bool) { return uint64(t) - 1, t != 0 }

// load and store pass a number between the child and the client.
func (t *Told) load() Told   { return Told(atomic.LoadUint64((*uint64)(t))) }
func (t *Told) store(v Told) { atomic.StoreUint64((*uint64)(t), uint64(v)) }

// Gauges are what the card's driver tells the child about once a second, beside the
// ticks. In the page a thread of the child's writes them, each number by itself and
// Looks last; gpu/worker/gauges.h describes them to C. The zero value is a card of
// which nobody tells anything.
type Gauges struct {
	Looks       uint64 // how often the child has looked, 0 before the first time
	Used, Room  Told   // bytes of memory in use, by whomever, and that there are; both or none
	Clock, Most Told   // Hz of the multiprocessors now, and that they may run at
	Load        Told   // percent of the newest second or less in which a kernel ran, by whomever
	Heat        Told   // C
	Held        Told   // HeldByHeat and HeldByPower: why the driver keeps a card that works below its clock
}

// Why a card is held back, in Gauges.Held.
const (
	HeldByHeat  = 1 << iota // the card or its driver, for its heat
	HeldByPower             // the card itself: its supply or what it draws
)

// Limits of what the client believes.
const (
	largestCard  = 1 << 48         // bytes, more memory than any card has
	fastestCard  = 100_000_000_000 // Hz
	wholeLoad    = 100             // percent
	hottestCard  = 200             // C
	everyHeld    = HeldByHeat | HeldByPower
	gaugesPeriod = time.Second     // between two looks of the client at the page
	gaugesStale  = 5 * time.Second // after which a number that was not read again is no longer known
)

// Tell takes what the card's driver says now. Any one goroutine may call it, also
// beside orders.
func (s *Server) Tell(g Gauges) {
	to := &s.page.Head.Gauges
	to.Used.store(g.Used)
	to.Room.store(g.Room)
	to.Clock.store(g.Clock)
	to.Most.store(g.Most)
	to.Load.store(g.Load)
	to.Heat.store(g.Heat)
	to.Held.store(g.Held)
	atomic.StoreUint64(&to.Looks, g.Looks)
}

// read returns the page's gauges, less what cannot be true.
func (g *Gauges) read() (r Gauges) {
	r.Looks = atomic.LoadUint64(&g.Looks)
	if r.Looks == 0 {
		return r
	}
	r.Used, r.Room = g.Used.load(), g.Room.load()
	if r.Used == 0 || r.Room <= 1 || r.Used > r.Room || r.Room > largestCard {
		r.Used, r.Room = 0, 0
	}
	r.Clock, r.Most = g.Clock.atMost(fastestCard), g.Most.atMost(fastestCard)
	r.Load, r.Heat, r.Held = g.Load.atMost(wholeLoad), g.Heat.atMost(hottestCard), g.Held.atMost(everyHeld)
	return r
}

// atMost returns the page's number, unless it is larger.
func (t *Told) atMost(most uint64) Told {
	if v := t.load(); v <= Tell(most) {
		return v
	}
	return 0
}

// A gaugesWatch notices that a child has ceased to look: its driver hangs.
type gaugesWatch struct {
	looks uint64    // seen last
	since time.Time // when they had changed
}

// look returns the page's gauges while the child goes on looking.
func (w *gaugesWatch) look(page *Gauges, now time.Time) Gauges {
	g := page.read()
	if g.Looks != w.looks {
		w.looks, w.since = g.Looks, now
	}
	if now.Sub(w.since) > gaugesStale {
		return Gauges{}
	}
	return g
}
