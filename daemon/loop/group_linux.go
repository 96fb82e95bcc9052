package loop

import (
	"os"
	"path/filepath"
)

// GroupCause is why the kernel refuses the real-time class to a thread whose limit
// (RLIMIT_RTPRIO) allows it.
const GroupCause = "real-time group scheduling (CONFIG_RT_GROUP_SCHED) gives this control group no budget"

// GroupRemedy returns what ends that on a machine whose file tree begins at root, "/" for
// the real one. Version 1 of control groups has a budget for each group, version 2
// (JetPack 6 and 7, Debian, Ubuntu) has none to give: Linux, cgroup-v2.rst, controller cpu.
func GroupRemedy(root string) string {
	const other = "a kernel without CONFIG_RT_GROUP_SCHED"
	if _, err := os.Stat(filepath.Join(root, "sys/fs/cgroup/cgroup.controllers")); err == nil {
		return "boot with rt_group_sched=0 (Linux 6.16 and newer) or " + other +
			", or sysctl kernel.sched_rt_runtime_us=-1, which takes the kernel's limit off every real-time thread; this machine's control groups (version 2) have no budget to write"
	}
	return "write a budget to the group's cpu.rt_runtime_us and to those above it, or boot " + other
}
