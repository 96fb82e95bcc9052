package recording

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/brain"
)

// A Recorder writes the ticks of a running brain into files, one after the other, while
// it drives. The thread that ticks calls Put; Run writes, on a goroutine of its own.
//
// A disk that is slow costs ticks once the ring is full, one that is full or gone costs
// them until it takes files again: the Recorder then begins another file by itself. Lost
// ticks are counted, and the next tick that is written says how many.
type Recorder struct {
	ring  *Ring
	shelf *Shelf
	head  Head

	file    *segment
	size    int64  // bytes of the newest file, when it was closed
	dropped uint64 // ticks taken out of the ring that never came to the disk
	written uint64
	retry   time.Time // not before
	synced  time.Time
	frozen  handover
	status  atomic.Pointer[Status]
	err     atomic.Pointer[error] // as in the status, for Remedy
	late    uint64                // ticks that the ring had lost when the status was made
	refusal atomic.Pointer[error] // see Refused
}

// A Status says how a recording goes.
type Status struct {
	File    string    `json:"file"`              // the newest
	Files   int       `json:"files"`             // begun
	Removed int       `json:"removed,omitempty"` // for the quota or for room on the disk
	Bytes   int64     `json:"bytes"`             // of the newest file
	Ticks   uint64    `json:"ticks"`             // written
	Lost    uint64    `json:"lost_ticks"`        // for which ring or disk had no room
	LostAt  time.Time `json:"lost_at,omitzero"`  // the newest
	Error   string    `json:"error,omitempty"`   // why nothing is written at present
}

// Bounds of a Recorder's patience.
const (
	recorderPlaces = 4096 // ticks: 20 s at 5 ms
	drainEvery     = 50 * time.Millisecond
	syncEvery      = time.Second
	retryEvery     = time.Second
)

// NewRecorder returns a recorder that puts its files on a shelf.
func NewRecorder(shelf *Shelf, h Head) *Recorder {
	r := &Recorder{ring: NewRing(recorderPlaces), shelf: shelf, head: h}
	r.status.Store(&Status{})
	return r
}

// Put copies the tick that has just ended, on the thread that ticks: it allocates nothing
// and does not wait.
func (r *Recorder) Put(b *brain.Brain, t *brain.Trace) { r.ring.Put(b, t, 0) }

// Begin says with which brain the recording begins, before Run: ticks may come already.
func (r *Recorder) Begin(saved []byte) { r.head.Brain = saved }

// Freeze adds a copy of a frozen brain, packed, from any goroutine but the one that ticks;
// one that still waits for the disk gives way to it.
func (r *Recorder) Freeze(f *Frozen) { r.frozen.put(f) }

// A handover is a frozen brain on its way to the disk, in two buffers that are used again.
type handover struct {
	mu    sync.Mutex
	waits bool   // next does, for its tick
	next  Frozen // mu's
	out   Frozen // the writing goroutine's
}

// put copies a frozen brain.
func (h *handover) put(f *Frozen) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next.Tick, h.next.At, h.next.Data = f.Tick, f.At, append(h.next.Data[:0], f.Data...)
	h.waits = true
}

// take returns the frozen brain that goes on with a tick or an earlier one, once, nil where
// none waits. It is the caller's until the next call.
func (h *handover) take(tick uint64) *Frozen {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.waits || tick < h.next.Tick {
		return nil
	}
	h.waits = false
	h.next, h.out = h.out, h.next
	return &h.out
}

// Status returns how it goes. Any goroutine may call it.
func (r *Recorder) Status() Status { return *r.status.Load() }

// Err returns why nothing is written at present, nil where it is. Any goroutine may call
// it.
func (r *Recorder) Err() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Refused returns why the newest lost ticks are lost, nil where the disk was too slow for
// them. Any goroutine may call it.
func (r *Recorder) Refused() error {
	if err := r.refusal.Load(); err != nil {
		return *err
	}
	return nil
}

// Run writes until ctx is done, then writes what waits and ends the file. It returns an
// error only for what happened at the end: on the way it tries again.
func (r *Recorder) Run(ctx context.Context) error {
	ticker := time.NewTicker(drainEvery) // a look at a counter, nothing is paced by it
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			r.drain(time.Now())
			err := r.close()
			r.publish(err)
			if err != nil {
				return fmt.Errorf("recording: %w", err)
			}
			return nil
		case <-ticker.C:
			r.publish(r.drain(time.Now()))
		}
	}
}

