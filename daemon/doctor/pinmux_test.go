package doctor_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon/doctor"
)

// The car's pads on an Orin Nano.
const padReset, padEcho, padTrigger = 0x2430068, 0x2440020, 0x243d030

// TestPads: root judges the pads themselves, and names the pin that would not move.
func TestPads(t *testing.T) {
	const ready, special, tristate, deaf = 0x40, 0x440, 0x50, 0x00
	for _, c := range []struct {
		name  string
		pads  map[uint32]uint32 // that differ from ready
		held  bool              // a daemon runs
		root  bool
		fails error
		want  string // status
		says  string
	}{
		{"all ready, nobody holds them", nil, false, true, nil, doctor.OK, "while the daemon runs"},
		{"all ready, held", nil, true, true, nil, doctor.OK, "all GPIO"},
		{"special functions before a request", map[uint32]uint32{padReset: special}, false, true, nil, doctor.OK, "pin 29 0x440"},
		{"a special function of a held line", map[uint32]uint32{padReset: special}, true, true, nil, doctor.Fail, "pin 29 (reset) bears a special function"},
		{"an output that is off", map[uint32]uint32{padTrigger: tristate}, false, true, nil, doctor.Fail, "pin 13 (trigger) has its output off"},
		{"an input that is off", map[uint32]uint32{padEcho: deaf}, false, true, nil, doctor.Fail, "pin 15 (echo) has its input off"},
		{"an echo needs no output", map[uint32]uint32{padEcho: tristate}, true, true, nil, doctor.OK, "all GPIO"},
		{"not root", nil, true, false, nil, doctor.Warn, "sudo fieldbrain doctor"},
		{"the kernel keeps its memory to itself", nil, true, true, errors.New("operation not permitted"), doctor.Warn, "not permitted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := jetson(t)
			m.Privileged = c.root
			m.Running = func() int {
				if c.held {
					return 1
				}
				return 0
			}
			m.Pad = func(address uint32) (uint32, error) {
				if v, is := c.pads[address]; is {
					return v, c.fails
				}
				return ready, c.fails
			}
			for _, r := range doctor.Examine(m) {
				if r.Name != "pinmux" {
					continue
				}
				if r.Status != c.want || !strings.Contains(r.Found+r.Cause, c.says) {
					t.Errorf("%+v, want %s with %q", r, c.want, c.says)
				}
			}
		})
	}
}

// TestPadsOfOthers: on another chip than Orin's nobody reads Orin's addresses.
func TestPadsOfOthers(t *testing.T) {
	m := jetson(t)
	put(t, m, "proc/device-tree/compatible", "nvidia,p3509-0000+p3668-0001\x00nvidia,tegra194\x00")
	m.Config.Body.Header, m.Privileged = "orin-nano", true
	m.Pad = func(address uint32) (uint32, error) {
		t.Errorf("read %#x", address)
		return 0, nil
	}
	doctor.Examine(m)
}

// TestBusRate: a Jetson's bus runs at 400 kHz unless an overlay says otherwise.
func TestBusRate(t *testing.T) {
	for rate, want := range map[string]string{"\x00\x01\x86\xa0": doctor.OK, "\x00\x06\x1a\x80": doctor.Warn, "": doctor.OK} {
		m := jetson(t)
		node := filepath.Join(m.Root, "sys/class/i2c-dev/i2c-7/device/of_node")
		if err := os.MkdirAll(node, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(node, "clock-frequency"), []byte(rate), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, r := range doctor.Examine(m) {
			if r.Name == "i2c" && (r.Status != want || want == doctor.Warn && !strings.Contains(r.Found, "400 kHz")) {
				t.Errorf("rate %x: %+v", rate, r)
			}
		}
	}
}
