package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// A gone writer takes nothing any more.
type gone struct{ why error }

func (g gone) Write([]byte) (int, error) { return 0, g.why }

// TestLostOutput: who prints into a full disk fails, whoever did not look; a reader that
// has gone, as head does, is no failure.
func TestLostOutput(t *testing.T) {
	for _, c := range []struct {
		write, result error
		code          int
		says          string
	}{
		{nil, nil, exitDone, ""},
		{syscall.ENOSPC, nil, exitFailed, "fieldbrain: no space left on device: the command went to its end"},
		{syscall.ENOSPC, errSilent, exitFailed, "no space left on device"},
		{syscall.ENOSPC, errors.New("another"), exitFailed, "fieldbrain: another\n"},
		{syscall.EPIPE, nil, exitDone, ""},
		{syscall.EPIPE, errSilent, exitFailed, ""},
	} {
		var said bytes.Buffer
		e := &env{out: newOutlet(gone{c.write}), err: &said}
		fmt.Fprintln(e.out, "a line")
		code := report(e, c.result)
		if code != c.code || !strings.Contains(said.String(), c.says) || c.says == "" && said.Len() > 0 {
			t.Errorf("%v and %v: %d %q, want %d %q", c.write, c.result, code, said.String(), c.code, c.says)
		}
	}
}
