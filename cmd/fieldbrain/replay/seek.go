package replay

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/files"
)

// Seek makes the chain begin with the newest frozen brain that is not newer than so much
// of the recording, and returns that brain; nil where the chain begins with its start.
// Files whose first one is missing begin with the oldest frozen brain that there is: what
// went into them is not known.
func (c *Chain) Seek(from time.Duration) (*recording.Frozen, error) {
	var first recording.Tick
	if err := c.Next(&first); err != nil {
		return nil, errors.Join(c.bare(err), c.Close())
	}
	begun, torn := first.At(), c.torn()
	c.begun = begun
	if from <= 0 && !torn {
		return nil, c.rewind(0)
	}
	best, in, err := c.frozen(func(_ uint64, at time.Duration) bool { return at-begun <= from })
	if err == nil && best == nil && torn {
		met := false
		best, in, err = c.frozen(func(uint64, time.Duration) bool { was := met; met = true; return !was })
	}
	if err != nil || best == nil {
		return nil, errors.Join(err, c.rewind(0))
	}
	if err := c.rewind(max(0, in-1)); err != nil { // it may stand a little behind its tick
		return nil, err
	}
	c.skip = best.At + 1
	c.reader.Skip(c.skip)
	return best, nil
}

// bare says of a recording without a tick what err, which ended the search for the first
// one, means to whoever wants it replayed.
func (c *Chain) bare(err error) error {
	const remedy = "nothing can be replayed; name a recording of a drive, as sim --record and run --record write them"
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s: there is no tick in the recording: %s", strings.Join(c.all, ", "), remedy)
	case errors.Is(err, recording.ErrCut), errors.Is(err, recording.ErrDamaged):
		return fmt.Errorf("%w, with no tick before that: %s", err, remedy)
	}
	return err
}

// Short returns the length of a recording that ends before so much of it; short reports
// whether it does. Of a damaged one nobody knows: the replay says where that is.
func Short(from time.Duration, paths ...string) (length time.Duration, short bool, err error) {
	c, err := Open(paths...)
	if err != nil {
		return 0, false, err
	}
	defer c.Close()
	var t recording.Tick
	if err := c.Next(&t); err != nil {
		return 0, false, c.bare(err)
	}
	begun := t.At()
	c.skip = begun + from
	if err := c.rewind(0); err != nil {
		return 0, false, err
	}
	if err := c.Next(&t); !errors.Is(err, io.EOF) && !errors.Is(err, recording.ErrCut) {
		return 0, false, nil // it goes on, or whoever reads it says why not
	}
	c.skip = 0
	if err := c.rewind(0); err != nil {
		return 0, false, err
	}
	for c.Next(&t) == nil {
		length = t.At() - begun
	}
	return length, true, nil
}

// torn reports whether the files before the first one are missing.
func (c *Chain) torn() bool {
	n := c.Head.Facts["segment"]
	return n != "" && n != "1"
}

// frozen returns the last frozen brain to which want says yes, and in which file it is.
func (c *Chain) frozen(want func(tick uint64, at time.Duration) bool) (best *recording.Frozen, in int, err error) {
	for i, path := range c.all {
		f, err := files.Open(path)
		if err != nil {
			return nil, 0, err
		}
		found, err := recording.FindFrozen(f, want)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		if found != nil {
			best, in = found, i
		}
	}
	return best, in, nil
}

// Carry adds the frozen brains of all files to another one, as far as they can be read.
func (c *Chain) Carry(to *recording.Writer) error {
	for _, path := range c.all {
		f, err := files.Open(path)
		if err == nil {
			err = errors.Join(to.Carry(f), f.Close())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// rewind begins with a file anew.
func (c *Chain) rewind(file int) error {
	c.paths = c.all[file:]
	return errors.Join(c.Close(), c.open())
}
