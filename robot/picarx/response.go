package picarx

import (
	"sync/atomic"
	"time"
)

// An Actuator is what a command moves.
type Actuator uint8

// Actuators in the order in which the driver writes them.
const (
	LeftMotor Actuator = iota // by plug
	RightMotor
	Steering
	NumActuators // how many there are
)

// String returns the actuator's name as tables print it.
func (a Actuator) String() string {
	return [...]string{"left motor", "right motor", "steering", "unknown"}[min(a, NumActuators)]
}

// A Response is one command's first change to one actuator: the instants from
// sensor to motor, on the car's clock.
type Response struct {
	Actuator Actuator
	Ready    time.Duration // the oldest reading behind the command was there (Command.SensedAt)
	Decided  time.Duration // the command was decided (Command.At)
	Written  time.Duration // the last byte was on the wire and the adapter had returned
}

// Took returns the time from sensor to motor.
func (r Response) Took() time.Duration { return r.Written - r.Ready }

// Responses moves the oldest undrained responses into dst and returns how many.
// One goroutine may call it.
func (c *Car) Responses(dst []Response) int { return c.responses.drain(dst) }

// LeastResponse returns the least that each actuator's response can take on a bus on
// which a 3-byte write and a 1-byte read take so long, when nothing ever waits:
// the oldest reading of a sweep is ready, the other floor sensors are converted,
// the command is decided in no time, and written in the order of the actuators.
// gap is Params.ADCGap.
func LeastResponse(write, read, gap time.Duration) (least [NumActuators]time.Duration) {
	c := costs{write, read}
	took := c.sweep(gap) - c.conversion(gap)
	for i := range least {
		took += write
		least[i] = took
	}
	return least
}

// responsesKept bounds how many responses wait to be drained; at most three per
// command, so a reader that comes once a second loses none.
const responsesKept = 1024

// A ring of responses with one producer and one consumer. Each writes one of
// the counters, and a place belongs to the producer until head has passed it.
type ring struct {
	ring [responsesKept]Response
	head atomic.Uint64 // next place to write
	tail atomic.Uint64 // next place to read
}

// put adds a response, or reports that the ring is full.
func (r *ring) put(x Response) bool {
	head := r.head.Load()
	if head-r.tail.Load() == responsesKept {
		return false
	}
	r.ring[head%responsesKept] = x
	r.head.Store(head + 1)
	return true
}

// drain moves the oldest responses into dst and returns how many.
func (r *ring) drain(dst []Response) int {
	tail, head := r.tail.Load(), r.head.Load()
	n := 0
	for ; n < len(dst) && tail < head; n++ {
		dst[n] = r.ring[tail%responsesKept]
		tail++
	}
	r.tail.Store(tail)
	return n
}
