package loop

import (
	"errors"
	"fmt"
	"os"
	"strconv"

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
	hard     bool // the daemon raises it as far as its hard limit, which counts
}

// needs returns them. A daemon reserves about 2.6 GB of addresses (two processors),
// behind most of which no memory ever stands: Go's heap, a stack for each thread, the C library's arenas.
// Of data, which it may write on, it has 300 MB at its start, and takes 256 MB more of heap
// before it collects while the car is armed.
// It has about 20 threads, and as many descriptors open before anybody has connected.
// Of processor time it needs no end of. 0.2 s of the real-time class, as rtkit gives, are
// several times its longest piece of work.
func needs() []need {
	return []need{
		{
			unix.RLIMIT_AS, "RLIMIT_AS", 3 << 30, "the daemon reserves more addresses than that, and a thread that gets none ends it",
			"ulimit -v unlimited, or LimitAS=infinity in the unit; MemoryMax= bounds memory itself", false, false,
		},
		{
			unix.RLIMIT_DATA, "RLIMIT_DATA", 1 << 30, "the daemon's heap, and whatever it maps to write on, does not fit into that, and its threads die of it",
			"ulimit -d unlimited, or LimitDATA=infinity in the unit; MemoryMax= bounds memory itself", false, false,
		},
		{
			unix.RLIMIT_NPROC, "RLIMIT_NPROC", 64, "this user's processes have too few threads for the daemon's",
			"ulimit -u unlimited, or LimitNPROC=infinity in the unit", true, false,
		},
		{
			unix.RLIMIT_NOFILE, "RLIMIT_NOFILE", 64, "the daemon could not hear everybody who gives orders",
			"ulimit -n 1024, or LimitNOFILE=1024 in the unit", false, false,
		},
		{
			unix.RLIMIT_CPU, "RLIMIT_CPU", unix.RLIM_INFINITY, "the kernel ends the daemon after so many seconds of processor time, without a word and while the car drives",
			"ulimit -t unlimited, or LimitCPU=infinity in the unit", false, false,
		},
		{
			unix.RLIMIT_RTTIME, "RLIMIT_RTTIME", 200_000, "the kernel ends the daemon where a thread of the real-time class computes for so many microseconds",
			"prlimit --rttime=unlimited in the place of what lowers it, or LimitRTTIME=infinity in the unit", false, true,
		},
	}
}

// Limits returns an error for each resource limit of this process, or of its control
// groups, that is below what the daemon needs, joined, nil where all are well.
func Limits() error {
	get := func(resource int) (r unix.Rlimit, err error) { return r, unix.Getrlimit(resource, &r) }
	return errors.Join(limits(get, os.Getuid() == 0), groupLimits("/"))
}

// limits asks get for each limit.
func limits(get func(resource int) (unix.Rlimit, error), root bool) error {
	var all error
	for _, n := range needs() {
		r, err := get(n.resource)
		is := r.Cur
		if n.hard {
			is = r.Max
		}
		switch {
		case err != nil:
			all = errors.Join(all, fmt.Errorf("%s is not known: %w", n.name, err))
		case is < n.least && !(root && n.rootMay):
			all = errors.Join(all, fmt.Errorf("%s is %d, the daemon needs %s: %s: %s", n.name, is, amount(n.least), n.why, n.remedy))
		}
	}
	return all
}

// amount writes a limit.
func amount(limit uint64) string {
	if limit == unix.RLIM_INFINITY {
		return "no limit"
	}
	return strconv.FormatUint(limit, 10)
}
