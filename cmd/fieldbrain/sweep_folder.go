package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// spoolPrefix begins the names of the folders in which workers keep recordings on their way.
const spoolPrefix = "fieldbrain-sweep-"

// A spoolFolder is a worker's folder for recordings, below TMPDIR. The worker holds its lock
// until it ends, however it does, so that the next one can take away what a killed one left.
type spoolFolder struct {
	mu   sync.Mutex
	path string // empty: not made yet
	lock int
}

// create makes a new file in the folder, which it makes at first, and anew where somebody has
// cleared TMPDIR.
func (s *spoolFolder) create() (*os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path != "" {
		if f, err := os.CreateTemp(s.path, "*.mcap"); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		s.leave()
	}
	clearSpools(os.TempDir())
	for {
		path, err := os.MkdirTemp("", spoolPrefix)
		if err != nil {
			return nil, err
		}
		if s.lock, err = lockFolder(path); errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, fs.ErrNotExist) {
			continue // another worker takes it for one that was left, and removes it
		} else if err != nil {
			return nil, errors.Join(err, os.Remove(path))
		}
		s.path = path
		return os.CreateTemp(path, "*.mcap")
	}
}

// close removes the folder with all that is in it.
func (s *spoolFolder) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path != "" {
		s.leave()
	}
}

func (s *spoolFolder) leave() {
	_ = os.RemoveAll(s.path) // what stays the next worker takes away
	_ = unix.Close(s.lock)
	s.path = ""
}

// clearSpools removes the folders that killed workers left. Those of other users stay.
func clearSpools(in string) {
	list, _ := filepath.Glob(filepath.Join(in, spoolPrefix+"*"))
	for _, path := range list {
		if fd, err := lockFolder(path); err == nil {
			_ = os.RemoveAll(path)
			_ = unix.Close(fd)
		}
	}
}

// lockFolder locks a folder that stands at path, or says who keeps it from it.
func lockFolder(path string) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	var held, there unix.Stat_t
	if err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == nil {
		err = errors.Join(unix.Fstat(fd, &held), unix.Lstat(path, &there))
	}
	if err == nil && (held.Dev != there.Dev || held.Ino != there.Ino) {
		err = unix.ENOENT // removed meanwhile
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}
