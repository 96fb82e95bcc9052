package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

// socketFlag chooses the daemon.
type socketFlag struct {
	Socket string `help:"Control socket of the daemon; found by itself when left out." placeholder:"PATH"`
}

// path returns the socket's path.
func (s socketFlag) path(e *env) string {
	if s.Socket != "" {
		return s.Socket
	}
	return daemon.FindSocket(daemon.Sockets(e.getenv, e.uid))
}

// all returns every socket at which a daemon may be that nobody has named, the one that is
// meant first.
func (s socketFlag) all(e *env, meant string) []string {
	if s.Socket != "" {
		return []string{s.Socket}
	}
	return daemon.From(meant, daemon.Sockets(e.getenv, e.uid))
}

// call sends one command to the daemon and returns its answer.
func (s socketFlag) call(e *env, command string) (daemon.Answer, error) {
	answer, err := daemon.Call(context.Background(), s.path(e), daemon.Request{Command: command})
	return answer, refused(answer, err)
}

// refused returns why a daemon did not do what it was asked for.
func refused(answer daemon.Answer, err error) error {
	if err == nil && !answer.OK {
		err = errors.New(answer.Error)
	}
	return err
}

// order sends a command and says that the daemon carried it out.
func (s socketFlag) order(e *env, command, done string) error {
	if _, err := s.call(e, command); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	fmt.Fprintln(e.out, done)
	return nil
}

type armCmd struct{ socketFlag }

// Run arms; the daemon refuses with its reasons.
func (c armCmd) Run(e *env) error { return c.order(e, "arm", "armed") }

type disarmCmd struct{ socketFlag }

// Run disarms.
func (c disarmCmd) Run(e *env) error { return c.order(e, "disarm", "disarmed") }

type resetCmd struct{ socketFlag }

// Run clears the latch; arming stays an order of its own.
func (c resetCmd) Run(e *env) error {
	return c.order(e, "reset", "emergency stop cleared; the car is disarmed")
}

type outcomeCmd struct {
	socketFlag
	Value string `arg:"" help:"good, bad, or a number from -1 (bad) to 1 (good)." placeholder:"VALUE" example:"good"`
}

// Run judges for the car its conduct of the last seconds.
func (c outcomeCmd) Run(e *env) error {
	value, err := parseOutcome(c.Value)
	if err != nil {
		return config.UsageError{Err: err}
	}
	answer, err := daemon.Call(context.Background(), c.path(e), daemon.Request{Command: "outcome", Value: value})
	if err := refused(answer, err); err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	fmt.Fprintf(e.out, "noted: %+g for what the car did in the last seconds\n", value)
	return nil
}

// parseOutcome reads a word or a number.
func parseOutcome(text string) (float64, error) {
	switch text {
	case "good":
		return 1, nil
	case "bad":
		return -1, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("outcome %q: say good, bad, or a number from -1 to 1", text)
	}
	return v, daemon.CheckOutcome(v)
}

type statusCmd struct {
	socketFlag
	Page string `help:"Read this page of a run, dead or alive, instead of asking a daemon (docs/telemetry.md)." placeholder:"FILE"`
	JSON bool   `help:"Print one JSON object." name:"json"`
}

// Run prints the daemon's status. Of a daemon that does not run any more, or does not
// answer, it prints the page, and fails all the same.
func (c statusCmd) Run(e *env) error {
	if c.Page != "" {
		status, err := daemon.ReadPage(c.Page)
		if err != nil {
			return fmt.Errorf("status: %w", leftElsewhere(e, c.Page, err))
		}
		return c.print(e, &status)
	}
	answer, err := c.call(e, "status")
	if errors.Is(err, daemon.ErrNoDaemon) || errors.Is(err, daemon.ErrSilent) || errors.Is(err, daemon.ErrUnreachable) {
		return errors.Join(fmt.Errorf("status: %w", err), c.last(e))
	}
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	if answer.Status == nil {
		return errors.New("status: the daemon answered without one; are client and daemon of the same version?")
	}
	return c.print(e, answer.Status)
}

// last prints how the daemon stood that ran last, if it left a page.
func (c statusCmd) last(e *env) error {
	sockets := []string{c.Socket}
	if c.Socket == "" {
		sockets = daemon.Sockets(e.getenv, e.uid)
	}
	page, err := daemon.FindPage(sockets)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the page of the daemon that ran last: %w", err)
	}
	status, err := daemon.ReadPage(page)
	if err != nil {
		return fmt.Errorf("the page of the daemon that ran last: %w", err)
	}
	return c.print(e, &status)
}

// print prints a status as asked for.
func (c statusCmd) print(e *env, status *daemon.Status) error {
	if c.JSON {
		return printJSON(e, status)
	}
	var text bytes.Buffer
	if err := status.Print(&text); err != nil {
		return err
	}
	_, err := io.WriteString(e.out, daemon.Printable(text.String()))
	return err
}

// printJSON writes one indented object.
func printJSON(e *env, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	_, err = fmt.Fprintf(e.out, "%s\n", daemon.Printable(string(text)))
	return err
}
