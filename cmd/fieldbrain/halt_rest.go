package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fieldbrain/files"
)

// endRest ends what a daemon of the service left in its control group: the kernel
// kills the graphics card's program with the daemon, and nobody what that one has
// started. The unit spares the group (KillMode=process), so that a process which its
// driver holds keeps nobody waiting; a signal waits for nobody either. It does nothing
// unless the service manager runs this program after a service's end, systemd.exec(5).
func endRest(getenv func(string) string) {
	if getenv("SERVICE_RESULT") == "" || getenv("INVOCATION_ID") == "" {
		return
	}
	read := files.Reader{Max: 1 << 20, Patience: time.Second}.Read
	groups, err := read("/proc/self/cgroup")
	if err != nil {
		return
	}
	for _, group := range unitGroups(string(groups)) {
		members, err := read(filepath.Join(group, "cgroup.procs"))
		if err != nil {
			continue
		}
		for _, pid := range others(members, os.Getpid()) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // one that is gone, or a stranger's: neither is ours
		}
		return
	}
}

// unitGroups lists the folders that may be this process's control group, from the text
// of /proc/self/cgroup: none where the group is no service's.
func unitGroups(groups string) (folders []string) {
	for line := range strings.Lines(groups) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 || f[1] != "" && f[1] != "name=systemd" {
			continue
		}
		if own := path.Clean(f[2]); strings.HasSuffix(own, ".service") {
			for _, root := range []string{"", "unified", "systemd"} {
				folders = append(folders, filepath.Join("/sys/fs/cgroup", root, own))
			}
		}
	}
	return folders
}

// others reads the numbers of a control group's processes, without this one's and
// without 0, which stands for those of another namespace.
func others(members []byte, self int) (list []int) {
	for word := range bytes.FieldsSeq(members) {
		if pid, err := strconv.Atoi(string(word)); err == nil && pid > 1 && pid != self {
			list = append(list, pid)
		}
	}
	return list
}
