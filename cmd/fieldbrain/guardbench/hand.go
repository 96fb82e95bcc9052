package guardbench

import (
	"runtime"

	"fieldbrain/daemon/loop"
)

// A hand is the raised thread that starts the processes and sends them their signals.
// The kernel kills a process when the thread that started it ends (Pdeathsig), and the
// runtime may end any other: this one lives until the hand is closed.
type hand chan func()

// newHand returns one; what it does without the real-time class is only less punctual.
func newHand() hand {
	h := make(hand)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with its class
		_ = loop.Raise(hardware)
		for do := range h {
			do()
		}
	}()
	return h
}

// run lets it do something and waits for the end.
func (h hand) run(do func()) {
	done := make(chan struct{})
	h <- func() {
		defer close(done)
		do()
	}
	<-done
}
