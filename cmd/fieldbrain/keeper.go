package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/daemon"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
)

// A keeper saves the mind while it drives. Its own goroutine wants a copy, the
// loop's thread takes it between two ticks when there is time, and the goroutine
// writes it: neither waits for the other, and the disk for nobody.
type keeper struct {
	folder *store.Folder
	period time.Duration // 0: at the stop only
	slack  time.Duration // of a period that must be left for a copy
	mind   *mind
	table  *[field.Channels]field.Channel

	turn     atomic.Uint32    // whose the copy is
	shot     *memory.Snapshot // the owner's alone
	patterns *memory.Patterns // as well

	held *memory.Snapshot // whose library goes into every file while brain.recall is off

	writing atomic.Pointer[time.Time] // since when, nil between two writes

	told daemon.Latch[daemon.MemoryStatus]
	kept daemon.MemoryStatus // the goroutine's own
}

// Whose turn it is. The goroutine moves it from idle to wanted and from taken to
// idle, the loop's thread from wanted to taken; or to short, and back.
const (
	turnIdle uint32 = iota
	turnWanted
	turnTaken
	turnShort // of room for patterns
)

// errPutOff says that no tick had the time for a copy.
var errPutOff = errors.New("for a whole memory.period no tick has left half of loop.period for a copy")

// newKeeper prepares saves of a mind into a folder.
func newKeeper(folder *store.Folder, c daemon.Config, m *mind, running memory.Header) *keeper {
	p := fieldParams(time.Duration(c.Loop.Period), 0, c.Brain.Recall)
	k := &keeper{
		folder: folder, period: time.Duration(c.Memory.Period), slack: p.Period / 2,
		mind: m, table: &p.Table, shot: memory.New(&p.Table), patterns: memory.NewPatterns(),
	}
	k.shot.Header = running
	k.kept.Folder = folder.Path()
	k.publish()
	return k
}

// between copies the mind when a copy is wanted and at least half a period is
// left. It runs on the loop's thread, when the command is out: it takes a part
// of a millisecond, allocates nothing and waits for nothing. While the graphics
// card steps, the copy is of the standby, which is up to a second old.
func (k *keeper) between(s daemon.Sample) {
	if k.turn.Load() != turnWanted || s.Skipped > 0 || s.Next-s.End < k.slack {
		return
	}
	if !k.patterns.Follow(k.mind.processor.Distinct) { // first those that changed, one a tick
		if k.patterns.Short() {
			k.turn.Store(turnShort)
		}
		return
	}
	k.shot.Mixed = k.mind.card != nil && k.mind.card.failover.State().Primary
	k.shot.Take(k.mind.processor.Distinct, k.mind.brain)
	k.turn.Store(turnTaken)
}

// run wants a copy once a period and writes it, until ctx is done. What it
// cannot write is told to note, and the next period tries again.
func (k *keeper) run(ctx context.Context, note func(error)) error {
	if k.period == 0 {
		<-ctx.Done()
		return nil
	}
	ticker := time.NewTicker(min(lookEvery, k.period)) // a look at a number, nothing is paced by it
	defer ticker.Stop()
	for due := time.Now().Add(k.period); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if k.turn.Load() == turnShort {
			k.patterns.Grow()
			k.turn.Store(turnWanted)
		}
		if k.turn.Load() == turnTaken {
			k.shot.Parts = k.patterns.Parts()
			note(k.write(k.shot))
			k.turn.Store(turnIdle)
		}
		if time.Now().Before(due) {
			continue
		}
		due = time.Now().Add(k.period)
		if !k.turn.CompareAndSwap(turnIdle, turnWanted) { // it still is, since a period ago
			k.kept.PutOff++
			k.publish()
			note(errPutOff)
		}
	}
}

// last copies the mind at an orderly end: the loop has ended, so that it is of
// one tick and belongs to the caller; the card's program has not, and can be
// asked. A card that gives no answer any more leaves the standby's copy.
func (k *keeper) last() *memory.Snapshot {
	shot := memory.New(k.table)
	shot.Header, shot.Stop = k.shot.Header, true
	shot.Mixed = k.mind.card != nil && k.mind.card.failover.State().Primary
	if shot.Mixed {
		k.takeAll(shot, memory.Distinct(k.mind.engine, k.table))
		if shot.Check() == nil {
			shot.Mixed = false
			return shot
		}
	}
	k.takeAll(shot, k.mind.processor.Distinct)
	return shot
}

