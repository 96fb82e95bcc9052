package doctor_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbrain/daemon/doctor"
)

// A machine's /proc/devices, and the number of each of the card's nodes.
const devicesOf6 = `Character devices:
  1 mem
 10 misc
226 drm
234 host1x-fence
505 17000000.gpu

Block devices:
505 loop
`

const devicesOf7 = "Character devices:\n 10 misc\n195 nvidia\n226 drm\n511 nvidia-uvm\n"

// withNodes is a Jetson whose service has the drop-in of this repository, and the
// device nodes given, of the group of whoever runs the test.
func withNodes(t *testing.T, devices string, majors map[string]uint32) *doctor.Machine {
	t.Helper()
	m := installed(t)
	m.Config.Engine.Kind = "auto"
	dropIn, err := os.ReadFile("../../systemd/gpu.conf")
	if err != nil {
		t.Fatal(err)
	}
	lay := func(name, text string) {
		if err := os.MkdirAll(filepath.Join(m.Root, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, m, name, text)
	}
	lay("usr/local/lib/systemd/system/fieldbrain.service", unitFile+"DevicePolicy=closed\nDeviceAllow=/dev/fieldbrain-i2c rw\n")
	lay("usr/local/lib/systemd/system/fieldbrain.service.d/gpu.conf", string(dropIn))
	lay("proc/devices", devices)
	put(t, m, "etc/group", fmt.Sprintf("video:x:%d:\n", os.Getgid()))
	for node := range majors {
		lay(node[1:], "")
		if err := os.Chmod(filepath.Join(m.Root, node), 0o660); err != nil {
			t.Fatal(err)
		}
	}
	m.Major = func(path string) (uint32, error) {
		if n, is := majors[strings.TrimPrefix(path, m.Root)]; is {
			return n, nil
		}
		return 0, errors.New("no device")
	}
	return m
}

func orin6() map[string]uint32 {
	return map[string]uint32{
		"/dev/nvmap": 10, "/dev/host1x-fence": 234, "/dev/dri/renderD128": 226, "/dev/dri/renderD129": 226,
		"/dev/nvgpu/igpu0/as": 505, "/dev/nvgpu/igpu0/channel": 505, "/dev/nvgpu/igpu0/ctrl": 505, "/dev/nvgpu/igpu0/tsg": 505,
	}
}

// The service's own rules decide about the card, not root's rights: the drop-in of
// this repository opens a JetPack 6, a JetPack 7 and a desktop machine, and what a
// release calls otherwise is named with the lines that open it.
func TestCardRights(t *testing.T) {
	const conf = "usr/local/lib/systemd/system/fieldbrain.service.d/gpu.conf"
	old := "[Service]\nSupplementaryGroups=video render\nDeviceAllow=char-nvmap rw\nDeviceAllow=char-nvhost* rw\nDeviceAllow=char-nvgpu* rw\n"
	for _, c := range []struct {
		name, devices string
		majors        map[string]uint32
		change        func(*testing.T, *doctor.Machine)
		status        string
		words         []string
		not           string
	}{
		{"JetPack 6", devicesOf6, orin6(), nil, doctor.OK, []string{"user fieldbrain", "/dev/nvmap", "/dev/nvgpu/igpu0/ctrl", "renderD129"}, ""},
		{"JetPack 5", strings.ReplaceAll(devicesOf6, ".gpu", ".ga10b"), orin6(), nil, doctor.OK, []string{"user fieldbrain"}, ""},
		{"JetPack 7", devicesOf7, map[string]uint32{"/dev/nvidia0": 195, "/dev/nvidiactl": 195, "/dev/nvidia-uvm": 511}, nil, doctor.OK, []string{"/dev/nvidia0", "/dev/nvidia-uvm"}, ""},
		{
			"a desktop whose service starts first", devicesOf7,
			map[string]uint32{"/dev/nvidia0": 195, "/dev/nvidiactl": 195},
			nil, doctor.Warn,
			[]string{"/dev/nvidia-uvm is missing", "modprobe nvidia-uvm", "modules-load.d", "restart fieldbrain"},
			"DeviceAllow",
		},
		{
			"JetPack 6 with a display", strings.Replace(devicesOf6, "Character devices:\n", "Character devices:\n195 nvidia\n", 1),
			func() map[string]uint32 {
				m := orin6()
				m["/dev/nvidiactl"] = 195
				return m
			}(), nil, doctor.OK,
			[]string{"/dev/nvgpu/igpu0/ctrl"},
			"",
		},
		{
			"the rules before", devicesOf6, orin6(), func(t *testing.T, m *doctor.Machine) { put(t, m, conf, old) }, doctor.Warn,
			[]string{"DeviceAllow=/dev/nvmap rw", "DeviceAllow=char-17000000.gpu rw", "DeviceAllow=char-host1x-fence rw", "DeviceAllow=/dev/dri/renderD128 rw", "systemctl edit"},
			"char-misc",
		},
		{"an unknown name", strings.ReplaceAll(devicesOf6, "17000000.gpu", "newchip"), orin6(), nil, doctor.Warn, []string{"DeviceAllow=char-newchip rw"}, "DeviceAllow=/dev/nvmap"},
		{"a card demanded", devicesOf6, orin6(), func(t *testing.T, m *doctor.Machine) {
			m.Config.Engine.Kind = "cuda"
			put(t, m, conf, old)
		}, doctor.Fail, []string{"/dev/nvmap"}, ""},
		{"read only", devicesOf6, orin6(), func(t *testing.T, m *doctor.Machine) {
			put(t, m, conf, "[Service]\nDeviceAllow=/dev/nvmap r\n")
		}, doctor.Warn, []string{"DeviceAllow=/dev/nvmap rw"}, ""},
		{"an administrator's list taken back", devicesOf6, orin6(), func(t *testing.T, m *doctor.Machine) {
			put(t, m, filepath.Join(filepath.Dir(conf), "z.conf"), "[Service]\nDeviceAllow=\n")
		}, doctor.Warn, []string{"/dev/nvmap"}, ""},
		{"a node that its group may read alone", devicesOf6, orin6(), func(t *testing.T, m *doctor.Machine) {
			if err := os.Chmod(filepath.Join(m.Root, "dev/nvmap"), 0o440); err != nil {
				t.Fatal(err)
			}
		}, doctor.OK, []string{"/dev/nvmap"}, ""},
		{"another that its group may read alone", devicesOf6, orin6(), func(t *testing.T, m *doctor.Machine) {
			if err := os.Chmod(filepath.Join(m.Root, "dev/nvgpu/igpu0/ctrl"), 0o440); err != nil {
				t.Fatal(err)
			}
		}, doctor.Warn, []string{"has no access to /dev/nvgpu/igpu0/ctrl"}, "/dev/nvmap"},
		{"another group", devicesOf6, orin6(), func(t *testing.T, m *doctor.Machine) {
			put(t, m, "etc/group", "video:x:987656:\n")
		}, doctor.Warn, []string{"has no access to", "SupplementaryGroups="}, "DeviceAllow="},
		{"another maker's card", devicesOf6, map[string]uint32{"/dev/dri/renderD128": 226}, nil, doctor.OK, []string{"no NVIDIA card"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := withNodes(t, c.devices, c.majors)
			if c.change != nil {
				c.change(t, m)
			}
			i := slices.IndexFunc(doctor.Checks(), func(k doctor.Check) bool { return k.Name == "card rights" })
			r := doctor.Checks()[i].Look(m)
			text := r.Found + " " + r.Cause + " " + r.Remedy
			for _, word := range c.words {
				if !strings.Contains(text, word) {
					t.Errorf("%q is missing in %+v", word, r)
				}
			}
			if r.Status != c.status || c.not != "" && strings.Contains(text, c.not) {
				t.Errorf("%+v, want %s without %q", r, c.status, c.not)
			}
		})
	}
}
