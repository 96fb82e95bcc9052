package guardbench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A freezer is looked for in every hierarchy that can freeze, the newer version first,
// within the bench's own group.
func TestFreezers(t *testing.T) {
	const both = "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0\n" +
		"cgroup /sys/fs/cgroup/freezer cgroup rw,relatime,freezer 0 0\n" +
		"cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0\n"
	for _, c := range []struct {
		why, mounts, groups string
		want                []string
	}{
		{"both", both, "6:freezer:/box\n1:cpu:/x\n0::/user.slice\n", []string{"/sys/fs/cgroup/unified/user.slice", "/sys/fs/cgroup/freezer/box"}},
		{"version 2 alone", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "0::/a/b\n", []string{"/sys/fs/cgroup/a/b"}},
		{"a freezer's name in another option", "cgroup /x cgroup rw,name=nofreezer 0 0\n", "", nil},
		{"nothing is mounted", "proc /proc proc rw 0 0\n", "0::/\n", nil},
	} {
		var got []string
		for _, f := range freezers(c.mounts, c.groups) {
			got = append(got, f.folder)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

// A way that this machine cannot carry out is named, and the others stay.
func TestPossible(t *testing.T) {
	can, cannot := Possible(Kinds())
	if len(can)+len(cannot) != len(Kinds()) || len(can) < len(Kinds())-1 {
		t.Errorf("%d of %d ways can be carried out, %d cannot", len(can), len(Kinds()), len(cannot))
	}
	for _, why := range cannot {
		t.Log(why)
	}
}

// What make service-test reads of a lent car.
func TestTurnString(t *testing.T) {
	for want, turn := range map[string]Turn{
		"1500 us: motors on":  {At: 1500 * time.Microsecond, On: true},
		"2000 us: motors off": {At: 2 * time.Millisecond},
		"2000 us: motors off, process 7 pulled the reset line": {At: 2 * time.Millisecond, By: 7},
	} {
		if got := turn.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A lent car's sockets are there until its end, and then its end is no error.
func TestLend(t *testing.T) {
	folder, err := os.MkdirTemp("", "fb") // a short name: it is a socket's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Lend(ctx, folder, func(turn Turn) { t.Errorf("nobody drives: %v", turn) }) }()
	for _, name := range []string{"h.sock", "l.sock"} {
		for _, err := os.Stat(filepath.Join(folder, name)); err != nil; _, err = os.Stat(filepath.Join(folder, name)) {
			select {
			case err := <-done:
				t.Fatalf("it has ended: %v", err)
			case <-time.After(time.Millisecond):
			}
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
