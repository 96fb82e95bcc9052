package doctor

import (
	"errors"
	"fmt"
	"strings"

	"fieldbrain/robot/picarx"
)

// newestSwitching is the newest release of Jetson Linux whose kernel makes a pad ready
// for GPIO when a program asks for the line: JetPack 5 (docs/hardware.md, 4.4).
const newestSwitching = 35

// padAdvice is what makes pads ready for GPIO.
const padAdvice = "apply an overlay that sets pins 13, 15, 16, 18 and 29 (docs/hardware.md 4.4; sudo /opt/nvidia/jetson-io/jetson-io.py) and reboot; then measure pin 29, 3.3 V while the daemon runs, and fieldbrain status says whether the HAT answers"

// pinmux reads the pads of the car's lines where it may, which root does, and else judges
// by the release.
func pinmux(m *Machine) Result {
	if !m.robot() || !m.jetson() {
		return ok("not a matter on this machine")
	}
	text, err := m.read("/etc/nv_tegra_release") // "# R36 (release), REVISION: 4.3, ..."
	release := 0
	if err == nil {
		_, err = fmt.Sscanf(text, "# R%d (release)", &release)
	}
	if err == nil && release <= newestSwitching {
		return ok("the kernel switches requested pads to GPIO by itself (R%d, JetPack 5 or older)", release)
	}
	result, unread := m.pads()
	switch {
	case unread == nil:
		return result
	case err != nil:
		return warn("unknown JetPack release", "/etc/nv_tegra_release: "+err.Error(), "if pins do not move: "+padAdvice)
	}
	return warn(fmt.Sprintf("R%d, JetPack 6 or later; its pads were not read: %s", release, unread),
		"a GPIO request no longer makes a pad ready: writes succeed and the pin does not move", padAdvice)
}

// errPads says who may read pads.
var errPads = errors.New("sudo fieldbrain doctor --body picarx reads them")

// pads judges the pads of the car's five lines. Without a daemon that holds them their
// function is not judged: some kernels change it with the request.
func (m *Machine) pads() (Result, error) {
	_, compatible := m.board()
	switch {
	case !strings.Contains(compatible, "nvidia,tegra234"): // elsewhere these addresses are something else
		return Result{}, errors.New("it is no Orin")
	case m.Pad == nil || !m.Privileged:
		return Result{}, errPads
	}
	h, err := picarx.HeaderByName(m.wanted())
	if err != nil {
		return Result{}, err
	}
	signals, err := h.Signals()
	if err != nil {
		return Result{}, err
	}
	held := m.Running != nil && m.Running() != 0
	var seen, bad []string
	for _, s := range signals {
		register, err := m.Pad(s.Pin.Pad)
		if err != nil {
			return Result{}, err
		}
		seen = append(seen, fmt.Sprintf("pin %d %#x", s.Pin.Header, register))
		if why := s.PadFaults(register, held); why != "" {
			bad = append(bad, fmt.Sprintf("pin %d (%s) %s", s.Pin.Header, s.Name, why))
		}
	}
	found := "pads: " + strings.Join(seen, ", ")
	switch {
	case len(bad) > 0:
		return fail(found, strings.Join(bad, "; ")+": writes succeed and nothing moves", padAdvice), nil
	case !held:
		return ok("%s: outputs and input are on; whether they are GPIO shows while the daemon runs", found), nil
	}
	return ok("%s: all GPIO, outputs and input on", found), nil
}
