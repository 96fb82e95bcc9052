package gpu

import (
	"sync/atomic"

	"fieldbrain/field"
)

// Magic and Version open every page: both sides refuse a page of another kind.
const (
	Magic   = 0x314e_4942_444c_4946 // "FILDBIN1", little-endian
	Version = 7
)

// An Order is what the client asks the child to do.
type Order uint32

// The orders. One is under way at a time.
const (
	OrderStep  Order = iota + 1 // one tick with In, answered in Out
	OrderRead                   // channel Channel into Cells
	OrderWrite                  // channel Channel from Cells
	OrderRest                   // every channel at rest, as a new engine
	OrderPlan                   // Plan.Job, begun and not waited for
)

// A Page is the memory that the daemon and the child share: a sealed memfd of
// exactly this size, laid out by this struct. The kernels read In and write Out
// where they lie, so the layout is also that of gpu/kernels/shared.cuh.
//
// The client writes In, Call.Order, Call.Channel and Cells, then adds one to
// Call.Request; from then on all of these are the child's until Call.Done
// equals Call.Request. The last kernel of a tick stores the request's number in
// Answered: that is the earliest moment at which Out may be read.
type Page struct {
	Head  Head
	Call  Call
	In    field.Input
	_     [256]byte // In and Out never share a cache line
	Out   Answer
	_     [256]byte
	Cells [field.Cells]float32 // one channel's stored cells, in the layout's order, or another section
	Plan  PlanRoom             // the planner's, beside the ticks
}

// Head says what the page is. The client writes it before the child starts,
// the child checks it and adds what it found.
type Head struct {
	Magic, Version  uint64
	Size            uint64          // bytes of the page
	SizeIn, SizeOut uint64          // bytes of field.Input and Answer
	ParamsHash      uint64          // of the parameters both sides were built with
	State           uint32          // ChildState, written by the child
	Registered      uint32          // 1: the kernels read and write the page itself
	Device          [64]byte        // name of the card, zero-terminated
	Memory, Room    uint64          // bytes of the card in use once the child was ready, and there are; 0, 0 unknown
	Gauges          Gauges          // written while the child serves
	Fault           [faultSize]byte // why the child gave up, zero-terminated
}

// faultSize is how many bytes a child has to say why it gave up.
const faultSize = 432

// States of the child, in Head.State.
const (
	ChildStarting uint32 = iota
	ChildReady
	ChildFailed // Fault says why; the process ends
)

// A Call passes the turn between the client, who gives an order, and the child,
// who carries it out. Request and Done are futex words. Each word that one
// side writes while the other polls has a cache line of its own.
type Call struct {
	Request  uint32 // client: number of the newest order
	Order    Order
	Channel  uint32
	_        [52]byte
	Answered uint64 // kernel: number of the newest finished step; polled
	_        [56]byte
	Done     uint32 // child: number of the newest finished order
	Failed   uint32 // child: 1 when the newest order failed, Head.Fault says why
	_        [56]byte
	Asleep   uint32 // client: 1 while it waits on Done in the kernel
	Dozing   uint32 // child: 1 while it waits on Request in the kernel
	_        [56]byte
}

// An Answer is what one tick hands back.
type Answer struct {
	Marginals [field.Channels]field.Marginal // first, so that kernels write four words at a time
	Tick      uint64                         // of the input it answers
	Obstacle  [field.Plane]float32
	Blocked   field.Row
	Heading   field.Row

	Prediction field.Prediction
	Recall     field.Recall
	Stats      Stats
}

// Stats are what the kernels count while they work.
type Stats struct {
	NotFinite int32 // cells that are not a number, 0 in a sound field
	Updated   int32 // channels that ran
	Nanos     Nanos // times on the device, only while profiling
}

// Nanos are device times of one tick's stages in nanoseconds.
type Nanos struct {
	Prep, Evolve, Motor, Total uint32
}

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

// write fills a text field, cut to its size and zero-terminated.
func write(field []byte, text string) {
	n := copy(field[:len(field)-1], text)
	clear(field[n:])
}

// text reads a zero-terminated field. It trusts nothing: the other side may
// have written anything.
func text(field []byte) string {
	for i, b := range field {
		if b == 0 {
			return printable(field[:i])
		}
	}
	return printable(field)
}

// printable replaces what would disturb a terminal or a log.
func printable(raw []byte) string {
	out := make([]byte, len(raw))
	for i, b := range raw {
		if b < ' ' || b > '~' {
			b = '?'
		}
		out[i] = b
	}
	return string(out)
}
