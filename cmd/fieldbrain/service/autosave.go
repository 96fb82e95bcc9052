package service

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
)

// An autosave saves the brain while it drives. Its own goroutine wants a copy, the
// loop's thread takes it between two ticks when there is time, and the goroutine
// writes it: neither waits for the other, and the loop never waits for the disk.
type autosave struct {
	folder *store.Folder
	period time.Duration // 0: at the stop only
	slack  time.Duration // of a period that must be left for a copy
	mind   *car.Mind
	table  *[field.Channels]field.Channel

	turn     atomic.Uint32    // whose the copy is
	shot     *memory.Snapshot // the owner's alone
	patterns *memory.Patterns // as well
	episodes *memory.Episodes // as well

	file []byte // memory of the newest file, for the next

	held *memory.Snapshot // whose library goes into every file while brain.recall is off

	writing atomic.Pointer[time.Time] // since when, nil between two writes

	told loop.Box[daemon.MemoryStatus]
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

// newAutosave prepares saves of a brain into a folder.
func newAutosave(folder *store.Folder, c config.Config, m *car.Mind, running memory.Header) *autosave {
	p := car.FieldParams(time.Duration(c.Loop.Period), 0, c.Brain.Recall)
	a := &autosave{
		folder: folder, period: time.Duration(c.Memory.Period), slack: p.Period / 2,
		mind: m, table: &p.Table, shot: memory.New(&p.Table), patterns: memory.NewPatterns(), episodes: memory.NewEpisodes(&p.Table),
	}
	a.shot.Header = running
	a.kept.Folder = folder.Path()
	a.publish()
	return a
}

// between copies the brain when a copy is wanted and at least half a period is
// left. It runs on the loop's thread, when the command is out: it takes a part
// of a millisecond, allocates nothing and waits for nothing. While the graphics
// card steps, the copy is of the standby, which is up to a second old.
func (a *autosave) between(s loop.Sample) {
	if a.turn.Load() != turnWanted || s.Skipped > 0 || s.Next-s.End < a.slack {
		return
	}
	if !a.patterns.Follow(a.mind.Processor.Distinct) { // first those that changed, one a tick
		if a.patterns.Short() {
			a.turn.Store(turnShort)
		}
		return
	}
	if !a.episodes.Follow(a.mind.Processor.Prep()) { // then the last seconds
		return
	}
	a.shot.Mixed = a.mind.GPU != nil && a.mind.GPU.Failover.State().Primary
	a.shot.Take(a.mind.Processor.Distinct, a.mind.Brain)
	a.turn.Store(turnTaken)
}

// run wants a copy once a period and writes it, until ctx is done. It tells note
// of a failed write, and tries again in the next period.
func (a *autosave) run(ctx context.Context, note func(error)) error {
	if a.period == 0 {
		<-ctx.Done()
		return nil
	}
	ticker := time.NewTicker(min(lookEvery, a.period)) // a look at a number, nothing is paced by it
	defer ticker.Stop()
	for due := time.Now().Add(a.period); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if a.turn.Load() == turnShort {
			a.patterns.Grow()
			a.turn.Store(turnWanted)
		}
		if a.turn.Load() == turnTaken {
			a.shot.Parts = a.patterns.Parts()
			a.episodes.Put(a.shot)
			note(a.write(a.shot))
			a.turn.Store(turnIdle)
		}
		if time.Now().Before(due) {
			continue
		}
		due = time.Now().Add(a.period)
		if a.turn.Load() == turnIdle {
			a.episodes.Begin()
		}
		if !a.turn.CompareAndSwap(turnIdle, turnWanted) { // it still is, since a period ago
			a.kept.PutOff++
			a.publish()
			note(errPutOff)
		}
	}
}

// last copies the brain at an orderly end. The loop has ended, so that the brain
// stands at one tick and belongs to the caller; the card's program still answers.
// For a card that no longer answers, last takes the standby's copy.
func (a *autosave) last() *memory.Snapshot {
	shot := memory.New(a.table)
	shot.Header, shot.Stop = a.shot.Header, true
	shot.Mixed = a.mind.GPU != nil && a.mind.GPU.Failover.State().Primary
	if shot.Mixed {
		a.takeAll(shot, memory.Distinct(a.mind.Engine, a.table))
		if shot.Check() == nil {
			shot.Mixed = false
			return shot
		}
	}
	a.takeAll(shot, a.mind.Processor.Distinct)
	return shot
}

// takeAll copies a brain that does not tick any more, patterns and all.
func (a *autosave) takeAll(shot *memory.Snapshot, distinct func(section field.Section, dst []float32)) {
	all := memory.NewPatterns()
	for range 3 * field.MaxPatterns * memory.Strategic { // an engine that gives nothing has no end
		if all.Follow(distinct) {
			break
		}
		if all.Short() {
			all.Grow()
		}
	}
	lately := memory.NewEpisodes(a.table)
	for !lately.Follow(a.mind.Processor.Prep()) {
	}
	shot.Take(distinct, a.mind.Brain)
	shot.Parts = all.Parts()
	lately.Put(shot)
}

// write puts a copy on the disk.
func (a *autosave) write(shot *memory.Snapshot) error {
	shot.Saved, shot.Engine = time.Now(), a.mind.Engine.Name()
	if a.held != nil { // an engine without a library has no memory for patterns
		copy(shot.Field[field.LibrarySection], a.held.Field[field.LibrarySection])
		shot.Parts, shot.Lately, shot.Episodes = a.held.Parts, false, [field.MaxEpisodes][]float32{}
	}
	a.writing.Store(&shot.Saved)
	defer a.writing.Store(nil)
	data, err := shot.EncodeInto(a.file)
	name := ""
	if err == nil {
		name, err = a.folder.Save(data)
	}
	a.file = data
	if err != nil {
		a.file = nil // a disk that does not answer may still be reading it
		a.kept.Failed++
		a.kept.Error = err.Error()
	} else {
		a.kept.Saves++
		a.kept.Last, a.kept.LastAt, a.kept.LastTick, a.kept.Error = name, shot.Saved, shot.Tick, ""
	}
	a.publish()
	return err
}

// publish shows the status to whoever asks.
func (a *autosave) publish() {
	for !a.told.TrySet(&a.kept) { // a reader copies it at this instant
		time.Sleep(time.Microsecond)
	}
}

// noteSave turns the outcome of a save into a condition.
func (s *Service) noteSave(err error) {
	c := loop.Condition{Name: "saved brain", Value: "the daemon cannot save the brain; the car drives on"}
	if err != nil {
		c.Cause, c.Remedy = err.Error(), FolderRemedy(err)
	}
	s.conditions.Put(c, err != nil)
}

// slowDisk is how long a write may take before somebody should know.
const slowDisk = 10 * time.Second

// noteDisk says that a write does not end, since a hanging write gives no error.
func (s *Service) noteDisk() {
	if s.autosave == nil {
		return
	}
	since := s.autosave.writing.Load()
	s.conditions.Put(loop.Condition{
		Name: "disk", Value: fmt.Sprintf("a save of the brain takes longer than %v; the car drives on", slowDisk),
		Cause:  "the disk is slow, failing or gone: " + s.autosave.folder.Path(),
		Remedy: "look at the disk and the kernel's log; until the disk answers the daemon saves nothing, and a stop waits for it",
	}, since != nil && time.Since(*since) > slowDisk)
}
