package picarx

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// glance is how long starved looks at a thread: long against a tick of the
// kernel's accounting, short beside the silence that made somebody look.
const glance = 2 * time.Millisecond

// A thread is one of the process's threads as the kernel's scheduler sees it.
type thread struct{ tid int }

// thisThread returns the calling thread, to which its goroutine is locked.
func thisThread() thread { return thread{unix.Gettid()} }

// starved looks at a thread twice, a wait apart, and reports whether it is
// ready to run and gets no processor. A thread that sleeps in the kernel, as
// one does whose transaction hangs, is not starved, nor is one that computes. A
// thread of which the kernel says nothing counts as not starved: then the
// driver does not claim that the wires are sound. Back says whether the thread
// has come back meanwhile.
func starved(look func() (ready bool, ran time.Duration), wait func(time.Duration), back func() bool) bool {
	ready, before := look()
	if !ready {
		return false
	}
	wait(glance)
	if back() { // it was only waiting for its turn
		return true
	}
	ready, after := look()
	return ready && after-before < glance/2
}

// look returns whether the thread is running or ready to, and for how long it
// has run since it started.
func (t thread) look() (ready bool, ran time.Duration) {
	folder := fmt.Sprintf("/proc/self/task/%d/", t.tid)
	stat, err := os.ReadFile(folder + "stat") // "tid (name) R ...", the name may hold anything
	if err != nil {
		return false, 0
	}
	_, rest, found := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	ready = found && len(rest) > 0 && rest[0] == 'R'
	counts, err := os.ReadFile(folder + "schedstat") // ns run, ns waited, turns; some kernels keep none
	if err != nil {
		return ready, 0
	}
	first, _, _ := bytes.Cut(counts, []byte(" "))
	ns, err := strconv.ParseInt(string(first), 10, 64)
	if err != nil {
		return ready, 0
	}
	return ready, time.Duration(ns)
}
