package doctor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon/doctor"
)

// thread writes /proc/PID/task/TID/stat of a thread in a class of sched(7).
func thread(t *testing.T, m *doctor.Machine, pid, tid, priority, policy int) {
	t.Helper()
	folder := fmt.Sprintf("proc/%d/task/%d", pid, tid)
	if err := os.MkdirAll(filepath.Join(m.Root, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	between := strings.Repeat(" 0", 36) // fields 4 to 39
	put(t, m, folder+"/stat", fmt.Sprintf("%d (a) b (c) S%s %d %d 0 0 0\n", tid, between, priority, policy))
}

const allowed = "Limit                     Soft Limit           Hard Limit           Units\nMax realtime priority     %d                   %d\n"

// TestRunningClass: what the kernel has given to a daemon that runs counts, not what its
// unit asks for.
func TestRunningClass(t *testing.T) {
	const pid = 700
	for _, c := range []struct {
		name        string
		fifo, limit int // the loop's thread's; 0 without
		version2    bool
		status      string
		words       string
	}{
		{"granted", 50, 50, true, doctor.OK, "SCHED_FIFO 50, which the daemon has (process 700)"},
		{"the limit", 0, 40, true, doctor.Warn, "set LimitRTPRIO=50 in fieldbrain.service"},
		{"below what is wanted", 40, 40, true, doctor.Warn, "has priority 40 in SCHED_FIFO and wants 50"},
		{"no budget, version 2", 0, 50, true, doctor.Warn, "rt_group_sched=0"},
		{"no budget, version 1", 0, 50, false, doctor.Warn, "cpu.rt_runtime_us"},
		{"nothing to be seen", -1, 50, true, doctor.Warn, "cannot be seen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := installed(t)
			m.Running = func() int { return pid }
			if c.fifo >= 0 {
				thread(t, m, pid, pid, 0, 0)
				thread(t, m, pid, pid+1, 90, 2) // round robin is another class
				thread(t, m, pid, pid+2, max(c.fifo, 1), min(c.fifo, 1))
				put(t, m, fmt.Sprintf("proc/%d/limits", pid), fmt.Sprintf(allowed, c.limit, c.limit))
			}
			version(t, m, c.version2)
			expect(t, m, "realtime class", c.status, c.words)
		})
	}
	m := installed(t)
	m.Running = func() int { return 0 }
	expect(t, m, "realtime class", doctor.OK, "no daemon runs")
}

// TestGuardsClass: a guard without a priority has too low a limit, or no budget.
func TestGuardsClass(t *testing.T) {
	const said = "header=orin-nano line=1 daemon=0 priority=0 locked=1 deadman=0 trips=0 stops=0 cause=none"
	for _, c := range []struct {
		name  string
		limit int // of its process, -1 where that is not to be seen
		words string
		not   string
	}{
		{"the limit", 50, "LimitRTPRIO=60", "CONFIG_RT_GROUP_SCHED"},
		{"no budget", 60, "rt_group_sched=0", "set LimitRTPRIO"},
		{"not to be seen", -1, "LimitRTPRIO=60 in fieldbrain-guard.service; where that stands already", "cpu.rt_runtime_us"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := installed(t)
			m.Guard = func() (string, error) { return said, nil }
			if c.limit >= 0 {
				thread(t, m, 600, 600, 0, 0)
				put(t, m, "proc/600/comm", "fieldbrain-guar\n")
				put(t, m, "proc/600/limits", fmt.Sprintf(allowed, c.limit, c.limit))
			}
			version(t, m, true)
			if text := expect(t, m, "guard", doctor.Warn, c.words); strings.Contains(text, c.not) {
				t.Errorf("%s: not %q", text, c.not)
			}
		})
	}
}

// version gives the machine control groups of version 2.
func version(t *testing.T, m *doctor.Machine, two bool) {
	t.Helper()
	if !two {
		return
	}
	if err := os.MkdirAll(filepath.Join(m.Root, "sys/fs/cgroup"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, m, "sys/fs/cgroup/cgroup.controllers", "cpu\n")
}

// expect looks for words in what a check says.
func expect(t *testing.T, m *doctor.Machine, check, status, words string) (text string) {
	t.Helper()
	for _, r := range doctor.Examine(m) {
		if r.Name != check {
			continue
		}
		text = r.Found + r.Cause + r.Remedy
		if r.Status != status || !strings.Contains(text, words) {
			t.Errorf("%s: %s; want %s with %q", r.Status, text, status, words)
		}
	}
	return text
}
