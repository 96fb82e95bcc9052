package daemon

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/rs/zerolog/diode"

	"fieldbrain/daemon/loop"
)

// logLines is how many lines wait for a slow writer before the log drops the oldest.
const logLines = 1024

// A Log is the daemon's log. Writers never wait: lines go into a ring that a
// goroutine empties. When the terminal, the journal or the disk is slower than
// the program, the ring drops the oldest lines; the log counts them, and those whose
// write fails. The loop's thread does not log at all.
type Log struct {
	zerolog.Logger
	ring  diode.Writer
	books *logBooks
}

// NewLog returns a log to w at the given level. text makes lines for people,
// with colour if the caller asks for it; otherwise each line is one JSON object.
// Close writes the lines that still wait.
func NewLog(w io.Writer, level string, text, colour bool) (*Log, error) {
	l, err := zerolog.ParseLevel(level)
	if err != nil || level == "" {
		return nil, fmt.Errorf("daemon: log level %q is not known: choose trace, debug, info, warn or error", level)
	}
	books := newLogBooks(w)
	out := io.Writer(books)
	if text {
		out = zerolog.ConsoleWriter{Out: out, NoColor: !colour, TimeFormat: "15:04:05.000", FormatMessage: message}
	}
	ring := diode.NewWriter(keepOpen{out}, logLines, 0, func(missed int) { books.passed.Add(uint64(missed)) })
	logger := zerolog.New(entrance{ring, books}).Level(l).Hook(stamp{})
	return &Log{Logger: logger, ring: ring, books: books}, nil
}

// Dropped returns how many lines the log has lost so far, at least.
func (l *Log) Dropped() uint64 { return l.books.lost() }

// Trouble says why lines do not arrive now; empty where they do.
func (l *Log) Trouble() string { return l.books.trouble() }

// Close writes the waiting lines and stops the log's goroutine. The writer below
// stays open. A writer that takes nothing any more (a terminal that Ctrl-S holds, a
// pipe that nobody empties) loses them: it must not keep the process from ending.
func (l *Log) Close() error {
	closed := make(chan error, 1)
	go func() { closed <- l.ring.Close() }()
	timer := time.NewTimer(LastWords)
	defer timer.Stop()
	select {
	case err := <-closed:
		return err
	case <-timer.C:
		return nil // there is nobody who could be told
	}
}

// LastWords is how long a process that ends waits for whoever reads what it says.
const LastWords = time.Second

// A Parting writes a process's last words. Once a write has taken longer than
// LastWords it drops what it is given, and says that it was written.
type Parting struct {
	w    io.Writer
	mu   sync.Mutex
	gone bool
}

// NewParting returns a writer of last words to w.
func NewParting(w io.Writer) *Parting { return &Parting{w: w} }

// Write writes, within LastWords.
func (p *Parting) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return len(text), nil
	}
	type outcome struct {
		n   int
		err error
	}
	written := make(chan outcome, 1)
	own := bytes.Clone(text) // the caller may use its own again
	go func() {
		n, err := p.w.Write(own)
		written <- outcome{n, err}
	}()
	timer := time.NewTimer(LastWords)
	defer timer.Stop()
	select {
	case o := <-written:
		return o.n, o.err
	case <-timer.C:
		p.gone = true
		return len(text), nil
	}
}

// Change writes one line for a change of condition.
func (l *Log) Change(c loop.Condition, active bool) {
	if !active {
		l.Info().Str("condition", c.Name).Msgf("no longer so: %s", c.Value)
		return
	}
	l.Warn().Str("condition", c.Name).Str("cause", c.Cause).Str("remedy", c.Remedy).Msg(c.Value)
}

// message returns a line's text as a terminal may have it; zerolog quotes the fields.
func message(text any) string {
	if text == nil {
		return ""
	}
	return Printable(fmt.Sprint(text))
}

// stamp puts the wall time on each line with its milliseconds, without changing
// zerolog's package-wide format.
type stamp struct{}

func (stamp) Run(e *zerolog.Event, _ zerolog.Level, _ string) {
	e.Str(zerolog.TimestampFieldName, time.Now().Format("2006-01-02T15:04:05.000Z07:00"))
}

// keepOpen hides the writer's Close: the log does not own standard error.
type keepOpen struct{ io.Writer }
