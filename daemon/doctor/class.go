package doctor

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"fieldbrain/daemon/loop"
)

// errUnseen says that the threads of a process cannot be seen.
var errUnseen = errors.New("its threads cannot be seen in /proc")

// schedFIFO is the class in field 41 of /proc/PID/stat, sched(7).
const schedFIFO = "1"

// highest returns the highest priority in SCHED_FIFO of a process's threads, 0 where none
// is in it.
func (m *Machine) highest(pid int) (int, error) {
	top, seen := 0, false
	for _, task := range m.glob(fmt.Sprintf("/proc/%d/task/[0-9]*", pid)) {
		text, err := m.read(path.Join(task, "stat"))
		if err != nil {
			continue // it has ended meanwhile
		}
		// Field 3 is the first behind the name, which may have any characters.
		f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		const priority, policy = 40 - 3, 41 - 3
		if len(f) <= policy {
			continue
		}
		seen = true
		if n, err := strconv.Atoi(f[priority]); err == nil && f[policy] == schedFIFO {
			top = max(top, n)
		}
	}
	if !seen {
		return 0, errUnseen
	}
	return top, nil
}

// limited reports whether a process's limit is what keeps it from a priority.
func (m *Machine) limited(pid, priority int) (bool, error) {
	text, err := m.read(fmt.Sprintf("/proc/%d/limits", pid))
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(text) {
		rest, is := strings.CutPrefix(line, "Max realtime priority")
		if f := strings.Fields(rest); is && len(f) > 0 {
			n, err := strconv.Atoi(f[0])
			return n < priority && f[0] != "unlimited", err
		}
	}
	return false, errUnseen
}

// process returns the number of the process of a name, as /proc/PID/comm cuts it, 0
// without one.
func (m *Machine) process(name string) int {
	for _, p := range m.glob("/proc/[0-9]*/comm") {
		if comm, err := m.read(p); err == nil && comm == name[:min(len(name), 15)] {
			pid, _ := strconv.Atoi(path.Base(path.Dir(p))) // the pattern lets letters through
			return pid
		}
	}
	return 0
}

// refused says why a process has not got its priority in the real-time class: its limit,
// which the named unit sets, or else its control group.
func (m *Machine) refused(pid, priority int, unit string) (cause, remedy string) {
	limit := fmt.Sprintf("set LimitRTPRIO=%d in %s", priority, unit)
	short, err := m.limited(pid, priority)
	switch {
	case err != nil:
		return "its limit (LimitRTPRIO) is too low, or " + loop.GroupCause, limit + "; where that stands already, " + loop.GroupRemedy(m.Root)
	case short:
		return fmt.Sprintf("its limit (RLIMIT_RTPRIO) is below %d", priority), limit
	}
	return loop.GroupCause + " although its limit allows it", loop.GroupRemedy(m.Root)
}

// runningFIFO judges the class that the daemon that runs has got from the kernel.
func runningFIFO(m *Machine, pid int) Result {
	wanted := m.Config.Loop.Priority
	top, err := m.highest(pid)
	switch {
	case err != nil:
		return warn(fmt.Sprintf("not known of the daemon, process %d", pid), err.Error(), "sudo fieldbrain doctor, or mount /proc")
	case top >= wanted:
		return ok("SCHED_FIFO %d, which the daemon has (process %d)", top, pid)
	}
	cause, remedy := m.refused(pid, wanted, "fieldbrain.service")
	return warn(fmt.Sprintf("the daemon, process %d, has priority %d in SCHED_FIFO and wants %d", pid, top, wanted), cause, remedy+"; then sudo systemctl restart fieldbrain")
}
