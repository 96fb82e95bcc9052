package guard_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon"
	"fieldbrain/daemon/guard"
	"fieldbrain/robot"
)

// run starts a guard on faked GPIO chips.
func run(t *testing.T, program, folder string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, append(args, "--socket", filepath.Join(folder, "g.sock"))...)
	cmd.Env = append(os.Environ(), "FAKE_GPIO="+folder)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// soon waits for something that must happen.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so: %s", what)
		}
	}
}

// The guard finds the board's own line by label and name, takes it as an output that
// is low from the first, and a guard that finds it taken gets it from the daemon.
func TestGPIO(t *testing.T) {
	program := program(t, "fakegpio")
	folder, err := os.MkdirTemp("", "guard")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	level := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(folder, name))
		return string(text)
	}
	socket := filepath.Join(folder, "g.sock")
	status := func(words string) func() bool {
		return func() bool {
			text, err := guard.Ask(socket, "status")
			return err == nil && strings.Contains(text, words)
		}
	}
	write("compatible", "nvidia,p3768-0000+p3767-0005-super\x00nvidia,tegra234\x00")
	write("PQ.05", "1") // a daemon that crashed has left it high
	first := run(t, program, folder, "--dead-man")
	soon(t, "it holds the line", status("header=orin-nano line=1"))
	if level("PQ.05") != "0" {
		t.Error("the line is not low from the first")
	}
	clock := robot.NewMonotonic()
	w := guard.New(socket, "orin-nano", clock)
	if err := w.Renew(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	beats(t, w, clock)
	if err := w.Set(true); !errors.Is(err, unix.ENOTTY) { // the daemon's call is real, and its copy of the line a file
		t.Errorf("the daemon has no line: %v", err)
	}
	soon(t, "the dead-man's pin toggles", func() bool { return level("PI.01") == "1" })
	soon(t, "and toggles", func() bool { return level("PI.01") == "0" })

	write("busy", "")
	first.Process.Kill()
	first.Wait()
	run(t, program, folder)
	soon(t, "the daemon knows", w.Lost)
	soon(t, "the next guard has no line", status("line=0"))
	soon(t, "the daemon brings it", func() bool { return w.Renew() == nil && !w.Lost() })
	soon(t, "now it has", status("line=1"))
	if level("PQ.05") != "0" {
		t.Error("a guard that takes a daemon into care leaves the line high")
	}
	soon(t, "and may rise", func() bool { return errors.Is(w.Set(true), unix.ENOTTY) })
	if _, err := guard.Ask(socket+".no", "status"); !errors.Is(err, guard.ErrNone) {
		t.Errorf("nobody: %v", err)
	}
}

// A guard that finds the line taken takes it, low, when the holder ends, whoever that was:
// by itself, and at once where somebody wants a stop, a halt or to drive.
func TestBusyLine(t *testing.T) {
	program := program(t, "fakegpio")
	for name, want := range map[string]func(socket string) error{
		"nobody asks": func(string) error { return nil },
		"halt":        func(socket string) error { _, err := guard.Ask(socket, "halt"); return err },
		"a daemon": func(socket string) error {
			w := guard.New(socket, "orin-nano", robot.NewMonotonic())
			return errors.Join(w.Renew(), w.Close())
		},
		"a stop": func(socket string) error {
			answer, err := daemon.StopAt(t.Context(), daemon.StopSocket(socket))
			if err == nil && !answer.OK {
				err = errors.New(answer.Error)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder, err := os.MkdirTemp("", "guard")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(folder) })
			socket, reset, busy := filepath.Join(folder, "g.sock"), filepath.Join(folder, "PQ.05"), filepath.Join(folder, "busy")
			for file, text := range map[string]string{filepath.Join(folder, "compatible"): "nvidia,p3768-0000+p3767-0005\x00", reset: "1", busy: ""} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run(t, program, folder)
			held := func(words string) func() bool {
				return func() bool {
					text, err := guard.Ask(socket, "status")
					return err == nil && strings.Contains(text, words)
				}
			}
			soon(t, "it runs without the line", held("line=0"))
			if _, err := guard.Ask(socket, "halt"); !errors.Is(err, guard.ErrNoLine) {
				t.Errorf("halt while the line is busy: %v", err)
			}
			if text, _ := os.ReadFile(reset); string(text) != "1" {
				t.Error("a line that is busy was driven")
			}
			if err := os.Remove(busy); err != nil {
				t.Fatal(err)
			}
			if err := want(socket); err != nil {
				t.Error(err)
			}
			soon(t, "it holds the line", held("line=1"))
			if text, _ := os.ReadFile(reset); string(text) != "0" {
				t.Error("the line is not low")
			}
		})
	}
}

