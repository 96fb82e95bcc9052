package daemon_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// gate is a writer that takes nothing until it is opened.
type gate struct {
	open  chan struct{}
	mu    sync.Mutex
	lines int
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lines++
	return len(p), nil
}

// A log flood against a writer that stands still: nothing blocks, and the log has
// counted exactly the missing lines.
func TestLogCountsWhatItDrops(t *testing.T) {
	g := &gate{open: make(chan struct{})}
	l, err := daemon.NewLog(g, "info", false, false)
	if err != nil {
		t.Fatal(err)
	}
	const lines = 100_000
	for i := range lines {
		l.Info().Int("i", i).Msg("flood")
	}
	l.Debug().Msg("below the level")
	close(g.open)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := g.lines + int(l.Dropped()); got != lines {
		t.Errorf("%d written + %d dropped = %d, want %d", g.lines, l.Dropped(), got, lines)
	}
	if l.Dropped() == 0 {
		t.Error("nothing was dropped, so the flood tested nothing")
	}
}

// TestLogCountsWhileItIsStuck: what a writer that stands still loses is counted before it
// goes on, never too much, and there is a reason.
func TestLogCountsWhileItIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		l, err := daemon.NewLog(g, "info", false, false)
		if err != nil {
			t.Fatal(err)
		}
		const lines = 5000
		for i := range lines {
			l.Info().Int("i", i).Msg("flood")
		}
		time.Sleep(3 * time.Second)
		stuck := l.Dropped()
		if stuck == 0 || stuck > lines || !strings.Contains(l.Trouble(), "nobody has taken a line") {
			t.Errorf("stuck: %d lost, trouble %q", stuck, l.Trouble())
		}
		close(g.open)
		synctest.Wait()
		if got := l.Dropped(); got < stuck || g.lines+int(got) != lines || l.Trouble() != "" {
			t.Errorf("%d written, %d lost of %d (%d while it was stuck), trouble %q", g.lines, got, lines, stuck, l.Trouble())
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// refuser is a writer on a full disk.
type refuser struct{ full atomic.Bool }

func (r *refuser) Write(p []byte) (int, error) {
	if r.full.Load() {
		return 0, syscall.ENOSPC
	}
	return len(p), nil
}

// TestLogCountsFailedWrites, of both forms.
func TestLogCountsFailedWrites(t *testing.T) {
	for _, text := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := &refuser{}
			l, err := daemon.NewLog(r, "info", text, false)
			if err != nil {
				t.Fatal(err)
			}
			for i, full := range []bool{false, true, true, false} {
				r.full.Store(full)
				l.Info().Msg("a line")
				synctest.Wait()
				want := min(uint64(i), 2)
				if got, told := l.Dropped(), strings.Contains(l.Trouble(), "no space left"); got != want || told != full {
					t.Errorf("text %t, line %d: %d lost, want %d; trouble %q", text, i, got, want, l.Trouble())
				}
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBlockedLogEnds: a writer that takes nothing keeps neither the log nor the last
// words of a process from ending.
func TestBlockedLogEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		p := daemon.NewParting(g)
		began := time.Now()
		for range 5 {
			if n, err := p.Write([]byte("last words")); n != 10 || err != nil {
				t.Errorf("Write() = %d, %v", n, err)
			}
		}
		if took := time.Since(began); took != daemon.LastWords {
			t.Errorf("five last words took %v, want %v", took, daemon.LastWords)
		}
		close(g.open)
		synctest.Wait()
		if g.lines != 1 {
			t.Errorf("%d lines in the end, want the one that waited", g.lines)
		}
	})
	g := &gate{open: make(chan struct{})}
	l, err := daemon.NewLog(g, "info", false, false)
	if err != nil {
		t.Fatal(err)
	}
	l.Info().Msg("nobody reads this")
	if err := l.Close(); err != nil { // returns at all
		t.Error(err)
	}
	close(g.open)
}

// TestLogIsPrintable: a message brings no orders to a terminal.
func TestLogIsPrintable(t *testing.T) {
	var out bytes.Buffer
	l, err := daemon.NewLog(&out, "info", true, false)
	if err != nil {
		t.Fatal(err)
	}
	l.Info().Str("field", "\x1b[31m").Msg("clear \x1b[2J")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "\x1b") || !strings.Contains(text, "clear") {
		t.Errorf("%q", text)
	}
}

func TestLogForms(t *testing.T) {
	for _, c := range []struct {
		name string
		text bool
		want string
	}{
		{"json", false, `"condition":"memory"`},
		{"text", true, "condition=memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			l, err := daemon.NewLog(&out, "info", c.text, false)
			if err != nil {
				t.Fatal(err)
			}
			l.Change(loop.Condition{Name: "memory", Value: "not locked", Remedy: "raise the limit"}, true)
			l.Change(loop.Condition{Name: "memory", Value: "not locked"}, false)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(out.String(), "\n"); got != 2 {
				t.Errorf("%d lines, want 2:\n%s", got, out.String())
			}
			if !strings.Contains(out.String(), c.want) || !strings.Contains(out.String(), "raise the limit") {
				t.Errorf("lacks %q or the remedy:\n%s", c.want, out.String())
			}
			if first, _, _ := strings.Cut(out.String(), "\n"); !c.text && !json.Valid([]byte(first)) {
				t.Errorf("not JSON: %s", first)
			}
		})
	}
	if _, err := daemon.NewLog(io.Discard, "loud", false, false); err == nil {
		t.Error("level \"loud\" was accepted")
	}
}
