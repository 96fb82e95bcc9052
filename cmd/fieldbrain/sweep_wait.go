package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/testbench/sweep/queue"
)

// silence is how long a server may say nothing until somebody is told.
const silence = 10 * time.Second

// A vigil says what a sweep waits for, and that it goes on, once each: a server that is away
// where no bar shows it, and one that stores nothing.
type vigil struct {
	to    io.Writer
	bar   bool
	store string // where the server has its streams
	waits string // for what; empty: nothing
}

// see takes how far the sweep has come.
func (v *vigil) see(p queue.Progress) {
	switch {
	case v.waits == "" && p.Away > silence && !v.bar:
		v.say("away", "the server of the sweep (%s) has not answered for %.0f s; the sweep waits for it: look whether it runs, whether it is stopped (kill -CONT), and at the link", v.store, p.Away.Seconds())
	case v.waits != "stuck" && p.Stuck != nil:
		v.say("stuck", "the server of the sweep (%s) answers and stores nothing (%s); the sweep waits for it: its disk is full or fails: make room there and start that server anew", v.store, daemon.Printable(p.Stuck.Error()))
	case v.waits != "" && p.Away == 0 && p.Stuck == nil:
		v.say("", "the server of the sweep is there again; the sweep goes on")
	}
}

func (v *vigil) say(waits, format string, args ...any) {
	v.waits = waits
	if v.bar {
		fmt.Fprintln(v.to)
	}
	fmt.Fprintf(v.to, "fieldbrain: "+format+"\n", args...)
}

// stuck ends a sweep whose own server stores nothing any more: the same command starts
// another one. It returns nil for one that somebody else starts.
func (c sweepRunCmd) stuck(p queue.Progress) error {
	if p.Stuck == nil || c.NATS != "" {
		return nil
	}
	return fmt.Errorf("the server of the sweep stores nothing any more (%w): look at the disk of %s and at %s; the same command goes on",
		p.Stuck, c.store(), filepath.Join(c.store(), "nats.log"))
}
