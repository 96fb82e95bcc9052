package forensics

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Scheduling classes as evidence names them.
const (
	fifo     = "fifo"
	rr       = "rr"
	deadline = "deadline"
	other    = "other"
)

// policyName names a class of sched_setattr(2).
func policyName(policy uint32) string {
	switch policy {
	case unix.SCHED_FIFO:
		return fifo
	case unix.SCHED_RR:
		return rr
	case unix.SCHED_DEADLINE:
		return deadline
	}
	return other
}

// class returns the scheduling class and priority of a thread.
func class(tid int) (policy string, priority int) {
	attr, err := unix.SchedGetAttr(tid, 0)
	if err != nil {
		return other, 0
	}
	return policyName(attr.Policy), int(attr.Priority)
}

// maxRivals is how many a bundle names.
const maxRivals = 8

// A census knows how long the real-time threads of others have run.
type census struct {
	at  time.Time
	ran map[int]time.Duration // by thread
}

// begin notes how things stand, where the loop is in a real-time class: others
// matter only then.
func (c *census) begin(policy string, priority int) {
	c.ran = map[int]time.Duration{}
	if policy != other {
		c.take(priority, time.Now())
	}
}

// take lists the threads of other processes that the kernel lets run before one of the
// given priority, or beside it, with what they ran since the census before. It reads
// two files for every thread of the machine and belongs to a slow goroutine, after a
// miss.
func (c *census) take(priority int, now time.Time) []Rival {
	own := os.Getpid()
	seen := make(map[int]time.Duration, len(c.ran))
	var list []Rival
	processes, _ := os.ReadDir("/proc") // none: nobody can be named
	for _, p := range processes {
		pid, err := strconv.Atoi(p.Name())
		if err != nil || pid == own {
			continue
		}
		folder := "/proc/" + p.Name() + "/task"
		tasks, _ := os.ReadDir(folder) // it may have ended
		for _, task := range tasks {
			tid, err := strconv.Atoi(task.Name())
			if err != nil {
				continue
			}
			policy, its := class(tid)
			if policy == other || policy != deadline && its < priority {
				continue
			}
			r := Rival{PID: pid, TID: tid, Name: name(folder, tid), Policy: policy, Priority: its}
			ran := ranOf(folder, tid)
			seen[tid] = ran
			if before, known := c.ran[tid]; known || !c.at.IsZero() {
				r.Ran, r.Over = max(0, ran-before), now.Sub(c.at) // one that is new began since
			}
			list = append(list, r)
		}
	}
	c.at, c.ran = now, seen
	slices.SortStableFunc(list, func(a, b Rival) int { return cmp.Compare(b.Ran, a.Ran) })
	return list[:min(len(list), maxRivals)]
}

// name returns a thread's.
func name(folder string, tid int) string {
	text, err := os.ReadFile(fmt.Sprintf("%s/%d/comm", folder, tid))
	if err != nil {
		return "a thread"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, string(text))
}

// ranOf returns how long a thread has run, by its schedstat.
func ranOf(folder string, tid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("%s/%d/schedstat", folder, tid))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	ns, _ := strconv.ParseInt(first, 10, 64)
	return time.Duration(ns)
}
