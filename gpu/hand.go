package gpu

import (
	"sync/atomic"
	"time"
)

// A Hand is the child's side of the door: it takes orders and says when they
// are done. One goroutine owns it.
type Hand struct {
	page    *Page
	request futex
	spin    time.Duration
	last    uint32 // newest order taken
}

// idle is how long a Hand sleeps before it looks whether it shall stop.
const idle = 100 * time.Millisecond

// NewHand serves a page. Next looks for an order for as long as spin before it
// sleeps; 0 sleeps at once.
func NewHand(page *Page, spin time.Duration) *Hand {
	return &Hand{page: page, request: futex{word: &page.Door.Request}, spin: spin, last: load(&page.Door.Done)}
}

// Ready says that orders will be carried out from now on: by which device, and
// whether its kernels read and write the page itself.
func (h *Hand) Ready(device string, registered bool) {
	head := &h.page.Head
	write(head.Device[:], device)
	head.Registered = 0
	if registered {
		head.Registered = 1
	}
	store(&head.State, ChildReady)
}

// Fail says why the child gives up. The process is to end now.
func (h *Hand) Fail(err error) {
	write(h.page.Head.Fault[:], err.Error())
	store(&h.page.Head.State, ChildFailed)
}

// Next waits for the next order. It returns false once stop is closed, at the
// latest 100 ms later.
func (h *Hand) Next(stop <-chan struct{}) (request uint32, order Order, ok bool) {
	door := &h.page.Door
	for {
		if spin(h.spin, func() bool { return load(&door.Request) != h.last }) {
			break
		}
		store(&door.Dozing, 1)
		if load(&door.Request) == h.last {
			h.request.wait(h.last, idle)
		}
		store(&door.Dozing, 0)
		if load(&door.Request) != h.last {
			break
		}
		select {
		case <-stop:
			return 0, 0, false
		default:
		}
	}
	h.last = load(&door.Request)
	return h.last, door.Order, true
}

// Answer says that Out holds the answer to a step. Kernels that write the page
// themselves say it without this.
func (h *Hand) Answer(request uint32) {
	atomic.StoreUint64(&h.page.Door.Answered, uint64(request))
}

// Finish ends an order, with an error when it failed, and wakes the client if
// that sleeps.
func (h *Hand) Finish(request uint32, err error) {
	door := &h.page.Door
	failed := uint32(0)
	if err != nil {
		failed = 1
		write(h.page.Head.Fault[:], err.Error())
	}
	store(&door.Failed, failed)
	store(&door.Done, request)
	if load(&door.Asleep) != 0 {
		wake(&door.Done)
	}
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
