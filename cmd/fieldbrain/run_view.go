package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/cmd/fieldbrain/monitor"
	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
)

// A view is the live view of a run: fieldbrain top in a process of its own, on the
// run's terminal. What it allocates, how long it draws and how it ends cannot touch
// the daemon.
type view struct {
	socket string
	log    *monitor.Scrollback
	out    io.Writer // of the log when the view has gone
	warn   *daemon.Log
}

// Times of the view's process.
const (
	viewEnds  = time.Second            // to give the terminal back when it is told to end
	feedEvery = 100 * time.Millisecond // between two looks for new lines of the log
)

// show shows the run until ctx ends. Whoever ends the view by its key ends the run;
// where it ends for another reason, the car drives on and the log goes to out.
func (v view) show(ctx context.Context, quit func()) error {
	if err := v.process(ctx); err != nil && ctx.Err() == nil {
		v.log.Through(v.out)
		v.warn.Warn().Err(err).Str("remedy", "watch it with fieldbrain top").Msg("the live view has ended, the car drives on")
		return nil
	}
	quit()
	return nil
}

// process runs the view's process. Its thread is of the ordinary class, which the
// process inherits, and ends with this goroutine because nobody unlocks it.
func (v view) process(ctx context.Context) error {
	runtime.LockOSThread()
	ordinary := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL}
	_ = unix.SchedSetAttr(0, &ordinary, 0) // a refusal costs the others some time
	lines, feed, err := os.Pipe()
	if err != nil {
		return err
	}
	defer feed.Close()
	cmd := exec.CommandContext(ctx, "/proc/self/exe", "top", "--beside", "--page", telemetry.PagePath(v.socket), "--socket", v.socket)
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, v.log
	cmd.ExtraFiles = []*os.File{lines}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = viewEnds
	err = cmd.Start()
	lines.Close()
	if err != nil {
		return err
	}
	fed, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(fed)
		v.feed(feed, gone)
	}()
	err = cmd.Wait()
	close(gone)
	<-fed
	return err
}

// feed hands the log on until the view has gone. A view that does not read loses lines
// of it; the run loses none.
func (v view) feed(to *os.File, gone <-chan struct{}) {
	ticker := time.NewTicker(feedEvery) // a look at a buffer, nothing is paced by it
	defer ticker.Stop()
	var told uint64
	for {
		text, now := v.log.Since(told)
		told = now
		if err := to.SetWriteDeadline(time.Now().Add(feedEvery)); err == nil && text != "" {
			_, _ = io.WriteString(to, text)
		}
		select {
		case <-gone:
			return
		case <-ticker.C:
		}
	}
}
