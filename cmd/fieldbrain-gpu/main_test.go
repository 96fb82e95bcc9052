//go:build cuda

package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"fieldbrain/testbench/vector/bench"
)

// said returns what a call prints on the standard output.
func said(t *testing.T, call func() error) (string, error) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stdout = old }(os.Stdout)
	os.Stdout = w
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(r)
		text <- string(all)
	}()
	err = errors.Join(call(), w.Close())
	return <-text, err
}

// TestWrongUse: a mistake in the flags is one of use, which exits with 2, and is found
// before any device is looked for.
func TestWrongUse(t *testing.T) {
	for _, args := range []string{
		"--no-such-flag", "serve", "--bench --rounds 0", "--selftest --ticks 0", "--bench --step half", "--version now",
		"--fleet --cars 0", "--fleet --cars 1,x", "--fleet --rounds 0", "--fleet --bench", "--cars 5", "--fleet --tasks", "--tasks --selftest", "--timeline x --bench", "--timeline x --fleet",
	} {
		if err := run(strings.Fields(args)); !errors.Is(err, errUse) {
			t.Errorf("%s: %v, want a mistake of use", args, err)
		}
	}
	if err := run([]string{"--help"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("--help: %v", err)
	}
}

func TestVersion(t *testing.T) {
	text, err := said(t, func() error { return run([]string{"--version"}) })
	if err != nil || !strings.HasPrefix(text, "fieldbrain-gpu ") || !strings.HasSuffix(text, "\n") {
		t.Errorf("%q, %v", text, err)
	}
}

// TestProbe: the device that is there is named, and can step a field.
func TestProbe(t *testing.T) {
	runtime.LockOSThread() // a context belongs to a thread
	defer runtime.UnlockOSThread()
	text, err := said(t, func() error { return run([]string{"--probe"}) })
	if err != nil || !strings.Contains(text, "device:") {
		t.Errorf("%q, %v", text, err)
	}
}

// TestArena: the dense step's layout of the device's memory is another one than the
// collapsed step's, and needs more.
func TestArena(t *testing.T) {
	collapsed, err := said(t, func() error { return run([]string{"--arena"}) })
	if err != nil {
		t.Fatal(err)
	}
	dense, err := said(t, func() error { return run([]string{"--arena", "--dense"}) })
	if err != nil || dense == collapsed || collapsed == "" {
		t.Errorf("%v, collapsed:\n%s\ndense:\n%s", err, collapsed, dense)
	}
}

// TestFleet: cars on the device that is there, with what fieldbrain bench fleet --card reads.
func TestFleet(t *testing.T) {
	runtime.LockOSThread() // a context belongs to a thread
	defer runtime.UnlockOSThread()
	text, err := said(t, func() error { return run([]string{"--fleet", "--rounds", "1", "--cars", "3,40"}) })
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Decode([]byte(text))
	if err != nil || len(r.Rows) != 4 || r.Card == "" || r.Rows[3].Cars != 40 || !r.Rows[3].Sensors || r.Rows[3].Rate <= 0 {
		t.Errorf("%v: %s", err, text)
	}
}

// TestTasks: environments on the device that is there.
func TestTasks(t *testing.T) {
	runtime.LockOSThread() // a context belongs to a thread
	defer runtime.UnlockOSThread()
	text, err := said(t, func() error { return run([]string{"--tasks", "--rounds", "1", "--cars", "40"}) })
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Decode([]byte(text))
	if err != nil || len(r.Tasks) != 4 || r.Card == "" || r.Tasks[3].Cars != 40 || r.Tasks[3].Rate <= 0 {
		t.Errorf("%v: %s", err, text)
	}
}
