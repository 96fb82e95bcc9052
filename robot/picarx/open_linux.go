package picarx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/robot"
)

// A Site says which machine the HAT is wired to.
type Site struct {
	Header string      // name of the header map; "" or "auto" asks the device tree, "pi" is whichever Pi that names
	Bus    string      // I2C adapter: /dev path, part of its sysfs link, or periph's name for it; "" takes the header's
	Clock  robot.Clock // nil takes the kernel's monotonic clock
	Reset  Output      // the reset line where another process owns it (daemon/guard); nil opens it
}

// Board returns the name of the header that Open would use.
func (s Site) Board() (string, error) {
	if s.Header == BenchHeader {
		return s.Header, nil
	}
	h, err := s.header("/proc/device-tree/compatible")
	return h.Name, err
}

// Open connects to a real Robot HAT: I2C adapter, GPIO lines with their first
// levels and clock. The reset line comes first and low: whatever a process before
// this one left running stops before a direction line can turn under it, and the
// bring-up raises the line again. The second result releases all of it; call it
// only at the end of the process, because a released line may fall back to its
// pad's special function. A Raspberry Pi whose firmware found another HAT gives
// a *BoardError.
func Open(s Site) (Wire, func() error, error) {
	if s.Header == BenchHeader {
		return openRemote(s)
	}
	header, err := s.header("/proc/device-tree/compatible")
	if err != nil {
		return Wire{}, nil, err
	}
	if err := checkEEPROM("/proc/device-tree"); err != nil {
		return Wire{}, nil, err
	}
	path := s.Bus
	if path == "" {
		path = header.Adapter
	}
	if !strings.HasPrefix(path, "/") {
		if path, err = resolve(path); err != nil {
			return Wire{}, nil, err
		}
	}
	bus, err := openI2C(path)
	if err != nil {
		return Wire{}, nil, err
	}
	w := Wire{Bus: bus, Clock: s.Clock, Reset: s.Reset}
	if w.Clock == nil {
		w.Clock = robot.NewMonotonic()
	}
	gpio, err := openChips()
	if err != nil {
		return Wire{}, nil, errors.Join(err, bus.file.Close())
	}
	if err := w.connect(gpio, header); err != nil {
		return Wire{}, nil, errors.Join(err, gpio.close(), bus.file.Close())
	}
	return w, func() error { return errors.Join(gpio.close(), bus.file.Close()) }, nil
}

// resolve returns the /dev path of an adapter given by part of its sysfs link
// or by a name periph's registry knows.
func resolve(bus string) (string, error) {
	path, byLink := findAdapter(sysfsI2CDev, bus)
	if byLink == nil {
		return path, nil
	}
	path, byName := registered(bus)
	if byName == nil {
		return path, nil
	}
	return "", errors.Join(byLink, byName)
}

// header finds the header map by name or from the device tree, whose
// compatible strings are in the file compatible.
func (s Site) header(compatible string) (Header, error) {
	switch s.Header {
	case "", "auto", "pi": // a Pi's chip labels differ from model to model
	default:
		return HeaderByName(s.Header)
	}
	names, err := os.ReadFile(compatible)
	if err != nil {
		return Header{}, fmt.Errorf("%w: %w", ErrNoBoard, err)
	}
	h, err := DetectHeader(names)
	if err == nil && s.Header == "pi" && !strings.HasPrefix(h.Name, "pi-") {
		return Header{}, fmt.Errorf("picarx: header pi on a board that is %s: correct the configuration", h.Name)
	}
	return h, err
}

// connect requests the car's lines, the reset line before any other. All are low at
// first: a high one would feed a HAT that is off through its pin (docs/hardware.md 1.8).
// The bring-up sets the direction lines once the controller answers.
func (w *Wire) connect(gpio *lines, h Header) error {
	var errs []error
	output := func(bcm int) (out Output) {
		p, err := h.Pin(bcm)
		if err == nil {
			out, err = gpio.output(p)
		}
		errs = append(errs, err)
		return out
	}
	if w.Reset == nil { // else the guard has pulled it already
		if w.Reset = output(bcmReset); errs[0] != nil {
			return errs[0] // the HAT may be driving: touch nothing else
		}
	}
	w.LeftDir = output(bcmLeftDir)
	w.RightDir = output(bcmRightDir)
	front := SonarWire{Sector: robot.Front, Trigger: output(bcmTrigger)}
	p, err := h.Pin(bcmEcho)
	if err == nil {
		front.Echo, err = gpio.input(p, w.Clock.Now()-kernelNow())
	}
	w.Sonars = []SonarWire{front}
	return errors.Join(append(errs, err)...)
}

// checkEEPROM refuses a HAT whose ID EEPROM a Raspberry Pi's firmware read.
func checkEEPROM(tree string) error {
	found, err := filepath.Glob(filepath.Join(tree, "*hat*", "uuid"))
	if err != nil {
		return fmt.Errorf("picarx: look for the HAT's EEPROM: %w", err)
	}
	for _, path := range found {
		uuid, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("picarx: read the HAT's EEPROM: %w", err)
		}
		if err := BoardOfUUID(string(uuid)).Check(); err != nil {
			return err
		}
	}
	return nil
}

// kernelNow reads CLOCK_MONOTONIC, the clock of the kernel's edge stamps. The
// call cannot fail: every Linux has that clock.
func kernelNow() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return time.Duration(ts.Nano())
}
