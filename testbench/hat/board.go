package hat

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/noise"
)

// Empty says what a read finds when no ADC byte is queued. Nobody has
// published it; a driver must not depend on it.
type Empty uint8

// The behaviours of an empty queue.
const (
	Repeat Empty = iota // the last byte again
	Zeros               // 0x00
	Ones                // 0xFF
)

// Params are the board's unpublished or variable properties.
type Params struct {
	Address      uint16        // the only one that answers
	Clock        int           // bus clock in Hz
	Overhead     time.Duration // kernel time per transaction
	Convert      time.Duration // from an ADC command to its first byte; a read before finds none
	Boot         time.Duration // from reset high, or power on, to the first acknowledge
	Empty        Empty         // what an empty queue reads as
	StickyDesync bool          // bytes group across transactions: a lost one shifts all later
	Brownout     float64       // V, below it the controller resets
	SoundSpeed   float64       // m/s
	ZeroPeriod   bool          // a timer without a period is still, instead of always high
	NoEcho       time.Duration // width of the echo pulse when nothing answers
	Seed         uint64        // of the faults' random numbers
}

// Default returns a V4 HAT on a 100 kHz bus, the clock a Raspberry Pi uses.
func Default() Params {
	return Params{
		Address: 0x14, Clock: 100_000, Overhead: 80 * time.Microsecond,
		Boot: 100 * time.Millisecond, StickyDesync: true, Brownout: 5.5,
		SoundSpeed: 343.3, NoEcho: 38 * time.Millisecond,
	}
}

// Validate reports every field outside its limits.
func (p Params) Validate() error {
	switch {
	case p.Address < 0x08 || p.Address > 0x77:
		return fmt.Errorf("hat: address %#x outside 0x08..0x77", p.Address)
	case p.Clock < 1000 || p.Clock > 1_000_000:
		return fmt.Errorf("hat: clock %d Hz outside 1000..1000000", p.Clock)
	case p.Overhead < 0 || p.Convert < 0 || p.Boot < 0 || p.NoEcho < 0:
		return fmt.Errorf("hat: negative time (overhead %v, convert %v, boot %v, no echo %v)", p.Overhead, p.Convert, p.Boot, p.NoEcho)
	case p.SoundSpeed < 300 || p.SoundSpeed > 400:
		return fmt.Errorf("hat: speed of sound %v m/s outside 300..400", p.SoundSpeed)
	}
	return nil
}

// A Plant is what hangs on the board's pins. The board calls its functions with
// its lock held, and they must not call the board.
type Plant struct {
	// Advance moves the plant on to now, during which the outputs were out,
	// and returns the battery's voltage. Pack is the forced open voltage, 0
	// when none is.
	Advance func(now time.Duration, out *Outputs, pack float64) float64
	// Analog returns what the ADC converts on a channel now, in counts.
	Analog func(channel int, now time.Duration) uint16
	// Range returns the distance a sonar's sound travels to the obstacle and
	// whether an echo comes back at all.
	Range func(sonar int, now time.Duration) (distance float64, ok bool)
}

// Stats counts what happened on the wire since start.
type Stats struct {
	Transactions uint64        // all, failed ones included
	Failures     uint64        // those that returned an error
	Faults       uint64        // injected events that struck, and conditions that began
	Boots        uint64        // controller starts after the first
	Pings        uint64        // trigger pulses that sent sound
	Busy         time.Duration // bus time charged
}

// A Board is a simulated Robot HAT. Make one with New.
type Board struct {
	params Params
	clock  robot.Clock
	start  time.Duration // the clock's reading at New; faults count from it
	plant  Plant

	mu     sync.Mutex
	mcu    controller
	out    Outputs
	lines  lines
	sonars []sonar
	stats  Stats
	dice   noise.Stream

	faults []Fault
	held   atomic.Bool     // a fault holds the bus
	struck []int           // how often each fault has happened
	turns  []time.Duration // instants at which Off, Brownout, Zero, Battery or ResetDeaf change, ascending
	turned int             // how many of them are done
}

// dip is how long a brown-out without an end lasts.
const dip = 10 * time.Millisecond

