package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"fieldbrain/daemon"
)

// Terminal control (ECMA-48 and xterm's alternate screen).
const (
	enterScreen = "\x1b[?1049h\x1b[?25l" // other screen, no cursor
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	home        = "\x1b[H"
	clearLine   = "\x1b[K"
	clearBelow  = "\x1b[J"
)

// showView redraws the live view ten times a second until ctx is done. It reads
// published copies only and never touches the loop.
func showView(ctx context.Context, w io.Writer, s *service, scroll *scrollback) error {
	fmt.Fprint(w, enterScreen)
	defer fmt.Fprint(w, leaveScreen)
	orders := ordersHint(os.Args[0], s.control.Path())
	ticker := time.NewTicker(lookEvery) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	for {
		lines := frame(s.status(), s.car.picture(), scroll.tail(5), orders)
		if _, err := io.WriteString(w, home+strings.Join(lines, clearLine+"\r\n")+clearLine+clearBelow); err != nil {
			return nil // the terminal is gone; the car is not
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// frame lays out one picture: state, motion, latencies, what the bench draws
// (heading bar and map), degraded parts, newest log lines, how to give orders.
func frame(s daemon.Status, picture, log []string, orders string) []string {
	lines := []string{
		"fieldbrain  " + s.Line(),
		s.Motion(),
	}
	if s.GPU != nil {
		lines = append(lines, s.GPU.Line())
	}
	lines = append(lines,
		"",
		fmt.Sprintf("%9s %9s %9s %9s %9s", "stage", "p50", "p99", "p99.9", "max"))
	for _, r := range s.Table.Rows {
		if r.Count == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%9s %9s %9s %9s %9s", r.Name,
			daemon.Short(r.P50), daemon.Short(r.P99), daemon.Short(r.P999), daemon.Short(r.Max)))
	}
	c := s.Table.Counts
	lines = append(lines, fmt.Sprintf("ticks %d  overruns %d  skipped %d", c.Ticks, c.Overruns, c.Skipped), "")
	lines = append(lines, picture...)
	for _, d := range s.Conditions {
		lines = append(lines, fmt.Sprintf("degraded: %s: %s", d.Name, d.Value))
	}
	lines = append(lines, log...)
	return append(lines, orders)
}

// ordersHint says how to stop this very daemon: the program by the name it was
// started with, which need not be on the PATH, and its own socket, beside which
// there may be others.
func ordersHint(program, socket string) string {
	return fmt.Sprintf("Ctrl-C stops; from another terminal: %s estop --socket %s (or disarm, status)", program, socket)
}

// scrollback is the log while the view owns the screen: it keeps every line up
// to a bound, shows the newest and prints them all at the end.
type scrollback struct {
	mu    sync.Mutex
	lines []string
}

const scrollLines = 500

// Write takes one log line, or several.
func (b *scrollback) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for line := range bytes.Lines(p) {
		b.lines = append(b.lines, string(bytes.TrimRight(line, "\r\n")))
	}
	if extra := len(b.lines) - scrollLines; extra > 0 {
		b.lines = append(b.lines[:0], b.lines[extra:]...)
	}
	return len(p), nil
}

// tail returns the newest n lines.
func (b *scrollback) tail(n int) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines[max(0, len(b.lines)-n):]...)
}

func (b *scrollback) print(w io.Writer) {
	for _, line := range b.tail(scrollLines) {
		fmt.Fprintln(w, line)
	}
}
