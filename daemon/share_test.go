package daemon_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"fieldbrain/daemon"
)

// TestShare: the share is processor time over time, of this process and of another; of
// one that has ended, of none, and at the first look, nothing is known.
func TestShare(t *testing.T) {
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()         //nolint:errcheck // it is killed
	defer cmd.Process.Kill() //nolint:errcheck // twice
	for name, pid := range map[string]int{"this": 0, "this by number": os.Getpid(), "another": cmd.Process.Pid} {
		var s daemon.Share
		at := time.Unix(1000, 0)
		if r := s.Read(pid, at); r.OK {
			t.Errorf("%s: the first look says %+v", name, r)
		}
		var sum float64
		for n := 1; sum < 0.05; n++ { // 50 ms of a second that is said to have passed
			burn()
			at = at.Add(time.Second)
			r := s.Read(pid, at)
			if !r.OK || r.Value < 0 {
				t.Fatalf("%s: %+v", name, r)
			}
			sum += r.Value
		}
		if r := s.Read(pid, at); r.OK {
			t.Errorf("%s: %+v of no time", name, r)
		}
		if r := s.Read(1<<22-1, at.Add(time.Second)); r.OK { // the largest number there may be
			t.Errorf("%s: %+v of a process that there is not", name, r)
		}
		if r := s.Read(pid, at.Add(2*time.Second)); r.OK {
			t.Errorf("%s: %+v at its first look again", name, r)
		}
	}
	var s daemon.Share
	for range 2 {
		if r := s.Read(-1, time.Now()); r.OK {
			t.Errorf("%+v of no process", r)
		}
	}
	if n := testing.AllocsPerRun(10, func() { s.Read(0, time.Now()) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

var burnt uint64

// burn takes some processor time.
func burn() {
	for end := time.Now().Add(time.Millisecond); time.Now().Before(end); {
		burnt++
	}
}
