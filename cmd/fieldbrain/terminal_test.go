package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"fieldbrain/testbench/tier"
)

// A watched terminal is one on which a shell runs a command and stays, so that the
// terminal can be looked at afterwards. It changes its height all the time: a changed
// window is drawn whole, and what is on the screen comes whole.
type watched struct {
	keyboard
	before *unix.Termios
}

// watch runs a command of the shell on a terminal.
func watch(t *testing.T, folder, command string, env ...string) *watched {
	t.Helper()
	tier.Alone(t, "run and top are processes of their own, raced in their packages' tests")
	cmd := exec.Command("sh", "-c", "trap : INT; "+command+"; echo ended with $?; read x")
	cmd.Dir, cmd.Env = folder, append(shellEnv(folder), env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) } // the shell leads its session
	late := time.AfterFunc(4*time.Minute, kill)                      // ends a read that waits for ever
	ctx, cancel := context.WithCancel(context.Background())
	var shaker sync.WaitGroup
	shaker.Go(func() {
		for rows := uint16(24); ctx.Err() == nil; rows ^= 1 {
			_ = pty.Setsize(tty, &pty.Winsize{Rows: rows, Cols: 80})
			time.Sleep(time.Second) // longer than a busy machine takes to look, or the two changes are none
		}
	})
	t.Cleanup(func() {
		late.Stop()
		cancel()
		shaker.Wait()
		kill()
		_ = cmd.Wait() // it says that it was killed
		tty.Close()
	})
	before, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return &watched{keyboard{t: t, tty: tty}, before}
}

// until presses keys again and again until a text is on the screen: a busy machine
// refuses an order now and then.
func (w *watched) until(keys, text string) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var finger sync.WaitGroup
	finger.Go(func() {
		for ctx.Err() == nil {
			_, _ = w.tty.WriteString(keys)
			rest(ctx, 2*time.Second)
		}
	})
	w.expect(text)
	cancel()
	finger.Wait()
}

// unchanged wants the terminal as it was.
func (w *watched) unchanged() {
	w.t.Helper()
	after, err := unix.IoctlGetTermios(int(w.tty.Fd()), unix.TCGETS)
	if err != nil {
		w.t.Fatal(err)
	}
	if w.before.Lflag != after.Lflag || w.before.Iflag != after.Iflag || w.before.Oflag != after.Oflag || w.before.Cc != after.Cc {
		w.t.Errorf("the terminal was %+v, is %+v", *w.before, *after)
	}
}

// TestViewOnATerminal: the view of a run shows it, its keys do what they say to the
// daemon, and q ends the run and leaves the terminal as it was.
func TestViewOnATerminal(t *testing.T) {
	folder := shellFolder(t)
	const plain = "[loop]\npriority = 0\nlock_memory = false\n"
	if err := os.WriteFile(filepath.Join(folder, "mycar.toml"), []byte(plain), 0o600); err != nil {
		t.Fatal(err)
	}
	w := watch(t, folder, "./fieldbrain run --config mycar.toml --socket $PWD/c.sock", "TERM=xterm")
	w.expect("stands: disarmed")
	w.until("a", "ARMED  ")
	w.until(" ", "hold: done")
	w.until("d", "disarmed  STOPPED")
	w.until("e", "disarmed  LATCHED")
	w.until("r", "disarmed  STOPPED")
	w.types("\x1b[5~") // page up
	w.expect(" BACK  ")
	w.types("\x1b[F") // end
	w.types("p")
	w.expect("PAUSED  ")
	w.types("p?")
	w.expect("emergency stop")
	w.types("?\x1b[Z") // the log, large
	w.expect(" INF ")  // a Ctrl-Z throws away keys that nobody has read
	w.until("\x1a", "Ctrl-Z is ignored")
	w.types("q")
	w.expect("ended with ") // 0, or 1 on a machine too busy to stop its simulated HAT in time
	w.unchanged()
}

// TestTopOnATerminal: top shows a run that has ended, without colour where nobody wants
// it, and gives the terminal back at Ctrl-C.
func TestTopOnATerminal(t *testing.T) {
	const command = "./fieldbrain sim --seconds 1 --page s.page >s.log; ./fieldbrain top --page s.page"
	w := watch(t, shellFolder(t), command, "TERM=xterm", "NO_COLOR=1")
	w.expect("ENDED in order")
	w.expect("HEADING")
	if regexp.MustCompile("\x1b\\[(3|4|38;|48;)[0-9]").MatchString(w.all) {
		t.Errorf("colour in %q", w.all)
	}
	w.types("\x03")
	w.expect("ended with 0")
	w.unchanged()
}

// TestTopOnADumbTerminal gets a line, as where there is no terminal.
func TestTopOnADumbTerminal(t *testing.T) {
	const command = "./fieldbrain sim --seconds 1 --page s.page >s.log; ./fieldbrain top --page s.page"
	w := watch(t, shellFolder(t), command, "TERM=dumb")
	w.expect("ENDED in order at ")
	w.expect("ended with 1")
	if strings.Contains(w.all, "\x1b") {
		t.Errorf("a dumb terminal got %q", w.all)
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
