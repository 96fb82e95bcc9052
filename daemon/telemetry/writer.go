package telemetry

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"fieldbrain/daemon/loop"
	"fieldbrain/field"
)

// An Identity says whose files these are.
type Identity struct {
	Program string        // version of the program
	Body    string        // sim or picarx
	World   string        // name of the simulated one
	Period  time.Duration // from release to release
	Now     time.Duration // CLOCK_MONOTONIC, by which the ticks are dated; 0: by another clock
}

// Options are where a Writer writes.
type Options struct {
	Page   string        // path of the page
	Ring   string        // path of the flight ring, empty for none
	Length time.Duration // of the ring
	Identity
}

// A Writer is the only one that writes a run's page and ring. Tick, Respond and
// Collect are the loop's thread's; Car and Publish are one slow goroutine's.
type Writer struct {
	page, ring *file
	head       *header
	newest     entries[Newest]
	records    entries[Tick]
	setup      entries[Setup]
	stills     entries[Still]
	lock       *atomic.Uint64 // sequence lock of the histograms: odd while they change
	histograms [NumStreams]*histogram
	car        entries[Car]
	slices     slices

	begun   bool // the loop's thread has called
	scratch Newest
	still   *Still // the slow goroutine's, nil before the first
	broken  atomic.Pointer[error]
}

// New makes the files. Those of the run before stay beside them, see Before.
func New(o Options) (w *Writer, err error) {
	w = &Writer{}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.abandon())
		}
	}()
	head := o.header(pageMagic)
	size := head.lay(
		section{Kind: kindTick, Size: uint32(unsafe.Sizeof(Newest{})), Count: 2},
		section{Kind: kindHistogram, Size: uint32(unsafe.Sizeof(histogram{})), Count: uint32(NumStreams)},
		section{Kind: kindCar, Size: uint32(unsafe.Sizeof(Car{})), Count: 2},
		section{Kind: kindField, Size: uint32(unsafe.Sizeof(Field{})), Count: 2},
		section{Kind: kindGround, Size: uint32(unsafe.Sizeof(Ground{})), Count: 2},
	)
	if w.page, err = create(o.Page, size); err != nil {
		return w, err
	}
	w.head = head.write(w.page.memory)
	at := w.head.Table[:]
	w.newest = newEntries[Newest](w.page.memory, &at[0])
	w.lock = (*atomic.Uint64)(unsafe.Pointer(&w.page.memory[at[1].Counts]))
	for i := range w.histograms {
		w.histograms[i] = (*histogram)(unsafe.Pointer(&w.page.memory[int(at[1].Offset)+i*int(at[1].Stride)]))
	}
	w.car = newEntries[Car](w.page.memory, &at[2])
	w.slices.field = newEntries[Field](w.page.memory, &at[3])
	w.slices.ground = newEntries[Ground](w.page.memory, &at[4])
	if o.Ring != "" {
		if err := w.makeRing(&o); err != nil {
			return w, err
		}
	}
	return w, w.page.show(o.Page)
}

// makeRing makes the ring and gives it its name.
func (w *Writer) makeRing(o *Options) (err error) {
	head := o.header(ringMagic)
	long := max(1, (o.Length+o.Period-1)/o.Period)
	size := head.lay(
		section{Kind: kindRecord, Size: uint32(unsafe.Sizeof(Tick{})), Count: uint32(long) + 1},
		section{Kind: kindSetup, Size: uint32(unsafe.Sizeof(Setup{})), Count: 2},
		section{Kind: kindStill, Size: uint32(unsafe.Sizeof(Still{})), Count: stills},
	)
	if w.ring, err = create(o.Ring, size); err != nil {
		return err
	}
	at := head.write(w.ring.memory).Table[:]
	w.records = newEntries[Tick](w.ring.memory, &at[0])
	w.setup, w.stills = newEntries[Setup](w.ring.memory, &at[1]), newEntries[Still](w.ring.memory, &at[2])
	return w.ring.show(o.Ring)
}

// abandon gives up the files of a Writer that cannot be made.
func (w *Writer) abandon() error { return w.undo(false) }

// Withdraw gives up the files of a run that failed, in place of Close: those of the run
// before have their names back. Where there were none, files with a tick stay, as those
// of a process that was killed.
func (w *Writer) Withdraw() error { return w.undo(w.begun) }

// undo puts the files of the run before back and closes those of this one.
func (w *Writer) undo(keep bool) error {
	var errs []error
	for _, f := range []*file{w.page, w.ring} {
		if f != nil {
			errs = append(errs, f.withdraw(keep), f.close())
		}
	}
	return errors.Join(errs...)
}

// header returns a file's, without sections.
func (o *Options) header(magic string) *header {
	h := &header{
		Version: Version, Header: headerSize, PID: uint32(os.Getpid()), Streams: uint32(NumStreams),
		Period: int64(o.Period), Wall: time.Now().UnixNano(), Mono: int64(o.Now),
	}
	copy(h.Magic[:], magic)
	SetText(h.Boot[:], bootID())
	SetText(h.Program[:], o.Program)
	SetText(h.Body[:], o.Body)
	SetText(h.World[:], o.World)
	SetText(h.Names[:], strings.Join(streamNames[:], "\x00"))
	return h
}

