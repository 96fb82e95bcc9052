package main

import (
	"fmt"
	"io"
	"time"
)

// silence is how long a server may say nothing until somebody is told.
const silence = 10 * time.Second

// A vigil says that a sweep waits for its server, and that it goes on, once each, where no
// bar shows it.
type vigil struct {
	to      io.Writer
	store   string // where the server has its streams
	waiting bool
}

// see takes how long the server has not answered.
func (v *vigil) see(away time.Duration) {
	switch {
	case !v.waiting && away > silence:
		v.waiting = true
		fmt.Fprintf(v.to, "fieldbrain: the server of the sweep (%s) has not answered for %.0f s; the sweep waits for it: look whether it runs, whether it is stopped (kill -CONT), and at the link\n", v.store, away.Seconds())
	case v.waiting && away == 0:
		v.waiting = false
		fmt.Fprintln(v.to, "fieldbrain: the server of the sweep answers again; the sweep goes on")
	}
}
