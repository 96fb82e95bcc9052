package drive_test

import (
	"strings"
	"testing"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

const shortLine = `
title = "A line that ends on a table"
duration_s = 40
profile = "P1"
[start]
on_line = true
[world]
size = [4, 3]
[world.floor]
tape = 750.0
table = [[0.5, 0.5], [3.5, 0.5], [3.5, 2.5], [0.5, 2.5]]
[[world.floor.line]]
points = [[2.0, 1.0], [3.0, 1.0]]
width = 0.025
[brain]
cruise = 0.2
follow_line = true
cliff = "on"
`

// TestStartGivenUp: a drive in which the car gives up what the scenario asked for says so,
// before the orders that people gave.
func TestStartGivenUp(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc, err := scenarios.Parse("short.toml", []byte(shortLine))
	if err != nil {
		t.Fatal(err)
	}
	d := drive.New(config.Default())
	r, err := d.Virtual(sc, 1, "brain", testbench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Orders) != 1 || r.Orders[0].Order != "start" || r.Orders[0].Why != brain.LineEnds.String() {
		t.Errorf("orders %+v, want the start's given up because the line ends", r.Orders)
	}
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "order start at 0 s was given up: the car had nothing to do for the last ") {
		t.Errorf("notes %q, want that the start was given up", r.Notes)
	}
}
