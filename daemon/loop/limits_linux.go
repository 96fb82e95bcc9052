package loop

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A need is a resource limit below which the daemon does not run.
type need struct {
	resource int
	name     string // of the limit
	least    uint64
	why      string
	remedy   string
	rootMay  bool // root is let pass it
}

// needs returns them. A daemon reserves about 2.6 GB of addresses (two processors),
// behind most of which no memory ever stands: Go's heap, a stack for each thread, the C library's arenas.
// Of data, which it may write on, it has 300 MB at its start, and takes 256 MB more of heap
// before it collects while the car is armed.
// It has about 20 threads, and as many descriptors open before anybody has connected.
func needs() []need {
	return []need{
		{
			unix.RLIMIT_AS, "RLIMIT_AS", 3 << 30, "the daemon reserves more addresses than that, and a thread that gets none ends it",
			"ulimit -v unlimited, or LimitAS=infinity in the unit; MemoryMax= bounds memory itself", false,
		},
		{
			unix.RLIMIT_DATA, "RLIMIT_DATA", 1 << 30, "the daemon's heap, and whatever it maps to write on, does not fit into that, and its threads die of it",
			"ulimit -d unlimited, or LimitDATA=infinity in the unit; MemoryMax= bounds memory itself", false,
		},
		{
			unix.RLIMIT_NPROC, "RLIMIT_NPROC", 64, "this user's processes have too few threads for the daemon's",
			"ulimit -u unlimited, or LimitNPROC=infinity in the unit", true,
		},
		{
			unix.RLIMIT_NOFILE, "RLIMIT_NOFILE", 64, "the daemon could not hear everybody who gives orders",
			"ulimit -n 1024, or LimitNOFILE=1024 in the unit", false,
		},
	}
}

// Limits returns an error for each resource limit of this process that is below what
// the daemon needs, joined, nil where all are well.
func Limits() error { return limits(rlimit, os.Getuid() == 0) }

// limits asks get for each limit.
func limits(get func(resource int) (uint64, error), root bool) error {
	var all error
	for _, n := range needs() {
		is, err := get(n.resource)
		switch {
		case err != nil:
			all = errors.Join(all, fmt.Errorf("%s is not known: %w", n.name, err))
		case is < n.least && !(root && n.rootMay):
			all = errors.Join(all, fmt.Errorf("%s is %d, the daemon needs %d: %s: %s", n.name, is, n.least, n.why, n.remedy))
		}
	}
	return all
}
