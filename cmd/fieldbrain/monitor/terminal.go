package monitor

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Dumb reports whether the terminal understands no control sequences.
func Dumb(getenv func(string) string) bool { return getenv("TERM") == "dumb" || getenv("TERM") == "" }

// Colourful reports whether a file is a terminal that wants colour
// (https://no-color.org).
func Colourful(f *os.File, getenv func(string) string) bool {
	return term.IsTerminal(int(f.Fd())) && !Dumb(getenv) && getenv("NO_COLOR") == ""
}

// Terminal returns the terminal that this process was started on, as a screen.
func Terminal() (tcell.Screen, error) {
	if !term.IsTerminal(int(os.Stdout.Fd())) {
		return nil, errors.New("monitor: standard output is no terminal")
	}
	dev, err := tcell.NewDevTty()
	if err != nil {
		return nil, fmt.Errorf("monitor: terminal: %w", err)
	}
	screen, err := tcell.NewTerminfoScreenFromTty(&tty{dev})
	if err != nil {
		return nil, fmt.Errorf("monitor: terminal: %w", err)
	}
	return screen, nil
}

// A tty is tcell's, but that Ctrl-C, Ctrl-\ and Ctrl-Z stay the kernel's: they work
// even when the monitor hangs.
type tty struct{ tcell.Tty }

// Start takes the terminal.
func (t *tty) Start() error {
	if err := t.Tty.Start(); err != nil {
		return err
	}
	fd := int(os.Stdout.Fd())
	modes, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return errors.Join(err, t.Tty.Stop())
	}
	modes.Lflag |= unix.ISIG
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, modes); err != nil {
		return errors.Join(err, t.Tty.Stop())
	}
	return nil
}

// stops are the terminal's wishes that the program stand still (Ctrl-Z).
type stops struct{ pressed chan os.Signal }

// newStops takes Ctrl-Z, unless the program ignores it.
func newStops() stops {
	s := stops{make(chan os.Signal, 1)}
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.pressed, syscall.SIGTSTP)
	}
	return s
}

// end gives Ctrl-Z back.
func (s stops) end() { signal.Stop(s.pressed) }

// suspend gives the terminal back, stands still until somebody lets the program go on,
// and takes it again.
func suspend(screen tcell.Screen) error {
	if err := screen.Suspend(); err != nil {
		return fmt.Errorf("monitor: terminal: %w", err)
	}
	if err := unix.Kill(unix.Getpid(), unix.SIGSTOP); err != nil {
		return fmt.Errorf("monitor: stand still: %w", err)
	}
	if err := screen.Resume(); err != nil {
		return fmt.Errorf("monitor: terminal: %w", err)
	}
	return nil
}
