package daemon_test

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/daemon"
)

// machine is a file system with sensors and a power mode.
type machine fstest.MapFS

func (m machine) file(name, text string) machine {
	m[name] = &fstest.MapFile{Data: []byte(text + "\n")}
	return m
}

func (m machine) zone(n int, kind, milli string, trips ...string) machine {
	folder := fmt.Sprintf("sys/class/thermal/thermal_zone%d/", n)
	m.file(folder+"type", kind).file(folder+"temp", milli)
	for i := 0; i+1 < len(trips); i += 2 {
		m.file(fmt.Sprintf("%strip_point_%d_type", folder, i/2), trips[i])
		m.file(fmt.Sprintf("%strip_point_%d_temp", folder, i/2), trips[i+1])
	}
	return m
}

const orinModes = "< POWER_MODEL ID=0 NAME=MAXN >\nCPU_ONLINE CORE_0 1\n< POWER_MODEL ID=1 NAME=10W >\n" +
	"< POWER_MODEL ID=2 NAME=15W >\n< POWER_MODEL ID=3 NAME=25W >\n< PM_CONFIG DEFAULT=2 >"

func TestThermometer(t *testing.T) {
	for _, c := range []struct {
		name  string
		from  machine
		limit float64
		want  daemon.Thermal
	}{
		{"nothing to read", machine{}, 0, daemon.Thermal{}},
		{
			"cool", machine{}.zone(0, "cpu-thermal", "61500", "critical", "105000", "passive", "99000"), 0,
			daemon.Thermal{Sensor: "cpu-thermal", Temp: 61.5, Limit: 99},
		},
		{
			"warm", machine{}.zone(0, "cpu-thermal", "94000", "passive", "99000"), 0,
			daemon.Thermal{Sensor: "cpu-thermal", Temp: 94, Limit: 99, Heat: quality.Warm},
		},
		{
			"hot at its trip point", machine{}.zone(0, "cpu-thermal", "99000", "passive", "99000"), 0,
			daemon.Thermal{Sensor: "cpu-thermal", Temp: 99, Limit: 99, Heat: quality.Hot},
		},
		{
			"without trip points", machine{}.zone(0, "cpu-thermal", "85000"), 0,
			daemon.Thermal{Sensor: "cpu-thermal", Temp: 85, Limit: 85, Heat: quality.Hot},
		},
		{
			"a trip point of 0 is none", machine{}.zone(0, "x86_pkg_temp", "50000", "passive", "0"), 0,
			daemon.Thermal{Sensor: "x86_pkg_temp", Temp: 50, Limit: 85},
		},
		{
			"configured limit", machine{}.zone(0, "cpu-thermal", "71000", "passive", "99000"), 70,
			daemon.Thermal{Sensor: "cpu-thermal", Temp: 71, Limit: 70, Heat: quality.Hot},
		},
		{
			"the one nearest its limit", machine{}.zone(0, "cpu-thermal", "80000", "passive", "99000").zone(1, "gpu-thermal", "70000", "passive", "75000"), 0,
			daemon.Thermal{Sensor: "gpu-thermal", Temp: 70, Limit: 75, Heat: quality.Warm},
		},
		{"a sensor that lies and one that sleeps", machine{}.zone(0, "PMIC-Die", "100000").zone(1, "gpu-thermal", ""), 0, daemon.Thermal{}},
		{
			"Jetson, little power", machine{}.file("var/lib/nvpmodel/status", "pmode:0001 fmode:quiet").file("etc/nvpmodel.conf", orinModes), 0,
			daemon.Thermal{Mode: "10W", Saving: true},
		},
		{
			"Jetson, its default", machine{}.file("var/lib/nvpmodel/status", "pmode:0002 fmode:quiet").file("etc/nvpmodel.conf", orinModes), 0,
			daemon.Thermal{Mode: "15W"},
		},
		{
			"Jetson, all it has", machine{}.file("var/lib/nvpmodel/status", "pmode:0000").file("etc/nvpmodel.conf", orinModes), 0,
			daemon.Thermal{Mode: "MAXN"},
		},
		{"Jetson, modes not listed", machine{}.file("var/lib/nvpmodel/status", "pmode:0007"), 0, daemon.Thermal{Mode: "nvpmodel 0007"}},
		{
			"a laptop that saves", machine{}.file("sys/firmware/acpi/platform_profile", "low-power"), 0,
			daemon.Thermal{Mode: "low-power", Saving: true},
		},
		{"a laptop that does not", machine{}.file("sys/firmware/acpi/platform_profile", "balanced"), 0, daemon.Thermal{Mode: "balanced"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := daemon.Thermometer{Root: fstest.MapFS(c.from), Limit: c.limit}
			if got := g.Read(); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// TestSensorThatSleeps: the zones of parts that are off, or that an Orin Nano was built
// without (cv0, cv1, cv2), answer EAGAIN for ever. Nobody waits for them, and the others
// are read. A named pipe that somebody holds open answers so, too.
func TestSensorThatSleeps(t *testing.T) {
	root := t.TempDir()
	for i, name := range []string{"cpu-thermal", "gpu-thermal", "cv0-thermal"} {
		zone := fmt.Sprintf("%s/sys/class/thermal/thermal_zone%d", root, i)
		err := errors.Join(os.MkdirAll(zone, 0o755), os.WriteFile(zone+"/type", []byte(name+"\n"), 0o600))
		if i == 0 {
			err = errors.Join(err, os.WriteFile(zone+"/temp", []byte("51500\n"), 0o600))
		} else {
			err = errors.Join(err, syscall.Mkfifo(zone+"/temp", 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		holder, err := os.OpenFile(zone+"/temp", os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer holder.Close()
	}
	read := make(chan daemon.Thermal, 1)
	u := daemon.Usage{Root: os.DirFS(root)}
	go func() {
		u.Read()
		g := daemon.Thermometer{Root: os.DirFS(root)}
		read <- g.Read()
	}()
	select {
	case got := <-read:
		if want := (daemon.Thermal{Sensor: "cpu-thermal", Temp: 51.5, Limit: 85}); got != want || u.CardHeat.OK {
			t.Errorf("%+v, want %+v; the card's %+v", got, want, u.CardHeat)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for a sensor that sleeps")
	}
}

// TestThermalDoesNotFlicker: a temperature that trembles around a limit changes
// the heat once.
func TestThermalDoesNotFlicker(t *testing.T) {
	from := machine{}
	g := daemon.Thermometer{Root: fstest.MapFS(from), Limit: 80}
	for _, step := range []struct {
		milli string
		want  quality.Heat
	}{
		{"74900", quality.Cool},
		{"75000", quality.Warm},
		{"74500", quality.Warm},
		{"72100", quality.Warm},
		{"80000", quality.Hot},
		{"77100", quality.Hot},
		{"77000", quality.Warm},
		{"72000", quality.Cool},
		{"74000", quality.Cool},
	} {
		from.zone(0, "soc-thermal", step.milli)
		if got := g.Read(); got.Heat != step.want {
			t.Errorf("at %s mC: %v, want %v", step.milli, got.Heat, step.want)
		}
	}
}

func ExampleThermometer() {
	g := daemon.Thermometer{Root: fstest.MapFS(machine{}.
		zone(0, "cpu-thermal", "96000", "passive", "99000").
		file("var/lib/nvpmodel/status", "pmode:0001").file("etc/nvpmodel.conf", orinModes))}
	w := g.Read()
	fmt.Println(w, "-", w.Heat)
	// Output: cpu-thermal 96.0 of 99.0 C, power mode 10W - warm
}
