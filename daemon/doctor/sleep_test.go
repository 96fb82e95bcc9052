package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon/doctor"
)

// TestSleep: a machine that may sleep while the car drives is told apart from one that
// cannot, must not, or stops the car before.
func TestSleep(t *testing.T) {
	const (
		can   = "sys/power/state"
		units = "usr/local/lib/systemd/system/"
		unit  = units + "fieldbrain-sleep.service"
		wants = units + "sleep.target.wants/fieldbrain-sleep.service"
	)
	for _, c := range []struct {
		name   string
		files  map[string]string // path to text; "-> X" is a link to X
		status string
		words  string
	}{
		{"no sleep in the kernel", nil, doctor.OK, "cannot"},
		{"none to choose", map[string]string{can: "\n"}, doctor.OK, "cannot"},
		{"a desktop", map[string]string{can: "freeze mem disk\n"}, doctor.Warn, "mask sleep.target"},
		{"masked", map[string]string{can: "mem", "etc/systemd/system/sleep.target": "-> /dev/null"}, doctor.OK, "masked"},
		{"masked for now", map[string]string{can: "mem", "run/systemd/system/sleep.target": "-> /dev/null"}, doctor.OK, "masked"},
		{"masked by an empty file", map[string]string{can: "mem", "etc/systemd/system/sleep.target": ""}, doctor.OK, "masked"},
		{"an override is no mask", map[string]string{can: "mem", "etc/systemd/system/sleep.target": "[Unit]\n"}, doctor.Warn, "nothing stops the car"},
		{"installed", map[string]string{can: "mem", unit: "[Service]\n", wants: "-> ../fieldbrain-sleep.service"}, doctor.OK, "stops the car before"},
		{"installed, and not wanted", map[string]string{can: "mem", unit: "[Service]\n"}, doctor.Warn, "nothing stops the car"},
		{"wanted, and gone", map[string]string{can: "mem", wants: "-> ../fieldbrain-sleep.service"}, doctor.Warn, "nothing stops the car"},
		{"its unit masked", map[string]string{
			can: "mem", unit: "[Service]\n", wants: "-> ../fieldbrain-sleep.service", "etc/systemd/system/fieldbrain-sleep.service": "-> /dev/null",
		}, doctor.Warn, "nothing stops the car"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := jetson(t)
			for name, text := range c.files {
				full := filepath.Join(m.Root, name)
				err := os.MkdirAll(filepath.Dir(full), 0o755)
				if to, is := strings.CutPrefix(text, "-> "); err == nil && is {
					err = os.Symlink(to, full)
				} else if err == nil {
					err = os.WriteFile(full, []byte(text), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, r := range doctor.Examine(m) {
				if text := r.Found + r.Cause + r.Remedy; r.Name == "sleep" && (r.Status != c.status || !strings.Contains(text, c.words)) {
					t.Errorf("%s: %s; want %s and %q", r.Status, text, c.status, c.words)
				}
			}
		})
	}
}
