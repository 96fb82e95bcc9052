package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// TestViewOnATerminal: the live view follows the size of its terminal, answers
// Ctrl-Z, ends with q and leaves the terminal as it was.
func TestViewOnATerminal(t *testing.T) {
	folder := shellFolder(t)
	const plain = "[loop]\npriority = 0\nlock_memory = false\n"
	if err := os.WriteFile(filepath.Join(folder, "mycar.toml"), []byte(plain), 0o600); err != nil {
		t.Fatal(err)
	}
	// The shell keeps the terminal open, so that it can be looked at afterwards.
	cmd := exec.Command("sh", "-c", "./fieldbrain run --config mycar.toml --socket $PWD/c.sock; echo ended with $?; read x")
	cmd.Dir, cmd.Env = folder, append(shellEnv(folder), "TERM=xterm")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 20, Cols: 60})
	if err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) } // the shell leads its session
	late := time.AfterFunc(2*time.Minute, kill)                      // ends a read that waits for ever
	t.Cleanup(func() {
		late.Stop()
		kill()
		_ = cmd.Wait() // it says that it was killed
		tty.Close()
	})
	before, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	k := &keyboard{t: t, tty: tty}
	k.expect("stands: disarmed")
	k.expect("heading[")
	k.expect("q or Ctrl-C")
	k.types("\x1a") // Ctrl-Z
	k.expect("Ctrl-Z is ignored")
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 10, Cols: 30}); err != nil {
		t.Fatal(err)
	}
	k.expect("q or Ctrl-C stops and ends; e>")
	k.types("q")
	k.expect("ended with ") // 0, or 1 on a machine too busy to stop its simulated HAT in time
	after, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if before.Lflag != after.Lflag || before.Cc != after.Cc {
		t.Errorf("the terminal was %+v, is %+v", *before, *after)
	}
}

// TestDumbTerminal gets lines without a control sequence.
func TestDumbTerminal(t *testing.T) {
	folder := shellFolder(t)
	cmd := exec.Command("./fieldbrain", "run", "--seconds", "0.2", "--socket", filepath.Join(folder, "c.sock"))
	cmd.Dir, cmd.Env = folder, append(shellEnv(folder), "TERM=dumb")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var all strings.Builder
	buf := make([]byte, 4096)
	for err == nil { // until the terminal is hung up
		var n int
		n, err = tty.Read(buf)
		all.Write(buf[:n])
	}
	_ = cmd.Wait() // 0, or 1 on a machine too busy to stop its simulated HAT in time
	if text := all.String(); strings.Contains(text, "\x1b") || !strings.Contains(text, "started, disarmed") {
		t.Errorf("a dumb terminal got %q", text)
	}
}