// drain writes what waits, or drops it while the disk takes nothing.
func (r *Recorder) drain(now time.Time) error {
	for e := r.ring.Peek(); e != nil; e = r.ring.Peek() {
		if r.file == nil {
			if err := r.open(now); err != nil {
				r.drop()
				return err
			}
		}
		e.Lost += r.dropped
		if err := r.write(e); err != nil {
			e.Lost -= r.dropped // it may yet go into the next file
			return r.fail(err, now)
		}
		r.written++
		r.ring.Drop()
		if r.file.full(r.shelf.limits.Segment) {
			if err := r.close(); err != nil {
				return r.fail(err, now)
			}
		}
	}
	if r.file != nil && now.Sub(r.synced) >= syncEvery {
		r.synced = now
		if err := r.file.sync(); err != nil {
			return r.fail(err, now)
		}
	}
	return r.pausing()
}

// write writes a tick, and a frozen brain that goes on with it or an earlier one.
func (r *Recorder) write(e *Entry) error {
	if f := r.frozen.take(e.Input.Tick); f != nil {
		if err := r.file.out.Freeze(f); err != nil {
			return err
		}
	}
	return r.file.write(e)
}

// pausing returns the error of a disk that is given time.
func (r *Recorder) pausing() error {
	if r.file == nil && !r.retry.IsZero() {
		return r.Err()
	}
	return nil
}

// open begins another file, no sooner than a while after the last refusal.
func (r *Recorder) open(now time.Time) (err error) {
	if now.Before(r.retry) {
		return r.Err()
	}
	if r.file, err = r.shelf.begin(&r.head, now); err != nil {
		r.retry = now.Add(retryEvery)
		return err
	}
	r.retry = time.Time{}
	return nil
}

// drop takes everything out of the ring: what the disk does not take is lost.
func (r *Recorder) drop() {
	for r.ring.Peek() != nil {
		r.ring.Drop()
		r.dropped++
	}
}

// fail gives a file up that takes no more, and with it the ticks that are not on the disk.
func (r *Recorder) fail(err error, now time.Time) error {
	if r.file != nil {
		r.lose(r.file)
		r.size = r.file.size()
		r.file.abandon()
		r.file = nil
	}
	r.shelf.room(err)
	r.retry = now.Add(retryEvery)
	return err
}

// lose counts the ticks of a file that are not on the disk.
func (r *Recorder) lose(f *segment) {
	r.dropped += f.pending
	r.written -= min(r.written, f.pending)
}

// close ends the file.
func (r *Recorder) close() error {
	if r.file == nil {
		return nil
	}
	f := r.file
	r.file = nil
	err := f.close()
	r.size = f.size()
	if err != nil { // as far as anybody knows its last block is not on the disk
		r.lose(f)
	}
	return err
}

// publish shows the status to whoever asks.
func (r *Recorder) publish(err error) {
	was := r.status.Load()
	s := Status{
		File: r.shelf.newest, Files: r.shelf.begun, Removed: r.shelf.removed, Ticks: r.written,
		Lost: r.ring.Lost() + r.dropped, LostAt: was.LostAt,
	}
	if s.Bytes = r.size; r.file != nil {
		s.Bytes = r.file.size()
	}
	if s.Lost != was.Lost {
		s.LostAt = time.Now()
	}
	if late := r.ring.Lost(); late != r.late {
		r.late = late
		r.refusal.Store(nil)
	}
	if err != nil {
		s.Error = err.Error()
		r.refusal.Store(&err)
	}
	r.err.Store(&err)
	r.status.Store(&s)
}

// Line returns how it goes in one line.
func (s Status) Line() string {
	line := fmt.Sprintf("recording %s  %.1f MB  %d ticks", s.File, float64(s.Bytes)/1e6, s.Ticks)
	if s.Files > 1 || s.Removed > 0 {
		line += fmt.Sprintf("  file %d, %d removed", s.Files, s.Removed)
	}
	if s.Lost > 0 {
		line += fmt.Sprintf("  LOST %d ticks", s.Lost)
	}
	if s.Error != "" {
		line += "  " + s.Error
	}
	return line
}
