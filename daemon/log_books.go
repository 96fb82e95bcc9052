package daemon

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog/diode"
)

// stuckFor is how long a write of the log may take until people should know.
const stuckFor = 2 * time.Second

// logBooks is the writer below a log's ring, and the books of both. The ring itself tells
// of lines that it dropped only when its reader comes back from a write, which it may
// never do.
type logBooks struct {
	out   io.Writer
	began time.Time

	put    atomic.Uint64 // into the ring
	passed atomic.Uint64 // over by its reader, which they had overtaken
	done   atomic.Uint64 // written, or tried
	failed atomic.Uint64 // of these
	told   atomic.Uint64 // the most that lost has said

	since   atomic.Int64          // when the write under way began, ns after began; 0 while none is
	failure atomic.Pointer[error] // of the newest write, nil where it succeeded
}

func newLogBooks(out io.Writer) *logBooks { return &logBooks{out: out, began: time.Now()} }

// Write writes one line. The ring's goroutine alone calls it.
func (b *logBooks) Write(line []byte) (int, error) {
	b.since.Store(max(1, int64(time.Since(b.began))))
	n, err := b.out.Write(line)
	b.since.Store(0)
	if err != nil {
		b.failed.Add(1)
		b.failure.Store(&err)
	} else {
		b.failure.Store(nil)
	}
	b.done.Add(1)
	return n, err
}

// lost returns how many lines are lost at least: those that the ring has passed over, those
// whose write failed, and of those that wait what the ring has no room for. It never
// returns less than before.
func (b *logBooks) lost() uint64 {
	put := b.put.Load() // first: whatever comes meanwhile does not count
	passed, done := b.passed.Load(), b.done.Load()
	lost := passed + b.failed.Load()
	if room := done + passed + logLines + 1; put > room { // one is in the writer's hands
		lost += put - room
	}
	for {
		told := b.told.Load()
		if lost <= told {
			return told
		}
		if b.told.CompareAndSwap(told, lost) {
			return lost
		}
	}
}

// trouble says why lines do not arrive, as far as the newest write tells.
func (b *logBooks) trouble() string {
	if err := b.failure.Load(); err != nil {
		return fmt.Sprintf("the newest line could not be written: %v", *err)
	}
	since := b.since.Load()
	if since != 0 && time.Since(b.began)-time.Duration(since) > stuckFor {
		return fmt.Sprintf("nobody has taken a line for more than %v: %d wait at most, then the oldest are lost", stuckFor, logLines)
	}
	return ""
}

// An entrance puts lines into the ring and counts them.
type entrance struct {
	ring  diode.Writer
	books *logBooks
}

// Write never waits and never fails.
func (e entrance) Write(line []byte) (int, error) {
	n, err := e.ring.Write(line)
	e.books.put.Add(1) // behind it: until then nobody misses the line
	return n, err
}
