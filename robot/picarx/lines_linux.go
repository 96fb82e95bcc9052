package picarx

import (
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/warthog618/go-gpiocdev"
	"golang.org/x/sys/unix"
)

// consumer is the name the kernel shows beside lines we hold (gpioinfo).
const consumer = "fieldbrain"

// An outLine is a line requested as output with its first level, so that it
// never glitches.
type outLine struct{ line *gpiocdev.Line }

// Set drives the line.
func (l outLine) Set(high bool) error {
	v := 0
	if high {
		v = 1
	}
	return l.line.SetValue(v)
}

// edgesKept is more than the 16 events the kernel queues for a line.
const edgesKept = 64

// An inLine collects the edges of a line from gpiocdev's watcher goroutine in a
// single-producer ring. A full ring drops edges; the gap in their numbers tells
// the reader.
type inLine struct {
	line   *gpiocdev.Line
	offset time.Duration // car's clock minus the kernel's monotonic clock
	ring   [edgesKept]Edge
	head   atomic.Uint32 // next place to write
	tail   atomic.Uint32 // next place to read
	wake   chan struct{}
	timer  *time.Timer
}

// push is gpiocdev's event handler.
func (l *inLine) push(e gpiocdev.LineEvent) {
	head := l.head.Load()
	if head-l.tail.Load() < edgesKept {
		l.ring[head%edgesKept] = Edge{
			At: e.Timestamp + l.offset, Rising: e.Type == gpiocdev.LineEventRisingEdge, Seq: e.LineSeqno,
		}
		l.head.Store(head + 1)
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Next moves the oldest unread edge into e.
func (l *inLine) Next(e *Edge) bool {
	tail := l.tail.Load()
	if tail == l.head.Load() {
		return false
	}
	*e = l.ring[tail%edgesKept]
	l.tail.Store(tail + 1)
	return true
}

// Wait blocks until an edge is unread or d has passed.
func (l *inLine) Wait(d time.Duration) {
	if l.tail.Load() != l.head.Load() || d <= 0 {
		return
	}
	l.timer.Reset(d)
	select {
	case <-l.wake:
		l.timer.Stop()
	case <-l.timer.C:
	}
}

// Level returns the line's level now.
func (l *inLine) Level() (bool, error) {
	v, err := l.line.Value()
	return v != 0, err
}

// A lines opens GPIO lines and closes them together.
type lines struct {
	chips map[string]*gpiocdev.Chip // by label
	held  []*gpiocdev.Line
}

// openChips opens every GPIO chip of the machine.
func openChips() (*lines, error) {
	ls := &lines{chips: map[string]*gpiocdev.Chip{}}
	var denied error
	for _, name := range gpiocdev.Chips() {
		chip, err := gpiocdev.NewChip(name, gpiocdev.WithConsumer(consumer))
		if err != nil {
			denied = errors.Join(denied, err)
			continue
		}
		if _, taken := ls.chips[chip.Label]; taken {
			denied = errors.Join(denied, chip.Close())
			continue
		}
		ls.chips[chip.Label] = chip
	}
	if len(ls.chips) > 0 {
		return ls, nil
	}
	hint := "no /dev/gpiochip*: is this the robot?"
	if errors.Is(denied, fs.ErrPermission) {
		hint = "add the user to group gpio"
	}
	return nil, fmt.Errorf("picarx: open GPIO chips: %s: %w", hint, errors.Join(denied, fs.ErrNotExist))
}

// find verifies that the chip with the pin's label has a line of the pin's
// name at the pin's number.
func (ls *lines) find(p Pin) (*gpiocdev.Chip, error) {
	chip, ok := ls.chips[p.Chip]
	if !ok {
		return nil, fmt.Errorf("picarx: no GPIO chip labelled %q for BCM %d: wrong header map?", p.Chip, p.BCM)
	}
	info, err := chip.LineInfo(p.Offset)
	if err != nil {
		return nil, fmt.Errorf("picarx: GPIO line %d of %s: %w", p.Offset, p.Chip, err)
	}
	if info.Name != p.Name {
		return nil, fmt.Errorf("picarx: GPIO line %d of %s is called %q, not %q: wrong header map?", p.Offset, p.Chip, info.Name, p.Name)
	}
	return chip, nil
}

// output requests a line as output, low.
func (ls *lines) output(p Pin) (Output, error) {
	chip, err := ls.find(p)
	if err != nil {
		return nil, err
	}
	line, err := chip.RequestLine(p.Offset, gpiocdev.AsOutput(0))
	if err != nil {
		return nil, lineError(p, err)
	}
	ls.held = append(ls.held, line)
	return outLine{line}, nil
}

// input requests a line as input with both edges on the kernel's monotonic
// clock. The pull-down is honoured by a Raspberry Pi and ignored by Tegra,
// whose pads are configured by the device tree.
func (ls *lines) input(p Pin, offset time.Duration) (Input, error) {
	chip, err := ls.find(p)
	if err != nil {
		return nil, err
	}
	in := &inLine{offset: offset, wake: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}
	in.timer.Stop()
	in.line, err = chip.RequestLine(p.Offset, gpiocdev.AsInput, gpiocdev.WithPullDown,
		gpiocdev.WithBothEdges, gpiocdev.WithMonotonicEventClock, gpiocdev.WithEventHandler(in.push))
	if err != nil {
		return nil, lineError(p, err)
	}
	ls.held = append(ls.held, in.line)
	return in, nil
}

// lineError says who may be holding a line.
func lineError(p Pin, err error) error {
	if errors.Is(err, unix.EBUSY) {
		return fmt.Errorf("picarx: GPIO line %s (BCM %d) is held by another program: see gpioinfo: %w", p.Name, p.BCM, err)
	}
	return fmt.Errorf("picarx: request GPIO line %s (BCM %d): %w", p.Name, p.BCM, err)
}

// close releases everything.
func (ls *lines) close() error {
	var errs []error
	for _, l := range ls.held {
		errs = append(errs, l.Close())
	}
	for _, c := range ls.chips {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
