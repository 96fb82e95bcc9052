package replay

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/files"
)

// A Chain reads the files of one recording, one after the other.
type Chain struct {
	Head   recording.Head // of the first file
	Differ []string       // see recording.Reader

	all    []string      // files
	paths  []string      // not yet opened
	skip   time.Duration // ticks before are passed over
	begun  time.Duration // instant of the first tick, known to Seek
	file   *os.File
	reader *recording.Reader
}

// Open opens the files of a recording in their order; a folder stands for all
// recordings in it, by their names.
func Open(paths ...string) (*Chain, error) {
	c := &Chain{}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case !info.IsDir():
			c.paths = append(c.paths, path)
			continue
		}
		inside, err := filepath.Glob(filepath.Join(path, "*"+recording.Suffix))
		if err != nil || len(inside) == 0 {
			return nil, errors.Join(fmt.Errorf("%s: there is no recording in it", path), err)
		}
		slices.Sort(inside)
		c.paths = append(c.paths, inside...)
	}
	c.all = c.paths
	if err := c.open(); err != nil {
		return nil, err
	}
	c.Head, c.Differ = c.reader.Head, c.reader.Differ
	return c, nil
}

// open opens the next file.
func (c *Chain) open() error {
	path := c.paths[0]
	f, err := files.Open(path)
	if err != nil {
		return err
	}
	r, err := recording.NewReader(f)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	c.file, c.reader, c.paths = f, r, c.paths[1:]
	if c.skip > 0 {
		r.Skip(c.skip)
	}
	return nil
}

// Next reads the next tick. A file that is cut short is left behind where another
// follows: the ticks that it lacks are missed there.
func (c *Chain) Next(t *recording.Tick) error {
	for {
		err := c.reader.Next(t)
		if err == nil {
			return nil
		}
		if len(c.paths) == 0 {
			return err
		}
		if !errors.Is(err, io.EOF) && !errors.Is(err, recording.ErrCut) && !errors.Is(err, recording.ErrDamaged) {
			return err
		}
		if err := errors.Join(c.Close(), c.open()); err != nil {
			return err
		}
	}
}

// Close closes the present file.
func (c *Chain) Close() error {
	if c.file == nil {
		return nil
	}
	c.reader.Close()
	err := c.file.Close()
	c.file = nil
	return err
}
