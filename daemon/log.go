package daemon

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/rs/zerolog/diode"

	"fieldbrain/daemon/loop"
)

// logLines is how many lines wait for a slow writer before the log drops the oldest.
const logLines = 1024

// A Log is the daemon's log. Writers never wait: lines go into a ring that a
// goroutine empties. When the terminal, the journal or the disk is slower than
// the program, the ring drops the oldest lines and counts them. The loop's
// thread does not log at all.
type Log struct {
	zerolog.Logger
	ring    diode.Writer
	dropped *atomic.Uint64
}

// NewLog returns a log to w at the given level. text makes lines for people,
// with colour if the caller asks for it; otherwise each line is one JSON object.
// Close writes the lines that still wait.
func NewLog(w io.Writer, level string, text, colour bool) (*Log, error) {
	l, err := zerolog.ParseLevel(level)
	if err != nil || level == "" {
		return nil, fmt.Errorf("daemon: log level %q is not known: choose trace, debug, info, warn or error", level)
	}
	out := w
	if text {
		out = zerolog.ConsoleWriter{Out: w, NoColor: !colour, TimeFormat: "15:04:05.000"}
	}
	dropped := new(atomic.Uint64)
	ring := diode.NewWriter(keepOpen{out}, logLines, 0, func(missed int) { dropped.Add(uint64(missed)) })
	logger := zerolog.New(ring).Level(l).Hook(stamp{})
	return &Log{Logger: logger, ring: ring, dropped: dropped}, nil
}

// Dropped returns how many lines the log has dropped so far.
func (l *Log) Dropped() uint64 { return l.dropped.Load() }

// Close writes the waiting lines and stops the log's goroutine. The writer
// below stays open.
func (l *Log) Close() error { return l.ring.Close() }

// Change writes one line for a change of condition.
func (l *Log) Change(c loop.Condition, active bool) {
	if !active {
		l.Info().Str("condition", c.Name).Msgf("no longer so: %s", c.Value)
		return
	}
	l.Warn().Str("condition", c.Name).Str("cause", c.Cause).Str("remedy", c.Remedy).Msg(c.Value)
}

// stamp puts the wall time on each line with its milliseconds, without changing
// zerolog's package-wide format.
type stamp struct{}

func (stamp) Run(e *zerolog.Event, _ zerolog.Level, _ string) {
	e.Str(zerolog.TimestampFieldName, time.Now().Format("2006-01-02T15:04:05.000Z07:00"))
}

// keepOpen hides the writer's Close: the log does not own standard error.
type keepOpen struct{ io.Writer }
