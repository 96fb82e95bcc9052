package daemon_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
)

// stops listens where a daemon or a guard does and answers every stop; an empty answer is
// none. It counts them.
func stops(t *testing.T, control, answer string) (heard chan struct{}) {
	t.Helper()
	heard = make(chan struct{}, 64)
	for _, path := range []string{daemon.StopSocket(control), control} {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				heard <- struct{}{}
				if answer == "" {
					continue // it hangs
				}
				_, _ = conn.Write([]byte(answer + "\n"))
				_ = conn.Close()
			}
		}()
	}
	return heard
}

// TestEStop: the guard stops the car of a daemon that hangs, refuses or is dead, and is
// left alone where the daemon stops it.
func TestEStop(t *testing.T) {
	for _, tt := range []struct {
		name, daemon, guard, note, wrong string
	}{
		{"by the daemon", `{"ok":true}`, `{"ok":true}`, "", ""},
		{"it hangs", "", `{"ok":true}`, "stopped by fieldbrain-guard", ""},
		{"it refuses", `{"ok":false,"error":"the motors run on"}`, `{"ok":true}`, "the motors run on", ""},
		{"it is dead", "none", `{"ok":true}`, "stopped by fieldbrain-guard", ""},
		{"nobody", "none", "none", "", "no daemon"},
		{"both refuse", `{"ok":false,"error":"the motors run on"}`, `{"ok":false,"error":"no line"}`, "", "the motors run on; the guard: no line"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			control, guard := filepath.Join(folder, "c.sock"), filepath.Join(folder, "g.sock")
			heard := make(chan struct{}, 1)
			if tt.daemon != "none" {
				stops(t, control, tt.daemon)
			}
			if tt.guard != "none" {
				heard = stops(t, guard, tt.guard)
			}
			a, err := daemon.EStop(t.Context(), []string{control}, guard)
			if (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%v, want %q", err, tt.wrong)
			}
			if err == nil && (!a.OK || !strings.Contains(a.Note, tt.note)) {
				t.Errorf("%+v, want %q", a, tt.note)
			}
			if asked := len(heard) > 0; asked != (tt.name != "by the daemon" && tt.guard != "none") {
				t.Errorf("the guard was asked: %t", asked)
			}
			if tt.name == "nobody" && !errors.Is(err, daemon.ErrNoDaemon) {
				t.Errorf("%v is no ErrNoDaemon", err)
			}
		})
	}
}

// TestEStopOfASilentDaemon: the error says why nobody answers and what else stops the car,
// also where the time is up before anybody could be asked.
func TestEStopOfASilentDaemon(t *testing.T) {
	folder := t.TempDir()
	control, guard := filepath.Join(folder, "c.sock"), filepath.Join(folder, "g.sock")
	stops(t, control, "")
	for _, patience := range []time.Duration{50 * time.Millisecond, -time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		_, err := daemon.EStop(ctx, []string{control}, guard)
		cancel()
		if !errors.Is(err, daemon.ErrSilent) || errors.Is(err, daemon.ErrNoDaemon) {
			t.Fatalf("within %v: %v, want ErrSilent", patience, err)
		}
		for _, want := range []string{"kill -CONT", "fieldbrain-guard", "switch the HAT off"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("within %v: %q lacks %q", patience, err, want)
			}
		}
	}
}
