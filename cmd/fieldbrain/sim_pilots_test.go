package main

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"

	"fieldbrain/testbench/pilots"
)

// TestPilots: sim --pilot takes every pilot of the bench, and no other name; bench
// tune those with numbers.
func TestPilots(t *testing.T) {
	parser, err := kong.New(&cli{}, kong.Name("fieldbrain"))
	if err != nil {
		t.Fatal(err)
	}
	takes := func(path ...string) []string {
		at := parser.Model.Node
		for _, name := range path {
			at = at.Children[slices.IndexFunc(at.Children, func(n *kong.Node) bool { return n.Name == name })]
		}
		return at.Flags[slices.IndexFunc(at.Flags, func(f *kong.Flag) bool { return f.Name == "pilot" })].EnumSlice()
	}
	want := append([]string{"brain", "reactive", "vendor", "noise"}, pilots.Names()...)
	if got := takes("sim"); !slices.Equal(got, want) {
		t.Errorf("sim --pilot takes %q, want %q", got, want)
	}
	if got := takes("bench", "tune"); !slices.Equal(got, pilots.Tunable()) {
		t.Errorf("bench tune --pilot takes %q, want %q", got, pilots.Tunable())
	}
}
