package daemon

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"fieldbrain/brain"
)

// A ManualLease lets one source at a time drive: the connection that took it, until it lets
// go, is cut off, or was silent for longer than the deadman while another takes it.
type ManualLease struct {
	steer   func(brain.ManualInput) // brain.Remote.Steer: must not wait
	deadman time.Duration
	now     func() time.Time

	mu     sync.Mutex // deadman's too
	client uint64     // number of the connection, 0 where nobody drives
	source brain.Source
	heard  time.Time // its newest word
}

// NewManualLease returns a lease that nobody holds. steer hands words to the brain.
func NewManualLease(steer func(brain.ManualInput), deadman time.Duration) *ManualLease {
	return &ManualLease{steer: steer, deadman: deadman, now: time.Now}
}

// A HeldError says that another source drives.
type HeldError struct {
	Source string        // its name
	Ago    time.Duration // since its newest word
}

// Error names the source and what can be done.
func (e *HeldError) Error() string {
	return fmt.Sprintf("%s drives (its last word came %v ago): wait until it lets go; fieldbrain estop stops the car in any case", e.Source, e.Ago.Round(time.Millisecond))
}

// errNoWheel refuses a word of a source that does not drive.
var errNoLease = errors.New(`nobody drives through this connection: send {"command":"take","source":"NAME"} first, and again after another source or an order took the wheel`)

// Patience sets the deadman: for how long a silent source keeps others from the wheel.
func (w *ManualLease) Patience(deadman time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deadman = deadman
}

// Take gives the wheel to a connection under the source's name. The car slows down and
// stands until it hears Drive. Who has it already may take it again.
func (w *ManualLease) Take(client uint64, name string) error {
	source, err := brain.ParseSource(name)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.busy(client); err != nil {
		return err
	}
	w.client, w.source, w.heard = client, source, w.now()
	w.steer(brain.ManualInput{Driver: brain.DriverPerson, Source: source})
	return nil
}

// busy returns a *HeldError where another connection drives and is not silent.
func (w *ManualLease) busy(client uint64) error {
	if w.client == 0 || w.client == client {
		return nil
	}
	if ago := w.now().Sub(w.heard); ago <= w.deadman {
		return &HeldError{Source: w.source.String(), Ago: ago}
	}
	return nil
}

// Drive tells the car what the person wants: shares of the largest speed and of the
// largest steering angle, -1..1, forwards and left positive. A car that has stopped for
// the source's silence drives on.
func (w *ManualLease) Drive(client uint64, throttle, steering float64) error {
	for _, v := range [...]float64{throttle, steering} {
		if !(v >= -1 && v <= 1) { // NaN fails
			return fmt.Errorf("drive: %v is no share: say throttle and steering from -1 to 1", v)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.client != client || client == 0 {
		if err := w.busy(client); err != nil {
			return err
		}
		return errNoLease
	}
	w.heard = w.now()
	w.steer(brain.ManualInput{Driver: brain.DriverPerson, Source: w.source, Throttle: float32(throttle), Steering: float32(steering)})
	return nil
}

// Release gives the wheel back to the brain, which goes on with its order.
func (w *ManualLease) Release(client uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.client != client || client == 0 {
		return errNoLease
	}
	w.client = 0
	w.steer(brain.ManualInput{Driver: brain.DriverBrain})
	return nil
}

// Gone stops the car of a connection that has ended without a release.
func (w *ManualLease) Gone(client uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.client != client || client == 0 {
		return
	}
	w.lose()
}

// lose takes the wheel from a source that has not let go. The caller holds the lock.
func (w *ManualLease) lose() {
	w.client = 0
	w.steer(brain.ManualInput{Driver: brain.DriverLost, Source: w.source})
}

// Yield makes room for an order: a source that is silent loses the wheel, one that
// drives keeps it, and the order is refused with a *HeldError.
func (w *ManualLease) Yield() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.busy(0); err != nil {
		return err
	}
	if w.client != 0 { // the brain's own deadman may run a tick longer, and an order wakes nobody else
		w.lose()
	}
	return nil
}

// holds reports whether a connection drives.
func (w *ManualLease) holds(client uint64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return client != 0 && w.client == client
}
