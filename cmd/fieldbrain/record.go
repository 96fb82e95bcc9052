package main

import (
	"context"
	"fmt"

	"fieldbrain/daemon"
)

type recordCmd struct {
	Start recordStartCmd `cmd:"" help:"Record every tick from now on into the folder that record.path names."`
	Stop  recordStopCmd  `cmd:"" help:"End the recording that record start began."`
}

// Help says what a recording is for.
func (recordCmd) Help() string {
	return "A recording that begins in the middle of a drive begins with the whole brain as it was, so that fieldbrain replay repeats it exactly. " +
		"fieldbrain run --record PATH records from the first tick on."
}

type recordStartCmd struct{ socketFlag }

// Run begins a recording.
func (c recordStartCmd) Run(e *env) error { return tell(e, c.path(e), "record-start") }

type recordStopCmd struct{ socketFlag }

// Run ends it.
func (c recordStopCmd) Run(e *env) error { return tell(e, c.path(e), "record-stop") }

// tell sends a request and prints the daemon's note.
func tell(e *env, socket, command string) error {
	answer, err := daemon.Call(context.Background(), socket, daemon.Request{Command: command})
	if err := refused(answer, err); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	fmt.Fprintln(e.out, answer.Note)
	return nil
}
