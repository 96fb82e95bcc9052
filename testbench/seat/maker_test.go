package seat_test

import (
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/seat"
)

// TestMakerKeepsTheScenario: a scenario may ask for more than the task does, and
// every run has a brain of its own.
func TestMakerKeepsTheScenario(t *testing.T) {
	sc, err := scenarios.Load("line")
	if err != nil {
		t.Fatal(err)
	}
	m := seat.New(fieldbrain.Default())
	var hashes [2]string
	for i := range hashes {
		r, err := testbench.Run(sc, 3, m.Pilot, testbench.Options{Length: 5 * time.Second, Rows: true})
		if err != nil {
			t.Fatal(err)
		}
		hashes[i] = r.Trajectory
		if n := len(r.Track.Rows); r.LineRMS == nil || *r.LineRMS > 0.02 || r.Track.Rows[n-1].Peak.Mass == 0 {
			t.Errorf("it does not follow the line:\n%s", r.Summary())
		}
	}
	if hashes[0] != hashes[1] {
		t.Error("the second run of a maker is another one")
	}
	if err := m.Close(); err != nil || m.Brain() != nil {
		t.Errorf("closed: %v", err)
	}
}

// TestGivenEngine: runs with an engine that was given repeat, and are those of an engine that is made
// for each.
func TestGivenEngine(t *testing.T) {
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	o := fieldbrain.Default()
	given, err := o.Processor()
	if err != nil {
		t.Fatal(err)
	}
	defer given.Close()
	made, kept := seat.New(o), o
	kept.Engine = given
	lent := seat.New(kept)
	var hashes [3]string
	for i, m := range [...]*seat.Maker{made, lent, lent} {
		r, err := testbench.Run(sc, 3, m.Pilot, testbench.Options{Length: 3 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		hashes[i] = r.Trajectory
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if hashes[1] != hashes[0] || hashes[2] != hashes[0] {
		t.Errorf("an engine for each, then twice one: %v", hashes)
	}
}
