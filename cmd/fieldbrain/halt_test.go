package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

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
