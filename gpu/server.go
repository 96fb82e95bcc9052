package gpu

import (
	"sync/atomic"
	"time"
)

// A Server is the child's side of the page: it takes orders and says when they
// are done. One goroutine owns it.
type Server struct {
	page    *Page
	request futex
	spin    time.Duration
	last    uint32 // newest order taken
}

// idle is how long a Server sleeps before it looks whether it shall stop.
const idle = 100 * time.Millisecond

// NewServer serves a page. Next looks for an order for as long as spin before it
// sleeps; 0 sleeps at once.
func NewServer(page *Page, spin time.Duration) *Server {
	return &Server{page: page, request: futex{word: &page.Call.Request}, spin: spin, last: load(&page.Call.Done)}
}

// Ready says that orders will be carried out from now on: by which device, and
// whether its kernels read and write the page itself.
func (s *Server) Ready(device string, registered bool) {
	head := &s.page.Head
	write(head.Device[:], device)
	head.Registered = 0
	if registered {
		head.Registered = 1
	}
	store(&head.State, ChildReady)
}

// Memory says how many bytes of the card are in use, by whomever, and how many there
// are. It is called before Ready: the child takes none afterwards. Gauges have what
// others take later.
func (s *Server) Memory(used, room uint64) { s.page.Head.Memory, s.page.Head.Room = used, room }

// Fail says why the child gives up. The process is to end now.
func (s *Server) Fail(err error) {
	write(s.page.Head.Fault[:], err.Error())
	store(&s.page.Head.State, ChildFailed)
}

// Next waits for the next order. It returns false once stop is closed, at the
// latest 100 ms later.
func (s *Server) Next(stop <-chan struct{}) (request uint32, order Order, ok bool) {
	call := &s.page.Call
	for {
		if spin(s.spin, func() bool { return load(&call.Request) != s.last }) {
			break
		}
		store(&call.Dozing, 1)
		if load(&call.Request) == s.last {
			s.request.wait(s.last, idle)
		}
		store(&call.Dozing, 0)
		if load(&call.Request) != s.last {
			break
		}
		select {
		case <-stop:
			return 0, 0, false
		default:
		}
	}
	s.last = load(&call.Request)
	return s.last, call.Order, true
}

// Answer says that Out holds the answer to a step. Kernels that write the page
// themselves say it without this.
func (s *Server) Answer(request uint32) {
	atomic.StoreUint64(&s.page.Call.Answered, uint64(request))
}

// Finish ends an order, with an error when it failed, and wakes the client if
// that sleeps.
func (s *Server) Finish(request uint32, err error) {
	call := &s.page.Call
	failed := uint32(0)
	if err != nil {
		failed = 1
		write(s.page.Head.Fault[:], err.Error())
	}
	store(&call.Failed, failed)
	store(&call.Done, request)
	if load(&call.Asleep) != 0 {
		wake(&call.Done)
	}
}
