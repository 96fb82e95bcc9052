package doctor

import (
	"os"
	"path"
)

// unitFolders are where systemd looks for units, the most important first.
func unitFolders() []string {
	return []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/lib/systemd/system", "/usr/lib/systemd/system"}
}

// sleeping says whether this machine may fall asleep with the car under way: daemon and
// guard freeze together, and the HAT keeps its last duty.
func sleeping(m *Machine) Result {
	states, err := m.read("/sys/power/state") // "freeze mem disk"
	switch {
	case !m.robot():
		return ok("not needed for the simulated car")
	case err != nil || states == "":
		return ok("this machine cannot")
	case m.masked("sleep.target"):
		return ok("sleep.target is masked")
	case m.stopsBefore():
		return ok("fieldbrain-sleep.service stops the car before (a robot needs no sleep: sudo systemctl mask sleep.target)")
	}
	return warn("this machine can ("+states+"), and nothing stops the car before",
		"a suspend freezes daemon and guard together: the HAT drives on with its last duty until somebody wakes the machine",
		"sudo systemctl mask sleep.target; or sudo make install && sudo systemctl daemon-reload, which brings fieldbrain-sleep.service")
}

// masked reports whether a unit is masked, for good or until the next start of the machine.
func (m *Machine) masked(unit string) bool {
	for _, folder := range unitFolders()[:2] {
		at := m.path(path.Join(folder, unit))
		if to, err := os.Readlink(at); err == nil && to == os.DevNull {
			return true
		}
		if info, err := os.Lstat(at); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			return true
		}
	}
	return false
}

// stopsBefore reports whether a sleep starts the unit that stops the car.
func (m *Machine) stopsBefore() bool {
	const unit = "fieldbrain-sleep.service"
	there, wanted := false, false
	for _, folder := range unitFolders() {
		there = there || m.has(path.Join(folder, unit))
		wanted = wanted || m.has(path.Join(folder, "sleep.target.wants", unit))
	}
	return there && wanted && !m.masked(unit)
}

// has reports whether something stands at a path, be it a link that leads nowhere.
func (m *Machine) has(p string) bool {
	_, err := os.Lstat(m.path(p))
	return err == nil
}
