package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Reasons why a file is not read or written.
var (
	ErrKind  = errors.New("is not a regular file")
	ErrLink  = errors.New("is a symbolic link: name the file it points to")
	ErrLarge = errors.New("is too large")
	ErrSlow  = errors.New("the disk does not answer: look at it and at the kernel's log")
)

// Patience is how long a Reader or a Writer without another limit waits for the
// disk. A memory card may stand for seconds while it tidies up.
const Patience = 30 * time.Second

// A Reader reads whole files.
type Reader struct {
	Max      int64         // bytes at most
	Patience time.Duration // 0 takes Patience
	NoLink   bool          // refuse a symbolic link instead of following it
}

// Read returns a file's content.
func (r Reader) Read(path string) ([]byte, error) {
	return patiently(path, r.Patience, func() ([]byte, error) { return r.read(path) })
}

// read looks at the file before it opens it: to open a device may already do
// something. It looks again at what it has opened.
func (r Reader) read(path string) ([]byte, error) {
	look, flags := os.Stat, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY // never wait for a pipe's writer
	if r.NoLink {
		look, flags = os.Lstat, flags|syscall.O_NOFOLLOW
	}
	info, err := look(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	if info.Size() > r.Max {
		return nil, large(path, r.Max)
	}
	data, err := io.ReadAll(io.LimitReader(f, r.Max+1)) // it may grow, or hide its size as /proc does
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > r.Max:
		return nil, large(path, r.Max)
	}
	return data, nil
}

// regular refuses everything but a regular file.
func regular(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.Type() == fs.ModeSymlink:
		return fmt.Errorf("%s %w", path, ErrLink)
	default:
		return fmt.Errorf("%s %w: it is %s", path, ErrKind, kind(mode))
	}
}

// kind names what is not a regular file.
func kind(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeDir:
		return "a folder"
	case fs.ModeNamedPipe:
		return "a named pipe"
	case fs.ModeSocket:
		return "a socket"
	}
	return "a device"
}

func large(path string, limit int64) error {
	return fmt.Errorf("%s %w: it has more than %d bytes", path, ErrLarge, limit)
}

// patiently runs work and gives up on it after a while. A system call that the
// kernel does not return from cannot be cancelled: it stays behind with its
// goroutine, and the program goes on.
func patiently[T any](path string, patience time.Duration, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	if patience == 0 {
		patience = Patience
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-timer.C:
		var none T
		return none, fmt.Errorf("%s: nothing within %v: %w", path, patience, ErrSlow)
	}
}
