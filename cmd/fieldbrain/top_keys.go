package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/cmd/fieldbrain/monitor"
	"fieldbrain/daemon"
	"fieldbrain/daemon/guard"
	"fieldbrain/files"
)

// watch shows a page with the monitor until somebody ends it.
func (c topCmd) watch(e *env, page string, screen tcell.Screen) error {
	ctx, restore := untilTerminalGoes()
	defer restore()
	o := monitor.Options{Page: page, Order: c.orders(e, page), Take: c.wheel(page)}
	return monitor.New(o).Show(ctx, screen)
}

// filmEvery is the time between two looks of a moving picture.
const filmEvery = 500 * time.Millisecond

// draw draws one look at a page, or several as a moving picture.
func (c topCmd) draw(e *env, page string) error {
	looks := max(1, c.Film*int(time.Second/filmEvery))
	picture, err := monitor.New(monitor.Options{Page: page, Order: c.orders(e, page)}).Film(80, 24, looks, filmEvery)
	if err == nil {
		err = files.Write(c.Picture, picture)
	}
	if err != nil {
		return fmt.Errorf("top: %w", err)
	}
	return nil
}

// untilTerminalGoes returns a context that ends when somebody wants the program to end,
// or closes its terminal.
func untilTerminalGoes() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
}

// socketOf returns the control socket of the run of a page; empty where there is none.
func (c topCmd) socketOf(page string) string {
	if c.Socket != "" {
		return c.Socket
	}
	stem, living := strings.CutSuffix(page, pageSuffix)
	if !living {
		return ""
	}
	return stem + ".sock"
}

// wheel returns what takes the wheel of the run of a page (docs/manual.md).
func (c topCmd) wheel(page string) func(context.Context) (*daemon.Driver, string, error) {
	socket := c.socketOf(page)
	if socket == "" {
		return nil
	}
	return func(ctx context.Context) (*daemon.Driver, string, error) {
		return daemon.TakeManualLease(ctx, socket, "terminal")
	}
}

// orders returns what gives an order to the run of a page; nil where it can have none.
func (c topCmd) orders(e *env, page string) func(context.Context, string) error {
	s := socketFlag{c.socketOf(page)}
	if s.Socket == "" {
		return nil
	}
	known := []string{s.Socket}
	if c.Page == "" { // nobody chose a run
		known = c.all(e, s.Socket)
	}
	return func(ctx context.Context, word string) error {
		switch word {
		case "estop":
			return estopCmd{socketFlag: s, guardFlag: guardFlag{Guard: guard.DefaultSocket}}.stop(ctx, io.Discard, known)
		case "hold":
			return refused(daemon.Call(ctx, s.Socket, daemon.Request{Command: "go", Order: word}))
		case "good", "bad":
			value, err := parseOutcome(word)
			if err != nil {
				return err
			}
			return refused(daemon.Call(ctx, s.Socket, daemon.Request{Command: "outcome", Value: value}))
		}
		return refused(daemon.Call(ctx, s.Socket, daemon.Request{Command: word}))
	}
}

// logDescriptor is where the run that started the view writes its log.
const logDescriptor = 3

// beside shows the run that started this process on the terminal of both, and ends
// with it.
func (c topCmd) beside(e *env) error {
	signal.Ignore(syscall.SIGTSTP) // the run answers it
	screen, err := monitor.Terminal()
	if err != nil {
		return err
	}
	ctx, restore := untilTerminalGoes()
	defer restore()
	parent := os.Getppid()
	log := &monitor.Scrollback{}
	go copyLines(log, os.NewFile(logDescriptor, "log"))
	return monitor.New(monitor.Options{
		Page: c.Page, Order: c.orders(e, c.Page), Take: c.wheel(c.Page), Log: log, Quits: "end run",
		Alive: func() bool { return os.Getppid() == parent },
	}).Show(ctx, screen)
}

// copyLines copies whole lines until the end.
func copyLines(to io.Writer, from io.Reader) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		fmt.Fprintln(to, lines.Text())
	}
}
