package view

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Terminal control (ECMA-48 and xterm's alternate screen).
const (
	enterScreen = "\x1b[?1049h\x1b[?25l" // other screen, no cursor
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	home        = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
)

// The size of a terminal that does not say its own: a VT100's.
const (
	usualWidth  = 80
	usualHeight = 24
)

// A Terminal is where the view is drawn and where keys come from.
type Terminal struct {
	In     *os.File  // keys, where it is a terminal
	Out    io.Writer // the screen
	Size   func() (width, height int, err error)
	Colour bool
}

// NewTerminal returns the terminal of two files. It is colourful unless the
// environment says otherwise.
func NewTerminal(in, out *os.File, getenv func(string) string) Terminal {
	return Terminal{
		In: in, Out: out,
		Size:   func() (int, int, error) { return term.GetSize(int(out.Fd())) },
		Colour: Colourful(out, getenv),
	}
}

// Dumb reports whether the terminal understands no control sequences.
func Dumb(getenv func(string) string) bool { return getenv("TERM") == "dumb" }

// Colourful reports whether a file is a terminal that wants colour
// (https://no-color.org).
func Colourful(f *os.File, getenv func(string) string) bool {
	return term.IsTerminal(int(f.Fd())) && !Dumb(getenv) && getenv("NO_COLOR") == ""
}

// size returns how many columns and rows there are.
func (t Terminal) size() (width, height int) {
	width, height, err := t.Size()
	if err != nil || width < 1 || height < 1 {
		return usualWidth, usualHeight
	}
	return width, height
}

// unbuffered lets keys come one by one and unseen; signals such as Ctrl-C's stay
// the kernel's, so that they work even when the view hangs. It returns a function
// that undoes it, or an error where there are no keys.
func (t Terminal) unbuffered() (undo func(), err error) {
	if t.In == nil || !term.IsTerminal(int(t.In.Fd())) {
		return nil, errors.New("not a terminal")
	}
	fd := int(t.In.Fd())
	before, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return nil, err
	}
	keys := *before
	keys.Lflag &^= unix.ICANON | unix.ECHO
	keys.Cc[unix.VMIN], keys.Cc[unix.VTIME] = 0, 1 // a read ends after 0.1 s without a key
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, &keys); err != nil {
		return nil, err
	}
	return func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, before) }, nil // the terminal may have gone
}

// keys calls pressed for each key until ctx is done or the terminal has gone.
func (t Terminal) keys(ctx context.Context, pressed func(key byte)) {
	var buf [16]byte
	for ctx.Err() == nil {
		n, err := unix.Read(int(t.In.Fd()), buf[:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return // no longer in the foreground, or hung up
		}
		for _, key := range buf[:n] {
			pressed(key)
		}
	}
}
