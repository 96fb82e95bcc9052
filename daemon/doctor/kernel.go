package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fieldbrain/daemon/loop"
)

func configuration(m *Machine) Result {
	if m.ConfigErr != nil {
		return fail(m.ConfigErr.Error(), "the configuration is not valid", "mend it; fieldbrain config doc explains every key")
	}
	return ok("%s", m.ConfigFrom)
}

func engine(m *Machine) Result {
	switch {
	case m.EngineErr != nil:
		return fail("no engine", m.EngineErr.Error(), "set engine.kind to auto")
	case strings.Contains(m.Engine, "purego"):
		return warn(m.Engine, "the program was built without cgo, or the processor has none of the instruction sets",
			"build with cgo and a C++ compiler; pure Go is several times slower")
	}
	return ok("%s", m.Engine)
}

// ErrNoProgram says that the graphics card's program is not installed.
var ErrNoProgram = errors.New("the graphics card's program is not installed")

// card asks the program that drives a graphics card. A user who asked for no card
// misses nothing.
func card(m *Machine) Result {
	if m.GPU == nil || !m.Config.Engine.GPU() {
		return ok("not wanted (engine.kind = %s)", m.Config.Engine.Kind)
	}
	name, err := m.GPU()
	wanted := m.Config.Engine.Kind == "cuda"
	switch {
	case err == nil:
		return ok("%s", name)
	case errors.Is(err, ErrNoProgram) && !wanted:
		return ok("none: its program is not installed, the processor steps the field")
	case errors.Is(err, ErrNoProgram):
		return fail("no program for it", err.Error(), "build it with make gpu, name it in engine.gpu_path, or set engine.kind to auto")
	}
	const remedy = "look at nvidia-smi and at card rights below; the processor steps the field meanwhile"
	if wanted {
		return fail("no card answers", err.Error(), remedy)
	}
	return warn("its program is installed, but no card answers", err.Error(), remedy)
}

// refusal turns the kernel's answer to a trial into a result.
func refusal(try func() *loop.Condition, granted string) Result {
	if try == nil {
		return ok("not tried")
	}
	if c := try(); c != nil {
		return warn(c.Value, c.Cause, c.Remedy)
	}
	return ok("%s", granted)
}

func fifo(m *Machine) Result {
	if m.Config.Loop.Priority == 0 {
		return ok("not wanted (loop.priority = 0)")
	}
	if m.Running != nil {
		if pid := m.Running(); pid != 0 {
			return runningFIFO(m, pid)
		}
	}
	if m.forUnit() {
		return unitFIFO(m)
	}
	return refusal(m.FIFO, fmt.Sprintf("SCHED_FIFO %d granted to this user", m.Config.Loop.Priority))
}

func memory(m *Machine) Result {
	if !m.Config.Loop.LockMemory {
		return ok("not wanted (loop.lock_memory = false)")
	}
	if m.forUnit() {
		return unitMemory(m)
	}
	return refusal(m.Lock, "this user may lock it")
}

// limits shows two resource limits, which the trials above judge, and names those that
// are too low to run at all.
func limits(m *Machine) Result {
	if m.forUnit() {
		return unitLimits(m)
	}
	if m.Limits != nil {
		if err := m.Limits(); err != nil {
			return fail("too low for the daemon", strings.ReplaceAll(err.Error(), "\n", "; "), "raise them where the daemon is started, as the cause says")
		}
	}
	text, err := m.read("/proc/self/limits")
	if err != nil {
		return warn("unknown", err.Error(), "mount /proc")
	}
	value := func(name string) string {
		for line := range strings.Lines(text) {
			if rest, is := strings.CutPrefix(line, name); is {
				return cmp.Or(append(strings.Fields(rest), "?")[0], "?")
			}
		}
		return "?"
	}
	return ok("RLIMIT_RTPRIO %s, RLIMIT_MEMLOCK %s", value("Max realtime priority"), value("Max locked memory"))
}

func kernel(m *Machine) Result {
	version, err := m.read("/proc/version")
	if err != nil {
		return warn("unknown", err.Error(), "mount /proc")
	}
	short := strings.Join(strings.Fields(version)[:min(3, len(strings.Fields(version)))], " ")
	flag, _ := m.read("/sys/kernel/realtime") // only PREEMPT_RT kernels have it
	if flag == "1" || strings.Contains(version, "PREEMPT_RT") {
		return ok("%s, PREEMPT_RT", short)
	}
	return warn(short+", no PREEMPT_RT", "wake-ups can be late by milliseconds under load",
		"Jetson: NVIDIA's packages from an apt source of their own, with their modules, and DEFAULT real-time in extlinux.conf (docs/jetson.md, The kernel); others: a kernel with CONFIG_PREEMPT_RT. Fine for simulation")
}

func budget(m *Machine) Result {
	text, err := m.read("/proc/sys/kernel/sched_rt_runtime_us")
	if err != nil {
		return ok("no limit file: this kernel does not throttle real-time threads that way")
	}
	us, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return warn(text, "not a number", "read sched(7)")
	case us < 0:
		return warn("unlimited", "a real-time thread that spins takes the machine down with it; the daemon's own end after 5 s",
			"sysctl kernel.sched_rt_runtime_us=950000, unless CONFIG_RT_GROUP_SCHED then refuses the class (realtime class above)")
	case us == 0:
		return fail("0 us", "real-time threads get no time at all", "sysctl kernel.sched_rt_runtime_us=950000")
	}
	return ok("%d us of each period", us)
}

func isolated(m *Machine) Result {
	list, err := m.read("/sys/devices/system/cpu/isolated")
	online, _ := m.read("/sys/devices/system/cpu/online")
	switch cpu := m.Config.Loop.CPU; {
	case err != nil || list == "":
		return warn("none of "+cmp.Or(online, "?"), "the loop shares its processor with everything else",
			"boot with isolcpus=domain,managed_irq,N and set loop.cpu = N. Fine for simulation")
	case cpu < 0:
		return warn(list, "processors are isolated but the loop does not use one", "set loop.cpu to one of them")
	case !inList(list, cpu):
		return warn(list, fmt.Sprintf("loop.cpu is %d, which is not isolated", cpu), "set loop.cpu to one of "+list)
	}
	return ok("%s, loop on %d", list, m.Config.Loop.CPU)
}

// inList reports whether a kernel list such as "2,4-7" contains n.
func inList(list string, n int) bool {
	for part := range strings.SplitSeq(list, ",") {
		low, high, ranged := strings.Cut(part, "-")
		if !ranged {
			high = low
		}
		l, err1 := strconv.Atoi(low)
		h, err2 := strconv.Atoi(high)
		if err1 == nil && err2 == nil && l <= n && n <= h {
			return true
		}
	}
	return false
}

func clock(m *Machine) Result {
	source, err := m.read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	if err != nil {
		return warn("unknown", err.Error(), "mount /sys")
	}
	switch source {
	case "tsc", "kvm-clock", "arch_sys_counter":
		return ok("%s", source)
	}
	return warn(source, "reading this clock takes a system call or slow hardware, several times per tick",
		"look in the kernel's log why tsc was given up; often the firmware")
}
