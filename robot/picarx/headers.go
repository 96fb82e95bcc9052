package picarx

import (
	"fmt"
	"strings"
)

// The car's signals by BCM number, the numbering printed on the HAT.
const (
	bcmReset    = 5  // MCURST
	bcmEcho     = 22 // D3
	bcmLeftDir  = 23 // D4
	bcmRightDir = 24 // D5
	bcmTrigger  = 27 // D2
)

// A Pin is one pin of a 40-pin header as Linux sees it.
type Pin struct {
	BCM    int    // number on the HAT
	Header int    // pin of the 40-pin header
	Chip   string // label of the GPIO chip, never its number
	Name   string // name of the line on that chip
	Offset int    // its number on that chip
	Pad    uint32 // address of the Jetson's pad register, 0 elsewhere
}

// A Header is a board's 40-pin header.
type Header struct {
	Name    string // "orin-nano" (and NX), "agx-orin", "pi-4", ...
	Adapter string // part of the I2C adapter's sysfs link, or a /dev path
	Pins    []Pin  // that can be GPIO
}

// Pin returns the pin of a BCM number.
func (h Header) Pin(bcm int) (Pin, error) {
	for _, p := range h.Pins {
		if p.BCM == bcm {
			return p, nil
		}
	}
	return Pin{}, fmt.Errorf("picarx: header %s has no GPIO for BCM %d", h.Name, bcm)
}

// Labels of the GPIO chips.
const (
	chipMain = "tegra234-gpio"
	chipAON  = "tegra234-gpio-aon"
)

// The HAT is on header pins 3 and 5: bus 7 on a Jetson, by this adapter.
const adapterOrin = "c250000.i2c"

// Headers returns every header this driver knows (NVIDIA/jetson-gpio,
// gpio_pin_data.py; on a Raspberry Pi a BCM number is the line's number).
func Headers() []Header {
	return []Header{
		{Name: "orin-nano", Adapter: adapterOrin, Pins: orinNano()},
		{Name: "agx-orin", Adapter: adapterOrin, Pins: agxOrin()},
		{Name: "pi-3", Adapter: "/dev/i2c-1", Pins: raspberry("pinctrl-bcm2835")},
		{Name: "pi-4", Adapter: "/dev/i2c-1", Pins: raspberry("pinctrl-bcm2711")},
		{Name: "pi-5", Adapter: "/dev/i2c-1", Pins: raspberry("pinctrl-rp1")},
	}
}

// HeaderByName returns the header with the name used in configurations.
func HeaderByName(name string) (Header, error) {
	var known []string
	for _, h := range Headers() {
		if h.Name == name {
			return h, nil
		}
		known = append(known, h.Name)
	}
	return Header{}, fmt.Errorf("picarx: unknown header %q: known are %s", name, strings.Join(known, ", "))
}

// boards maps a substring of /proc/device-tree/compatible to a header. Modules
// on another carrier than the developer kit's have another header.
var boards = []struct{ compatible, header string }{
	{"nvidia,p3768-0000+p3767-", "orin-nano"},
	{"nvidia,p3509-0000+p3767-", "orin-nano"},
	{"nvidia,p3737-0000+p3701-", "agx-orin"},
	{"brcm,bcm2712", "pi-5"},
	{"brcm,bcm2711", "pi-4"},
	{"brcm,bcm2837", "pi-3"},
	{"brcm,bcm2835", "pi-3"},
}

// DetectHeader names the header of the board whose /proc/device-tree/compatible
// (NUL-separated strings, most specific first) is given.
func DetectHeader(compatible []byte) (Header, error) {
	for name := range strings.SplitSeq(string(compatible), "\x00") {
		for _, b := range boards {
			if strings.HasPrefix(name, b.compatible) {
				return HeaderByName(b.header)
			}
		}
	}
	shown := strings.Trim(strings.ReplaceAll(string(compatible), "\x00", " "), " \n")
	return Header{}, fmt.Errorf("%w: the device tree says %q", ErrNoBoard, shown)
}