// takeAll copies a mind that does not tick any more, patterns and all.
func (k *keeper) takeAll(shot *memory.Snapshot, distinct func(sheet int, dst []float32)) {
	all := memory.NewPatterns()
	for range 3 * field.MaxPatterns * memory.Strategic { // an engine that gives nothing has no end
		if all.Follow(distinct) {
			break
		}
		if all.Short() {
			all.Grow()
		}
	}
	shot.Take(distinct, k.mind.brain)
	shot.Parts = all.Parts()
}

// write puts a copy on the disk.
func (k *keeper) write(shot *memory.Snapshot) error {
	shot.Saved, shot.Engine = time.Now(), k.mind.engine.Name()
	if k.held != nil { // an engine without a library has no memory for patterns
		copy(shot.Sheets[field.Recalled], k.held.Sheets[field.Recalled])
		shot.Parts = k.held.Parts
	}
	k.writing.Store(&shot.Saved)
	defer k.writing.Store(nil)
	data, err := shot.Encode()
	name := ""
	if err == nil {
		name, err = k.folder.Save(data)
	}
	if err != nil {
		k.kept.Failed++
		k.kept.Error = err.Error()
	} else {
		k.kept.Saves++
		k.kept.Last, k.kept.LastAt, k.kept.LastTick, k.kept.Error = name, shot.Saved, shot.Tick, ""
	}
	k.publish()
	return err
}

// publish shows the status to whoever asks.
func (k *keeper) publish() {
	for !k.told.TryPut(&k.kept) { // a reader copies it at this instant
		time.Sleep(time.Microsecond)
	}
}

// noteKept turns the outcome of a save into a condition.
func (s *service) noteKept(err error) {
	c := daemon.Condition{Name: "saved mind", Value: "the mind is not being saved; the car drives on"}
	if err != nil {
		c.Cause, c.Remedy = err.Error(), storeRemedy(err)
	}
	s.conditions.Put(c, err != nil)
}

// slowDisk is how long a write may take before somebody should know.
const slowDisk = 10 * time.Second

// noteDisk says that a write does not come to an end: no error would.
func (s *service) noteDisk() {
	if s.keeper == nil {
		return
	}
	since := s.keeper.writing.Load()
	s.conditions.Put(daemon.Condition{
		Name: "disk", Value: fmt.Sprintf("a save of the mind takes longer than %v; the car drives on", slowDisk),
		Cause:  "the disk is slow, failing or gone: " + s.keeper.folder.Path(),
		Remedy: "look at the disk and the kernel's log; until it answers nothing is saved, and a stop waits for it",
	}, since != nil && time.Since(*since) > slowDisk)
}

// storeRemedy says what a person can do about a folder that cannot be used.
func storeRemedy(err error) string {
	switch {
	case errors.Is(err, errPutOff):
		return "compare busy and wake-up in fieldbrain status: a longer loop.period or another engine leaves more; an orderly stop saves in any case"
	case errors.Is(err, store.ErrBusy):
		return "stop the other daemon, or give this one another memory.path"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free space on the disk, or choose another memory.path; the next save tries again"
	case errors.Is(err, syscall.EROFS):
		return "mount the disk writable, or choose another memory.path"
	case errors.Is(err, os.ErrPermission):
		return "let the daemon's user write to the folder, or choose another memory.path"
	case errors.Is(err, os.ErrNotExist):
		return "make the folder, or set memory.path; \"off\" keeps nothing on purpose"
	}
	return "look at the disk; memory.path = \"off\" keeps nothing on purpose"
}

// stateFolder is where the service keeps what it shall not lose; systemd says so
// in STATE_DIRECTORY.
const stateFolder = "/var/lib/fieldbrain"

// memoryFolder returns where a configuration keeps the mind of its body, or
// nothing where nothing is kept.
func memoryFolder(c daemon.Config, getenv func(string) string) string {
	base := c.Memory.Path
	switch {
	case base == "off", base == "" && c.Body.Kind != "picarx":
		return ""
	case base == "":
		base = stateFolder
		if named := filepath.SplitList(getenv("STATE_DIRECTORY")); len(named) > 0 {
			base = named[0]
		}
	}
	return filepath.Join(base, c.Body.Kind)
}

// openMemory opens the folder of a configuration, or says why not. A folder that
// the configuration names is made; the service's own must be there.
func openMemory(c daemon.Config, getenv func(string) string) (*store.Folder, error) {
	path := memoryFolder(c, getenv)
	if c.Memory.Path != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return nil, fmt.Errorf("memory.path: %w", err)
		}
	}
	return store.Open(path, c.Memory.Keep)
}
