package daemon_test

import (
	"bufio"
	"errors"
	"net"
	"path/filepath"
	"testing"

	"fieldbrain/daemon"
)

// TestLateAnswer: a word whose answer does not come in time ends the drive. An answer that
// came later would else be taken for that to the next word, whatever the daemon says.
func TestLateAnswer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heard := make(chan int)
	release := make(chan struct{})
	go func() {
		n := 0
		defer func() { heard <- n }()
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		for lines := bufio.NewScanner(conn); lines.Scan(); n++ {
			if n == 1 {
				<-release
			}
			_, _ = conn.Write([]byte("{\"ok\":true}\n"))
		}
	}()
	d, _, err := daemon.TakeManualLease(t.Context(), path, "pad")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Drive(1, 0); err == nil {
		t.Error("a word that nobody answered counts as heard")
	}
	close(release)
	if err := d.Drive(0, 0); !errors.Is(err, daemon.ErrHungUp) {
		t.Errorf("the next word says %v: it takes a late answer for its own, or does not know that the connection has ended", err)
	}
	if err := d.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
	if n := <-heard; n != 2 {
		t.Errorf("the daemon heard %d lines, want the first two", n)
	}
}
