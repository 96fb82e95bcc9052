package loop

// Ranks are the real-time priorities of a daemon's threads. 0 is the ordinary class.
type Ranks struct {
	Loop   int
	Driver int // the driver's threads: the bus is served before anything ordinary, and never instead of a tick
	Stop   int // whoever waits for an emergency stop
	Rest   int // the runtime's, in round robin
}

// RanksFor returns the ranks below the loop's priority, on a machine that lets the
// process have that many processors.
//
// On one processor all are equal. Go's runtime holds for a moment what a thread that
// comes back from the kernel spins for, with sched_yield between (setBlockOnExitSyscall
// and casgstatus in runtime/proc.go, Go 1.26): a thread that stands above the holder, on
// the one processor that both have, spins for ever. Among equals sched_yield lets the
// holder on. On more processors the kernel moves the holder to another.
func RanksFor(priority, processors int) Ranks {
	switch {
	case priority <= 0:
		return Ranks{}
	case processors <= 1:
		return Ranks{Loop: priority, Driver: priority, Stop: priority, Rest: priority}
	case priority <= 3: // no room for the rest
		return Ranks{Loop: priority, Driver: priority - 1, Stop: max(priority-2, 0)}
	}
	return Ranks{Loop: priority, Driver: priority - 1, Stop: priority - 2, Rest: 1}
}

// Equal returns the condition of a loop that stands above nobody, or nil.
func (r Ranks) Equal() *Condition {
	if r.Loop == 0 || r.Rest != r.Loop {
		return nil
	}
	return &Condition{
		Name: "one-processor", Value: "no thread of the daemon stands above its others: ticks wait for the rest of it",
		Cause:  "it has one processor, on which a thread that stood above another of Go's would spin for it for ever",
		Remedy: "give it two or more (CPUAffinity= of the unit, loop.cpu = -1, another board); sysctl kernel.sched_rr_timeslice_ms=4 shortens the waits",
	}
}
