package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldbrain/daemon/recording"
	"fieldbrain/files"
)

// A Chain reads the files of one recording, one after the other.
type Chain struct {
	Head   recording.Head // of the first file
	Differ []string       // see recording.Reader

	all    []string      // files that have ticks
	lost   error         // of files that ended before their first tick; nil: there are none
	left   error         // why the file before the newest tick's ended early; nil: it did not
	hurt   error         // of the first damaged file that was left behind; nil: there is none
	path   string        // of the present one
	paths  []string      // not yet opened
	skip   time.Duration // ticks before are passed over
	begun  time.Duration // instant of the first tick, known to Seek
	file   *os.File
	reader *recording.Reader
}

// Open opens the files of a recording in their order; a folder stands for the one drive
// that lies in it.
func Open(paths ...string) (*Chain, error) {
	c := &Chain{}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: no such file or folder: sim --record FILE and run --record FOLDER make recordings, and fieldbrain status names the one that a daemon writes", path)
		case err != nil:
			return nil, err
		case !info.IsDir():
			c.paths = append(c.paths, path)
			continue
		}
		inside, err := driveIn(path)
		if err != nil {
			return nil, err
		}
		c.paths = append(c.paths, inside...)
	}
	if err := c.sieve(); err != nil {
		return nil, err
	}
	c.all = c.paths
	if err := c.open(); err != nil {
		return nil, err
	}
	c.Head, c.Differ = c.reader.Head, c.reader.Differ
	return c, nil
}

// sieve leaves the files out that a power cut took before their first tick, unless none is
// left. Nobody can say what would have been in them: behind the last tick of the others the
// chain gives the error.
func (c *Chain) sieve() error {
	var sound []string
	var lost []error
	for _, path := range c.paths {
		switch err := glance(path); {
		case errors.Is(err, recording.ErrCut):
			lost = append(lost, err)
		case err != nil:
			return err
		default:
			sound = append(sound, path)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	if len(sound) == 0 {
		return errors.Join(lost...)
	}
	c.paths, c.lost = sound, fmt.Errorf("the drive ends before %w (%d files are so): what was in it never reached the disk", lost[0], len(lost))
	return nil
}

// glance returns why a file's head cannot be read, or nil.
func glance(path string) error {
	one := &Chain{paths: []string{path}}
	if err := one.open(); err != nil {
		return err
	}
	return one.Close()
}

// driveIn returns the files of the one drive in a folder, in the order in which they were
// written. Neither names nor clocks tell it: a-10 stands before a-2, and a clock may be set
// back. Every file's head says which file of which drive it is.
func driveIn(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*"+recording.Suffix))
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(fmt.Errorf("%s: there is no recording in it", folder), err)
	}
	type file struct {
		path   string
		drive  time.Duration // its clock's beginning, which all files of a drive share
		number int           // among them
	}
	var list []file
	var lost []string // by a power cut: nobody can say which file they were, Open says so
	for _, path := range paths {
		one := &Chain{paths: []string{path}}
		if err := one.open(); errors.Is(err, recording.ErrCut) {
			lost = append(lost, path)
			continue
		} else if err != nil {
			return nil, err
		}
		number, err := strconv.Atoi(cmp.Or(one.reader.Head.Facts["segment"], "1"))
		if err != nil {
			number = 1
		}
		list = append(list, file{path, one.reader.Head.Epoch, number})
		if err := one.Close(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.drive, b.drive), cmp.Compare(a.number, b.number), cmp.Compare(a.path, b.path))
	})
	paths = paths[:0]
	for i, f := range list {
		paths = append(paths, f.path)
		if i > 0 && (f.drive != list[i-1].drive || f.number == list[i-1].number) {
			return nil, fmt.Errorf("%s: more than one drive lies in it: %s and %s are of different ones; name the files of one",
				folder, filepath.Base(list[i-1].path), filepath.Base(f.path))
		}
	}
	return append(paths, lost...), nil
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
		return errors.Join(fmt.Errorf("%s: %w%s", path, err, instead(path, err)), f.Close())
	}
	c.file, c.path, c.reader, c.paths = f, path, r, c.paths[1:]
	if c.skip > 0 {
		r.Skip(c.skip)
	}
	return nil
}

// instead says what to do with a file that is no recording but one of telemetry's, by its name.
func instead(path string, err error) string {
	name := strings.TrimSuffix(path, ".before") // of the run before
	switch ext := filepath.Ext(name); {
	case !errors.Is(err, recording.ErrForeign):
	case ext == ".ring":
		return fmt.Sprintf("; a recording of a flight ring is made by fieldbrain export %s --mcap FILE.mcap", path)
	case ext == ".page":
		ring := strings.TrimSuffix(name, ext) + ".ring" + strings.TrimPrefix(path, name)
		return fmt.Sprintf("; a page keeps no ticks, and of the flight ring beside it a recording is made by fieldbrain export %s --mcap FILE.mcap", ring)
	}
	return ""
}

// Next reads the next tick. A file that is cut short is left behind where another
// follows: the ticks that it lacks are missed there.
func (c *Chain) Next(t *recording.Tick) error {
	c.left = nil
	for {
		err := c.reader.Next(t)
		if err == nil {
			return nil
		}
		if errors.Is(err, recording.ErrCut) || errors.Is(err, recording.ErrDamaged) {
			err = fmt.Errorf("%s: %w", c.path, err)
		}
		if len(c.paths) == 0 {
			return c.end(err)
		}
		if !errors.Is(err, io.EOF) && !errors.Is(err, recording.ErrCut) && !errors.Is(err, recording.ErrDamaged) {
			return err
		}
		if !errors.Is(err, io.EOF) {
			c.left = err
		}
		if c.hurt == nil && errors.Is(err, recording.ErrDamaged) {
			c.hurt = err
		}
		if err := errors.Join(c.Close(), c.open()); err != nil {
			return err
		}
	}
}

// Left returns why the file before that of the newest tick ended early, where that tick is
// the first of its file; else nil.
func (c *Chain) Left() error { return c.left }

// end returns what is behind the last tick: of a whole file, what is wrong with others.
func (c *Chain) end(err error) error {
	if others := cmp.Or(c.hurt, c.lost); errors.Is(err, io.EOF) && others != nil {
		return others
	}
	return err
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
