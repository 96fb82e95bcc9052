package loop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon/loop"
)

// TestGroupRemedy: a file that the machine does not have is no remedy.
func TestGroupRemedy(t *testing.T) {
	const budget = "cpu.rt_runtime_us"
	root := t.TempDir()
	if got := loop.GroupRemedy(root); !strings.Contains(got, budget) {
		t.Errorf("version 1: %q", got)
	}
	groups := filepath.Join(root, "sys/fs/cgroup")
	if err := os.MkdirAll(filepath.Join(groups, "unified"), 0o755); err != nil {
		t.Fatal(err)
	}
	controllers := func(in string) {
		if err := os.WriteFile(filepath.Join(in, "cgroup.controllers"), []byte("cpu\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	controllers(filepath.Join(groups, "unified"))
	if got := loop.GroupRemedy(root); !strings.Contains(got, budget) {
		t.Errorf("both, with the controllers in version 1: %q", got)
	}
	controllers(groups)
	if got := loop.GroupRemedy(root); strings.Contains(got, budget) || !strings.Contains(got, "rt_group_sched=0") {
		t.Errorf("version 2: %q", got)
	}
}
