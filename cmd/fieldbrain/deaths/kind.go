package deaths

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"fieldbrain/daemon/guard"
)

// A Kind is a way for the daemon to die, or to be as good as dead.
type Kind struct {
	Name   string
	What   string // in words
	Signal syscall.Signal
	Silent bool // nothing dies: the guard has to notice that the loop is silent
}

// Kinds returns every way, in the order of the report.
func Kinds() []Kind {
	return []Kind{
		{"kill", "SIGKILL: a crash without last words, the kernel's choice when memory runs out", syscall.SIGKILL, false},
		{"segv", "SIGSEGV: the runtime writes its last words and ends", syscall.SIGSEGV, false},
		{"stop", "SIGSTOP: every thread stands", syscall.SIGSTOP, true},
		{"spin", "the loop's thread computes for ever, at its real-time priority", syscall.SIGUSR2, true},
		{"deadlock", "the loop's thread waits for a lock that nobody gives up", syscall.SIGWINCH, true},
	}
}

// ParseKinds returns the ways with these names, separated by commas; "all" are all.
func ParseKinds(names string) ([]Kind, error) {
	all := Kinds()
	if names == "all" {
		return all, nil
	}
	var chosen []Kind
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no way to die is called %q: kill, segv, stop, spin, deadlock or all", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// A Victim is the part of a daemon that lets a bench hold up its loop.
type Victim struct {
	order atomic.Int32
	lock  sync.Mutex
	heard chan os.Signal
}

// NewVictim waits for the signals of the kinds that need help from inside.
func NewVictim() *Victim {
	v := &Victim{heard: make(chan os.Signal, 1)}
	signal.Notify(v.heard, syscall.SIGUSR2, syscall.SIGWINCH)
	go func() {
		for s := range v.heard {
			v.order.Store(int32(s.(syscall.Signal)))
		}
	}()
	return v
}

// Sabotage does to the tick what was ordered. It does not return then.
func (v *Victim) Sabotage() {
	switch syscall.Signal(v.order.Load()) {
	case syscall.SIGUSR2:
		for v.order.Load() != 0 { // for ever: nobody takes it back
		}
	case syscall.SIGWINCH:
		v.lock.Lock()
		v.lock.Lock() //nolint // that is the point
	}
}

// limit is the silence that a kind is allowed before anybody has to notice it.
func (k Kind) limit() (silence int64) {
	if k.Silent {
		return int64(guard.Limit)
	}
	return 0
}
