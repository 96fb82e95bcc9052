package loop

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A groupNeed is a limit of a control group below which the daemon does not run.
type groupNeed struct {
	controller string
	files      [2]string // that hold the limit in version 1 and in version 2
	least      uint64
	why        string
	remedy     string
}

// groupNeeds returns them. A daemon has 50 MB of memory when it drives, takes 256 MB more of
// heap before it collects while the car is armed, and has what it learns and its files' pages.
func groupNeeds() []groupNeed {
	return []groupNeed{
		{
			"pids",
			[2]string{"pids.max", "pids.max"},
			64,
			"a thread more than that ends the daemon",
			"TasksMax=infinity in the unit, or a container's --pids-limit=-1",
		},
		{
			"memory",
			[2]string{"memory.limit_in_bytes", "memory.max"},
			512 << 20,
			"the kernel kills the daemon that takes more, while the car drives: its collector waits for 256 MB of heap",
			"MemoryMax=infinity in the unit, or a container's --memory=512m",
		},
	}
}

// groupLimits returns an error for each limit of this process's control groups, and of those
// above them, that is below what the daemon needs, joined. Root is where the machine's file
// tree begins, "/" for the real one. A limit that nobody can read is none.
func groupLimits(root string) error {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	var all error
	for _, n := range groupNeeds() {
		for line := range strings.Lines(string(text)) {
			part := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path: cgroups(7)
			if len(part) < 3 {
				continue
			}
			top, file := "", ""
			switch {
			case part[0] == "0" && part[1] == "":
				top, file = filepath.Join(root, "sys/fs/cgroup"), n.files[1]
			case slices.Contains(strings.Split(part[1], ","), n.controller):
				top, file = filepath.Join(root, "sys/fs/cgroup", part[1]), n.files[0]
			default:
				continue
			}
			if is, where := tightest(top, part[2], file); is < n.least {
				all = errors.Join(all, fmt.Errorf("%s is %d, the daemon needs %d: %s: %s", where, is, n.least, n.why, n.remedy))
			}
		}
	}
	return all
}

// tightest returns the least that a file says in a group's folder and in those above it.
func tightest(top, group, file string) (least uint64, where string) {
	least = ^uint64(0)
	for at := filepath.Join("/", group); ; at = filepath.Dir(at) {
		path := filepath.Join(top, at, file)
		if text, err := os.ReadFile(path); err == nil {
			if is, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil && is < least { // "max" is no number
				least, where = is, path
			}
		}
		if at == "/" {
			return least, where
		}
	}
}
