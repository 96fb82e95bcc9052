package telemetry

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unsafe"
)

// Errors of a reader; the message names the file and what is wrong with it.
var (
	ErrForeign = errors.New("not a file of this program")
	ErrVersion = errors.New("of another version of the layout: read it with the program that wrote it")
	ErrDamaged = errors.New("damaged")
	ErrEmpty   = errors.New("nothing was written into it yet")
)

// A source is an open file of either kind. It is read, never mapped: a copy cannot
// fault, whatever somebody does to the file meanwhile, and the kernel copies some
// kilobytes in less time than a page fault takes.
type source struct {
	f    *os.File
	head header
}

// openSource opens a file and believes nothing of it before it is checked.
func openSource(path, magic string, most int64) (*source, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	s := &source{f: f}
	if err := s.check(magic, most); err != nil {
		return nil, errors.Join(fmt.Errorf("telemetry: %s: %w", path, err), f.Close())
	}
	return s, nil
}

// check reads the header and looks whether the file can be what it says.
func (s *source) check(magic string, most int64) error {
	info, err := s.f.Stat()
	if err != nil {
		return err
	}
	h := &s.head
	size := info.Size()
	if err := s.copy(bytesOf(h), 0); err != nil {
		return fmt.Errorf("%w: it has %d bytes, its header has %d", ErrForeign, size, headerSize)
	}
	switch {
	case string(h.Magic[:]) != magic:
		return fmt.Errorf("%w: it begins with %q instead of %q", ErrForeign, h.Magic[:], magic)
	case h.Version != Version:
		return fmt.Errorf("%w: version %d, this program knows %d", ErrVersion, h.Version, Version)
	case h.Sum != h.sum():
		return fmt.Errorf("%w: the header's sum is not that of its bytes", ErrDamaged)
	case h.File > uint64(most), h.Header != headerSize, h.Sections > maxSections:
		return fmt.Errorf("%w: the header claims %d bytes and %d sections", ErrDamaged, h.File, h.Sections)
	case uint64(size) < h.File:
		return fmt.Errorf("%w: it was cut short, %d of %d bytes are left", ErrDamaged, size, h.File)
	case h.Period <= 0 || h.Period > int64(time.Minute):
		return fmt.Errorf("%w: the header claims a period of %v", ErrDamaged, time.Duration(h.Period))
	}
	for _, t := range h.Table[:h.Sections] {
		if !t.within(h.File) {
			return fmt.Errorf("%w: section of kind %d does not lie within the file", ErrDamaged, t.Kind)
		}
	}
	return nil
}

// within reports whether a section lies within a file of so many bytes, whatever its
// numbers are.
func (t *section) within(size uint64) bool {
	small := t.Stride <= maxStride && t.Size <= t.Stride && t.Count >= 1 && t.Count <= 1<<30 && t.Offset <= size && t.Counts <= size
	return small && t.Stride%8 == 0 && t.Counts%8 == 0 && t.Counts >= headerSize && t.Offset >= headerSize &&
		t.Offset+uint64(t.Stride)*uint64(t.Count) <= size && t.Counts+8 <= size
}

// copy reads bytes from a place of the file; a file that is too short is damaged.
func (s *source) copy(to []byte, at uint64) error {
	n, err := s.f.ReadAt(to, int64(at))
	if n == len(to) {
		return nil
	}
	if errors.Is(err, io.EOF) || err == nil {
		return fmt.Errorf("%w: it was cut short, byte %d is missing", ErrDamaged, at+uint64(n))
	}
	return err
}

// number reads a counter.
func (s *source) number(at uint64) (n uint64, err error) {
	return n, s.copy(bytesOf(&n), at)
}

// find returns the section of a kind whose elements have at least the size.
func (s *source) find(kind uint32, size uintptr) (*section, error) {
	for i := range s.head.Table[:s.head.Sections] {
		t := &s.head.Table[i]
		if t.Kind != kind {
			continue
		}
		if uintptr(t.Size) < size {
			return nil, fmt.Errorf("%w: an element of section %d has %d bytes, this program reads %d", ErrVersion, kind, t.Size, size)
		}
		return t, nil
	}
	return nil, fmt.Errorf("%w: it has no section %d", ErrVersion, kind)
}

// attempts is how often a reader tries to copy an element that is being written.
const attempts = 20

// newest reads the newest element of a section of entries. A writer that died at an
// element left the one before whole.
func newest[T any](s *source, kind uint32) (v T, err error) {
	t, err := s.find(kind, unsafe.Sizeof(v))
	if err != nil {
		return v, err
	}
	var n uint64
	for range attempts {
		if n, err = s.number(t.Counts); err != nil {
			return v, err
		}
		if n == 0 {
			return v, ErrEmpty
		}
		if ok, err := element(s, t, n, &v); ok || err != nil {
			return v, err
		}
	}
	if ok, err := element(s, t, n-1, &v); ok || err != nil {
		return v, err
	}
	return v, fmt.Errorf("%w: element %d of section %d is not whole", ErrDamaged, n, kind)
}

// element reads element n of a section, and reports whether it was whole.
func element[T any](s *source, t *section, n uint64, v *T) (bool, error) {
	whole := make([]byte, entryHead+int(t.Size))
	if err := s.copy(whole, t.Offset+uint64(t.Stride)*(n%uint64(t.Count))); err != nil {
		return false, err
	}
	return believe(whole, n, v), nil
}

// believe takes an element out of its entry if its number and its sum are right.
func believe[T any](whole []byte, n uint64, v *T) bool {
	var h entry
	copy(bytesOf(&h), whole)
	size := uint64(h.Size)
	if h.Index != n || n == 0 || size < uint64(unsafe.Sizeof(*v)) || size > uint64(len(whole)-entryHead) {
		return false
	}
	if sumOf(n, whole[entryHead:][:size]) != h.Sum {
		return false
	}
	copy(bytesOf(v), whole[entryHead:])
	return true
}

// Written reports whether a process that lives holds the file as its writer.
func (s *source) Written() (bool, error) { return held(s.f) }

// Close gives the file up.
func (s *source) Close() error { return s.f.Close() }

// A Run is whose files these are.
type Run struct {
	PID     int
	Program string
	Body    string
	World   string
	Period  time.Duration
	Since   time.Time // wall time at which the files were made
	Boot    string    // the machine's start
	Ended   time.Time // of an orderly end, zero without
}

// madeWithin is longer than it takes to make page and ring, one after the other.
const madeWithin = 10 * time.Second

// Same reports whether page and ring are of one run. A process number alone says nothing:
// in a container every daemon may have the same.
func (r Run) Same(other Run) bool {
	return r.PID == other.PID && r.Boot == other.Boot && r.Since.Sub(other.Since).Abs() < madeWithin
}

// Run says whose file it is.
func (s *source) Run() Run {
	h := &s.head
	r := Run{
		PID: int(h.PID), Program: Text(h.Program[:]), Body: Text(h.Body[:]), World: Text(h.World[:]),
		Period: time.Duration(h.Period), Since: time.Unix(0, h.Wall), Boot: Text(h.Boot[:]),
	}
	ended, err := s.number(uint64(unsafe.Offsetof(h.Ended)))
	if err == nil && ended != 0 {
		r.Ended = time.Unix(0, int64(ended))
	}
	return r
}

// at returns the wall time of an instant of the ticks' clock, as of the header.
func (s *source) at(mono int64) time.Time { return time.Unix(0, s.head.Wall+(mono-s.head.Mono)) }
