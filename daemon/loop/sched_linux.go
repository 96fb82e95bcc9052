package loop

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Claim asks the kernel for everything p wants for the calling thread, which
// must be locked to its goroutine, and returns one Condition per refusal. A
// refusal is never fatal: the loop runs on, later and less evenly, and says so.
func Claim(p Params) []Condition {
	var refused []Condition
	note := func(c *Condition) {
		if c != nil {
			refused = append(refused, *c)
		}
	}
	if p.LockMemory {
		note(LockMemory())
	}
	if p.CPU >= 0 {
		note(Pin(p.CPU))
	}
	if p.Priority > 0 {
		note(Raise(p.Priority))
	}
	return refused
}

// Raise puts the calling thread, and no other, into SCHED_FIFO at the given
// priority. Threads it may start fall back to the ordinary class (reset on
// fork). It returns nil, or why the kernel refused.
func Raise(priority int) *Condition { return RaiseBelow(priority, priority) }

// RaiseBelow is Raise for a thread of a process whose highest one has another priority:
// the refusal names that, because a limit for this thread alone would refuse the other.
func RaiseBelow(priority, highest int) *Condition {
	attr := unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO,
		Flags: unix.SCHED_FLAG_RESET_ON_FORK, Priority: uint32(priority),
	}
	err := unix.SchedSetAttr(0, &attr, 0)
	if err == nil {
		return nil
	}
	c := &Condition{Name: "realtime", Value: "ordinary scheduling class"}
	limit, limitErr := rlimit(unix.RLIMIT_RTPRIO)
	switch {
	case err == unix.EINVAL:
		c.Cause = fmt.Sprintf("priority %d is outside the kernel's 1 .. 99", priority)
		c.Remedy = "set loop.priority to 50"
	case limitErr == nil && limit < uint64(priority):
		c.Cause = fmt.Sprintf("RLIMIT_RTPRIO is %d, below the wanted priority %d (%v)", limit, highest, err)
		c.Remedy = fmt.Sprintf("set LimitRTPRIO=%d in the unit, or \"@robot - rtprio %d\" in /etc/security/limits.d", highest, highest)
	default:
		c.Cause = fmt.Sprintf("the kernel refused although RLIMIT_RTPRIO allows it (%v): %s", err, GroupCause)
		c.Remedy = GroupRemedy("/")
	}
	return c
}

// MayUse reports whether the calling thread may use a processor: Pin would get it.
func MayUse(cpu int) bool {
	var allowed unix.CPUSet
	return cpu >= 0 && unix.SchedGetaffinity(0, &allowed) == nil && allowed.IsSet(cpu)
}

// Pin keeps the calling thread on one processor and asks every other thread of
// the process to stay off it: the runtime's own threads would share it
// otherwise. It returns nil, or why the kernel refused.
func Pin(cpu int) *Condition {
	c := &Condition{Name: "pinning", Value: fmt.Sprintf("not on processor %d", cpu)}
	var allowed, own unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		c.Cause, c.Remedy = fmt.Sprintf("the affinity cannot be read (%v)", err), "set loop.cpu to -1"
		return c
	}
	own.Set(cpu)
	if err := unix.SchedSetaffinity(0, &own); err != nil {
		c.Cause = fmt.Sprintf("processor %d is offline, does not exist or is outside the control group's set (%v)", cpu, err)
		c.Remedy = "set loop.cpu to a processor of /sys/devices/system/cpu/online, or to -1"
		return c
	}
	allowed.Clear(cpu)
	if allowed.Count() == 0 {
		c.Value = fmt.Sprintf("on processor %d, with everything else", cpu)
		c.Cause, c.Remedy = "the process may use this one processor only", "allow it a second one (CPUAffinity= of the unit)"
		return c
	}
	if err := keepOff(&allowed); err != nil {
		c.Value = fmt.Sprintf("on processor %d, with other threads of the process", cpu)
		c.Cause, c.Remedy = err.Error(), "mount /proc, or set AllowedCPUs= in the unit"
		return c
	}
	return nil
}

