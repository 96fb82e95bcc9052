package hat

import (
	"errors"
	"time"

	"periph.io/x/conn/v3/physic"
)

// The kernel's verdicts as they reach a driver through periph, which keeps the
// text and loses the number.
var (
	errNack = errors.New("sysfs-i2c: remote I/O error")                 // EREMOTEIO
	errHang = errors.New("sysfs-i2c: connection timed out")             // ETIMEDOUT
	errLost = errors.New("sysfs-i2c: resource temporarily unavailable") // EAGAIN
	errForm = errors.New("sysfs-i2c: operation not supported")          // zero-length message
	errRate = errors.New("sysfs-i2c: not supported")                    // SetSpeed on a Jetson
)

const (
	hangTime = 100 * time.Millisecond // i2c-tegra gives up a transfer after this
	lostTime = 50 * time.Millisecond  // and a bus clear after this
)

// String names the bus as periph would name the Jetson's.
func (b *Board) String() string { return "I2C7" }

// SetSpeed refuses: the header's bus has no run-time clock on a Jetson.
func (b *Board) SetSpeed(physic.Frequency) error { return errRate }

// Tx runs one transaction and returns when its wire time has passed on the
// board's clock. It does not allocate. A write followed by a read is joined by
// a repeated START.
func (b *Board) Tx(addr uint16, w, r []byte) error {
	if len(w) == 0 && len(r) == 0 {
		return errForm // the Tegra driver refuses zero-length messages
	}
	began, cost, err := b.begin(addr, w, r)
	b.clock.SleepUntil(began + cost) // the lock is free: lines and ticks go on
	b.held.Store(false)

	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	b.stats.Transactions++
	b.stats.Busy += now - began
	if err == nil && !b.mcu.ready(now) {
		err = errNack // it went down while the bytes were on the wire
	}
	if err != nil {
		b.stats.Failures++
		return err
	}
	b.write(w, now)
	for i := range r {
		r[i] = b.mcu.pop(b.params.Empty, began)
	}
	return nil
}

// begin decides how a transaction will end and how long it will take.
func (b *Board) begin(addr uint16, w, r []byte) (began, cost time.Duration, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	t := now - b.start
	switch {
	case b.strikes(Hang, t, -1) != nil:
		b.held.Store(true)
		return now, hangTime, errHang
	case b.strikes(Stuck, t, -1) != nil:
		b.held.Store(true)
		return now, lostTime, errLost
	case addr != b.params.Address, !b.mcu.ready(now), b.strikes(Nack, t, -1) != nil:
		return now, b.wireTime(11), errNack // START, address, no acknowledge, STOP
	}
	return now, b.wireTime(bits(len(w), len(r))), nil
}

// bits counts START, address and data bytes with their acknowledge bits, and
// STOP, of a transaction that writes n bytes and reads m.
func bits(n, m int) int {
	switch {
	case m == 0:
		return 11 + 9*n
	case n == 0:
		return 11 + 9*m
	}
	return 21 + 9*(n+m)
}

func (b *Board) wireTime(bits int) time.Duration { return b.params.bitTime(bits) }

func (p Params) bitTime(bits int) time.Duration {
	return time.Duration(bits)*time.Second/time.Duration(p.Clock) + p.Overhead
}

// WireTime returns how long a transaction that writes n bytes and reads m takes,
// the kernel's time included.
func (p Params) WireTime(n, m int) time.Duration { return p.bitTime(bits(n, m)) }

// write feeds the bytes of one transaction to the controller.
func (b *Board) write(w []byte, now time.Duration) {
	if len(w) == 0 {
		return
	}
	if !b.params.StickyDesync {
		b.mcu.filled = 0
	}
	if b.strikes(Desync, now-b.start, -1) != nil {
		w = w[1:]
	}
	for _, x := range w {
		if !b.mcu.take(x) {
			continue
		}
		if channel, adc := b.mcu.store(&b.out); adc {
			value := b.convert(channel, now)
			b.mcu.push(value, b.params.StickyDesync)
			b.mcu.due = 0
			if b.params.Convert > 0 {
				b.mcu.due = now + b.params.Convert
			}
			if b.strikes(Twice, now-b.start, -1) != nil {
				b.mcu.push(value, b.params.StickyDesync)
			}
		}
	}
}

// convert samples an ADC channel through the faults that may befall it.
func (b *Board) convert(channel int, now time.Duration) uint16 {
	t := now - b.start
	value := b.plant.Analog(channel, now)
	if b.forced(Frozen, t, channel) != nil {
		value = b.lines.held[channel]
	}
	b.lines.held[channel] = value
	if f := b.strikes(BitShift, t, channel); f != nil {
		value <<= max(1, uint(f.Value))
	}
	if b.strikes(Spike, t, channel) != nil {
		value = uint16(b.dice.Uint64() & 0x0FFF)
	}
	if b.strikes(Garbage, t, channel) != nil {
		value = uint16(b.dice.Uint64())
	}
	return value
}
