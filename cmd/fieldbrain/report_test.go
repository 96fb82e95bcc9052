package main

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"fieldbrain/testbench/tier"
)

// TestUntilSignal: what ends a long command by the keyboard, by a service manager and by
// a terminal that closes ends it in order.
func TestUntilSignal(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if s == syscall.SIGHUP && signal.Ignored(s) {
			t.Log(tier.Mark + "not where hang-ups are ignored, as under nohup: that one ends a command")
			continue
		}
		ctx, restore := untilSignal()
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		restore()
	}
}
