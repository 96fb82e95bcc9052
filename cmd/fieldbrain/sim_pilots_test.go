package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"fieldbrain/testbench/pilots"
)

// TestPilots: sim --pilot takes every pilot of the bench, names them in its help, and
// takes no other name; bench tune those with numbers.
func TestPilots(t *testing.T) {
	parser, err := kong.New(&cli{}, kong.Name("fieldbrain"))
	if err != nil {
		t.Fatal(err)
	}
	flag := func(path ...string) *kong.Flag {
		at := parser.Model.Node
		for _, name := range path {
			at = at.Children[slices.IndexFunc(at.Children, func(n *kong.Node) bool { return n.Name == name })]
		}
		return at.Flags[slices.IndexFunc(at.Flags, func(f *kong.Flag) bool { return f.Name == "pilot" })]
	}
	want := append([]string{"brain", "reactive", "vendor", "noise"}, pilots.Names()...)
	if got := pilotNames(); !slices.Equal(got, want) {
		t.Errorf("pilots are %q, want %q", got, want)
	}
	for _, name := range want {
		if err := checkPilot("--pilot", name); err != nil || !strings.Contains(flag("sim").Help, name) {
			t.Errorf("sim --pilot %s: %v; its help says %q", name, err, flag("sim").Help)
		}
	}
	for _, name := range []string{"", "chauffeur", "brain/argmax", "reactiv", "policy"} {
		if checkPilot("--pilot", name) == nil {
			t.Errorf("sim --pilot takes %q", name)
		}
	}
	if got := flag("bench", "tune").EnumSlice(); !slices.Equal(got, pilots.Tunable()) {
		t.Errorf("bench tune --pilot takes %q, want %q", got, pilots.Tunable())
	}
}
