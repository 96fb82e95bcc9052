package daemon_test

import (
	"context"
	"net"
	"path/filepath"
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
