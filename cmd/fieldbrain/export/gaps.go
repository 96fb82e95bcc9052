package export

import (
	"errors"
	"fmt"
	"io"

	"fieldbrain/daemon/recording"
)

// ErrMissing says that ticks are missing between those that were read, ErrOrder that one
// follows a later one, ErrEmpty that nothing can be drawn of a recording.
var (
	ErrMissing = errors.New("ticks are missing")
	ErrOrder   = errors.New("another drive begins there, or the files are not in their order: name the files of one drive")
	ErrEmpty   = errors.New("there is no tick in the recording")
)

// gaps is a source that counts the ticks that are missing in it, and ends with ErrOrder
// where one is not behind the tick before it.
type gaps struct {
	Source
	next, first, missing uint64 // first: behind which some are missing
}

// Next reads the next tick.
func (g *gaps) Next(t *recording.Tick) error {
	err := g.Source.Next(t)
	if n := t.Input.Tick; err == nil {
		switch {
		case n < g.next:
			return fmt.Errorf("tick %d follows tick %d: %w", n, g.next-1, ErrOrder)
		case g.next > 0 && n > g.next:
			if g.missing == 0 {
				g.first = g.next - 1
			}
			g.missing += n - g.next
		}
		g.next = n + 1
	}
	return err
}

// end returns what is to be said at the end of the reading, nil for a whole recording.
func (g *gaps) end(err error) error {
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if g.missing > 0 {
		err = errors.Join(err, fmt.Errorf("%w: %d of them, the first behind tick %d: a disk was slow, full or gone, or a flight ring is damaged", ErrMissing, g.missing, g.first))
	}
	return err
}
