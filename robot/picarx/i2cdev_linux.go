package picarx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

// findAdapter returns the /dev path of the adapter whose sysfs link contains
// link: bus numbers shift between kernels, links do not.
func findAdapter(root, link string) (string, error) {
	found, err := filepath.Glob(filepath.Join(root, "i2c-*"))
	if err != nil {
		return "", fmt.Errorf("picarx: list I2C adapters: %w", err)
	}
	var seen []string
	for _, path := range found {
		to, err := filepath.EvalSymlinks(path)
		if err != nil {
			continue
		}
		if strings.Contains(to, link) {
			return "/dev/" + filepath.Base(path), nil
		}
		seen = append(seen, filepath.Base(path))
	}
	return "", fmt.Errorf("picarx: no I2C adapter %s among %q: enable I2C on header pins 3 and 5, or name the bus in the configuration", link, seen)
}
