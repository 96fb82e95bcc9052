package telemetry

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// PagePath and RingPath return where the files of a daemon lie: beside its control
// socket.
func PagePath(socket string) string { return stem(socket) + ".page" }

// RingPath returns the path of the ring; see PagePath.
func RingPath(socket string) string { return stem(socket) + ".ring" }

// RingOf returns the path of the ring that belongs to a page.
func RingOf(page string) string { return strings.TrimSuffix(page, ".page") + ".ring" }

// Before returns where a file lies that the run before left.
func Before(path string) string { return path + ".before" }

func stem(socket string) string { return strings.TrimSuffix(socket, ".sock") }

// A file is one mapped file of its only writer.
type file struct {
	*os.File
	memory []byte
	path   string // its name once it is shown
	before bool   // it took that name from the file of the run before
}

// ErrTaken says that another process writes the file.
var ErrTaken = errors.New("another process writes it")

// create makes a file of so many bytes that nobody sees yet, maps it and touches
// every page of it: the loop must not wait for one. The room is the file's own
// from now on, so that a full disk cannot end the process at a store.
func create(path string, size int) (f *file, err error) {
	name := path + ".new"
	if err := remove(name); err != nil {
		return nil, err
	}
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Open(name, flags, 0o640)
	if err != nil {
		return nil, fmt.Errorf("telemetry: make %s: %w", name, err)
	}
	f = &file{File: os.NewFile(uintptr(fd), name)}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("telemetry: %s, %d bytes: %w", name, size, err), f.Close(), unix.Unlink(name))
			f = nil // nobody closes it again
		}
	}()
	if err := unix.Fchmod(fd, 0o640); err != nil { // whatever the umask says
		return f, err
	}
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &lock); err != nil {
		return f, fmt.Errorf("lock: %w", err)
	}
	if err := unix.Fallocate(fd, 0, 0, int64(size)); err != nil {
		if !errors.Is(err, unix.EOPNOTSUPP) {
			return f, err
		}
		if _, err := f.Write(make([]byte, size)); err != nil { // a file system without: fill it
			return f, err
		}
	}
	f.memory, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return f, fmt.Errorf("map: %w", err)
	}
	for at := 0; at < size; at += os.Getpagesize() { // a write makes a page the process's own, populating alone need not
		f.memory[at] = 0
	}
	return f, nil
}

// show gives the file its name. What lay there stays beside it, as the run before.
func (f *file) show(path string) error {
	if held, err := written(path); err == nil && held {
		return fmt.Errorf("telemetry: %s: %w", path, ErrTaken)
	}
	err := unix.Rename(path, Before(path))
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("telemetry: keep the file of the run before: %w", err)
	}
	f.before = err == nil
	if err := unix.Rename(f.Name(), path); err != nil {
		return errors.Join(fmt.Errorf("telemetry: name %s: %w", path, err), f.restore(path))
	}
	f.path = path
	return nil
}

// restore gives the file of the run before its name back.
func (f *file) restore(path string) error {
	if !f.before {
		return nil
	}
	f.before = false
	if err := unix.Rename(Before(path), path); err != nil {
		return fmt.Errorf("telemetry: put the file of the run before back: %w", err)
	}
	return nil
}

// named returns why the file cannot be found under its name any more, or nil.
func (f *file) named() error {
	var own, found unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &own); err != nil {
		return fmt.Errorf("telemetry: %s: %w", f.path, err)
	}
	switch err := unix.Lstat(f.path, &found); {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return fmt.Errorf("telemetry: somebody removed %s", f.path)
	case err != nil:
		return fmt.Errorf("telemetry: %s: %w", f.path, err)
	case own.Dev != found.Dev || own.Ino != found.Ino:
		return fmt.Errorf("telemetry: somebody put another file in the place of %s", f.path)
	}
	return nil
}

// withdraw undoes show: the file of the run before has its name back. Where there was
// none the file stays if it is worth keeping.
func (f *file) withdraw(keep bool) error {
	if f.path == "" { // nobody sees it
		return remove(f.Name())
	}
	if f.before {
		return f.restore(f.path)
	}
	if keep {
		return nil
	}
	return remove(f.path)
}

// remove removes a file that may have gone.
func remove(name string) error {
	if err := unix.Unlink(name); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("telemetry: remove %s: %w", name, err)
	}
	return nil
}

// inMemory reports whether the file lies in a file system that has no disk to write to.
func (f *file) inMemory() bool {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &st); err != nil {
		return false
	}
	return st.Type == unix.TMPFS_MAGIC || st.Type == unix.RAMFS_MAGIC
}

// close gives up memory and lock: whoever reads sees from now on that nobody writes.
func (f *file) close() error {
	var err error
	if f.memory != nil {
		err, f.memory = unix.Munmap(f.memory), nil
	}
	return errors.Join(err, f.Close())
}

// written reports whether a process that lives writes the file at path.
func written(path string) (bool, error) {
	f, err := open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return held(f)
}

// held reports whether a writer holds the lock of an open file: the kernel takes it
// from a process in the instant of its death.
func held(f *os.File) (bool, error) {
	lock := unix.Flock_t{Type: unix.F_RDLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &lock); err != nil {
		return false, fmt.Errorf("telemetry: ask for the lock of %s: %w", f.Name(), err)
	}
	return lock.Type != unix.F_UNLCK, nil
}

// open opens a file for reading: a regular one, no link, and never waiting for one.
func open(path string) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if errors.Is(err, unix.ELOOP) {
		return nil, fmt.Errorf("telemetry: %s is a link, and a daemon's file is none", path)
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("telemetry: %s is no regular file", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
