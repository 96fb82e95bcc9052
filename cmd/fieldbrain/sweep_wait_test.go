package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fieldbrain/testbench/sweep/queue"
)

// TestVigil: what a sweep waits for is said once, and once that it goes on; of a server that
// is away nothing where a bar says it.
func TestVigil(t *testing.T) {
	full := errors.New("no ack")
	away := func(d time.Duration) queue.Progress { return queue.Progress{Away: d} }
	stuck := queue.Progress{Stuck: full}
	steps := []queue.Progress{
		away(0), away(time.Second), away(0), away(silence), away(11 * time.Second), away(12 * time.Second), away(0), away(0),
		stuck, stuck, away(time.Second), away(0), away(time.Second), away(0), away(11 * time.Second), stuck, away(0),
	}
	for bar, want := range map[bool][]string{
		false: {"cruise.sweep/nats) has not answered for 11 s", "goes on", "stores nothing (no ack)", "goes on", "for 11 s", "stores nothing", "goes on"},
		true:  {"stores nothing (no ack)", "goes on", "stores nothing", "goes on"},
	} {
		var said strings.Builder
		v := vigil{to: &said, bar: bar, store: "cruise.sweep/nats"}
		for _, p := range steps {
			v.see(p)
		}
		lines := strings.FieldsFunc(said.String(), func(r rune) bool { return r == '\n' })
		if len(lines) != len(want) {
			t.Errorf("bar %v: %q", bar, lines)
			continue
		}
		for i, word := range want {
			if !strings.Contains(lines[i], word) {
				t.Errorf("bar %v: nothing of %q in %q", bar, word, lines[i])
			}
		}
	}
}

// TestStuckSweep: a server of our own that stores nothing ends the sweep, with its folder and
// log; another's is waited for.
func TestStuckSweep(t *testing.T) {
	full := errors.New("no ack")
	c := sweepRunCmd{Out: "cruise.sweep"}
	if err := c.stuck(queue.Progress{}); err != nil {
		t.Error(err)
	}
	if err := c.stuck(queue.Progress{Stuck: full}); !errors.Is(err, full) || !strings.Contains(err.Error(), "cruise.sweep/nats/nats.log") {
		t.Error(err)
	}
	c.NATS = "nats://somewhere"
	if err := c.stuck(queue.Progress{Stuck: full}); err != nil {
		t.Error(err)
	}
}
