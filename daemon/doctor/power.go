package doctor

import (
	"fmt"
	"strconv"
	"strings"
)

func governor(m *Machine) Result {
	files := m.glob("/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")
	if len(files) == 0 {
		return ok("the machine does not scale its clock, or hides it")
	}
	slow := map[string]bool{}
	for _, f := range files {
		if g, err := m.read(f); err == nil && g != "performance" {
			slow[g] = true
		}
	}
	if len(slow) == 0 {
		return ok("performance on %d processors", len(files))
	}
	names := make([]string, 0, len(slow))
	for g := range slow {
		names = append(names, g)
	}
	return warn(strings.Join(names, ", "), "after each pause the clock has to climb first, which delays a tick",
		"Jetson: jetson_clocks; others: cpupower frequency-set -g performance")
}

func powerMode(m *Machine) Result {
	if !m.jetson() {
		return ok("not a Jetson")
	}
	status, err := m.read("/var/lib/nvpmodel/status") // "pmode:0000"
	if err != nil {
		return warn("unknown", err.Error(), "nvpmodel -q shows the mode")
	}
	return ok("nvpmodel %s", strings.TrimPrefix(status, "pmode:"))
}

// Temperatures in degrees Celsius: an Orin slows down at about 99 and a Pi at
// 85, so 80 leaves some minutes to notice.
const (
	warmAt = 80
	hotAt  = 95
)

func temperature(m *Machine) Result {
	hottest, where, zones := -273.0, "", 0
	for _, zone := range m.glob("/sys/class/thermal/thermal_zone*") {
		text, err := m.read(zone + "/temp")
		milli, bad := strconv.ParseFloat(text, 64)
		if err != nil || bad != nil {
			continue // zones of parts that are off cannot be read
		}
		zones++
		if c := milli / 1000; c > hottest {
			hottest = c
			where, _ = m.read(zone + "/type") // a name is a courtesy
		}
	}
	found := fmt.Sprintf("%.0f C at %s, the hottest of %d zones", hottest, where, zones)
	switch {
	case zones == 0:
		return ok("no zone to read")
	case hottest >= hotAt:
		return fail(found, "the machine slows down or shuts down at any moment", "let it cool, clean the fan")
	case hottest >= warmAt:
		return warn(found, "the machine will slow down soon", "check the fan, or choose a lower power mode")
	}
	return ok("%s", found)
}

// Disk space in bytes: a log and a recording of an hour fit into the first.
const (
	littleDisk = 1 << 30
	noDisk     = 64 << 20
)

func disk(m *Machine) Result {
	if m.Free == nil {
		return ok("not looked at")
	}
	free, err := m.Free(m.path("/var"))
	found := fmt.Sprintf("%.1f GiB free on /var", float64(free)/(1<<30))
	switch {
	case err != nil:
		return warn("unknown", err.Error(), "df shows the disks")
	case free < noDisk:
		return fail(found, "nothing can be recorded or saved", "remove files")
	case free < littleDisk:
		return warn(found, "recordings will soon fill it", "remove files")
	}
	return ok("%s", found)
}

func watchdog(m *Machine) Result {
	if !m.robot() {
		return ok("not needed for the simulated car")
	}
	state, err := m.read("/sys/class/watchdog/watchdog0/state")
	switch {
	case err != nil && m.has("/sys/class/watchdog/watchdog0"): // a kernel without CONFIG_WATCHDOG_SYSFS
		return warn("one is there; this kernel does not say whether somebody feeds it", "unfed, it restarts no machine that hangs as a whole",
			"systemctl show -p RuntimeWatchdogUSec: where that is 0, set RuntimeWatchdogSec=10 in /etc/systemd/system.conf")
	case err != nil:
		return warn("none", "nothing restarts a machine that hangs as a whole",
			"load the board's watchdog driver and set RuntimeWatchdogSec=10 in /etc/systemd/system.conf")
	case state != "active":
		return warn(state, "the hardware watchdog is there but nobody feeds it",
			"set RuntimeWatchdogSec=10 in /etc/systemd/system.conf")
	}
	return ok("active")
}

// panics says whether the machine starts anew after a kernel panic: until then the HAT
// keeps its last duty, and daemon and guard are dead together (docs/guard.md).
func panics(m *Machine) Result {
	if !m.robot() {
		return ok("not needed for the simulated car")
	}
	text, err := m.read("/proc/sys/kernel/panic") // s until the restart, 0 for never, below it at once
	switch {
	case err != nil:
		return warn("unknown", err.Error(), "sysctl kernel.panic shows it")
	case text == "0":
		return warn("the machine stays down after a kernel panic", "the HAT drives on with its last duty until a hardware watchdog or a person ends it",
			"echo kernel.panic=1 | sudo tee /etc/sysctl.d/60-fieldbrain.conf; sudo sysctl --system")
	case strings.HasPrefix(text, "-"):
		return ok("the machine starts anew at once after one")
	}
	return ok("the machine starts anew %s s after one", text)
}

func running(m *Machine) Result {
	if m.Daemon == nil {
		return ok("not looked for")
	}
	if err := m.Daemon(); err != nil {
		return warn("not running", err.Error(), "fieldbrain run, or systemctl start fieldbrain")
	}
	return ok("running")
}
