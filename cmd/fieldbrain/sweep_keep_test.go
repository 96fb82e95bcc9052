package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/testbench/sweep"
)

// TestSweepKeepsTheBetter: results that a run lacks stay in the folder and are named, until
// --afresh; a folder without any, and a run that has all, have nothing said.
func TestSweepKeepsTheBetter(t *testing.T) {
	bench := benchSweepCmd{Pilot: "brain"}
	batch, err := bench.batch(3, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	c, e := sweepRunCmd{Out: t.TempDir()}, &env{out: io.Discard, err: &said}
	run := func(jobs int) string {
		said.Reset()
		tally := sweep.NewTally(batch)
		for _, j := range batch.Jobs[:jobs] {
			tally.Add(&sweep.Result{Job: j, Error: "no fuel"})
		}
		if err := c.keep(e, nil, tally, true); err != nil {
			t.Fatal(err)
		}
		lines, err := os.ReadFile(filepath.Join(c.Out, "results.jsonl"))
		table, err2 := os.ReadFile(filepath.Join(c.Out, "results.csv"))
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(bytes.Count(lines, []byte("\n")), " ", bytes.Count(table, []byte("\n")))
	}
	for _, step := range []struct {
		jobs int
		rows string
		says string
	}{
		{2, "2 3", ""}, {3, "3 4", ""}, {1, "3 4", "2 of the results in " + c.Out}, {3, "3 4", ""},
	} {
		if rows := run(step.jobs); rows != step.rows || !strings.Contains(said.String(), step.says) || step.says == "" && said.Len() > 0 {
			t.Errorf("a run with %d results leaves %s, want %s, and says %q", step.jobs, rows, step.rows, said.String())
		}
	}
	if err := c.forget(batch); err != nil {
		t.Fatal(err)
	}
	if rows := run(1); rows != "1 2" || said.Len() > 0 {
		t.Errorf("afresh: %s, %q", rows, said.String())
	}
}

// TestSweepAfresh: what starts afresh keeps no recording of the drives before, which may
// be another program's, and touches nothing else.
func TestSweepAfresh(t *testing.T) {
	bench := benchSweepCmd{Pilot: "brain"}
	batch, err := bench.batch(2, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := sweepRunCmd{Out: t.TempDir()}
	if err := c.forget(batch); err != nil {
		t.Errorf("nothing there: %v", err)
	}
	old, other := c.recording(batch.Jobs[1].ID), c.recording("another")
	if err := os.Mkdir(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{old, other} {
		if err := os.WriteFile(path, []byte("drive"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.forget(batch); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the recording of an earlier drive: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("another file: %v", err)
	}
}

// TestSweepRefused: who is not let in hears of the flag that named the server.
func TestSweepRefused(t *testing.T) {
	why := errors.New("connect: nats: Authorization Violation")
	for _, c := range []struct {
		name string
		cmd  sweepRunCmd
		says []string
		not  string
	}{
		{"another's server", sweepRunCmd{natsFlags: natsFlags{NATS: "nats://host"}}, []string{"--nats: "}, "--server-config"},
		{"ours, configured", sweepRunCmd{ServerConfig: "nats.conf"}, []string{"--server-config nats.conf: ", "--creds", "--nkey", "--cert", "passwords"}, "--nats: "},
		{"ours", sweepRunCmd{}, []string{"the sweep's own server"}, "--"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.cmd.refused(why)
			if !errors.Is(err, why) || strings.Contains(err.Error(), c.not) {
				t.Errorf("%v", err)
			}
			for _, word := range c.says {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("nothing of %q in: %v", word, err)
				}
			}
		})
	}
}
