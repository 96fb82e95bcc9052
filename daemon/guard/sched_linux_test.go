package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefusedClass: the guard blames the unit's limit for what that limit did, and real-time
// group scheduling for the rest, with the remedy of this machine's control groups.
func TestRefusedClass(t *testing.T) {
	groups := "cpu.rt_runtime_us"
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		groups = "rt_group_sched=0"
	}
	for _, c := range []struct{ limit, want, not string }{
		{"50", "set LimitRTPRIO=60", "CONFIG_RT_GROUP_SCHED"},
		{"60", groups, "set LimitRTPRIO"},
	} {
		said := filepath.Join(t.TempDir(), "said")
		file, err := os.Create(said)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t)
		cmd := exec.Command(program(t, "fakesched"), "--socket", filepath.Join(t.TempDir(), "g.sock"), "--simulator", r.line)
		cmd.Env, cmd.Stderr = append(os.Environ(), "FAKE_RTPRIO="+c.limit), file
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var text string
		r.until("the guard says what it lacks", func() bool {
			all, err := os.ReadFile(said)
			text = string(all)
			return err == nil && strings.Contains(text, "real-time class")
		})
		_, _ = cmd.Process.Kill(), cmd.Wait()
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("with a limit of %s: %s; want %q and not %q", c.limit, text, c.want, c.not)
		}
		_ = file.Close()
	}
}
