package daemon

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"fieldbrain/brain/quality"
	"fieldbrain/files"
)

// A Thermometer reads these files of the kernel and of Jetson's nvpmodel; paths
// begin at the root of the file system. NVIDIA's Jetson Linux guide describes
// the nvpmodel files ("Power management"), the kernel the others:
// Documentation/driver-api/thermal/sysfs-api.rst and
// Documentation/ABI/testing/sysfs-platform_profile.
const (
	zoneFolders  = "sys/class/thermal/thermal_zone*"
	profileFile  = "sys/firmware/acpi/platform_profile"
	nvModeFile   = "var/lib/nvpmodel/status"
	nvModelsFile = "etc/nvpmodel.conf"
)

const (
	usualLimit = 85.0 // C, of a sensor without a trip point: a Raspberry Pi's
	warmMargin = 5.0  // K below the limit at which a machine is warm
	hysteresis = 3.0  // K below where it became so
)

// cores are the kinds of sensor that sit where the brain computes. Others lie:
// the PMIC of a Jetson Nano always says 100 C.
var cores = [...]string{"cpu", "gpu", "soc", "tj", "pkg", "acpitz"}

// A Thermometer reads how warm the machine is and in which power mode. It takes
// milliseconds on some machines and belongs to a slow goroutine.
type Thermometer struct {
	Root  fs.FS   // of the file system: os.DirFS("/")
	Limit float64 // C at which the machine is hot; 0 takes each sensor's own

	heat quality.Heat
}

// A Thermal is one reading of a Thermometer.
type Thermal struct {
	Heat   quality.Heat
	Sensor string  // the one nearest its limit; empty where none can be read
	Temp   float64 // C, what it says
	Limit  float64 // C, at which it is hot
	Mode   string  // name of the power mode; empty where there are none
	Saving bool    // that mode gives less than half the power, or says so
}

// Surroundings returns the part that the brain wants to know.
func (t Thermal) Surroundings() quality.Surroundings {
	return quality.Surroundings{Heat: t.Heat, Saving: t.Saving}
}

// String returns temperature and power mode on one line.
func (t Thermal) String() string {
	text := "temperature unknown"
	if t.Sensor != "" {
		text = fmt.Sprintf("%s %.1f of %.1f C", t.Sensor, t.Temp, t.Limit)
	}
	if t.Mode != "" {
		text += ", power mode " + t.Mode
	}
	return text
}

// Read looks at all sensors and the power mode. A sensor that cannot be read is
// left out: those of parts that sleep refuse.
func (m *Thermometer) Read() Thermal {
	var t Thermal
	zones, _ := fs.Glob(m.Root, zoneFolders) // the pattern is well formed
	for _, zone := range zones {
		name := m.word(path.Join(zone, "type"))
		if !core(name) {
			continue
		}
		temp, ok := m.celsius(path.Join(zone, "temp"))
		if !ok {
			continue
		}
		limit := m.Limit
		if limit == 0 {
			limit = m.trip(zone)
		}
		if t.Sensor == "" || limit-temp < t.Limit-t.Temp {
			t.Sensor, t.Temp, t.Limit = name, temp, limit
		}
	}
	if t.Sensor == "" {
		m.heat = quality.Cool
	} else {
		m.heat = heat(t.Limit-t.Temp, m.heat)
	}
	t.Heat = m.heat
	t.Mode, t.Saving = m.mode()
	return t
}

// core reports whether a kind of sensor is one of cores.
func core(name string) bool {
	for _, part := range cores {
		if strings.Contains(strings.ToLower(name), part) {
			return true
		}
	}
	return false
}

// heat judges how many K are left to the limit, given the heat before.
func heat(left float64, before quality.Heat) quality.Heat {
	switch {
	case left <= 0, before == quality.Hot && left < hysteresis:
		return quality.Hot
	case left <= warmMargin, before >= quality.Warm && left < warmMargin+hysteresis:
		return quality.Warm
	}
	return quality.Cool
}

// trip returns where the kernel begins to slow the machine down, or the usual
// limit. Trip points of 0 stand for none.
func (m *Thermometer) trip(zone string) float64 {
	lowest := 0.0
	kinds, _ := fs.Glob(m.Root, zone+"/trip_point_*_type")
	for _, file := range kinds {
		if m.word(file) != "passive" {
			continue
		}
		at, ok := m.celsius(strings.TrimSuffix(file, "type") + "temp")
		if plausible := ok && at >= 40 && at <= 125; plausible && (lowest == 0 || at < lowest) {
			lowest = at
		}
	}
	if lowest > 0 {
		return lowest
	}
	return usualLimit
}

// mode returns the power mode's name and whether it saves power.
func (m *Thermometer) mode() (name string, saving bool) {
	if id, ok := strings.CutPrefix(m.word(nvModeFile), "pmode:"); ok {
		return m.nvMode(id)
	}
	profile := m.word(profileFile)
	return profile, profile == "low-power"
}

// nvMode looks a number of nvpmodel up. A mode named after its watts saves power
// when another one gives more than twice as many.
func (m *Thermometer) nvMode(id string) (name string, saving bool) {
	text, _ := fs.ReadFile(m.Root, nvModelsFile)
	mine, largest := 0, 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(strings.Trim(strings.TrimSpace(line), "<>"))
		if len(fields) < 3 || fields[0] != "POWER_MODEL" {
			continue
		}
		label := strings.TrimPrefix(fields[2], "NAME=")
		digits, _, _ := strings.Cut(label, "W")
		watts, err := strconv.Atoi(strings.TrimPrefix(digits, "MODE_"))
		if err != nil {
			watts = 0 // MAXN has no number
		}
		largest = max(largest, watts)
		if number(fields[1], "ID=") == number(id, "") {
			name, mine = label, watts
		}
	}
	if name == "" {
		name = "nvpmodel " + id
	}
	return name, mine > 0 && 2*mine < largest
}

// number reads a decimal with leading zeros behind a prefix, -1 for none.
func number(text, prefix string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(text, prefix))
	if err != nil {
		return -1
	}
	return n
}

// word returns the first word of a file, empty when it cannot be read.
func (m *Thermometer) word(file string) string {
	text, err := files.ReadKernel(m.Root, file)
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
		return fields[0]
	}
	return ""
}

// celsius reads a file of millidegrees.
func (m *Thermometer) celsius(file string) (float64, bool) {
	n, err := strconv.ParseInt(m.word(file), 10, 64)
	return float64(n) / 1000, err == nil
}
