package guardbench

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/guard"
	"fieldbrain/robot"
)

// A Kind is a way for the daemon to die, or to be as good as dead.
type Kind struct {
	Name   string
	What   string // in words
	Signal syscall.Signal
	Silent bool // nothing dies: the guard has to notice that the loop is silent
	Freeze bool // no signal: the daemon's control group is frozen
}

// Kinds returns every way, in the order of the report.
func Kinds() []Kind {
	return []Kind{
		{"kill", "SIGKILL: a crash without last words, the kernel's choice when memory runs out", syscall.SIGKILL, false, false},
		{"segv", "SIGSEGV in the loop's thread, as of a fault in an engine: the runtime writes its last words and ends", syscall.SIGIO, false, false},
		{"stop", "SIGSTOP: every thread stands", syscall.SIGSTOP, true, false},
		{"spin", "the loop's thread computes for ever, at its real-time priority", syscall.SIGUSR2, true, false},
		{"deadlock", "the loop's thread waits for a lock that nobody gives up", syscall.SIGWINCH, true, false},
		{"freeze", "the control group is frozen, as by systemctl freeze: every thread stands and nobody is told", 0, true, true},
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
			return nil, fmt.Errorf("no way to die is called %q: kill, segv, stop, spin, deadlock, freeze or all", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// Possible parts the ways into those that this machine can carry out, and the reason
// for each other one.
func Possible(kinds []Kind) (can []Kind, cannot []error) {
	for _, k := range kinds {
		if k.Freeze {
			f, err := newFreezer()
			if err == nil {
				err = f.close()
			}
			if err != nil {
				cannot = append(cannot, fmt.Errorf("%s: %w", k.Name, err))
				continue
			}
		}
		can = append(can, k)
	}
	return can, cannot
}

// A Victim is the part of a daemon that lets a bench hold up its loop.
type Victim struct {
	order atomic.Int32
	lock  sync.Mutex
	heard chan os.Signal
	began *os.File // takes the instant at which the loop is held up
	clock robot.Clock
}

// silently tells the bench when the loop was held up: the order came through the
// runtime, whose threads a load may keep waiting.
func (v *Victim) silently() {
	var stamp [8]byte
	binary.LittleEndian.PutUint64(stamp[:], uint64(v.clock.Now()))
	_, _ = v.began.WriteAt(stamp[:], 0)
}

// NewVictim waits for the signals of the kinds that need help from inside; began is
// the path of a file for the instant at which it came to that.
func NewVictim(began string) (*Victim, error) {
	file, err := os.OpenFile(began, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("guardbench: %w", err)
	}
	v := &Victim{heard: make(chan os.Signal, 1), began: file, clock: robot.NewMonotonic()}
	signal.Notify(v.heard, syscall.SIGUSR2, syscall.SIGWINCH, syscall.SIGIO)
	go func() {
		for s := range v.heard {
			v.order.Store(int32(s.(syscall.Signal)))
		}
	}()
	return v, nil
}

// Sabotage does to the tick what was ordered. It does not return then.
func (v *Victim) Sabotage() {
	switch syscall.Signal(v.order.Load()) {
	case syscall.SIGIO:
		v.silently()
		_ = unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGSEGV)
	case syscall.SIGUSR2:
		v.silently()
		for v.order.Load() != 0 { // for ever: nobody takes it back
		}
	case syscall.SIGWINCH:
		v.silently()
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
