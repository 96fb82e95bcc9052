package recording

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrGone says that a file was removed or moved while it was written.
var ErrGone = errors.New("somebody has removed or moved the recording")

// A segment is one file while it is written.
type segment struct {
	file    *os.File
	out     *Writer
	head    int64  // bytes before the first tick: the brain that the drive began with
	ticks   uint64 // that were written
	pending uint64 // of them, since the newest block went to the file
	flushed uint64 // bytes then
}

// write adds a tick. The library keeps ticks until a block is full.
func (s *segment) write(e *Entry) error {
	if err := s.out.Write(e); err != nil {
		return err
	}
	s.ticks++
	s.pending++
	if n := s.out.out.Offset(); n != s.flushed {
		s.flushed, s.pending = n, 0
	}
	return nil
}

// full reports whether the file has so many bytes behind its head. A brain may be larger
// than a small quota's files: they would else have one tick each.
func (s *segment) full(bytes int64) bool { return bytes > 0 && s.size()-s.head >= bytes }

// size returns how many bytes went to the file.
func (s *segment) size() int64 { return int64(s.out.out.Offset()) }

// sync makes what went to the file survive a power cut. The error wraps ErrGone where
// nobody finds the file any more.
func (s *segment) sync() error { return errors.Join(s.file.Sync(), s.there()) }

// there looks whether the file still stands where it was begun: one that was removed takes
// every tick, and keeps none of them.
func (s *segment) there() error {
	mine, err := s.file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(s.file.Name())
	switch {
	case err == nil && os.SameFile(mine, named):
		return nil
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return nil // what nobody may look at can still be there
	}
	if links, known := mine.Sys().(*syscall.Stat_t); known && links.Nlink == 0 {
		s.pending = s.ticks
	}
	return fmt.Errorf("%s: %w", s.file.Name(), ErrGone)
}

// close ends the file with its index.
func (s *segment) close() error {
	err := s.out.Close()
	if err == nil {
		err = s.sync()
	}
	return errors.Join(err, s.file.Close())
}

// abandon leaves the file as it is: a reader takes the whole blocks.
func (s *segment) abandon() { _ = s.file.Close() }
