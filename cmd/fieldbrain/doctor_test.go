package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/daemon"
	"fieldbrain/daemon/doctor"
	"fieldbrain/daemon/loop"
)

// answers listens at a socket and gives everybody the same answer.
func answers(t *testing.T, network, path, answer string) {
	t.Helper()
	l, err := net.Listen(network, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 100))
			_, _ = conn.Write([]byte(answer))
			_ = conn.Close()
		}
	}()
}

// TestDoctorLink: a HAT is read from only where nobody else can have it: not its bus, and
// not its reset line.
func TestDoctorLink(t *testing.T) {
	status := func(s daemon.Status) string {
		text, err := json.Marshal(daemon.Answer{OK: true, Status: &s})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	silent := loop.Condition{Name: "bus-silent", Value: "nothing answers", Cause: "no acknowledge", Remedy: "the switch"}
	other := loop.Condition{Name: "heap", Value: "x", Cause: "y", Remedy: "z"}
	const alone = "ok header=orin-nano line=1 daemon=0 priority=60"
	for _, c := range []struct {
		name, daemon, guard string // what they answer, "" for none
		want                doctor.Link
		words               string // of the error, "" for none
	}{
		{"nobody", "", "", doctor.Link{}, ""},
		{"a daemon", status(daemon.Status{Body: "picarx", Link: "up", Conditions: []loop.Condition{other}}), alone, doctor.Link{State: "up"}, ""},
		{"a daemon that hears nothing", status(daemon.Status{Body: "picarx", Link: "down", Conditions: []loop.Condition{other, silent}}), "", doctor.Link{State: "down", Why: "nothing answers: no acknowledge", Remedy: "the switch"}, ""},
		{"a guard alone", "", alone, doctor.Link{Held: true}, ""},
		{"a guard, and a simulated car", status(daemon.Status{Body: "sim", Link: "up"}), alone, doctor.Link{Held: true}, ""},
		{"a guard that waits for the line", "", "ok header=orin-nano line=0 daemon=0 priority=60", doctor.Link{}, ""},
		{"another daemon's guard", "", "ok header=orin-nano line=1 daemon=7 priority=60", doctor.Link{Held: true}, "daemon=7"},
		{"a guard that tells only root", "", "refused: this is for root and the guard's own user", doctor.Link{}, "for root"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			control, socket := filepath.Join(folder, "c.sock"), filepath.Join(folder, "g.sock")
			if c.daemon != "" {
				answers(t, "unix", control, c.daemon)
			}
			if c.guard != "" {
				answers(t, "unixpacket", socket, c.guard)
			}
			got, err := doctorCmd{socketFlag: socketFlag{Socket: control}}.link(&env{out: &bytes.Buffer{}}, socket)
			if got != c.want || (err != nil) != (c.words != "") || err != nil && !strings.Contains(err.Error(), c.words) {
				t.Errorf("%+v, %v; want %+v and %q", got, err, c.want, c.words)
			}
			if errors.Is(err, daemon.ErrNoDaemon) {
				t.Error("that no daemon runs is no error")
			}
		})
	}
}
