//go:build cuda

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
	"fieldbrain/gpu/worker"
)

// Descriptors that the parent hands over.
const (
	pageFD  = 3
	setupFD = 4
)

// serve works for the parent until that closes standard input.
func serve() (err error) {
	if err := offer(); err != nil {
		fmt.Fprintln(os.Stderr, "fieldbrain-gpu: the kernel may end the daemon before this, should memory run out:", err)
	}
	m, err := gpu.OpenPage(pageFD)
	if err != nil {
		return fmt.Errorf("%w; people try --probe", err)
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	setup, err := readSetup(m)
	if err != nil {
		gpu.NewServer(m.Page, 0).Fail(err)
		return err
	}
	server := gpu.NewServer(m.Page, worker.Patience(setup.Wait))
	if err = work(server, m, setup); err != nil {
		server.Fail(err)
	}
	return err
}

// expendable is how much likelier than the daemon the kernel ends this process
// when memory runs out, of 1000: the daemon goes on without it.
const expendable = 500

// offer makes this process expendable, unless somebody made it more so.
func offer() error {
	const file = "/proc/self/oom_score_adj"
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if now, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && now >= expendable {
		return nil
	}
	return os.WriteFile(file, []byte(strconv.Itoa(expendable)), 0)
}

// readSetup reads the field's setup and compares it with the page.
func readSetup(m *gpu.Mapping) (*gpu.Setup, error) {
	pipe := os.NewFile(setupFD, "setup")
	setup, err := gpu.DecodeSetup(pipe)
	if err != nil {
		return nil, err
	}
	return setup, errors.Join(m.Check(setup), pipe.Close())
}

// work opens the device, serves and gives it back.
func work(server *gpu.Server, m *gpu.Mapping, setup *gpu.Setup) error {
	w, err := worker.Open(worker.Options{Setup: setup, Page: m.Page, Image: kernels.Fatbin()})
	if err != nil {
		return err
	}
	if w.Unregistered != nil {
		fmt.Fprintln(os.Stderr, "fieldbrain-gpu: the page is copied, not shared:", w.Unregistered)
	}
	if setup.Priority > 0 { // after the driver has made its own threads, which stay ordinary
		if err := w.Raise(setup.Priority); err != nil {
			fmt.Fprintln(os.Stderr, "fieldbrain-gpu: later than need be on a busy machine:", err)
		}
	}
	stop := make(chan struct{})
	go orphaned(stop)
	// From here on the program allocates nothing, so the collector has nothing to do.
	runtime.GC()
	debug.SetGCPercent(-1)
	if err := w.Serve(server, stop); err != nil {
		return err // the driver would refuse to give anything back
	}
	return w.Close()
}

// lastMoment is how long a tick that hangs may delay the end.
const lastMoment = 2 * time.Second

// orphaned closes stop when the parent has gone or wants the end: standard input
// closes. It ends the process if that takes too long.
func orphaned(stop chan<- struct{}) {
	_, _ = io.Copy(io.Discard, os.Stdin) // however it ends, it has ended
	close(stop)
	time.Sleep(lastMoment)
	fmt.Fprintln(os.Stderr, "fieldbrain-gpu: ended in the middle of a tick, which hangs")
	os.Exit(1)
}

// revision names the source that this program was built from.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of an unknown revision"
	}
	version, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return cmp.Or(version, "of an unknown revision") + dirty
}