// raspberry returns a Raspberry Pi's header: line n of the chip is BCM n.
func raspberry(chip string) []Pin {
	pins := []Pin{
		{BCM: 4, Header: 7},
		{BCM: 17, Header: 11},
		{BCM: 18, Header: 12},
		{BCM: 27, Header: 13},
		{BCM: 22, Header: 15},
		{BCM: 23, Header: 16},
		{BCM: 24, Header: 18},
		{BCM: 10, Header: 19},
		{BCM: 9, Header: 21},
		{BCM: 25, Header: 22},
		{BCM: 11, Header: 23},
		{BCM: 8, Header: 24},
		{BCM: 7, Header: 26},
		{BCM: 5, Header: 29},
		{BCM: 6, Header: 31},
		{BCM: 12, Header: 32},
		{BCM: 13, Header: 33},
		{BCM: 19, Header: 35},
		{BCM: 16, Header: 36},
		{BCM: 26, Header: 37},
		{BCM: 20, Header: 38},
		{BCM: 21, Header: 40},
	}
	for i := range pins {
		p := &pins[i]
		p.Chip, p.Name, p.Offset = chip, fmt.Sprintf("GPIO%d", p.BCM), p.BCM
	}
	return pins
}

// orinNano is the table of Orin Nano and Orin NX developer kits.
func orinNano() []Pin {
	return []Pin{
		{4, 7, chipMain, "PAC.06", 144, 0x2448030},
		{17, 11, chipMain, "PR.04", 112, 0x2430098},
		{18, 12, chipMain, "PH.07", 50, 0x2434088},
		{27, 13, chipMain, "PY.00", 122, 0x243d030},
		{22, 15, chipMain, "PN.01", 85, 0x2440020},
		{23, 16, chipMain, "PY.04", 126, 0x243d020},
		{24, 18, chipMain, "PY.03", 125, 0x243d010},
		{10, 19, chipMain, "PZ.05", 135, 0x243d040},
		{9, 21, chipMain, "PZ.04", 134, 0x243d018},
		{25, 22, chipMain, "PY.01", 123, 0x243d000},
		{11, 23, chipMain, "PZ.03", 133, 0x243d028},
		{8, 24, chipMain, "PZ.06", 136, 0x243d008},
		{7, 26, chipMain, "PZ.07", 137, 0x243d038},
		{5, 29, chipMain, "PQ.05", 105, 0x2430068},
		{6, 31, chipMain, "PQ.06", 106, 0x2430070},
		{12, 32, chipMain, "PG.06", 41, 0x2434080},
		{13, 33, chipMain, "PH.00", 43, 0x2434040},
		{19, 35, chipMain, "PI.02", 53, 0x24340a0},
		{16, 36, chipMain, "PR.05", 113, 0x2430090},
		{26, 37, chipMain, "PY.02", 124, 0x243d048},
		{20, 38, chipMain, "PI.01", 52, 0x2434098},
		{21, 40, chipMain, "PI.00", 51, 0x2434090},
	}
}

// agxOrin is the table of the AGX Orin developer kit; pad registers that no
// source gave are 0.
func agxOrin() []Pin {
	return []Pin{
		{4, 7, chipMain, "PQ.06", 106, 0x2430070},
		{17, 11, chipMain, "PR.04", 112, 0x2430098}, // output only by the base board
		{18, 12, chipMain, "PH.07", 50, 0},
		{27, 13, chipMain, "PR.00", 108, 0x2430080},
		{22, 15, chipMain, "PN.01", 85, 0x2440020},
		{23, 16, chipAON, "PBB.01", 9, 0xc303048},
		{24, 18, chipMain, "PH.00", 43, 0x2434040},
		{10, 19, chipMain, "PZ.05", 135, 0},
		{9, 21, chipMain, "PZ.04", 134, 0},
		{25, 22, chipMain, "PP.04", 96, 0x2430020},
		{11, 23, chipMain, "PZ.03", 133, 0},
		{8, 24, chipMain, "PZ.06", 136, 0},
		{7, 26, chipMain, "PZ.07", 137, 0},
		{5, 29, chipAON, "PAA.01", 1, 0xc303018},
		{6, 31, chipAON, "PAA.00", 0, 0xc303010},
		{12, 32, chipAON, "PBB.00", 8, 0xc303040},
		{13, 33, chipAON, "PAA.02", 2, 0xc303000},
		{19, 35, chipMain, "PI.02", 53, 0},
		{16, 36, chipMain, "PR.05", 113, 0},
		{26, 37, chipAON, "PAA.03", 3, 0xc303008},
		{20, 38, chipMain, "PI.01", 52, 0},
		{21, 40, chipMain, "PI.00", 51, 0},
	}
}
