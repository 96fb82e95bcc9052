package doctor_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon/config"
	"fieldbrain/daemon/doctor"
	"fieldbrain/daemon/loop"
)

// tree writes a fake machine: path to content; a content that begins with
// "-> " makes a symbolic link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, content := range files {
		full := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, isLink := strings.CutPrefix(content, "-> "); isLink {
			// The target exists, or the kernel's own files below it could not be read.
			if err = os.MkdirAll(filepath.Join(filepath.Dir(full), target), 0o755); err == nil {
				err = os.Symlink(target, full)
			}
		} else {
			err = os.WriteFile(full, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const limitsFile = `Limit                     Soft Limit           Hard Limit           Units
Max locked memory         8388608              8388608              bytes
Max realtime priority     95                   95
`

// jetson is an Orin Nano on JetPack 6 with an RT kernel, all well.
func jetson(t *testing.T) *doctor.Machine {
	c := config.Default()
	c.Body.Kind = "picarx"
	c.Loop.CPU = 5
	link := "../../devices/platform/bus@0/%s/i2c-%d/i2c-dev/i2c-%d"
	m := machine(c, tree(t, map[string]string{
		"proc/device-tree/compatible":         "nvidia,p3768-0000+p3767-0005-super\x00nvidia,p3767-0005\x00nvidia,tegra234\x00",
		"proc/version":                        "Linux version 5.15.148-rt-tegra (x) #1 SMP PREEMPT_RT",
		"proc/self/limits":                    limitsFile,
		"proc/sys/kernel/sched_rt_runtime_us": "950000\n",
		"sys/devices/system/cpu/isolated":     "4-5\n",
		"sys/devices/system/cpu/online":       "0-5\n",
		"sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":            "performance\n",
		"sys/class/thermal/thermal_zone0/type":                            "cpu-thermal\n",
		"sys/class/thermal/thermal_zone0/temp":                            "51500\n",
		"sys/class/i2c-dev/i2c-0":                                         "-> " + fmt.Sprintf(link, "3160000.i2c", 0, 0),
		"sys/class/i2c-dev/i2c-7":                                         "-> " + fmt.Sprintf(link, "c250000.i2c", 7, 7),
		"sys/class/watchdog/watchdog0/state":                              "active\n",
		"var/lib/nvpmodel/status":                                         "pmode:0002",
		"etc/nv_tegra_release":                                            "# R36 (release), REVISION: 4.3",
		"dev/i2c-7":                                                       "",
		"dev/gpiochip0":                                                   "",
	}))
	m.Chips = func() ([]doctor.Chip, error) {
		return []doctor.Chip{{Label: "tegra234-gpio"}, {Label: "tegra234-gpio-aon"}}, nil
	}
	return m
}

// pi is a Raspberry Pi 5 with an ordinary kernel.
func pi(t *testing.T) *doctor.Machine {
	c := config.Default()
	c.Body.Kind = "picarx"
	m := machine(c, tree(t, map[string]string{
		"proc/device-tree/compatible":                          "raspberrypi,5-model-b\x00brcm,bcm2712\x00",
		"proc/version":                                         "Linux version 6.12.25+rpt-rpi-2712 (x) #1 SMP PREEMPT",
		"sys/devices/system/cpu/isolated":                      "\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "ondemand\n",
		"sys/class/i2c-dev/i2c-1":                              "-> ../../devices/platform/axi/1f00074000.i2c/i2c-1/i2c-dev/i2c-1",
		"dev/i2c-1":                                            "",
	}))
	m.Chips = func() ([]doctor.Chip, error) { return []doctor.Chip{{Label: "pinctrl-rp1"}}, nil }
	return m
}

// pc has no header; its adapters are the graphics card's.
func pc(t *testing.T) *doctor.Machine {
	c := config.Default()
	c.Body.Kind = "picarx"
	m := machine(c, tree(t, map[string]string{
		"sys/class/i2c-dev/i2c-0": "-> ../../devices/pci0000:00/i2c-0/i2c-dev/i2c-0",
	}))
	m.Chips = func() ([]doctor.Chip, error) { return []doctor.Chip{{Label: "INT34C5:00"}}, nil }
	return m
}

// machine is one whose probes all succeed.
func machine(c config.Config, root string) *doctor.Machine {
	granted := func() *loop.Condition { return nil }
	return &doctor.Machine{
		Root: root, Config: c, ConfigFrom: "test.toml", Engine: "neon, collapsed",
		FIFO: granted, Lock: granted,
		Access: func(string) error { return nil },
		Free:   func(string) (uint64, error) { return 50 << 30, nil },
		Daemon: func() error { return nil },
	}
}

func TestExamine(t *testing.T) {
	refused := &loop.Condition{Name: "realtime", Value: "ordinary class", Cause: "RLIMIT_RTPRIO is 0", Remedy: "set LimitRTPRIO=50"}
	for _, c := range []struct {
		name, why string
		make      func(*testing.T) *doctor.Machine
		change    func(t *testing.T, m *doctor.Machine)
		check     string
		status    string
		text      string // must stand somewhere in the result
	}{
		{"header of an Orin", "by carrier and module", jetson, nil, "header", doctor.OK, "orin-nano"},
		{"header of a Pi", "", pi, nil, "header", doctor.OK, "pi"},
		{"bus of an Orin", "by link, not by number", jetson, nil, "i2c", doctor.OK, "/dev/i2c-7"},
		{"bus of a Pi", "", pi, nil, "i2c", doctor.OK, "/dev/i2c-1"},
		{"bus named by hand", "doctor finds a wrong name before the road does", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Config.Body.Bus = "/dev/i2c-3"
		}, "i2c", doctor.Fail, "/dev/i2c-3"},
		{"bus by its adapter", "as the driver takes it", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Config.Body.Bus = "c250000.i2c"
		}, "i2c", doctor.OK, "/dev/i2c-7"},
		{"bus by its number", "7 is no part of another one's address", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Config.Body.Bus = "7"
		}, "i2c", doctor.OK, "/dev/i2c-7"},
		{"a number that is a digit of another's address", "3160000.i2c carries regulators", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Config.Body.Bus = "3"
		}, "i2c", doctor.Fail, "no I2C adapter 3"},
		{"bus by the rules' link", "the unit opens it by this name", jetson, func(t *testing.T, m *doctor.Machine) {
			if err := os.Symlink("i2c-7", filepath.Join(m.Root, "dev/fieldbrain-i2c")); err != nil {
				t.Fatal(err)
			}
			m.Config.Body.Bus = "/dev/fieldbrain-i2c"
		}, "i2c", doctor.OK, "/dev/i2c-7"},
		{"chips of an Orin", "both labels", jetson, nil, "gpio", doctor.OK, "tegra234-gpio-aon"},
		{"bus of a PC", "no header, no bus to look for", pc, nil, "i2c", doctor.Fail, "--body sim"},
		{"chips of a PC", "nor chips", pc, nil, "gpio", doctor.Fail, "see header above"},
		{"header of a PC", "there is nothing to drive", pc, nil, "header", doctor.Fail, "--body sim"},
		{"one chip missing", "the reset line is on it", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Chips = func() ([]doctor.Chip, error) { return []doctor.Chip{{Label: "tegra234-gpio"}}, nil }
		}, "gpio", doctor.Fail, "not all there"},
		{"chips of a Pi", "any one of its names", pi, nil, "gpio", doctor.OK, "rp1"},
		{"pinmux of JetPack 6", "the most likely reason nothing works", jetson, nil, "pinmux", doctor.Warn, "overlay"},
		{"pinmux of JetPack 5", "its kernel switches pads", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "etc/nv_tegra_release", "# R35 (release), REVISION: 4.1")
		}, "pinmux", doctor.OK, "JetPack 5"},
		{"pinmux of JetPack 4", "as that of 5", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "etc/nv_tegra_release", "# R32 (release), REVISION: 7.1, GCID: 1, BOARD: t186ref\n# another line")
		}, "pinmux", doctor.OK, "R32"},
		{"pinmux of JetPack 7.2", "what comes after 35 does not switch pads", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "etc/nv_tegra_release", "# R39 (release), REVISION: 2.0")
		}, "pinmux", doctor.Warn, "R39"},
		{"pinmux of an unknown release", "not known is not well", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "etc/nv_tegra_release", "a release of R3")
		}, "pinmux", doctor.Warn, "unknown"},
		{"pinmux of a Pi", "", pi, nil, "pinmux", doctor.OK, "not a matter"},
		{"rt kernel", "", jetson, nil, "realtime kernel", doctor.OK, "PREEMPT_RT"},
		{"ordinary kernel", "PREEMPT is not PREEMPT_RT", pi, nil, "realtime kernel", doctor.Warn, "no PREEMPT_RT"},
		{"loop on an isolated processor", "5 is in 4-5", jetson, nil, "isolated processors", doctor.OK, "loop on 5"},
		{"loop elsewhere", "", jetson, func(_ *testing.T, m *doctor.Machine) { m.Config.Loop.CPU = 2 }, "isolated processors", doctor.Warn, "not isolated"},
		{"none isolated", "", pi, nil, "isolated processors", doctor.Warn, "isolcpus"},
		{"budget", "", jetson, nil, "realtime budget", doctor.OK, "950000"},
		{"no budget", "", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "proc/sys/kernel/sched_rt_runtime_us", "0")
		}, "realtime budget", doctor.Fail, "no time"},
		{"unlimited budget", "", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "proc/sys/kernel/sched_rt_runtime_us", "-1")
		}, "realtime budget", doctor.Warn, "950000"},
		{"class refused", "degraded, not broken", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.FIFO = func() *loop.Condition { return refused }
		}, "realtime class", doctor.Warn, "LimitRTPRIO"},
		{"class not wanted", "", jetson, func(_ *testing.T, m *doctor.Machine) { m.Config.Loop.Priority = 0 }, "realtime class", doctor.OK, "not wanted"},
		{"limits", "", jetson, nil, "limits", doctor.OK, "RLIMIT_RTPRIO 95, RLIMIT_MEMLOCK 8388608"},
		{"few addresses", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Limits = func() error { return errors.New("RLIMIT_AS is 9: ulimit -v unlimited") }
		}, "limits", doctor.Fail, "ulimit -v"},
		{"limits without /proc", "", pi, nil, "limits", doctor.Warn, "unknown"},
		{"clock of an Orin", "", jetson, nil, "clock", doctor.OK, "arch_sys_counter"},
		{"slow clock", "", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet")
		}, "clock", doctor.Warn, "hpet"},
		{"governor", "", pi, nil, "governor", doctor.Warn, "ondemand"},
		{"power mode", "", jetson, nil, "power mode", doctor.OK, "0002"},
		{"cool", "", jetson, nil, "temperature", doctor.OK, "cpu-thermal"},
		{"hot", "", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "sys/class/thermal/thermal_zone0/temp", "97000")
		}, "temperature", doctor.Fail, "97 C"},
		{"disk full", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Free = func(string) (uint64, error) { return 1 << 20, nil }
		}, "disk", doctor.Fail, "0.0 GiB"},
		{"rights", "", jetson, nil, "device rights", doctor.OK, "/dev/i2c-7, /dev/gpiochip0"},
		{"no rights", "the group is the usual reason", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Access = func(string) error { return os.ErrPermission }
		}, "device rights", doctor.Fail, "usermod"},
		{"hat not probed", "only on demand", jetson, nil, "hat", doctor.OK, "--probe"},
		{"hat answers at a V5's address", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Probe = onlyAt0x15
		}, "hat", doctor.Fail, "hat_address = 21"},
		{"hat answers at the address that was given", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Config.Body.HatAddress, m.Probe = 0x15, onlyAt0x15
		}, "hat", doctor.OK, "0x15"},
		{"hat silent", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Probe = func(string, int) error { return errors.New("remote I/O error") }
		}, "hat", doctor.Fail, "switch the HAT on"},
		{"hat of a daemon", "the bus is its own", jetson, linked(doctor.Link{State: "up"}, nil), "hat", doctor.OK, "link to it is up"},
		{"hat of a daemon, silent", "its own words", jetson, linked(doctor.Link{State: "down", Why: "no acknowledge", Remedy: "the switch"}, nil), "hat", doctor.Fail, "downno acknowledgethe switch"},
		{"hat of a daemon that begins", "", jetson, linked(doctor.Link{State: "down"}, nil), "hat", doctor.Fail, "look again"},
		{"hat with errors", "it answers", jetson, linked(doctor.Link{State: "degraded"}, nil), "hat", doctor.Warn, "degraded"},
		{"hat beside a guard", "a low reset line answers nobody", jetson, linked(doctor.Link{Held: true}, nil), "hat", doctor.Warn, "held in reset by the guard"},
		{"hat of nobody knows whom", "a daemon may own the bus", jetson, linked(doctor.Link{}, os.ErrPermission), "hat", doctor.Warn, "--socket"},
		{"starts anew after a panic", "", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "proc/sys/kernel/panic", "10\n")
		}, "kernel panic", doctor.OK, "10 s"},
		{"stays down after a panic", "the HAT drives on", jetson, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "proc/sys/kernel/panic", "0\n")
		}, "kernel panic", doctor.Warn, "kernel.panic=1"},
		{"watchdog", "", jetson, nil, "hardware watchdog", doctor.OK, "active"},
		{"a watchdog of which the kernel says nothing", "", pi, func(t *testing.T, m *doctor.Machine) {
			put(t, m, "sys/class/watchdog/watchdog0/dev", "248:0")
		}, "hardware watchdog", doctor.Warn, "this kernel does not say"},
		{"no watchdog", "", pi, nil, "hardware watchdog", doctor.Warn, "RuntimeWatchdogSec"},
		{"bad configuration", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.ConfigErr = errors.New("f.toml:3: loop.cpu: is a text")
		}, "configuration", doctor.Fail, "f.toml:3"},
		{"pure Go", "", jetson, func(_ *testing.T, m *doctor.Machine) { m.Engine = "purego" }, "engine", doctor.Warn, "slower"},
		{"no card wanted", "", jetson, func(_ *testing.T, m *doctor.Machine) { m.Config.Engine.Kind = "neon" }, "graphics card", doctor.OK, "not wanted"},
		{"card", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.GPU = func() (string, error) { return "Orin", nil }
		}, "graphics card", doctor.OK, "Orin"},
		{"no card's program", "auto takes any engine it finds", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.GPU = func() (string, error) { return "", doctor.ErrNoProgram }
		}, "graphics card", doctor.OK, "not installed"},
		{"no card's program, wanted", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Config.Engine.Kind, m.GPU = "cuda", func() (string, error) { return "", doctor.ErrNoProgram }
		}, "graphics card", doctor.Fail, "make gpu"},
		{"card silent", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.GPU = func() (string, error) { return "", errors.New("no device") }
		}, "graphics card", doctor.Warn, "nvidia-smi"},
		{"card silent, wanted", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Config.Engine.Kind, m.GPU = "cuda", func() (string, error) { return "", errors.New("no device") }
		}, "graphics card", doctor.Fail, "no device"},
		{"no daemon", "", jetson, func(_ *testing.T, m *doctor.Machine) {
			m.Daemon = func() error { return errors.New("nobody listens") }
		}, "daemon", doctor.Warn, "nobody listens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := c.make(t)
			if c.change != nil {
				c.change(t, m)
			}
			for _, r := range doctor.Examine(m) {
				if r.Name != c.check {
					continue
				}
				if text := r.Found + r.Cause + r.Remedy; r.Status != c.status || !strings.Contains(text, c.text) {
					t.Errorf("%+v, want %s with %q: %s", r, c.status, c.text, c.why)
				}
				return
			}
			t.Fatalf("there is no check %q", c.check)
		})
	}
}

