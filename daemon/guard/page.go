package guard

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Sizes and marks of cmd/fieldbrain-guard/page.h.
const (
	pageSize  = 4096
	pageMagic = 0x31474246
)

// What the guard got of what it asked for.
const (
	flagLocked  = 2
	flagDeadMan = 4
	flagHidden  = 8 // its files are gone and cannot be made anew
)

// A page is the memory that daemon and guard share. Each writes its own part.
type page struct {
	magic  uint32
	header [28]byte // name of the header whose reset line it is
	_      [32]byte

	daemon struct {
		seq   atomic.Uint64 // counts ticks
		stamp atomic.Int64  // of the newest, ns
		tid   atomic.Uint32 // the loop's thread
		high  atomic.Uint32 // the driver wants the line high
		ack   atomic.Uint32 // trips that a tick has taken note of
		_     [36]byte
	}

	guard struct {
		seq      atomic.Uint64 // counts looks
		stamp    atomic.Int64  // of the newest, ns
		trips    atomic.Uint32 // how often the guard stopped the car
		stops    atomic.Uint32 // how often because somebody asked for it
		cause    atomic.Uint32 // of the newest trip
		flags    atomic.Uint32
		priority atomic.Int32
	}
}

// mapPage maps the memory of a guard, whose line must be that of a header. It stays
// mapped: the loop may be reading it.
func mapPage(fd int, header string) (*page, error) {
	memory, err := unix.Mmap(fd, 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("guard: map its page: %w", err)
	}
	p := (*page)(unsafe.Pointer(unsafe.SliceData(memory)))
	if p.magic != pageMagic {
		err = errors.New("guard: its page is of another version: install daemon and guard together")
	} else if p.name() != header {
		err = fmt.Errorf("guard: it holds the line of header %s, and the HAT is on %s: start it with --header %s", p.name(), header, header)
	}
	if err != nil { // nobody has seen it, and somebody asks anew every second
		return nil, errors.Join(err, unix.Munmap(memory))
	}
	return p, nil
}

// name returns the header's.
func (p *page) name() string {
	name, _, _ := bytes.Cut(p.header[:], []byte{0})
	return string(name)
}
