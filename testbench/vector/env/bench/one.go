package bench

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// onOne keeps this process, and every other that it starts from now on, on one processor:
// the last of those it may use. Two processors are not equally fast, and a process stays
// on the one where it began. It returns which, and what gives the others back.
func onOne() (cpu int, free func(), err error) {
	var allowed, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return 0, nil, fmt.Errorf("bench: the processors that may be used cannot be read: %w", err)
	}
	for left := allowed.Count(); left > 0; cpu++ {
		if allowed.IsSet(cpu) {
			left--
		}
	}
	cpu--
	one.Set(cpu)
	free = func() { _ = every(&allowed) }
	if err := every(&one); err != nil {
		free()
		return 0, nil, fmt.Errorf("bench: on processor %d alone: %w", cpu, err)
	}
	return cpu, free, nil
}

// every lets all threads of this process run on a set of processors; threads to come
// follow the one that starts them.
func every(set *unix.CPUSet) error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("the list of threads cannot be read: %w", err)
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			continue
		}
		if err := unix.SchedSetaffinity(id, set); err != nil && err != unix.ESRCH {
			return fmt.Errorf("thread %d cannot be moved: %w", id, err)
		}
	}
	return nil
}
