package picarx

import "strings"

// A Signal is one of the car's five lines on a header.
type Signal struct {
	Name  string // as people call it
	Pin   Pin
	Input bool // the echo; the others are outputs
}

// Signals returns the lines that the driver opens on this header.
func (h Header) Signals() ([]Signal, error) {
	list := []Signal{
		{Name: "reset", Pin: Pin{BCM: bcmReset}},
		{Name: "left direction", Pin: Pin{BCM: bcmLeftDir}},
		{Name: "right direction", Pin: Pin{BCM: bcmRightDir}},
		{Name: "trigger", Pin: Pin{BCM: bcmTrigger}},
		{Name: "echo", Pin: Pin{BCM: bcmEcho}, Input: true},
	}
	for i := range list {
		p, err := h.Pin(list[i].Pin.BCM)
		if err != nil {
			return nil, err
		}
		list[i].Pin = p
	}
	return list, nil
}

// Bits of a Tegra234 pad register (docs/hardware.md, 4.4).
const (
	padTristate = 1 << 4
	padInput    = 1 << 6
	padSpecial  = 1 << 10
)

// PadFaults says why a Jetson's pad with this register does not do what the signal needs,
// "" when it does. A kernel that takes special functions off with a request does so while
// the line is held; its other bits it leaves as the board's start set them.
func (s Signal) PadFaults(register uint32, held bool) string {
	var faults []string
	if held && register&padSpecial != 0 {
		faults = append(faults, "bears a special function although the line is held")
	}
	switch {
	case s.Input && register&padInput == 0:
		faults = append(faults, "has its input off")
	case !s.Input && register&padTristate != 0:
		faults = append(faults, "has its output off (tristate)")
	}
	return strings.Join(faults, " and ")
}
