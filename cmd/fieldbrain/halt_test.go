package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestHaltWithoutALine: where the guard has no line, halt and the start of a daemon try by
// themselves, and ask once more where they have none either: by then it may be the guard's.
func TestHaltWithoutALine(t *testing.T) {
	const lacks = "refused: it has no reset line: Device or resource busy"
	for _, c := range []struct {
		name    string
		answers []string // of the guard
		own     error    // of the direct try
		tries   int
		fails   bool
	}{
		{"it has one", []string{"ok"}, nil, 0, false},
		{"it attends a daemon", []string{"refused: process 7 drives the car"}, nil, 0, true},
		{"it has none", []string{lacks}, nil, 1, false},
		{"it has taken it meanwhile", []string{lacks, "ok"}, errors.New("busy"), 1, false},
		{"somebody holds it", []string{lacks, lacks}, errors.New("busy"), 1, true},
		{"no guard", nil, nil, 1, false},
		{"no guard, no line", nil, errors.New("busy"), 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			socket := filepath.Join(t.TempDir(), "g")
			if len(c.answers) > 0 {
				door, err := net.Listen("unixpacket", socket)
				if err != nil {
					t.Fatal(err)
				}
				defer door.Close()
				go answer(door, c.answers)
			}
			tries := 0
			err := haltThroughGuard(socket, func() error { tries++; return c.own })
			if tries != c.tries || (err != nil) != c.fails {
				t.Errorf("%d tries of its own, %v; want %d, failure %v", tries, err, c.tries, c.fails)
			}
		})
	}
}

// answer gives each who connects the next answer.
func answer(door net.Listener, answers []string) {
	for _, text := range answers {
		conn, err := door.Accept()
		if err != nil {
			return
		}
		if _, err := conn.Read(make([]byte, 16)); err == nil {
			_, _ = conn.Write([]byte(text)) // who asked notices
		}
		_ = conn.Close()
	}
}

// TestHaltBeforeAnyFile: the line is low before the configuration is opened, which
// may be anything; it is asked only for a header that the board has not named.
func TestHaltBeforeAnyFile(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "f.toml")
	none := errors.New("no board")
	for _, c := range []struct {
		name, config, text string
		done               []string
		err                error
		header             string // that is pulled by its name
		fails              bool
	}{
		{"a pipe", pipe, "", []string{"orin-nano"}, nil, "", false},
		{"no file", filepath.Join(folder, "none"), "", []string{"orin-nano"}, nil, "", false},
		{"broken", file, "[body\n", []string{"pi-4"}, nil, "", false},
		{"broken, and no board", file, "[body\n", nil, none, "", true},
		{"the same header", file, "[body]\nheader = \"orin-nano\"\n", []string{"orin-nano"}, nil, "", false},
		{"another header", file, "[body]\nheader = \"agx-orin\"\n", []string{"orin-nano"}, nil, "agx-orin", false},
		{"the board is unknown", file, "[body]\nheader = \"agx-orin\"\n", nil, none, "agx-orin", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			pulled := false
			any := func() ([]string, error) {
				pulled = true
				if c.config == file { // only now there is something to read
					if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				return c.done, c.err
			}
			header := ""
			err := haltCmd{Config: c.config}.halt(any, func(h string) error { header = h; return nil })
			if !pulled || header != c.header || (err != nil) != c.fails {
				t.Errorf("pulled %v, by name %q, %v; want %q, failure %v", pulled, header, err, c.header, c.fails)
			}
			_ = os.Remove(file)
		})
	}
}
