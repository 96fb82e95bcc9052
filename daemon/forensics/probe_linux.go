package forensics

import (
	"bytes"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/daemon/loop"
)

// A Probe reads the counters. It belongs to one slow goroutine. It stops nobody and
// keeps its files open: a look allocates nothing.
type Probe struct {
	witness *loop.Witness
	resumed chan os.Signal
	conts   uint64
	files   [numFiles]*os.File // nil where the machine has none
	text    [4 << 10]byte
	samples [2]metrics.Sample
}

// The files of a Probe.
const (
	fileCPU = iota
	fileMemory
	fileIO
	fileQuota
	fileLoad
	numFiles
)

// NewProbe returns a probe that takes from a witness what it already reads. The
// witness looks first.
func NewProbe(w *loop.Witness) *Probe {
	p := &Probe{witness: w, resumed: make(chan os.Signal, 16)}
	signal.Notify(p.resumed, syscall.SIGCONT) // the process goes on in any case
	for i, name := range []string{"/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io", quotaFile(), "/proc/loadavg"} {
		p.files[i], _ = os.Open(name) // what is not there tells nothing
	}
	p.samples[0].Name = "/gc/cycles/total:gc-cycles"
	p.samples[1].Name = "/memory/classes/heap/objects:bytes"
	return p
}

// Close gives up the files and the signal.
func (p *Probe) Close() error {
	signal.Stop(p.resumed)
	var errs []error
	for _, f := range p.files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// quotaFile returns where the control group of the process accounts for its processor
// time (cgroup-v2.rst).
func quotaFile() string {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		if path, is := bytes.CutPrefix(line, []byte("0::")); is {
			return filepath.Join("/sys/fs/cgroup", string(path), "cpu.stat")
		}
	}
	return ""
}

// Look reads everything. throttled is what another look has found.
func (p *Probe) Look(now time.Duration, throttled uint64) Counters {
	c := Counters{At: now, Interruptions: p.witness.Newest(), Throttled: throttled}
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) == nil {
		c.Process = time.Duration(unix.TimevalToNsec(r.Utime) + unix.TimevalToNsec(r.Stime))
	}
	for drained := false; !drained; {
		select {
		case <-p.resumed:
			p.conts++
		default:
			drained = true
		}
	}
	c.Resumed = p.conts
	metrics.Read(p.samples[:])
	c.Collections, c.Heap = p.samples[0].Value.Uint64(), p.samples[1].Value.Uint64()
	c.Pressure.CPU = number(p.read(fileCPU), "some", "total=", time.Microsecond)
	c.Pressure.Memory = number(p.read(fileMemory), "some", "total=", time.Microsecond)
	c.Pressure.IO = number(p.read(fileIO), "some", "total=", time.Microsecond)
	c.Quota = number(p.read(fileQuota), "", "throttled_usec ", time.Microsecond)
	c.Ready = ready(p.read(fileLoad))
	return c
}

// read returns the text of a file, which lasts until the next read.
func (p *Probe) read(i int) []byte {
	if p.files[i] == nil {
		return nil
	}
	n, _ := p.files[i].ReadAt(p.text[:], 0) // its end is no error
	return p.text[:n]
}

// number returns the whole number behind a key, in the line of a word, times a unit.
func number(text []byte, word, key string, unit time.Duration) time.Duration {
	if i := bytes.Index(text, []byte(word)); i > 0 {
		text = text[i:]
	}
	i := bytes.Index(text, []byte(key))
	if i < 0 {
		return 0
	}
	n := int64(0)
	for _, digit := range text[i+len(key):] {
		if digit < '0' || digit > '9' {
			break
		}
		n = n*10 + int64(digit-'0')
	}
	return time.Duration(n) * unit
}

// ready returns how many threads ran or wanted to: the figure before the slash of
// /proc/loadavg.
func ready(text []byte) int {
	slash := bytes.IndexByte(text, '/')
	if slash < 0 {
		return 0
	}
	begin := bytes.LastIndexByte(text[:slash], ' ')
	return int(number(text[begin+1:], "", "", 1))
}

// faultCost times how long a page takes that the process touches for the first time,
// on this machine, and to give it back: processor time, the dearest of some batches.
// Pages that a batch gave back are cheaper the next time than those that nobody used.
func faultCost() time.Duration {
	const batches, pages, size = 3, 1024, 4096 // more than a small machine's caches hold
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var longest time.Duration
	for range batches {
		begun := computed()
		room, err := unix.Mmap(-1, 0, pages*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return 0
		}
		_ = unix.Madvise(room, unix.MADV_NOHUGEPAGE) // or one fault brings them all
		for i := range pages {
			room[i*size] = 1
		}
		_ = unix.Munmap(room)
		longest = max(longest, (computed()-begun)/pages)
	}
	return longest
}

// computed returns the processor time of the calling thread.
func computed() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
