package telemetry

import (
	"errors"
	"fmt"
	"time"
	"unsafe"
)

// A Page is a run's page, open for reading. The run may live, or may have died long
// ago.
type Page struct{ *source }

// OpenPage opens a page. An error wraps os.ErrNotExist, os.ErrPermission, ErrForeign,
// ErrVersion or ErrDamaged.
func OpenPage(path string) (*Page, error) {
	s, err := openSource(path, pageMagic, maxPage)
	if err != nil {
		return nil, err
	}
	return &Page{s}, nil
}

// Newest returns the newest tick and the loop's counters.
func (p *Page) Newest() (Newest, error) { return named[Newest](p.source, kindTick, "tick") }

// Car returns what changes slowly.
func (p *Page) Car() (Car, error) { return named[Car](p.source, kindCar, "car") }

// Field returns the slices of the field.
func (p *Page) Field() (Field, error) { return named[Field](p.source, kindField, "field") }

// Ground returns the slice of the belief.
func (p *Page) Ground() (Ground, error) { return named[Ground](p.source, kindGround, "ground") }

// named reads the newest element and says whose trouble an error is.
func named[T any](s *source, kind uint32, what string) (T, error) {
	v, err := newest[T](s, kind)
	if err != nil {
		err = fmt.Errorf("telemetry: %s: %s: %w", s.f.Name(), what, err)
	}
	return v, err
}

// Histograms returns those of all streams, of one instant between two ticks. Those of
// a run that died within a tick may hold a part of that tick.
func (p *Page) Histograms() (all [NumStreams]Histogram, err error) {
	t, err := p.find(kindHistogram, unsafe.Sizeof(histogram{}))
	if err == nil && t.Count < uint32(NumStreams) {
		err = fmt.Errorf("%w: it has %d histograms", ErrVersion, t.Count)
	}
	if err != nil {
		return all, fmt.Errorf("telemetry: %s: %w", p.f.Name(), err)
	}
	text := make([]byte, int(t.Stride)*int(NumStreams))
	for range attempts {
		before, err1 := p.number(t.Counts)
		err2 := p.copy(text, t.Offset)
		after, err3 := p.number(t.Counts)
		if err := errors.Join(err1, err2, err3); err != nil {
			return all, fmt.Errorf("telemetry: %s: histograms: %w", p.f.Name(), err)
		}
		if before == after && before%2 == 0 {
			break
		}
	}
	for i := range all {
		var h histogram
		copy(bytesOf(&h), text[i*int(t.Stride):])
		all[i] = h.read()
	}
	return all, nil
}

// Last returns the wall time at which a tick ended, by the newest pair of clocks that
// the run wrote: the wall's may have been set since its start.
func (p *Page) Last(t *Tick) time.Time {
	if c, err := p.Car(); err == nil && c.Mono != 0 {
		return time.Unix(0, c.Wall+(t.End-c.Mono))
	}
	return p.at(t.End)
}
