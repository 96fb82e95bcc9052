package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// adapter is one I2C bus of the machine.
type adapter struct{ dev, name, link string }

func (m *Machine) adapters() []adapter {
	var list []adapter
	for _, p := range m.glob("/sys/class/i2c-dev/i2c-*") {
		name, _ := m.read(p + "/name") // several adapters share a name anyway
		link, _ := os.Readlink(m.path(p))
		list = append(list, adapter{"/dev/" + filepath.Base(p), name, link})
	}
	return list
}

// errNoHeader says that doctor does not know which bus or chips to look for.
var errNoHeader = errors.New("the header is not known, so neither is what belongs to it: see header above")

// bus returns the adapter the HAT hangs on: the configured device, on a Jetson
// the one at c250000 (its number may differ between kernels), on a Pi i2c-1. Where
// no header is known it is errNoHeader.
func (m *Machine) bus() (adapter, error) {
	all := m.adapters()
	matches := func(a adapter) bool { return strings.Contains(a.link, "c250000.i2c") }
	what := "with c250000.i2c in its link"
	switch {
	case m.Config.Body.Bus != "":
		matches = func(a adapter) bool { return a.dev == m.Config.Body.Bus }
		what = "named " + m.Config.Body.Bus + " (body.bus)"
	case m.wanted() == "":
		return adapter{}, errNoHeader
	case m.wanted() == "pi":
		matches = func(a adapter) bool { return a.dev == "/dev/i2c-1" }
		what = "named /dev/i2c-1"
	}
	if i := slices.IndexFunc(all, matches); i >= 0 {
		return all[i], nil
	}
	return adapter{}, fmt.Errorf("no adapter %s among the %d found", what, len(all))
}

func i2c(m *Machine) Result {
	if !m.robot() {
		return ok("not needed for the simulated car (%d adapters)", len(m.adapters()))
	}
	a, err := m.bus()
	switch {
	case errors.Is(err, errNoHeader):
		return fail(fmt.Sprintf("not looked for among %d adapters", len(m.adapters())), err.Error(), noHeader+", or name the device in body.bus")
	case err != nil:
		return fail("no bus for the HAT", err.Error(),
			"load i2c-dev (modprobe i2c-dev); Pi: dtparam=i2c_arm=on; or name the device in body.bus")
	}
	return ok("%s (%s)", a.dev, a.name)
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

// pinmux cannot be read without root; the release decides whether to worry.
func pinmux(m *Machine) Result {
	if !m.robot() || !m.jetson() {
		return ok("not a matter on this machine")
	}
	release, err := m.read("/etc/nv_tegra_release") // "# R36 (release), REVISION: 4.3, ..."
	switch {
	case err != nil:
		return warn("unknown JetPack release", err.Error(), "see the next line of advice if pins do not move")
	case !strings.Contains(release, "R36") && !strings.Contains(release, "R38"):
		return ok("the kernel switches requested pads to GPIO by itself (JetPack 5)")
	}
	return warn("JetPack 6 or later", "a GPIO request no longer switches the pad: writes succeed and the pin does not move",
		"apply the overlay for pins 13, 15, 16, 18 and 29 (sudo /opt/nvidia/jetson-io/jetson-io.py), reboot, then fieldbrain doctor --probe")
}

func rights(m *Machine) Result {
	if !m.robot() || m.Access == nil {
		return ok("not needed for the simulated car")
	}
	var paths []string
	if a, err := m.bus(); err == nil {
		paths = append(paths, a.dev)
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

func hat(m *Machine) Result {
	switch {
	case !m.robot():
		return ok("not needed for the simulated car")
	case m.Probe == nil:
		return ok("not probed (--probe reads one byte from it)")
	}
	a, err := m.bus()
	if err != nil {
		return fail("no bus to probe", err.Error(), "see i2c above")
	}
	addresses := []int{0x14, 0x15}
	if n := m.Config.Body.HatAddress; n != 0 {
		addresses = []int{n}
	}
	var refused error
	for _, n := range addresses {
		refused = m.Probe(m.path(a.dev), n)
		switch {
		case refused != nil:
		case n == 0x15 && len(addresses) > 1:
			return fail("it answers at 0x15 alone on "+a.dev, "the vendor lists V5 there, whose motors a V4's commands would brake",
				"fit a V4 HAT; where V4 is printed on this one, write hat_address = 21 in [body]")
		default:
			return ok("answers at %#x on %s", n, a.dev)
		}
	}
	return fail("no answer on "+a.dev, refused.Error(),
		"switch the HAT on, charge the battery (above 6.6 V), check SDA, SCL and ground; with a HAT that is on, reset it (pin 29 high)")
}
