package doctor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbrain/daemon/doctor"
	"fieldbrain/daemon/loop"
)

const unitFile = `[Service]
# LimitRTPRIO=1
User=fieldbrain
Group=fieldbrain
SupplementaryGroups=i2c gpio
LimitRTPRIO=50
LimitMEMLOCK=infinity
`

// installed is an Orin that root looks at, with the service's files in place.
// The fake devices belong to whoever runs the test: the group i2c gets that
// number, the service's user another one than theirs.
func installed(t *testing.T) *doctor.Machine {
	m := jetson(t)
	m.Privileged = true
	refused := &loop.Condition{Name: "x", Value: "tried as root", Cause: "-", Remedy: "-"}
	m.FIFO = func() *loop.Condition { return refused } // must not be asked
	m.Lock = m.FIFO
	m.Access = func(string) error { t.Error("root's own access was tried"); return nil }
	if err := os.MkdirAll(filepath.Join(m.Root, "usr/local/lib/systemd/system"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, m, "usr/local/lib/systemd/system/fieldbrain.service", unitFile)
	put(t, m, "etc/passwd", "root:x:0:0::/root:/bin/sh\nfieldbrain:x:987654:987654::/:/bin/false\n")
	put(t, m, "etc/group", fmt.Sprintf("i2c:x:%d:\nother:x:987655:someone\n", os.Getgid()))
	for _, dev := range []string{"dev/i2c-7", "dev/gpiochip0"} {
		if err := os.Chmod(filepath.Join(m.Root, dev), 0o660); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// As root every trial succeeds; the rights of the service's user count.
func TestRootJudgesForTheService(t *testing.T) {
	remove := func(path string) func(*testing.T, *doctor.Machine) {
		return func(t *testing.T, m *doctor.Machine) {
			if err := os.Remove(filepath.Join(m.Root, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write := func(path, text string) func(*testing.T, *doctor.Machine) {
		return func(t *testing.T, m *doctor.Machine) { put(t, m, path, text) }
	}
	const unit = "usr/local/lib/systemd/system/fieldbrain.service"
	for _, c := range []struct {
		name, why string
		change    func(*testing.T, *doctor.Machine)
		check     string
		status    string
		text      string
	}{
		{"class", "the unit's limit", nil, "realtime class", doctor.OK, "SCHED_FIFO 50 granted by the unit"},
		{"an administrator's own unit", "it wins over the installed one", func(t *testing.T, m *doctor.Machine) {
			own := "etc/systemd/system/fieldbrain.service"
			if err := os.MkdirAll(filepath.Join(m.Root, filepath.Dir(own)), 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, m, own, "[Service]\nUser=fieldbrain\n")
		}, "realtime class", doctor.Warn, "LimitRTPRIO=0"},
		{"class beyond the limit", "the kernel would refuse the service", func(_ *testing.T, m *doctor.Machine) {
			m.Config.Loop.Priority = 60
		}, "realtime class", doctor.Warn, "LimitRTPRIO=60"},
		{"class without a limit", "the default is none", write(unit, "[Service]\nUser=fieldbrain\n"), "realtime class", doctor.Warn, "LimitRTPRIO=0"},
		{"no unit", "doctor cannot judge a service that is not there", remove(unit), "realtime class", doctor.Warn, "sudo make install"},
		{"memory", "", nil, "memory lock", doctor.OK, "by the unit"},
		{"memory without a limit", "8 MiB do not do", write(unit, "[Service]\n"), "memory lock", doctor.Warn, "LimitMEMLOCK=infinity"},
		{"limits", "", nil, "limits", doctor.OK, "LimitRTPRIO=50, LimitMEMLOCK=infinity"},
		{"rights by group", "SupplementaryGroups", nil, "device rights", doctor.OK, "user fieldbrain: /dev/i2c-7, /dev/gpiochip0"},
		{"rights of a member", "listed in /etc/group", func(t *testing.T, m *doctor.Machine) {
			put(t, m, unit, "[Service]\nUser=fieldbrain\n")
			put(t, m, "etc/group", fmt.Sprintf("wheel:x:%d:someone,fieldbrain\n", os.Getgid()))
		}, "device rights", doctor.OK, "user fieldbrain"},
		{"rules not in force", "another group than the service's", write("etc/group", "i2c:x:987656:\n"), "device rights", doctor.Fail, "udevadm trigger"},
		{"group may not write", "", func(t *testing.T, m *doctor.Machine) {
			if err := os.Chmod(filepath.Join(m.Root, "dev/i2c-7"), 0o640); err != nil {
				t.Fatal(err)
			}
		}, "device rights", doctor.Fail, "/dev/i2c-7"},
		{"user not made", "", write("etc/passwd", "root:x:0:0::/root:/bin/sh\n"), "device rights", doctor.Fail, "systemd-sysusers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := installed(t)
			if c.change != nil {
				c.change(t, m)
			}
			i := slices.IndexFunc(doctor.Checks(), func(k doctor.Check) bool { return k.Name == c.check })
			r := doctor.Examine(m)[i]
			if text := r.Found + r.Cause + r.Remedy; r.Status != c.status || !strings.Contains(text, c.text) {
				t.Errorf("%+v, want %s with %q: %s", r, c.status, c.text, c.why)
			}
		})
	}
}
