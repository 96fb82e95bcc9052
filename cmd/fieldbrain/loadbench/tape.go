package loadbench

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/loop"
)

// recordSize is the size of a tick on the tape: release, start, end, armed, processor.
const recordSize = 32

// A Tape keeps the instants of every tick in a file that the bench reads when the
// daemon has ended. The file is in memory before the first tick: to write on it is
// no system call and no allocation.
type Tape struct {
	text []byte
	n    int
}

// NewTape makes the file with room for so many ticks; later ones are left out.
func NewTape(path string, ticks int) (*Tape, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("loadbench: tape: %w", err)
	}
	defer f.Close()
	size := ticks * recordSize
	if err := f.Truncate(int64(size)); err != nil {
		return nil, fmt.Errorf("loadbench: tape: %w", err)
	}
	text, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("loadbench: tape: %w", err)
	}
	clear(text) // every page is there, and writable without a fault
	return &Tape{text: text}, nil
}

// Take puts a tick on the tape. Only the loop's thread may call it.
func (t *Tape) Take(s loop.Sample, armed bool) {
	if !s.Warm || (t.n+1)*recordSize > len(t.text) {
		return
	}
	record := t.text[t.n*recordSize:]
	binary.LittleEndian.PutUint64(record, uint64(s.Release))
	binary.LittleEndian.PutUint64(record[8:], uint64(s.Start))
	binary.LittleEndian.PutUint64(record[16:], uint64(s.End))
	if armed {
		record[24] = 1
	}
	binary.LittleEndian.PutUint32(record[28:], processor())
	t.n++
}

// processor returns the number of that on which the calling thread runs.
func processor() (n uint32) {
	_, _, _ = unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&n)), 0, 0)
	return n
}

// A Wake is one tick of the tape.
type Wake struct {
	Release, Start, End time.Duration
	Armed               bool
	Processor           int // on which it ended
}

// ReadTape returns the ticks of a tape.
func ReadTape(path string) ([]Wake, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("loadbench: tape: %w", err)
	}
	var wakes []Wake
	for ; len(text) >= recordSize; text = text[recordSize:] {
		release := time.Duration(binary.LittleEndian.Uint64(text))
		if release == 0 {
			break
		}
		at := func(offset int) time.Duration { return time.Duration(binary.LittleEndian.Uint64(text[offset:])) }
		wakes = append(wakes, Wake{release, at(8), at(16), text[24] != 0, int(binary.LittleEndian.Uint32(text[28:]))})
	}
	if len(wakes) == 0 {
		return nil, errors.New("loadbench: no tick is on the tape: the daemon did not get that far")
	}
	return wakes, nil
}

// between returns the ticks released from one instant to another.
func between(wakes []Wake, from, to time.Duration) []Wake {
	var within []Wake
	for _, w := range wakes {
		if w.Release >= from && w.Release < to {
			within = append(within, w)
		}
	}
	return within
}

// lateness returns how late every release was served, the skipped ones too, and how
// many of them there are.
func lateness(wakes []Wake, period time.Duration) (late []time.Duration, skipped int) {
	for i, w := range wakes {
		late = append(late, w.Start-w.Release)
		if i == 0 {
			continue
		}
		n := int((w.Release-wakes[i-1].Release)/period) - 1
		late = missed(late, n, period)
		skipped += n
	}
	return late, skipped
}

// missed appends the lateness of n skipped releases: each waits for the next one
// that is served (HdrHistogram calls it coordinated omission). Without them the
// quantiles would be those of the releases that went well.
func missed(late []time.Duration, n int, period time.Duration) []time.Duration {
	for k := 1; k <= n; k++ {
		late = append(late, time.Duration(k)*period)
	}
	return late
}

// disarms counts how often the car was disarmed.
func disarms(wakes []Wake) (n int) {
	for i := 1; i < len(wakes); i++ {
		if wakes[i-1].Armed && !wakes[i].Armed {
			n++
		}
	}
	return n
}