// New returns a board that has just been switched on, its reset line high. It
// panics when the plant is incomplete.
func New(p Params, clock robot.Clock, plant Plant, sectors []int, faults []Fault) (*Board, error) {
	if plant.Advance == nil || plant.Analog == nil || plant.Range == nil {
		panic("hat: plant without Advance, Analog or Range")
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	b := &Board{
		params: p, clock: clock, start: clock.Now(), plant: plant,
		dice:   noise.New(p.Seed, "hat faults"),
		faults: slices.Clone(faults), struck: make([]int, len(faults)),
		sonars: make([]sonar, len(sectors)),
	}
	b.lines.reset = true
	for i, sector := range sectors {
		b.sonars[i].sector = sector
	}
	for i := range b.faults {
		f := &b.faults[i]
		if f.Kind == Brownout && f.Until == 0 {
			f.Until = f.From + dip
		}
		switch f.Kind {
		case Off, Brownout, Zero, Battery, ResetDeaf:
			b.turns = append(b.turns, f.From)
			if f.Until > 0 {
				b.turns = append(b.turns, f.Until)
			}
		}
	}
	slices.Sort(b.turns)
	b.mcu.zeroPeriod = p.ZeroPeriod
	b.mcu.restart(b.start+p.Boot, &b.out)
	return b, nil
}

// Wire returns everything a driver needs to drive this board.
func (b *Board) Wire() picarx.Wire {
	w := picarx.Wire{
		Bus: b, Clock: b.clock, Held: b.held.Load,
		Reset: output{b, resetLine}, LeftDir: output{b, leftLine}, RightDir: output{b, rightLine},
	}
	for i := range b.sonars {
		w.Sonars = append(w.Sonars, picarx.SonarWire{
			Sector:  b.sonars[i].sector,
			Trigger: trigger{b, i}, Echo: echo{b, i},
		})
	}
	return w
}

// CatchUp brings the plant up to the clock and then calls look, if not nil, with
// the outputs while nothing can change. Look must not call the board.
func (b *Board) CatchUp(look func(now time.Duration, out *Outputs)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	if look != nil {
		look(now, &b.out)
	}
}

// Stats returns the counters.
func (b *Board) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats
}

// Struck returns how often each fault has struck, or begun to hold.
func (b *Board) Struck() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.struck)
}

// ResetPulses returns how often the reset line has gone low. Unlike the other
// methods it is for the plant's functions, which hold the lock.
func (b *Board) ResetPulses() uint64 { return b.lines.pulses }

// catchUp advances the plant to the clock's now, stopping at every instant at
// which a condition of the board changes by itself.
func (b *Board) catchUp() time.Duration {
	now := b.clock.Now()
	for b.turned < len(b.turns) && b.start+b.turns[b.turned] <= now {
		t := b.turns[b.turned]
		b.advance(b.start + t)
		b.turn(t)
		b.turned++
	}
	b.advance(now)
	return now
}

// advance moves the plant on, and resets the controller when the battery has
// sagged too far to run it.
func (b *Board) advance(now time.Duration) {
	pack := 0.0
	if f := b.forced(Battery, now-b.start, -1); f != nil {
		pack = f.Value
	}
	volts := b.plant.Advance(now, &b.out, pack)
	if low := volts < b.params.Brownout; low != b.mcu.starved {
		b.mcu.starved = low
		b.reboot(now)
	}
}

// turn applies the conditions that begin or end at t since the start.
func (b *Board) turn(t time.Duration) {
	off := b.forced(Off, t, -1) != nil || b.forced(Brownout, t, -1) != nil
	if off != b.mcu.off {
		b.mcu.off = off
		b.reboot(b.start + t)
	}
	b.lines.deaf = b.forced(ResetDeaf, t, -1) != nil
	b.level(b.start + t)
	for i := range b.faults {
		if f := &b.faults[i]; f.Kind == Zero && f.From == t && b.mcu.ready(b.start+t) {
			b.mcu.pressZero(f.Value != 0, &b.out)
			b.struck[i]++
			b.stats.Faults++
		}
	}
}

// reboot puts the controller into its state after a reset, from which it
// answers after the boot time.
func (b *Board) reboot(now time.Duration) {
	b.mcu.restart(now+b.params.Boot, &b.out)
	b.stats.Boots++
}
