package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// Unfinished begins the name of a file that a Writer has not given its own yet.
// After a crash one may stay behind; nobody else makes such names.
const Unfinished = ".unfinished-"

// names is how many unfinished files a folder may have before a Writer thinks
// that somebody keeps it from working.
const names = 1000

// A Writer writes whole files.
type Writer struct {
	Mode     fs.FileMode   // of a new file, less the umask; 0 takes 0o644
	Patience time.Duration // 0 takes Patience

	// Put gets the content into the new file; nil writes it. Tests cut it short.
	Put func(f *os.File, data []byte) (int, error)
}

// Write puts data under a name in one step. After an error what was there is as it
// was.
func Write(path string, data []byte) error { return Writer{}.Write(path, data) }

// Write puts data under a name in one step. After an error what was there is as it
// was, but for ErrSlow in the last moment: a rename that the disk carries out when
// it answers again.
func (w Writer) Write(path string, data []byte) error {
	var over atomic.Bool // its caller has gone, or it gives the file its name now
	_, err := patiently(path, w.Patience, func() (struct{}, error) {
		return struct{}{}, w.write(path, data, func() bool { return over.CompareAndSwap(false, true) })
	})
	over.Store(true)
	return err
}

// write does the work; it asks may before it gives the file its name.
func (w Writer) write(path string, data []byte, may func() bool) error {
	d, err := w.begin(path)
	if err != nil {
		return err
	}
	put := w.Put
	if put == nil {
		put = (*os.File).Write
	}
	n, err := put(d.temp, data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return errors.Join(asNamed(path, err), d.Drop())
	}
	return d.keep(may)
}

// create makes a file under a name that did not exist.
func (w Writer) create(folder string) (*os.File, error) {
	mode := w.Mode
	if mode == 0 {
		mode = 0o644
	}
	var err error
	for i := range names {
		name := filepath.Join(folder, fmt.Sprintf("%s%d-%d", Unfinished, os.Getpid(), i))
		var f *os.File
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}

// Check says beforehand what Write would refuse about a name: something that is not a
// regular file stands there, there is no such folder, or nobody of this user's may write
// into it.
func Check(path string) error {
	if err := replaceable(path); err != nil {
		return asNamed(path, err)
	}
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; make the folder first: mkdir -p %s", asNamed(path, err), folder)
	case err != nil:
		return asNamed(path, err)
	case !info.IsDir():
		return fmt.Errorf("%s: %w", path, syscall.ENOTDIR)
	}
	const enter, write = 1, 2
	if err := syscall.Access(folder, enter|write); err != nil {
		return fmt.Errorf("%s: %w; %s takes no files of this user's: name another folder", path, err, folder)
	}
	return nil
}

// replaceable refuses a name under which something stands that is not a regular
// file.
func replaceable(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return regular(path, info)
}

// asNamed gives an error the name that the caller knows.
func asNamed(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return fmt.Errorf("%s: %w", path, at.Err)
	case errors.As(err, &link):
		return fmt.Errorf("%s: %w", path, link.Err)
	case errors.Is(err, ErrKind), errors.Is(err, ErrLink):
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// SyncFolder forces the names in a folder to the disk.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
