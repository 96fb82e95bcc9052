package doctor

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
)

// ioctl numbers of linux/i2c-dev.h and linux/gpio.h that x/sys does not name.
const (
	i2cSlave    = 0x0703     // I2C_SLAVE
	gpioGetChip = 0x8044b401 // GPIO_GET_CHIPINFO_IOCTL
)

// Local returns the machine this program runs on, with every probe but the
// HAT's. The caller fills in configuration, engine and daemon.
func Local(c config.Config) *Machine {
	return &Machine{
		Root: "/", Config: c, Privileged: os.Geteuid() == 0,
		FIFO: func() *loop.Condition {
			return apart(func() *loop.Condition { return loop.Raise(c.Loop.Priority) })
		},
		Limits: loop.Limits,
		Pad:    readPad,
		Lock:   tryLock,
		Chips:  chips,
		Access: func(path string) error {
			if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
				return fmt.Errorf("doctor: %s: %w", path, err)
			}
			return nil
		},
		Major: func(path string) (uint32, error) {
			var st unix.Stat_t
			if err := unix.Stat(path, &st); err != nil {
				return 0, fmt.Errorf("doctor: %s: %w", path, err)
			}
			return unix.Major(uint64(st.Rdev)), nil
		},
		Free: func(path string) (uint64, error) {
			var st unix.Statfs_t
			if err := unix.Statfs(path, &st); err != nil {
				return 0, fmt.Errorf("doctor: disk of %s: %w", path, err)
			}
			return st.Bavail * uint64(st.Bsize), nil
		},
	}
}

// apart runs a trial on a locked thread and throws the thread away, together
// with everything the kernel granted to it.
func apart(try func() *loop.Condition) *loop.Condition {
	result := make(chan *loop.Condition)
	go func() {
		runtime.LockOSThread()
		c := try()
		if c == nil { // the main thread would be parked in its class, not ended
			_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr}, 0)
		}
		result <- c
	}()
	return <-result
}

// tryLock locks the memory and lets it go again.
func tryLock() *loop.Condition {
	c := loop.LockMemory()
	if c == nil {
		_ = unix.Munlockall() // cannot fail for the caller's own memory
	}
	return c
}

// chips asks every GPIO chip for its label; the number says nothing.
func chips() ([]Chip, error) {
	paths, err := filepath.Glob("/dev/gpiochip*")
	if err != nil {
		return nil, fmt.Errorf("doctor: list gpio chips: %w", err)
	}
	var list []Chip
	for _, p := range paths {
		label, err := chipLabel(p)
		if err != nil {
			return list, fmt.Errorf("doctor: %s: %w", p, err)
		}
		list = append(list, Chip{Path: p, Label: label})
	}
	return list, nil
}

func chipLabel(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var info struct { // struct gpiochip_info
		name, label [32]byte
		lines       uint32
	}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), gpioGetChip, uintptr(unsafe.Pointer(&info)))
	if errno != 0 {
		return "", errno
	}
	text, _, _ := bytes.Cut(info.label[:], []byte{0})
	return string(text), nil
}

// ReadByte reads one byte from an I2C address, the gentlest sign of life there
// is: the Jetson's adapter refuses the empty transfer that i2cdetect sends. It
// must not be used while a daemon owns the bus.
func ReadByte(bus string, addr int) error {
	f, err := os.OpenFile(bus, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	defer f.Close()
	if err := unix.IoctlSetInt(int(f.Fd()), i2cSlave, addr); err != nil {
		return fmt.Errorf("doctor: %s: choose address %#x: %w", bus, addr, err)
	}
	var b [1]byte
	if _, err := f.Read(b[:]); err != nil {
		return fmt.Errorf("doctor: %s: read from %#x: %w", bus, addr, err)
	}
	return nil
}

// readPad reads one pad register through /dev/mem, as NVIDIA's Jetson.GPIO does. Only
// addresses of the header's table may be asked for.
func readPad(address uint32) (uint32, error) {
	f, err := os.OpenFile("/dev/mem", os.O_RDONLY|unix.O_SYNC, 0)
	if err != nil {
		return 0, fmt.Errorf("doctor: read pad %#x: %w", address, err)
	}
	defer f.Close()
	size := uint32(os.Getpagesize())
	page, err := unix.Mmap(int(f.Fd()), int64(address&^(size-1)), int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return 0, fmt.Errorf("doctor: map pad %#x: %w", address, err)
	}
	value := atomic.LoadUint32((*uint32)(unsafe.Pointer(&page[address&(size-1)])))
	return value, unix.Munmap(page)
}
