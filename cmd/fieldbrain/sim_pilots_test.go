package main

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"

	"fieldbrain/testbench/pilots"
)

// TestPilots: sim --pilot takes every pilot of the bench, and no other name.
func TestPilots(t *testing.T) {
	parser, err := kong.New(&cli{}, kong.Name("fieldbrain"))
	if err != nil {
		t.Fatal(err)
	}
	sim := parser.Model.Children[slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == "sim" })]
	flag := sim.Flags[slices.IndexFunc(sim.Flags, func(f *kong.Flag) bool { return f.Name == "pilot" })]
	want := append([]string{"brain", "reactive", "vendor", "noise"}, pilots.Names()...)
	if got := flag.EnumSlice(); !slices.Equal(got, want) {
		t.Errorf("sim --pilot takes %q, want %q", got, want)
	}
}
