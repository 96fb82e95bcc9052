package main

import (
	"os/exec"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/loadbench"
	"fieldbrain/testbench/tier"
)

// TestObservers watches a daemon with monitors, scrapes and pages: all of them see it.
// What that costs the tick is for fieldbrain bench observers on a quiet machine.
func TestObservers(t *testing.T) {
	tier.Native(t, "a daemon and its observers are processes of this machine")
	tier.Alone(t, "a daemon and its observers are processes of their own")
	tier.Compiled(t, "a field in pure Go takes longer than a period")
	tier.Heavy(t, "half a minute of a daemon in real time")
	program, err := exec.LookPath("fieldbrain")
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	w, err := loadbench.Watch(t.Context(), loadbench.Options{
		Program: program, Folder: shortFolder(t), Period: 5 * time.Millisecond, Priority: 50, Length: 20 * time.Second,
	}, loadbench.Audience{Monitors: 2, Scrapes: 5, Pages: 2}, func(done, total int) { steps = done })
	if err != nil {
		t.Fatal(err)
	}
	if w.Rounds != 2 || steps != 4 || w.Ticks < 100 || w.Seen.Scrapes == 0 || w.Seen.Streamed == 0 {
		t.Errorf("%d pairs of rounds, %d steps, %+v", w.Rounds, steps, w)
	}
	if w.Alone.P50 <= 0 || w.With.P50 <= 0 {
		t.Errorf("ticks that take no time: %+v", w)
	}
}
