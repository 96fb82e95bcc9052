package hostile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// A Stranger is something under a name that a program takes for a file.
type Stranger struct {
	Path string
	Kind string // for the count
	File bool   // it is a regular file, and no link to one

	close func() error
}

// Close ends what keeps the Stranger alive.
func (s Stranger) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// Place puts a stranger into a folder; its name ends in .toml. What a machine or a
// user cannot make becomes a plain file. Sound is a text that some are made from.
func Place(seed uint64, folder string, sound []byte) (Stranger, error) {
	d := roll(seed, "file")
	s := Stranger{Path: filepath.Join(folder, fmt.Sprintf("f%d.toml", seed))}
	var err error
	switch d.below(10) {
	case 0:
		s.Kind, err = "folder", os.Mkdir(s.Path, 0o755)
	case 1:
		s.Kind, err = "pipe", syscall.Mkfifo(s.Path, 0o600)
	case 2:
		s.Kind = "socket"
		s.close, err = bound(s.Path)
	case 3:
		s.Kind = "link"
		err = os.Symlink(one(d, "/dev/zero", "/dev/full", "/dev/random", "/proc/self/mem", filepath.Join(folder, "nowhere"), s.Path, folder), s.Path)
	case 4:
		s.Kind = "device"
		err = syscall.Mknod(s.Path, syscall.S_IFCHR|0o666, 1<<8|one(d, 3, 5, 7, 8)) // null, zero, full, random
	case 5:
		s.Kind, s.File = "huge", true
		if err = os.WriteFile(s.Path, nil, 0o600); err == nil {
			err = os.Truncate(s.Path, one[int64](d, 1<<20+1, 1<<28+1, 1<<40))
		}
	}
	if s.Kind != "" && err == nil {
		return s, nil
	}
	if err != nil {
		_ = os.Remove(s.Path) // half made
	}
	s.Kind, s.File, s.close = d.text(s.Path, sound)
	if s.Kind == "" {
		return s, errors.New("hostile: no file can be made in " + folder)
	}
	return s, nil
}

// bound puts a socket into the file system.
func bound(path string) (closed func() error, err error) {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		return nil, errors.Join(err, syscall.Close(fd))
	}
	return func() error { return syscall.Close(fd) }, nil
}

// text writes a regular file and returns its kind.
func (d *dice) text(path string, sound []byte) (kind string, file bool, none func() error) {
	var content []byte
	switch d.below(5) {
	case 0:
		kind, content = "rubbish", d.bytes(d.below(5000))
	case 1:
		kind, content = "zeros", make([]byte, d.below(5000))
	case 2:
		kind = "UTF-16"
		for _, b := range append([]byte("\xff\xfe"), sound...) {
			content = append(content, b, 0)
		}
	case 3:
		kind, content = "settings", Config(d.Uint64(), sound)
	case 4:
		kind, content = "vendor's", d.vendor()
	}
	if os.WriteFile(path, content, 0o600) != nil {
		return "", false, nil
	}
	return kind, true, nil
}

// vendor returns something like the vendor's calibration.
func (d *dice) vendor() []byte {
	text := one(d, "picarx_dir_servo = 1\npicarx_dir_motor = [1, -1]\nline_reference = [1000, 1000, 1000]\n",
		`{"left_motor_reversed": false, "right_motor_reversed": true, "steering_offset": 1}`, "# empty\n")
	for range d.below(3) {
		text = string(d.spoil([]byte(text)))
	}
	return []byte(text)
}
