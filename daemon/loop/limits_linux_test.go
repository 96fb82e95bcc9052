package loop

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A limit that is too low is named, with what lifts it; root may have any number of
// processes.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name     string
		resource int
		is       uint64
		root     bool
		words    string
	}{
		{"all well", -1, 0, false, ""},
		{"few addresses", unix.RLIMIT_AS, 2_048_000_000, true, "ulimit -v unlimited"},
		{"enough", unix.RLIMIT_AS, 3 << 30, false, ""},
		{"little data", unix.RLIMIT_DATA, 200_000_000, true, "LimitDATA=infinity"},
		{"enough data", unix.RLIMIT_DATA, 1 << 30, false, ""},
		{"few processes", unix.RLIMIT_NPROC, 30, false, "RLIMIT_NPROC is 30"},
		{"few processes, root", unix.RLIMIT_NPROC, 30, true, ""},
		{"few descriptors", unix.RLIMIT_NOFILE, 16, true, "LimitNOFILE=1024"},
	} {
		err := limits(func(resource int) (uint64, error) {
			if resource == c.resource {
				return c.is, nil
			}
			return unix.RLIM_INFINITY, nil
		}, c.root)
		if (err != nil) != (c.words != "") || err != nil && !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %q", c.name, err, c.words)
		}
	}
	refused := errors.New("refused")
	if err := limits(func(int) (uint64, error) { return 0, refused }, true); !errors.Is(err, refused) {
		t.Errorf("limits that cannot be read: %v", err)
	}
}
