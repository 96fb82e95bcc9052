package gamepad

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Folder is where the kernel's event devices are.
const Folder = "/dev/input"

// ErrNone says that no gamepad is plugged in.
var ErrNone = errors.New("no gamepad is there: plug one in, or pair it (bluetoothctl), and look whether /dev/input has it")

// errNoPad says that a device is another thing.
var errNoPad = errors.New("it is no gamepad: it has no left stick or no button A")

// Find opens the first gamepad among the event devices of a folder. The error wraps
// ErrNone, or fs.ErrPermission where devices are that this user may not read.
func Find(folder string, dead float64) (*Pad, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "event*"))
	if err != nil {
		return nil, fmt.Errorf("gamepad: %w", err)
	}
	slices.Sort(paths)
	var denied error
	for _, path := range paths {
		pad, err := Open(path, dead)
		if err == nil {
			return pad, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			denied = err
		}
	}
	if denied != nil {
		return nil, denied
	}
	return nil, fmt.Errorf("gamepad: %w", ErrNone)
}

// Open opens one event device.
func Open(path string, dead float64) (*Pad, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0) // waits for no pipe's other end
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("gamepad: %w: join its group with sudo usermod -aG input $USER and log in anew, or use sudo", err)
	case err != nil:
		return nil, fmt.Errorf("gamepad: %w", err)
	}
	pad, err := open(f, dead)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("gamepad: %s: %w", path, err), f.Close())
	}
	return pad, nil
}

// Numbers of the ioctls (include/uapi/linux/input.h): read, of a size, of class E.
func numberOf(nr, size uint) uint { return 2<<30 | size<<16 | 'E'<<8 | nr }

// identity is struct input_id.
type identity struct{ Bus, Vendor, Product, Version uint16 }

// absinfo is struct input_absinfo.
type absinfo struct{ Value, Low, High, Fuzz, Flat, Resolution int32 }

// open asks a device what it is.
func open(f *os.File, dead float64) (*Pad, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	ask := func(request uint, to unsafe.Pointer) (err error) {
		inner := raw.Control(func(fd uintptr) {
			if _, _, no := unix.Syscall(unix.SYS_IOCTL, fd, uintptr(request), uintptr(to)); no != 0 {
				err = no
			}
		})
		return errors.Join(inner, err)
	}
	var keys [96]byte // a bit for each of the 768 keys
	if err := ask(numberOf(0x20+evKey, uint(len(keys))), unsafe.Pointer(&keys)); err != nil {
		return nil, fmt.Errorf("it is no event device: %w", err)
	}
	axis := func(code uint16) (a absinfo, err error) {
		err = ask(numberOf(0x40+uint(code), uint(unsafe.Sizeof(a))), unsafe.Pointer(&a))
		return a, err
	}
	spans := map[uint16]span{}
	for _, code := range []uint16{absX, absY, absRX} {
		if a, err := axis(code); err == nil && a.Low < a.High {
			spans[code] = span{a.Low, a.High}
		}
	}
	_, x := spans[absX]
	_, y := spans[absY]
	if keys[btnSouth/8]>>(btnSouth%8)&1 == 0 || !x || !y {
		return nil, errNoPad
	}
	var name [80]byte
	if err := ask(numberOf(0x06, uint(len(name))), unsafe.Pointer(&name)); err != nil {
		return nil, err
	}
	var id identity
	if err := ask(numberOf(0x02, uint(unsafe.Sizeof(id))), unsafe.Pointer(&id)); err != nil {
		return nil, err
	}
	who := model{name: unix.ByteSliceToString(name[:])}
	who.buttons = layoutOf(id.Vendor, who.name, driverOf(devices, numberOfDevice(f)))
	return newPad(who, f, spans, dead, func(code uint16) (int32, error) {
		a, err := axis(code)
		return a.Value, err
	})
}

// devices is where the kernel keeps what it knows of a device, by its number.
const devices = "/sys/dev/char"

// numberOfDevice returns a device's number as devices has it.
func numberOfDevice(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	s, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return ""
	}
	return fmt.Sprintf("%d:%d", unix.Major(s.Rdev), unix.Minor(s.Rdev))
}

// driverOf returns the name of the driver of a gamepad, empty where the kernel does not
// say: above the event device is the input device, above that what was plugged in.
func driverOf(folder, number string) string {
	driver, err := filepath.EvalSymlinks(filepath.Join(folder, number) + "/device/device/driver")
	if err != nil {
		return ""
	}
	return filepath.Base(driver)
}
