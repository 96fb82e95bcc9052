package telemetry

import (
	"errors"
	"fmt"
	"time"
	"unsafe"
)

// ErrLarge says that something has no room in the ring.
var ErrLarge = errors.New("telemetry: it has no room in the flight ring")

// Setup writes what the brain was built with, from a slow goroutine; without a ring it
// does nothing.
func (w *Writer) Setup(text []byte) error {
	if w.ring == nil {
		return nil
	}
	v := new(Setup)
	if len(text) > len(v.Data) {
		return fmt.Errorf("%w: a setup of %d bytes", ErrLarge, len(text))
	}
	v.Length = uint32(copy(v.Data[:], text))
	w.slowly(func() { w.setup.put(v) })
	return nil
}

// Freeze writes a whole brain, packed, from the same goroutine: after so many ticks, the
// last of them at an instant. Without a ring it does nothing.
func (w *Writer) Freeze(tick uint64, at time.Duration, packed []byte) error {
	if w.ring == nil {
		return nil
	}
	if w.still == nil {
		w.still = new(Still)
	}
	v := w.still
	v.Tick, v.At = tick, int64(at)
	if len(packed) > len(v.Data) {
		return fmt.Errorf("%w: a brain of %d bytes after %d ticks", ErrLarge, len(packed), tick)
	}
	v.Length = uint32(copy(v.Data[:], packed))
	w.slowly(func() { w.stills.put(v) })
	return nil
}

// Setup returns what the brain was built with. An error wraps ErrEmpty where nobody has
// written it.
func (r *Ring) Setup() ([]byte, error) {
	v, err := newest[Setup](r.source, kindSetup)
	if err == nil && int(v.Length) > len(v.Data) {
		err = fmt.Errorf("%w: a setup of %d bytes", ErrDamaged, v.Length)
	}
	if err != nil {
		return nil, fmt.Errorf("telemetry: %s: setup: %w", r.f.Name(), err)
	}
	return v.Data[:v.Length], nil
}

// Stills returns the whole brains of the ring, the oldest first, each packed; those that
// are not whole are left out.
func (r *Ring) Stills() ([]*Still, error) {
	t, err := r.find(kindStill, unsafe.Sizeof(Still{}))
	if err != nil {
		return nil, fmt.Errorf("telemetry: %s: %w", r.f.Name(), err)
	}
	last, err := r.number(t.Counts)
	if err != nil {
		return nil, fmt.Errorf("telemetry: %s: %w", r.f.Name(), err)
	}
	var all []*Still
	for n := last; n > 0 && last-n < uint64(min(t.Count, stills)); n-- {
		v := new(Still)
		if whole, err := element(r.source, t, n, v); err != nil {
			return nil, fmt.Errorf("telemetry: %s: %w", r.f.Name(), err)
		} else if whole && int(v.Length) <= len(v.Data) {
			all = append([]*Still{v}, all...)
		}
	}
	return all, nil
}

// Epoch returns how long after 1970 the ticks' clock began.
func (s *source) Epoch() time.Duration { return time.Duration(s.head.Wall - s.head.Mono) }
