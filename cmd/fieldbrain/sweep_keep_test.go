package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
