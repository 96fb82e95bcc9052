package picarx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// An i2cDev is an adapter of /dev/i2c-*, as a periph i2c.Bus for one owner.
//
// It replaces periph's own sysfs adapter for two reasons. That one keeps the
// addresses of the messages and of the caller's buffers as plain integers
// across a mutex and two calls; when the goroutine's stack moves in between,
// the kernel reads and writes stale memory. And it formats the error number
// away, by which a missing acknowledge is told from a stuck bus. Here message,
// request and buffer live in one heap object and the pointer is made in the
// expression of the system call.
type i2cDev struct {
	file *os.File
	fd   uintptr
	name string
	req  i2cRequest
	msg  i2cMessage
	buf  [4]byte
}

// i2cMessage is struct i2c_msg of linux/i2c.h.
type i2cMessage struct {
	addr, flags, length uint16
	_                   uint16
	buf                 *byte
}

// i2cRequest is struct i2c_rdwr_ioctl_data of linux/i2c-dev.h.
type i2cRequest struct {
	msgs  *i2cMessage
	count uint32
	_     uint32
}

const (
	ioctlRdwr   = 0x707 // I2C_RDWR
	flagRead    = 1     // I2C_M_RD
	sysfsI2CDev = "/sys/class/i2c-dev"
)

var _ i2c.Bus = (*i2cDev)(nil)

// openI2C opens an adapter by its path in /dev.
func openI2C(path string) (*i2cDev, error) {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("picarx: open I2C bus: %w: %s", err, Classify(err).remedy())
	}
	return &i2cDev{file: f, fd: f.Fd(), name: path}, nil
}

// String returns the adapter's path.
func (d *i2cDev) String() string { return d.name }

// SetSpeed fails: Linux fixes an adapter's clock in the device tree.
func (d *i2cDev) SetSpeed(physic.Frequency) error {
	return errors.New("picarx: the bus clock is fixed by the device tree (clock-frequency)")
}

// Tx does one transaction, with only w or only r, at most four bytes. The
// error keeps the kernel's error number. One goroutine may call it.
func (d *i2cDev) Tx(addr uint16, w, r []byte) error {
	b, flags := w, uint16(0)
	if len(r) > 0 {
		b, flags = r, flagRead
	}
	if len(b) == 0 || len(b) > len(d.buf) || len(w) > 0 && len(r) > 0 {
		return fmt.Errorf("picarx: transaction of %d bytes out and %d in: want 1 to %d one way", len(w), len(r), len(d.buf))
	}
	copy(d.buf[:], w)
	d.msg = i2cMessage{addr: addr, flags: flags, length: uint16(len(b)), buf: &d.buf[0]}
	d.req = i2cRequest{msgs: &d.msg, count: 1}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, d.fd, ioctlRdwr, uintptr(unsafe.Pointer(&d.req)))
	runtime.KeepAlive(d)
	if errno != 0 {
		return errno
	}
	copy(r, d.buf[:])
	return nil
}

// Adapter returns the /dev path of the I2C adapter that a configuration's bus means on
// the machine whose file tree begins at tree, "/" for the real one: by its path or a
// link to it ("/dev/fieldbrain-i2c"), by its number as periph writes it ("7", "I2C7",
// "i2c-7"), or by a whole element of its sysfs path ("c250000.i2c"). The error wraps
// fs.ErrNotExist while there is none and says what to do.
func Adapter(tree, bus string) (string, error) {
	class := filepath.Join(tree, sysfsI2CDev)
	if !strings.HasPrefix(bus, "/") {
		return findAdapter(class, bus)
	}
	to, err := filepath.EvalSymlinks(filepath.Join(tree, bus))
	if err != nil {
		return "", fmt.Errorf("picarx: I2C bus %s: %w: %s", bus, err, Classify(err).remedy())
	}
	name := filepath.Base(to)
	if _, err := os.Stat(filepath.Join(class, name)); err != nil {
		return "", fmt.Errorf("picarx: %s is no I2C adapter: %w: name one of %s in body.bus", bus, err, class)
	}
	return "/dev/" + name, nil
}

// findAdapter returns the /dev path of an adapter of the folder root by its number or
// by an element of its sysfs path: bus numbers shift between kernels, those do not. A
// number comes first: 7 is no part of another adapter's address. Buses behind an
// adapter (a multiplexer's) have it in their paths, too: the nearest one is meant.
func findAdapter(root, bus string) (string, error) {
	found, err := filepath.Glob(filepath.Join(root, "i2c-*"))
	if err != nil {
		return "", fmt.Errorf("picarx: list I2C adapters: %w", err)
	}
	number := bus
	for _, prefix := range []string{"i2c-", "I2C"} {
		number = strings.TrimPrefix(number, prefix)
	}
	var seen, nearest []string
	depth := 0
	for _, path := range found {
		name := filepath.Base(path)
		if name == "i2c-"+number {
			return "/dev/" + name, nil
		}
		seen = append(seen, name)
		to, err := filepath.EvalSymlinks(path)
		elements := strings.Split(strings.TrimPrefix(to, "/"), "/")
		if err != nil || !slices.Contains(elements, bus) {
			continue
		}
		switch n := len(elements); {
		case len(nearest) == 0 || n < depth:
			nearest, depth = []string{name}, n
		case n == depth:
			nearest = append(nearest, name)
		}
	}
	switch len(nearest) {
	case 0:
		return "", fmt.Errorf("picarx: no I2C adapter %s among %q (%w): enable I2C on header pins 3 and 5, or name the bus in the configuration", bus, seen, fs.ErrNotExist)
	case 1:
		return "/dev/" + nearest[0], nil
	}
	return "", fmt.Errorf("picarx: %s is a part of the path of %q: name one of them in body.bus", bus, nearest)
}
