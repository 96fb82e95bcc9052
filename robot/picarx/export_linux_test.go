package picarx

import (
	"time"

	"github.com/warthog618/go-gpiocdev"
)

// Parts of Open that can be tested without a robot.
var (
	FindAdapter = findAdapter
	CheckEEPROM = checkEEPROM
	Pulse       = pulse
	PulseAll    = pulseAll
	Resets      = resets
	IsStarved   = starved
)

// Of returns the names of a reset line's header and of the line.
func (r reset) Of() (header, line string) { return r.header, r.pin.Name }

// Look returns what the kernel says about a thread of this process.
func Look(tid int) (ready bool, ran time.Duration) { return thread{tid}.look() }

// ThreadID numbers the calling thread.
func ThreadID() int { return thisThread().tid }

// Registered resolves a bus by the names periph knows.
func Registered(name string) (string, error) { return registered(name) }

// TryI2C does a transaction on the device file at path.
func TryI2C(path string, w, r []byte) error {
	d, err := openI2C(path)
	if err != nil {
		return err
	}
	defer d.file.Close()
	return d.Tx(0x14, w, r)
}

// SiteHeader finds a site's header with the given compatible file.
func SiteHeader(s Site, compatible string) (Header, error) { return s.header(compatible) }

// An EdgeLine is an input without a kernel behind it.
type EdgeLine struct{ inLine }

// NewEdgeLine returns an input whose stamps are shifted by offset.
func NewEdgeLine(offset time.Duration) *EdgeLine {
	l := &EdgeLine{inLine{offset: offset, wake: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}}
	l.timer.Stop()
	return l
}

// Push plays the kernel.
func (l *EdgeLine) Push(at time.Duration, rising bool, seq uint32) {
	e := gpiocdev.LineEvent{Timestamp: at, Type: gpiocdev.LineEventFallingEdge, LineSeqno: seq}
	if rising {
		e.Type = gpiocdev.LineEventRisingEdge
	}
	l.push(e)
}