// A line that does not obey lets nobody drive, and what is no line is not taken for one.
func TestDeafLine(t *testing.T) {
	program := program(t, "fakegpio")
	folder, err := os.MkdirTemp("", "guard")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	socket := filepath.Join(folder, "g.sock")
	put("compatible", "nvidia,p3768-0000+p3767-0005\x00")
	run(t, program, folder)
	soon(t, "it answers", func() bool { _, err := guard.Ask(socket, "status"); return err == nil })
	put("deaf", "")
	w := guard.New(socket, "orin-nano", robot.NewMonotonic())
	if err := w.Renew(); err == nil || !strings.Contains(err.Error(), "does not obey") {
		t.Errorf("a daemon is attended without a line: %v", err)
	}
	if _, err := guard.Ask(socket, "halt"); err == nil || !strings.Contains(err.Error(), "did not obey") {
		t.Errorf("halt: %v", err)
	}
}

// A guard that cannot have the line ends with a remedy.
func TestNoBoard(t *testing.T) {
	program := program(t, "fakegpio")
	for _, c := range []struct{ why, compatible, header, want string }{
		{"a PC", "", "auto", "name its --header"},
		{"a Jetson that is told to be a Pi", "nvidia,p3768-0000+p3767-0005\x00", "pi", "name its --header"},
		{"a line of another name", "brcm,bcm2712\x00", "pi-5", "group gpio"},
		{"no such header", "", "atari", "name its --header"},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "compatible"), []byte(c.compatible), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "--header", c.header, "--socket", filepath.Join(folder, "g"))
		cmd.Env = append(os.Environ(), "FAKE_GPIO="+folder)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, %s", c.why, err, out)
		}
	}
}

// The loop's thread can be dead while its process goes on, and while beats come: a
// transfer that hangs, a core that is being written.
func TestThreadDies(t *testing.T) {
	r, clock := newRig(t), robot.NewMonotonic()
	w := r.ward(clock)
	done := make(chan struct{})
	var tick func()
	tick = func() {
		runtime.LockOSThread()            // never unlocked: the thread ends with the goroutine
		if unix.Gettid() == os.Getpid() { // but for the process's first one
			go tick()
			<-done
			return
		}
		w.Noted(w.Beat(clock.Now()))
		if err := w.Set(true); err != nil {
			t.Error(err)
		}
		close(done)
	}
	go tick()
	<-done
	beats(t, w, clock)
	r.level('1')
	r.level('0')
	r.until("it knows why", func() bool { return strings.Contains(r.status(), "cause=dead") })
}

// The service manager learns that the guard is ready, and that it lives.
func TestManager(t *testing.T) {
	r := newRig(t)
	folder := filepath.Dir(r.socket)
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(folder, "m.sock"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { manager.Close() })
	cmd := exec.Command(r.program, "--socket", filepath.Join(folder, "g2.sock"), "--simulator", r.line)
	cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+filepath.Join(folder, "m.sock"), "WATCHDOG_USEC=400000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	_ = manager.SetReadDeadline(time.Now().Add(20 * time.Second))
	for _, want := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		text := make([]byte, 64)
		n, err := manager.Read(text)
		if err != nil || string(text[:n]) != want {
			t.Fatalf("the manager hears %q, want %q (%v)", text[:n], want, err)
		}
	}
}
