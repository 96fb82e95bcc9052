package picarx

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Reach says whether Open would get at the adapter and the GPIO chips of a site. It
// opens and closes them, and touches neither the bus nor a line. Early in a machine's
// start they may come, or be given to their groups, some seconds later: Pending tells
// such an error from one that stays.
func Reach(s Site) error {
	if s.Header == BenchHeader {
		return nil
	}
	header, err := s.header("/proc/device-tree/compatible")
	if err != nil {
		return err
	}
	bus := s.Bus
	if bus == "" {
		bus = header.Adapter
	}
	path, err := Adapter("/", bus)
	if err != nil {
		return err
	}
	dev, err := openI2C(path)
	if err != nil {
		return err
	}
	if err := dev.file.Close(); err != nil {
		return fmt.Errorf("picarx: close I2C bus: %w", err)
	}
	gpio, err := openChips()
	if err != nil {
		return err
	}
	return errors.Join(gpio.lacks(header), gpio.close())
}

// lacks says which chip of the car's lines is not open, nil when all are.
func (ls *lines) lacks(h Header) error {
	signals, err := h.Signals()
	for _, s := range signals {
		if ls.chips[s.Pin.Chip] == nil {
			return fmt.Errorf("picarx: no GPIO chip labelled %q can be opened (%w): is the group gpio its own, is %s this board's header?", s.Pin.Chip, fs.ErrNotExist, h.Name)
		}
	}
	return err
}

// Pending reports whether the reason for which a device cannot be opened may pass by
// itself: it is not there yet, or not yet its group's. What the service manager forbids
// (EPERM) stays forbidden until the service starts anew.
func Pending(err error) bool {
	return errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNoBoard) || errors.Is(err, syscall.EACCES)
}
