package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ReadKernel returns the content of a file that the kernel makes up while it is read
// (/proc, /sys), in the tree of fsys. What the kernel cannot tell at present (EAGAIN) is
// an error. os.ReadFile and fs.ReadFile wait for it, and for ever where it never comes:
// the temperature of a part of a Jetson that is off or was never built in.
func ReadKernel(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	var data []byte
	if file, is := f.(*os.File); is {
		data, err = readNow(file)
	} else {
		data, err = io.ReadAll(f)
	}
	return data, errors.Join(err, f.Close())
}

// readNow reads what is there. Such a file may be up to a page long and mostly has a word.
func readNow(f *os.File) (data []byte, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	data = make([]byte, 0, 512)
	for {
		n := 0
		late := raw.Read(func(fd uintptr) (done bool) {
			for {
				if n, err = syscall.Read(int(fd), data[len(data):cap(data)]); err != syscall.EINTR {
					return true // and not to be waited for
				}
			}
		})
		if err == nil {
			err = late
		}
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: err}
		}
		if n <= 0 {
			return data, nil
		}
		if data = data[:len(data)+n]; len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