// linked is a machine whose daemon or guard says that of the HAT, and on which nobody may
// read from the bus.
func linked(link doctor.Link, err error) func(*testing.T, *doctor.Machine) {
	return func(t *testing.T, m *doctor.Machine) {
		m.Link = func() (doctor.Link, error) { return link, err }
		m.Probe = func(string, int) error {
			t.Error("the bus was read although a daemon or the guard has the HAT")
			return nil
		}
	}
}

func put(t *testing.T, m *doctor.Machine, path, content string) {
	t.Helper()
	full := filepath.Join(m.Root, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// Every fault has a cause and a remedy, on every kind of machine.
func TestEveryComplaintHasRemedy(t *testing.T) {
	empty := func(t *testing.T) *doctor.Machine {
		c := config.Default()
		c.Body.Kind = "picarx"
		m := machine(c, t.TempDir())
		m.Probe = func(string, int) error { return errors.New("no") }
		m.Chips = func() ([]doctor.Chip, error) { return nil, nil }
		return m
	}
	for name, build := range map[string]func(*testing.T) *doctor.Machine{"jetson": jetson, "pi": pi, "empty": empty} {
		t.Run(name, func(t *testing.T) {
			for _, r := range doctor.Examine(build(t)) {
				if r.Found == "" {
					t.Errorf("%s found nothing to say", r.Name)
				}
				if r.Status != doctor.OK && (r.Cause == "" || r.Remedy == "") {
					t.Errorf("%s is %s without cause or remedy: %+v", r.Name, r.Status, r)
				}
			}
		})
	}
	if doctor.Healthy(doctor.Examine(empty(t))) {
		t.Error("a robot without any hardware is called healthy")
	}
}

// A plain computer is fit for simulation: nothing fails for want of a robot.
func TestSimulationNeedsNoHardware(t *testing.T) {
	m := machine(config.Default(), t.TempDir())
	results := doctor.Examine(m)
	if !doctor.Healthy(results) {
		t.Errorf("failed: %+v", results)
	}
	var out bytes.Buffer
	if err := doctor.Print(&out, results); err != nil || !strings.Contains(out.String(), " 0 failed") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Examine works on the real machine, of whatever kind.
func TestLocal(t *testing.T) {
	m := doctor.Local(config.Default())
	m.ConfigFrom, m.Engine = "built-in defaults", "avx2"
	for _, r := range doctor.Examine(m) {
		if r.Status == "" || r.Found == "" {
			t.Errorf("%+v says nothing", r)
		}
	}
	if err := doctor.ReadByte(filepath.Join(t.TempDir(), "i2c-9"), 0x14); err == nil {
		t.Error("a bus that is not there answered")
	}
}

func ExampleExamine() {
	m := &doctor.Machine{Root: "/nonexistent", Config: config.Default(), ConfigFrom: "built-in defaults"}
	for _, r := range doctor.Examine(m)[:1] {
		fmt.Println(r.Status, r.Name, r.Found)
	}
	// Output: ok configuration built-in defaults
}

// onlyAt0x15 is a HAT at its second address.
func onlyAt0x15(_ string, addr int) error {
	if addr == 0x15 {
		return nil
	}
	return errors.New("remote I/O error")
}
