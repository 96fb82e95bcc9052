package picarx_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"fieldbrain/robot/picarx"
)

// TestPending: only what the start of the machine will bring is worth waiting for.
func TestPending(t *testing.T) {
	_, missing := picarx.Adapter(t.TempDir(), "c250000.i2c")
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"nothing wrong", nil, false},
		{"no adapter yet", missing, true},
		{"not yet the group's", fmt.Errorf("open: %w", &fs.PathError{Op: "open", Path: "/dev/i2c-7", Err: syscall.EACCES}), true},
		{"forbidden by the control group", &fs.PathError{Op: "open", Path: "/dev/i2c-7", Err: syscall.EPERM}, false},
		{"no board", fmt.Errorf("%w: %w", picarx.ErrNoBoard, fs.ErrNotExist), false},
		{"another reason", errors.New("wrong header"), false},
	} {
		if got := picarx.Pending(c.err); got != c.want {
			t.Errorf("%s: %v, want %v (%v)", c.name, got, c.want, c.err)
		}
	}
	if err := picarx.Reach(picarx.Site{Header: picarx.BenchHeader}); err != nil {
		t.Errorf("a simulated HAT needs no device: %v", err)
	}
	if err := picarx.Reach(picarx.Site{Header: "orin-nano", Bus: "no such adapter"}); !picarx.Pending(err) {
		t.Errorf("an adapter that is not there: %v", err)
	}
}
