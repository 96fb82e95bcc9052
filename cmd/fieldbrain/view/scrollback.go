package view

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// A Scrollback is the log while the view owns the screen: it keeps every line up
// to a bound, shows the newest and prints them all at the end.
type Scrollback struct {
	mu    sync.Mutex
	lines []string
}

const scrollLines = 500

// Write takes one log line, or several.
func (b *Scrollback) Write(p []byte) (int, error) {
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
func (b *Scrollback) tail(n int) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines[max(0, len(b.lines)-n):]...)
}

// Print writes every line that it keeps.
func (b *Scrollback) Print(w io.Writer) {
	for _, line := range b.tail(scrollLines) {
		fmt.Fprintln(w, line)
	}
}
