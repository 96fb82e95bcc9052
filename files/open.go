package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Lock opens or makes a file to be locked, and follows no link to it.
func Lock(path string, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_NOCTTY, mode)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s %w", path, ErrLink)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Extend opens or makes a file that grows line by line, and returns what it holds,
// size bytes at most. It follows no link and opens nothing that is not a regular file.
// The next write goes where the content ends.
func Extend(path string, size int64) (*os.File, []byte, error) {
	if err := replaceable(path); err != nil { // to open a device may already do something
		return nil, nil, err
	}
	f, err := Lock(path, 0o644)
	if err != nil {
		return nil, nil, err
	}
	old, err := patiently(path, 0, func() ([]byte, error) { return io.ReadAll(io.LimitReader(f, size+1)) })
	if err == nil && int64(len(old)) > size {
		err = large(path, size)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, old, nil
}

// Stream opens or makes a file that is written from its beginning, piece by piece. It
// follows no link and opens nothing that is not a regular file.
func Stream(path string) (*os.File, error) {
	if err := replaceable(path); err != nil {
		return nil, err
	}
	f, err := Lock(path, 0o644)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Open opens a regular file that is read piece by piece; it waits for no pipe's writer.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path, info); err != nil { // to open a device may already do something
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Create writes a file where nothing stands, not even a link. What it could not write
// whole it removes.
func Create(path string, data []byte) error { return create(path, data, 0o644) }

// CreatePrivate is Create for a secret: nobody but its owner may read the file, from its
// first instant on.
func CreatePrivate(path string, data []byte) error { return create(path, data, 0o600) }

func create(path string, data []byte, mode fs.FileMode) error {
	_, err := patiently(path, 0, func() (struct{}, error) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, mode)
		if err != nil {
			return struct{}{}, asNamed(path, err)
		}
		_, err = f.Write(data)
		if err == nil {
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(asNamed(path, err), os.Remove(path))
		}
		return struct{}{}, err
	})
	return err
}
