package view

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/testbench"
)

// lookEvery is how often the view looks at published copies.
const lookEvery = 100 * time.Millisecond

// A View is the terminal's picture of a running car.
type View struct {
	Status func() daemon.Status // of the daemon
	Brain  func() brain.Status  // of its brain
	Rig    *testbench.Rig       // whose world is drawn; nil for the real car
	Log    *Scrollback          // newest lines go below the picture
	Orders string               // last line: how to give orders
}

// Show redraws the view ten times a second, and whenever the terminal's size
// changes, until ctx is done. The key q calls quit. Show reads published copies
// only and never touches the loop.
func (v View) Show(ctx context.Context, t Terminal, quit func()) error {
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, syscall.SIGWINCH)
	defer signal.Stop(resized)
	fmt.Fprint(t.Out, enterScreen)
	defer fmt.Fprint(t.Out, leaveScreen)
	if undo, err := t.unbuffered(); err == nil {
		defer undo()
		within, end := context.WithCancel(ctx)
		var reader sync.WaitGroup
		reader.Go(func() { t.keys(within, func(key byte) { press(key, quit) }) })
		defer reader.Wait()
		defer end()
	}
	var world *topDown
	if v.Rig != nil {
		world = newMap(v.Rig)
	}
	ticker := time.NewTicker(lookEvery) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	for {
		width, height := t.size()
		lines := v.frame(world, width, height, t.Colour)
		if _, err := io.WriteString(t.Out, home+clearLine+strings.Join(lines, "\r\n"+clearLine)+clearBelow); err != nil {
			return nil // the terminal is gone; the car is not
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-resized:
		}
	}
}

// press obeys a key.
func press(key byte, quit func()) {
	if key == 'q' || key == 'Q' {
		quit()
	}
}

// OrdersHint says how to stop this very daemon: it names the program as the user
// started it, since that need not be on the PATH, and its socket, unless the
// program finds that by itself.
func OrdersHint(program, socket string) string {
	hint := "q or Ctrl-C stops and ends; elsewhere: " + program + " estop"
	if socket != "" {
		hint += " --socket " + socket
	}
	return hint
}
