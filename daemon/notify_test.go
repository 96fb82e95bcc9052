package daemon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/daemon"
)

func TestWatchdogIsFedByTheLoopOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ticks atomic.Uint64
		fed := 0
		var stalls []bool
		w := daemon.Watchdog{
			Interval: time.Second,
			Ticks:    ticks.Load,
			Feed:     func() error { fed++; return nil },
			Stalled:  func(_ time.Duration, is bool) { stalls = append(stalls, is) },
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- w.Run(ctx) }()
		synctest.Wait() // it has read the counter once
		run := func(n int, moving bool) {
			for range n {
				if moving {
					ticks.Add(50)
				}
				time.Sleep(250 * time.Millisecond)
				synctest.Wait()
			}
		}
		run(8, true)
		if fed != 8 {
			t.Errorf("fed %d times in 2 s of ticking, want 8", fed)
		}
		run(8, false)
		if fed != 8 {
			t.Errorf("fed %d times: a standing loop was covered up", fed-8)
		}
		run(4, true)
		if fed != 12 {
			t.Errorf("fed %d times after the loop moved again, want 4", fed-8)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(stalls, []bool{true, false}); d != "" {
			t.Errorf("stalls, got -, want +:\n%s", d)
		}
	})
}

func TestNotifySpeaksToTheManager(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "2000000")
	t.Setenv("WATCHDOG_PID", "")
	for _, state := range []string{daemon.Ready, daemon.Stopping} {
		if err := daemon.Notify(state); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		n, err := conn.Read(buf)
		if err != nil || string(buf[:n]) != state {
			t.Errorf("the manager heard %q (%v), want %q", buf[:n], err, state)
		}
	}
	if d, err := daemon.WatchdogInterval(); err != nil || d != 2*time.Second {
		t.Errorf("interval %v (%v), want 2s", d, err)
	}
	t.Setenv("NOTIFY_SOCKET", "")
	if err := daemon.Notify(daemon.Ready); err != nil {
		t.Errorf("without a manager: %v", err)
	}
}

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

// A log flood against a writer that stands still: nothing blocks and what is
// missing is exactly what was counted.
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
			l.Change(daemon.Condition{Name: "memory", Value: "not locked", Remedy: "raise the limit"}, true)
			l.Change(daemon.Condition{Name: "memory", Value: "not locked"}, false)
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

func TestStatusPrint(t *testing.T) {
	s := daemon.Status{
		Version: "v1", PID: 12, Since: time.Now(), Body: "sim", Engine: "avx2", Rung: "full",
		Armed: true, Failsafe: "LIMITED", Causes: []string{"range stale"}, Tripped: []string{"overrun", "paused"}, Speed: 0.2, Link: "up", Steering: 0.5,
		Conditions: []daemon.Condition{{Name: "realtime", Value: "ordinary", Cause: "limit", Remedy: "raise it"}},
		LogDropped: 3,
	}
	var out bytes.Buffer
	if err := s.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"ARMED", "LIMITED", "range stale", "+0.20 m/s", "+29 deg", "no echo", "battery unknown",
		"disarmed by overrun, paused; when", "degraded: realtime", "remedy: raise it", "dropped 3", "ticks 0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q:\n%s", want, out.String())
		}
	}
}

func ExampleConditions() {
	r := daemon.NewConditions(func() time.Time { return time.Unix(0, 0) }, func(c daemon.Condition, active bool) {
		fmt.Println(c.Name, c.Value, active)
	})
	r.Set(daemon.Condition{Name: "link", Value: "degraded"})
	r.Set(daemon.Condition{Name: "link", Value: "degraded"}) // said once
	r.Clear("link")
	// Output:
	// link degraded true
	// link degraded false
}
