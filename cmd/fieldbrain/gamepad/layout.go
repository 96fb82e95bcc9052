package gamepad

import "strings"

// A layout is which code a gamepad's driver gives to the button in the north and to the
// one in the west.
type layout uint8

const (
	byPlace  layout = iota // as Documentation/input/gamepad.rst of Linux has it: PlayStation, Nintendo
	byLetter               // Xbox: Y is in the north and sends BTN_Y, which is BTN_WEST; X the other way round
)

// A model is which gamepad it is.
type model struct {
	name    string
	buttons layout
}

// microsoft is the vendor of Xbox pads (struct input_id).
const microsoft = 0x045e

// layoutOf tells the layout by what a device says of itself and by the name of its
// driver, empty where nobody knows it. Pads of other makers that speak Xbox's protocol
// have vendors and names of their own; their drivers (xpad, xpadneo, xone) are the same.
func layoutOf(vendor uint16, name, driver string) layout {
	plain := strings.ReplaceAll(strings.ToLower(name), "-", "")
	if vendor == microsoft || strings.Contains(plain, "xbox") || strings.HasPrefix(driver, "xpad") || strings.HasPrefix(driver, "xone") {
		return byLetter
	}
	return byPlace
}

// press returns what a button means.
func (l layout) press(code uint16) Press {
	switch {
	case code == btnSouth:
		return PressWheel
	case code == btnEast:
		return PressStop
	case code == btnNorth && l == byPlace, code == btnWest && l == byLetter:
		return PressGood
	case code == btnWest, code == btnNorth:
		return PressBad
	}
	return PressNothing
}