// bootFile names this start of the machine.
const bootFile = "/proc/sys/kernel/random/boot_id"

// bootID returns the name of this start of the machine; empty where the kernel does not
// tell, so that starts cannot be told apart.
func bootID() string {
	boot, _ := os.ReadFile(bootFile)
	return strings.TrimSpace(string(boot))
}

// lay gives the sections their places and returns the file's size. A section's
// counter has a cache line of its own before the first element.
func (h *header) lay(sections ...section) int {
	const line = 64
	at := uint64(headerSize)
	for i, s := range sections {
		s.Stride = s.Size
		if s.Kind != kindHistogram {
			s.Stride += uint32(entryHead)
		}
		s.Stride = (s.Stride + 15) &^ 15
		s.Counts, s.Offset = at, at+line
		at = (s.Offset + uint64(s.Stride)*uint64(s.Count) + line - 1) &^ (line - 1)
		h.Table[i] = s
	}
	h.Sections, h.File = uint32(len(sections)), at
	return int(at)
}

// write puts the header at the beginning of a file and returns it there.
func (h *header) write(memory []byte) *header {
	h.Sum = h.sum()
	copy(memory, bytesOf(h))
	return (*header)(unsafe.Pointer(unsafe.SliceData(memory)))
}

// sum returns the sum of everything that never changes.
func (h *header) sum() uint32 {
	return crc32.Checksum(bytesOf(h)[:unsafe.Offsetof(h.Sum)], castagnoli)
}

// Tick writes a tick: into the ring, into the histograms, as the newest. It returns at
// once when a file was cut short under it, see Err.
func (w *Writer) Tick(t *Tick, c loop.Counts) {
	if w.broken.Load() != nil {
		return
	}
	defer w.survive()
	if !w.begun { // a fault of the memory shall be a panic, and no end of the process
		w.begun = true
		debug.SetPanicOnFault(true)
	}
	if w.ring != nil {
		w.records.put(t)
	}
	w.count(t)
	w.scratch = Newest{Ticks: c.Ticks, Overruns: c.Overruns, Dropped: c.Skipped, Tick: *t}
	w.newest.put(&w.scratch)
}

// count enters a tick into the histograms: past the warm-up only, as the loop's own.
func (w *Writer) count(t *Tick) {
	if !t.Is(TickWarm) {
		return
	}
	w.lock.Add(1)
	for i, ns := range t.Lasted {
		if s := Stream(i); ns != Absent && s != Response {
			w.histograms[i].record(time.Duration(ns))
		}
	}
	w.missed(t)
	w.lock.Add(1)
}

// missed enters the lateness of the releases that a tick left out: each had to wait
// for the next one (loop.Recorder says why).
func (w *Writer) missed(t *Tick) {
	if t.Skipped == 0 {
		return
	}
	period := time.Duration(w.head.Period)
	apart := min(int64(t.Skipped), highest/max(int64(period), int64(field.MinPeriod)))
	for k := int64(1); k <= apart; k++ {
		w.histograms[Wake].record(time.Duration(k) * period)
	}
	if beyond := int64(t.Skipped) - apart; beyond > 0 {
		w.histograms[Wake].add(time.Duration(highest), uint64(beyond))
	}
}

// Respond counts one time from data ready to command written.
func (w *Writer) Respond(d time.Duration) {
	if w.broken.Load() != nil {
		return
	}
	defer w.survive()
	w.lock.Add(1)
	w.histograms[Response].record(d)
	w.lock.Add(1)
}

// Car writes what changes slowly.
func (w *Writer) Car(c *Car) { w.slowly(func() { w.car.put(c) }) }

// slowly writes from a slow goroutine.
func (w *Writer) slowly(write func()) {
	if w.broken.Load() != nil {
		return
	}
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer w.survive()
	write()
}

// survive ends the writing when a file was cut short: its memory is gone.
func (w *Writer) survive() {
	switch r := recover().(type) {
	case nil:
	case interface {
		error
		Addr() uintptr
	}:
		err := fmt.Errorf("telemetry: a file was cut short while it was written (%w); restart the daemon for a new one", r)
		w.broken.Store(&err)
	default:
		panic(r)
	}
}

// Err says why nothing is written any more, nil while all is well.
func (w *Writer) Err() error {
	if err := w.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// Lost says which files have lost their names since they were made, nil for none: what
// is written goes on, and nobody finds it. It looks at the file system and belongs to a
// slow goroutine.
func (w *Writer) Lost() error {
	var ring error
	if w.ring != nil {
		ring = w.ring.named()
	}
	return errors.Join(w.page.named(), ring)
}

// InMemory reports whether the files lie in memory. On a disk the kernel writes them
// back, and the first store after that waits for it.
func (w *Writer) InMemory() bool { return w.page.inMemory() }

// Close says that the run ended in order, and gives the files up. They stay.
func (w *Writer) Close() error {
	w.slowly(func() {
		now := time.Now().UnixNano()
		w.head.Ended = now
		if w.ring != nil {
			(*header)(unsafe.Pointer(unsafe.SliceData(w.ring.memory))).Ended = now
		}
	})
	err := w.page.close()
	if w.ring != nil {
		err = errors.Join(err, w.ring.close())
	}
	return err
}
