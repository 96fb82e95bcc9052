package loop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGroupLimits: a control group, or one above it, that gives too few threads or too little
// memory is named by its file, in both versions of control groups.
func TestGroupLimits(t *testing.T) {
	const old, merged = "8:pids:/car/brain\n4:memory:/car\n1:cpu,cpuacct:/\n0::/\n", "0::/car.slice/brain.service\n"
	for _, c := range []struct {
		name, groups, file, is string
		words                  []string
	}{
		{"version 2, no limit", merged, "car.slice/brain.service/memory.max", "max", nil},
		{"version 2, enough", merged, "car.slice/brain.service/memory.max", "536870912", nil},
		{"version 2, memory", merged, "car.slice/brain.service/memory.max", "94371840", []string{"memory.max is 94371840", "MemoryMax="}},
		{"version 2, above", merged, "car.slice/pids.max", "20", []string{"car.slice/pids.max is 20", "TasksMax="}},
		{"version 2, a container's own top", merged, "pids.max", "20", []string{"pids.max is 20"}},
		{"version 2, another group", merged, "other.slice/pids.max", "20", nil},
		{"version 1, threads", old, "pids/car/brain/pids.max", "15", []string{"pids.max is 15", "needs 64"}},
		{"version 1, memory", old, "memory/car/memory.limit_in_bytes", "94371840", []string{"memory.limit_in_bytes is 94371840"}},
		{"version 1, no limit", old, "memory/car/memory.limit_in_bytes", "9223372036854771712", nil},
		{"nonsense", "nonsense\n", "pids.max", "15", nil},
	} {
		root := t.TempDir()
		for path, text := range map[string]string{"proc/self/cgroup": c.groups, filepath.Join("sys/fs/cgroup", c.file): c.is + "\n"} {
			path = filepath.Join(root, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := groupLimits(root)
		if (err != nil) != (c.words != nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, word := range c.words {
			if err != nil && !strings.Contains(err.Error(), word) {
				t.Errorf("%s: nothing of %q in: %v", c.name, word, err)
			}
		}
	}
	if err := groupLimits(t.TempDir()); err != nil {
		t.Errorf("without control groups: %v", err)
	}
}
