package recording

import (
	"errors"
	"os"
)

// A segment is one file while it is written.
type segment struct {
	file    *os.File
	out     *Writer
	pending uint64 // ticks since the newest block went to the file
	flushed uint64 // bytes then
}

// write adds a tick. The library keeps ticks until a block is full.
func (s *segment) write(e *Entry) error {
	if err := s.out.Write(e); err != nil {
		return err
	}
	s.pending++
	if n := s.out.out.Offset(); n != s.flushed {
		s.flushed, s.pending = n, 0
	}
	return nil
}

// full reports whether the file has so many bytes.
func (s *segment) full(bytes int64) bool { return bytes > 0 && s.size() >= bytes }

// size returns how many bytes went to the file.
func (s *segment) size() int64 { return int64(s.out.out.Offset()) }

// sync makes what went to the file survive a power cut.
func (s *segment) sync() error { return s.file.Sync() }

// close ends the file with its index.
func (s *segment) close() error {
	err := s.out.Close()
	if err == nil {
		err = s.file.Sync()
	}
	return errors.Join(err, s.file.Close())
}

// abandon leaves the file as it is: a reader takes the whole blocks.
func (s *segment) abandon() { _ = s.file.Close() }
