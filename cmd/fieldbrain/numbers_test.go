package main

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"fieldbrain/daemon/config"
)

// TestNoNumber: every flag that takes a number with a fraction refuses one that is none,
// and one without end, before anything is driven or measured.
func TestNoNumber(t *testing.T) {
	beside := map[string]string{ // what else the command needs, for the flag to be looked at
		"bench field": "--against nowhere",
		"bench tune":  "--pilot dwa",
		"replay":      "nowhere.mcap",
	}
	e := &env{out: io.Discard, err: io.Discard, getenv: func(string) string { return "" }}
	var look func(n *kong.Node)
	look = func(n *kong.Node) {
		for _, child := range n.Children {
			look(child)
		}
		for _, f := range n.Flags {
			if f.Target.Kind() != reflect.Float64 && f.Target.Kind() != reflect.Float32 {
				continue
			}
			path, _, _ := strings.Cut(n.Path(), " <")
			words := append(strings.Fields(path), strings.Fields(beside[path])...)
			for _, value := range []string{"nan", "inf", "-inf"} {
				line := append(words, "--"+f.Name+"="+value)
				parsed, err := newParser(e).Parse(line)
				if err == nil {
					err = parsed.Run()
				}
				var usage config.UsageError
				if !errors.As(err, &usage) || !strings.Contains(err.Error(), f.Name) {
					t.Errorf("%q: %v", line, err)
				}
			}
		}
	}
	look(newParser(e).Model.Node)
}
