package telemetry

import (
	"fmt"
	"iter"
	"unsafe"
)

// A Ring is a run's flight ring, open for reading.
type Ring struct{ *source }

// OpenRing opens a ring. Errors are those of OpenPage.
func OpenRing(path string) (*Ring, error) {
	s, err := openSource(path, ringMagic, maxRing)
	if err != nil {
		return nil, err
	}
	return &Ring{s}, nil
}

// Length returns how many ticks the ring holds when it is full.
func (r *Ring) Length() int {
	t, err := r.find(kindRecord, unsafe.Sizeof(Tick{}))
	if err != nil {
		return 0
	}
	return int(t.Count) - 1 // one place may be half written
}

// A Flight is what a ring held when somebody looked.
type Flight struct {
	ring *Ring
	from *section
	last uint64 // newest record
	most int    // records to read

	missed int
	err    error
}

// Flight looks at the newest ticks of the ring, at most so many; 0 takes all.
func (r *Ring) Flight(most int) (*Flight, error) {
	t, err := r.find(kindRecord, unsafe.Sizeof(Tick{}))
	if err != nil {
		return nil, fmt.Errorf("telemetry: %s: %w", r.f.Name(), err)
	}
	last, err := r.number(t.Counts)
	if err != nil {
		return nil, fmt.Errorf("telemetry: %s: %w", r.f.Name(), err)
	}
	if most <= 0 || most > r.Length() {
		most = r.Length()
	}
	if last < uint64(most) {
		most = int(last)
	}
	return &Flight{ring: r, from: t, last: last, most: most}, nil
}

// Records returns the numbers of the oldest and the newest tick that the ring holds,
// counted from 1 since it was made; the newest is 0 before the first.
func (r *Ring) Records() (oldest, newest uint64, err error) {
	f, err := r.Flight(0)
	if err != nil {
		return 0, 0, err
	}
	return f.last - uint64(f.most) + 1, f.last, nil
}

// Until looks at the ticks up to a record, at most so many. What the ring has dropped
// meanwhile is left out.
func (r *Ring) Until(record uint64, most int) (*Flight, error) {
	f, err := r.Flight(0)
	if err != nil {
		return nil, err
	}
	oldest := f.last - uint64(f.most) + 1
	f.last = min(f.last, record)
	f.most = 0
	if f.last >= oldest {
		f.most = int(min(f.last-oldest+1, uint64(max(most, 0))))
	}
	return f, nil
}

// One read takes so many records, and of records as large as a file may claim fewer: the
// memory is bounded by this program, not by the file.
const (
	batch     = 256
	batchRoom = 1 << 20 // bytes
)

// Ticks goes through the ticks from the oldest to the newest. A tick is valid until
// the next. Records that are not whole, or that a living writer has replaced
// meanwhile, are left out and counted, see Missed; Err says why it ended early.
func (f *Flight) Ticks() iter.Seq[*Tick] {
	return func(yield func(*Tick) bool) {
		f.missed, f.err = 0, nil
		stride := int(f.from.Stride)
		most := max(1, min(batch, batchRoom/stride))
		text := make([]byte, most*stride)
		var tick Tick
		for left := f.most; left > 0; {
			first := f.last - uint64(left) + 1
			place := first % uint64(f.from.Count)
			n := min(left, most, int(uint64(f.from.Count)-place))
			part := text[:n*stride]
			if f.err = f.ring.copy(part, f.from.Offset+place*uint64(stride)); f.err != nil {
				f.err = fmt.Errorf("telemetry: %s: %w", f.ring.f.Name(), f.err)
				return
			}
			for i := range n {
				if !believe(part[i*stride:][:stride], first+uint64(i), &tick) {
					f.missed++
				} else if !yield(&tick) {
					return
				}
			}
			left -= n
		}
	}
}

// Len returns how many ticks Ticks goes through at most.
func (f *Flight) Len() int { return f.most }

// Missed returns how many records the last Ticks left out.
func (f *Flight) Missed() int { return f.missed }

// Err returns why the last Ticks ended early, nil when it did not.
func (f *Flight) Err() error { return f.err }
