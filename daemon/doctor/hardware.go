package doctor

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldbrain/robot/picarx"
)

// Boards as body.header names them, by a part of /proc/device-tree/compatible.
// The numbers are NVIDIA's carrier boards and modules of the developer kits.
var boards = []struct{ part, header string }{
	{"nvidia,p3768-0000+p3767-000", "orin-nano"},
	{"nvidia,p3509-0000+p3767-000", "orin-nano"},
	{"nvidia,p3737-0000+p3701-000", "agx-orin"},
	{"raspberrypi,", "pi"},
}

// board returns the header detected ("" for none) and the compatible entries.
func (m *Machine) board() (header, compatible string) {
	text, err := os.ReadFile(m.path("/proc/device-tree/compatible"))
	if err != nil {
		return "", ""
	}
	compatible = strings.Join(strings.Split(strings.Trim(string(text), "\x00"), "\x00"), " ")
	for _, b := range boards {
		if strings.Contains(compatible, b.part) {
			return b.header, compatible
		}
	}
	return "", compatible
}

// wanted returns the header in force: the configured one, else the detected.
func (m *Machine) wanted() string {
	if h := m.Config.Body.Header; h != "" && h != "auto" {
		return h
	}
	h, _ := m.board()
	return h
}

// robot reports whether the checks of the real car apply.
func (m *Machine) robot() bool { return m.Config.Body.Kind == "picarx" }

func (m *Machine) jetson() bool {
	_, compatible := m.board()
	return strings.Contains(compatible, "nvidia,tegra")
}

func header(m *Machine) Result {
	found, compatible := m.board()
	switch {
	case found != "":
		return ok("%s (%s)", found, strings.Fields(compatible)[0])
	case !m.robot():
		return ok("none, simulation only")
	case m.wanted() != "":
		return warn(cmp.Or(compatible, "no device tree"), "the board is not one of the known ones",
			"body.header = "+m.wanted()+" is used as configured; check the wiring")
	}
	return fail(cmp.Or(compatible, "no device tree"), "no header with known pins was found", noHeader)
}

// noHeader is the remedy where doctor recognised no board: a PC has nothing to
// drive.
const noHeader = "on a PC drive the simulated car (--body sim); set body.header to orin-nano, agx-orin or pi if this is such a board under another name"

// errNoHeader says that doctor does not know which bus or chips to look for.
var errNoHeader = errors.New("the header is not known, so neither is what belongs to it: see header above")

// bus returns the /dev path of the adapter the HAT hangs on, found as the driver finds
// it: the configured one, else the header's. Where no header is known it is
// errNoHeader.
func (m *Machine) bus() (string, error) {
	bus := m.Config.Body.Bus
	if bus == "" {
		name := m.wanted()
		if name == "" {
			return "", errNoHeader
		}
		if name == "pi" { // all of them have it on the same pins
			name = "pi-5"
		}
		header, err := picarx.HeaderByName(name)
		if err != nil {
			return "", err
		}
		bus = header.Adapter
	}
	return picarx.Adapter(m.Root, bus)
}

func i2c(m *Machine) Result {
	adapters := m.glob("/sys/class/i2c-dev/i2c-*")
	if !m.robot() {
		return ok("not needed for the simulated car (%d adapters)", len(adapters))
	}
	dev, err := m.bus()
	switch {
	case errors.Is(err, errNoHeader):
		return fail(fmt.Sprintf("not looked for among %d adapters", len(adapters)), err.Error(), noHeader+", or name the device in body.bus")
	case err != nil:
		return fail("no bus for the HAT", err.Error(),
			"load i2c-dev (modprobe i2c-dev); Pi: dtparam=i2c_arm=on; or name the device in body.bus")
	}
	name, _ := m.read("/sys/class/i2c-dev/" + filepath.Base(dev) + "/name") // several adapters share a name anyway
	rate := m.rate(dev)
	if rate > hatRate {
		return warn(fmt.Sprintf("%s (%s) at %d kHz", dev, name, rate/1000), fmt.Sprintf("nobody has seen the HAT work at another rate than %d kHz", hatRate/1000),
			"a device-tree overlay that sets clock-frequency = <100000> on this adapter (docs/hardware.md 4.1), or watch for bus errors and desyncs in fieldbrain status; Pi: dtparam=i2c_arm_baudrate=100000")
	}
	return ok("%s (%s)", dev, name)
}

// hatRate is the bus clock at which the HAT is known to work, in Hz.
const hatRate = 100_000

// rate returns an adapter's clock in Hz as the device tree has it, 0 where it does not say.
func (m *Machine) rate(dev string) uint32 {
	text, err := os.ReadFile(m.path("/sys/class/i2c-dev/" + filepath.Base(dev) + "/device/of_node/clock-frequency"))
	if err != nil || len(text) != 4 {
		return 0
	}
	return binary.BigEndian.Uint32(text)
}

// labels are the GPIO chips each header's lines are on.
var labels = map[string][]string{
	"orin-nano": {"tegra234-gpio", "tegra234-gpio-aon"},
	"agx-orin":  {"tegra234-gpio", "tegra234-gpio-aon"},
	"pi":        {"pinctrl-bcm2711", "pinctrl-bcm2835", "pinctrl-rp1"},
}

// complete reports whether the chips of a header are there: all of a Jetson's, one
// of a Raspberry Pi's, whose models differ.
func complete(header string, seen []string) bool {
	absent := func(label string) bool { return !slices.Contains(seen, label) }
	if want := labels[header]; header != "pi" {
		return len(want) > 0 && !slices.ContainsFunc(want, absent)
	}
	return slices.ContainsFunc(seen, func(label string) bool { return slices.Contains(labels[header], label) })
}

func gpio(m *Machine) Result {
	if !m.robot() || m.Chips == nil {
		return ok("not needed for the simulated car")
	}
	chips, err := m.Chips()
	if err != nil {
		return fail("no chips", err.Error(), "join the group gpio, or install the udev rule of this package")
	}
	var seen []string
	for _, c := range chips {
		seen = append(seen, c.Label)
	}
	found := strings.Join(seen, ", ")
	header := m.wanted()
	switch {
	case header == "":
		return fail("not looked for among "+cmp.Or(found, "no chips"), errNoHeader.Error(), noHeader)
	case !complete(header, seen):
		return fail(cmp.Or(found, "none"), "the chips of header "+header+" are not all there, want "+strings.Join(labels[header], ", "),
			"check body.header and the kernel's GPIO driver")
	}
	return ok("%s", found)
}

func rights(m *Machine) Result {
	if !m.robot() || m.Access == nil {
		return ok("not needed for the simulated car")
	}
	var paths []string
	if dev, err := m.bus(); err == nil {
		paths = append(paths, dev)
	}
	paths = append(paths, m.glob("/dev/gpiochip*")...)
	if len(paths) > 0 && m.forUnit() {
		return unitRights(m, paths)
	}
	var refused []string
	for _, p := range paths {
		if err := m.Access(m.path(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			refused = append(refused, p)
		}
	}
	switch {
	case len(paths) == 0:
		return fail("no device to open", "neither an I2C adapter nor a GPIO chip is there", "see i2c and gpio above")
	case len(refused) > 0:
		return fail("no access to "+strings.Join(refused, ", "), "the devices belong to the groups i2c and gpio",
			"usermod -aG i2c,gpio USER and log in again; in a unit SupplementaryGroups=i2c gpio")
	}
	return ok("this user: %s", strings.Join(paths, ", "))
}