// keepOff gives every thread of the process but the calling one the set.
func keepOff(set *unix.CPUSet) error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("the list of threads cannot be read: %w", err)
	}
	self := unix.Gettid()
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		if err != nil || tid == self {
			continue
		}
		if err := unix.SchedSetaffinity(tid, set); err != nil && err != unix.ESRCH {
			return fmt.Errorf("thread %d cannot be moved: %w", tid, err)
		}
	}
	return nil
}

// LockMemory keeps the process's pages in memory from the moment it first
// touches them. It returns nil, or why the kernel refused.
//
// Go reserves far more address space than it uses and the kernel counts all of
// it against a finite RLIMIT_MEMLOCK. A lock that just fits would make a later
// stack or heap reservation fail and end the process in the middle of a drive,
// so LockMemory refuses anything but an unlimited limit (or the capability).
func LockMemory() *Condition {
	c := &Condition{Name: "memory", Value: "not locked, a page fault can delay a tick"}
	limit, err := rlimit(unix.RLIMIT_MEMLOCK)
	if err == nil && limit != unix.RLIM_INFINITY && !capable(unix.CAP_IPC_LOCK) {
		c.Cause = fmt.Sprintf("RLIMIT_MEMLOCK is %d bytes and Go's reserved address space counts against it", limit)
		c.Remedy = "set LimitMEMLOCK=infinity in the unit, or run ulimit -l unlimited"
		return c
	}
	if err := unix.Mlockall(unix.MCL_CURRENT | unix.MCL_FUTURE | unix.MCL_ONFAULT); err != nil {
		c.Cause = fmt.Sprintf("mlockall: %v", err)
		c.Remedy = "set LimitMEMLOCK=infinity in the unit, or loop.lock_memory to false"
		return c
	}
	return nil
}

// LongestBurst is how long a thread in the real-time class may compute without ever
// waiting. The longest that one of ours does takes a fiftieth of it on two processors
// at 2 GHz, and a second where they are emulated: the limit is for what never ends.
const LongestBurst = 5 * time.Second

// LimitBursts has the kernel kill the process when one of its threads in the
// real-time class computes for longer than that without waiting (RLIMIT_RTTIME,
// getrlimit(2)). Two such threads would own a machine of two processors, and whoever
// could end them would not run. A goroutine that the runtime preempts has waited; where
// ordinary threads get no processor, nothing preempts it, and C is never preempted. It
// returns nil, or why the kernel refused. A tighter limit that stands already stays; one
// that the kernel tells of before it (the soft limit), by a signal that ends the process,
// goes up to it.
func LimitBursts(longest time.Duration) *Condition {
	us := uint64(longest.Microseconds())
	var now unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_RTTIME, &now)
	if us = min(us, now.Max); err == nil && (now.Max > us || now.Cur < us) {
		err = unix.Setrlimit(unix.RLIMIT_RTTIME, &unix.Rlimit{Cur: us, Max: us})
	}
	if err == nil {
		return nil
	}
	return &Condition{
		Name: "realtime-limit", Value: "a thread that computes for ever in the real-time class can hold up the machine",
		Cause:  fmt.Sprintf("RLIMIT_RTTIME: %v", err),
		Remedy: "allow the process prlimit64 (SystemCallFilter= of the unit)",
	}
}

func rlimit(resource int) (uint64, error) {
	var r unix.Rlimit
	err := unix.Getrlimit(resource, &r)
	return r.Cur, err
}

// capable reports whether the calling thread has a capability in force.
func capable(bit uint) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return false
	}
	return data[bit/32].Effective&(1<<(bit%32)) != 0
}

// onOwnThread runs f on a thread that ends with f and takes its real-time class with
// it. It is never the process's first: that one does not end before the process, and
// when it is dead the kernel still finds it while another thread hangs in a transfer,
// so that the guard would see no death.
func onOwnThread(f func()) {
	runtime.LockOSThread() // not unlocked: so the thread ends
	if unix.Gettid() != unix.Getpid() {
		f()
		return
	}
	taken := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		close(taken)
		f()
	}()
	<-taken // until then nobody else can have the first thread
	runtime.UnlockOSThread()
}
