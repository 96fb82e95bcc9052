package daemon_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
)

// page makes the page of a daemon that lives until it is closed.
func page(t *testing.T, socket string) *telemetry.Writer {
	t.Helper()
	w, err := telemetry.New(telemetry.Options{
		Page: telemetry.PagePath(socket), Identity: telemetry.Identity{Program: "p", Body: "sim", Period: 5 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestFindPage: a daemon that lives comes before one that has ended, whenever they were
// started; of several the one that was started last.
func TestFindPage(t *testing.T) {
	sockets := []string{filepath.Join(t.TempDir(), "a.sock"), filepath.Join(t.TempDir(), "b.sock"), filepath.Join(t.TempDir(), "c.sock")}
	found := func(when string, socket string) {
		t.Helper()
		want := ""
		if socket != "" {
			want = telemetry.PagePath(socket)
		}
		for _, order := range [][]string{sockets, {sockets[2], sockets[1], sockets[0]}} {
			path, err := daemon.FindPage(order)
			if path != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %q, %v; want %q", when, path, err, want)
			}
		}
	}
	found("no page", "")
	a := page(t, sockets[0])
	b := page(t, sockets[1])
	found("both live", sockets[1])
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	found("the later one has ended", sockets[0])
	c := page(t, sockets[2])
	found("another lives", sockets[2])
	if err := errors.Join(a.Close(), c.Close()); err != nil {
		t.Fatal(err)
	}
	found("all have ended", sockets[2])
}

// TestFindSocketOfALivingDaemon: a socket that a killed daemon left does not stand before
// the one of a daemon that runs.
func TestFindSocketOfALivingDaemon(t *testing.T) {
	dead, living := filepath.Join(t.TempDir(), "c.sock"), filepath.Join(t.TempDir(), "c.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if got := daemon.FindSocket([]string{dead, living}); got != dead {
		t.Errorf("nobody lives: %s, want the socket that stands", got)
	}
	c, err := daemon.Listen(living)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := daemon.FindSocket([]string{dead, living}); got != living {
		t.Errorf("%s, want that of the daemon that runs", got)
	}
}

// TestEStopReachesAll: a stop reaches every daemon that is known, wherever its socket is in
// the list, and says so; a path where nobody runs counts for nothing.
func TestEStopReachesAll(t *testing.T) {
	const yes, no = `{"ok":true}`, `{"ok":false,"error":"the motors run on"}`
	for _, c := range []struct {
		name    string
		answers []string // by path; "none" without a daemon
		note    string
		wrong   string
	}{
		{"the first", []string{yes, "none"}, "", ""},
		{"the first is dead", []string{"none", yes}, "", ""},
		{"two", []string{yes, "none", yes}, "clear each with fieldbrain reset --socket", ""},
		{"the other refuses", []string{yes, no}, "", "another car may drive on: the motors run on"},
		{"none", []string{"none", "none"}, "", "no daemon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []string
			var heard []chan struct{}
			for _, answer := range c.answers {
				path := filepath.Join(t.TempDir(), "c.sock")
				paths = append(paths, path)
				if answer != "none" {
					heard = append(heard, stops(t, path, answer))
				}
			}
			a, err := daemon.EStop(t.Context(), paths, filepath.Join(t.TempDir(), "g.sock"))
			if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%v, want %q", err, c.wrong)
			}
			if err == nil && (!a.OK || !strings.Contains(a.Note, c.note) || c.note == "" && a.Note != "") {
				t.Errorf("%+v, want %q", a, c.note)
			}
			for i, h := range heard {
				if len(h) == 0 {
					t.Errorf("daemon %d was not asked", i)
				}
			}
		})
	}
}

// TestEStopPassesStrangers: where this process may ask nobody, the stop of the daemon that
// is meant counts all the same, at once, and the note says who was not asked.
func TestEStopPassesStrangers(t *testing.T) {
	meant, open := filepath.Join(t.TempDir(), "c.sock"), t.TempDir()
	stops(t, meant, `{"ok":true}`)
	if err := os.Chmod(open, 0o777); err != nil { // anybody may put a socket there
		t.Fatal(err)
	}
	other := filepath.Join(open, "c.sock")
	heard := stops(t, other, `{"ok":true}`)
	a, err := daemon.EStop(t.Context(), []string{meant, other}, filepath.Join(t.TempDir(), "g.sock"))
	if err != nil || !a.OK || !strings.Contains(a.Note, "not asked: daemon: anybody may put a socket into "+open) {
		t.Errorf("%+v, %v", a, err)
	}
	if len(heard) > 0 {
		t.Error("a socket that anybody may have put there was asked")
	}
}
