package guard_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon"
	"fieldbrain/daemon/guard"
	"fieldbrain/robot"
)

// rival starts a second guard at the rig's socket and returns its last words; it has to
// end by itself.
func (r *rig) rival() string {
	r.t.Helper()
	out, err := exec.Command(r.program, "--socket", r.socket, "--simulator", r.line).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		r.t.Errorf("a second guard ends with %v: %s", err, out)
	}
	return string(out)
}

// untouched reports, of a car that drives, whether the guard has stopped it or the line
// moved since; a beat that came late is none of what the test asks for.
func (r *rig) untouched(w *guard.Ward, what string) {
	r.t.Helper()
	for len(r.levels) > 0 {
		if level := <-r.levels; level == '0' && w.State().Cause != guard.Silent {
			r.t.Errorf("%s: the line was pulled", what)
		}
	}
	if text := r.status(); !strings.Contains(text, "stops=0") {
		r.t.Errorf("%s: %s", what, text)
	}
}

// A second guard on the same socket refuses to run and leaves the driving car alone:
// whoever opens the line resets the HAT, and whoever connects to the stop socket stops
// the car. So it does where somebody has removed the lock file.
func TestSecondGuard(t *testing.T) {
	r := newRig(t)
	w, _, _ := r.driving(robot.NewMonotonic())
	for _, removed := range []string{"", ".lock"} {
		if removed != "" {
			if err := os.Remove(r.socket + removed); err != nil {
				t.Fatal(err)
			}
		}
		if words := r.rival(); !strings.Contains(words, "another guard runs there, process") {
			t.Errorf("it says %q", words)
		}
		r.untouched(w, "a second guard, removed "+removed)
	}
}

// The socket files of a guard that was killed are replaced; what is no socket is not.
func TestStaleFiles(t *testing.T) {
	r := newRig(t)
	r.cmd.Process.Kill()
	r.cmd.Wait()
	for _, ending := range []string{"", ".stop", ".lock"} {
		if _, err := os.Lstat(r.socket + ending); err != nil {
			t.Errorf("a killed guard left no file: %v", err)
		}
	}
	r.start()
	r.cmd.Process.Kill()
	r.cmd.Wait()
	if err := errors.Join(os.Remove(r.socket), os.WriteFile(r.socket, []byte("somebody's"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if words := r.rival(); !strings.Contains(words, "File exists") {
		t.Errorf("it says %q", words)
	}
	if text, err := os.ReadFile(r.socket); err != nil || string(text) != "somebody's" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// Files that somebody removes, or replaces by others, come back while the guard attends
// its daemon; a stop through them arrives.
func TestFilesComeBack(t *testing.T) {
	r := newRig(t)
	w, _, trips := r.driving(robot.NewMonotonic())
	for _, gone := range [][]string{{"", ".stop", ".lock"}, {""}, {".stop"}, {".lock"}} {
		before := map[string]os.FileInfo{}
		for _, ending := range gone {
			info, err := os.Lstat(r.socket + ending)
			if err == nil {
				err = os.Remove(r.socket + ending)
			}
			if err != nil {
				t.Fatal(err)
			}
			before[ending] = info
		}
		r.until("the files are back", func() bool {
			for _, ending := range gone {
				if info, err := os.Lstat(r.socket + ending); err != nil || info.Mode() != before[ending].Mode() {
					return false
				}
			}
			_, err := guard.Ask(r.socket, "status")
			return err == nil
		})
		r.untouched(w, "removed "+strings.Join(gone, " "))
	}
	other, err := net.Listen("unix", filepath.Join(filepath.Dir(r.socket), "other"))
	if err == nil {
		defer other.Close()
		err = os.Rename(other.Addr().String(), daemon.StopSocket(r.socket))
	}
	if err != nil {
		t.Fatal(err)
	}
	seen := len(trips)
	r.until("a stop arrives", func() bool {
		_, _ = daemon.StopAt(context.Background(), daemon.StopSocket(r.socket))
		return len(trips) > seen && w.State().Cause == guard.Stop
	})
	if w.State().Hidden {
		t.Error("the guard says that its files are gone")
	}
}

// Where the files cannot be made anew the daemon learns it, and again when they could.
func TestHidden(t *testing.T) {
	r := newRig(t)
	w, _, _ := r.driving(robot.NewMonotonic())
	folder := filepath.Dir(r.socket)
	if err := os.Rename(folder, folder+"x"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder + "x") })
	r.until("the guard says so", func() bool { s := w.State(); return s.Hidden && !s.Lost })
	if err := os.Rename(folder+"x", folder); err != nil {
		t.Fatal(err)
	}
	r.until("it is reached again", func() bool { return !w.State().Hidden })
	r.untouched(w, "the folder moved away")
}
