package monitor

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
)

// A Scrollback is the log while a view owns the screen: it keeps every line up to a
// bound, and prints them all at the end.
type Scrollback struct {
	mu      sync.Mutex
	lines   []string
	written uint64    // lines so far
	through io.Writer // who gets every line at once; nil while a view owns the screen
}

const scrollLines = 500

// Write takes one log line, or several.
func (b *Scrollback) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.through != nil {
		return b.through.Write(p)
	}
	for line := range bytes.Lines(p) {
		b.lines = append(b.lines, string(bytes.TrimRight(line, "\r\n")))
		b.written++
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

// Since returns the lines behind the first so many, as far as they are kept, and how
// many there are by now.
func (b *Scrollback) Since(told uint64) (text string, now uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	newer := min(b.written-min(told, b.written), uint64(len(b.lines)))
	var all strings.Builder
	for _, line := range b.lines[len(b.lines)-int(newer):] {
		all.WriteString(line + "\n")
	}
	return all.String(), b.written
}

// Print writes every line that it keeps, and forgets them.
func (b *Scrollback) Print(w io.Writer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.print(w)
}

// Through prints what it keeps, and from then on hands every line to w.
func (b *Scrollback) Through(w io.Writer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.print(w)
	b.through = w
}

// print writes every line that it keeps, and forgets them.
func (b *Scrollback) print(w io.Writer) {
	for _, line := range b.lines {
		fmt.Fprintln(w, line)
	}
	b.lines = nil
}
