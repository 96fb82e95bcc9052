package picarx

import (
	"time"

	"fieldbrain/robot"
)

// discards is how many readings of a channel are thrown away after a reset
// (the first ones are odd, community reports).
const discards = 2

// batteryHaste is the period of battery readings until the median is full.
const batteryHaste = 20 * time.Millisecond

// crossPeriod bounds how often a suspicious sweep asks for the battery.
const crossPeriod = 100 * time.Millisecond

// An adc holds the conversion in progress and the instants of the next ones.
type adc struct {
	busy    bool
	spoiled bool // a write came between command and bytes: read on, throw away
	channel int
	step    int           // 0 command, 1 high byte, 2 low byte
	until   time.Duration // earliest instant of the first byte
	msb     byte

	discard [numADC]int
	sweep   int // floor channel of the sweep in progress, 0 between sweeps
	sweepAt time.Duration
	yield   bool // the sweep before ended and nothing else ran since
	raw     [robot.NumFloor]uint16

	batteryAt time.Duration
	crossAt   time.Duration // earliest next cross-check
	suspect   bool          // the newest sweep was all dark or all full scale
	window    [3]float64    // V, newest battery readings
	filled    int
	doubt     doubt
}

// reset forgets the conversion in progress.
func (a *adc) reset() { a.busy, a.spoiled, a.sweep = false, false, 0 }

// begin schedules the first conversions after a start sequence.
func (a *adc) begin(now time.Duration) {
	*a = adc{sweepAt: now, batteryAt: now}
	for i := range a.discard {
		a.discard[i] = discards
	}
}

// spoil marks the conversion in progress as interrupted.
func (a *adc) spoil() { a.spoiled = a.busy && a.step > 0 }

func (a *adc) sweepDue(now time.Duration) bool { return a.sweep > 0 || now >= a.sweepAt }

// startSweep begins the next floor channel and, with the first, schedules the
// next sweep on the same grid; it skips missed ones.
func (a *adc) startSweep(now, period time.Duration) {
	if a.sweep == 0 {
		if a.sweepAt += period; a.sweepAt <= now {
			a.sweepAt = now + period
		}
	}
	a.begins(adcLeft + a.sweep)
}

func (a *adc) begins(channel int) { a.busy, a.spoiled, a.channel, a.step = true, false, channel, 0 }

// convert does the next transaction of the conversion in progress: command,
// high byte, low byte, each with START and STOP of its own.
func (c *Car) convert(now time.Duration) time.Duration {
	a := &c.adc
	register := byte(regADC | 7 - a.channel)
	var lsb byte
	var err error
	switch a.step {
	case 0:
		err = c.bus.write(register, 0)
		a.until = c.bus.ended + c.p.ADCGap
	case 1:
		if now < a.until {
			return min(a.until, now+c.p.Poll)
		}
		a.msb, err = c.bus.read(register)
	case 2:
		lsb, err = c.bus.read(register)
	}
	if err != nil {
		if c.bus.lost(readRetries, c.p.Silence) {
			c.lose(c.bus.ended, err)
		}
		return now
	}
	if a.step++; a.step == 3 {
		a.busy = false
		if !a.spoiled { // an interrupted conversion starts again
			c.accept(a.msb, lsb)
		}
	}
	return now
}

// accept judges a finished conversion.
func (c *Car) accept(msb, lsb byte) {
	a := &c.adc
	raw, err := decodeADC(msb, lsb)
	if err != nil {
		c.desync(err)
		return
	}
	fresh := a.discard[a.channel] == 0
	if !fresh {
		a.discard[a.channel]--
	}
	if a.channel == adcBattery {
		c.acceptBattery(raw, fresh)
		return
	}
	a.doubt.tried = 0
	i := a.channel - adcLeft
	a.raw[i] = raw
	if fresh {
		place := i
		if c.p.Cal.Floor.Swapped {
			place = robot.NumFloor - 1 - i
		}
		c.told.floor[place] = robot.Reading{Value: float32(raw) / adcFull, At: c.bus.ended, OK: true}
		c.changed = true
	}
	if a.sweep++; a.sweep == robot.NumFloor {
		a.sweep, a.yield = 0, true
		a.judgeSweep(c.bus.ended)
	}
}

// judgeSweep asks for the battery at once when the whole sweep is full scale or one
// byte said twice, as 0 is: a shifted stream spoils both, a very dark floor only one. A
// controller that takes no command for a conversion says its last byte again and again,
// and one of 16 such bytes makes a value of twelve bits.
func (a *adc) judgeSweep(now time.Duration) {
	same := a.raw[0] == a.raw[1] && a.raw[1] == a.raw[2]
	a.suspect = same && (a.raw[0]>>8 == a.raw[0]&0xff || a.raw[0] == adcFull)
	if a.suspect && now >= a.crossAt {
		a.batteryAt, a.crossAt = now, now+crossPeriod
	}
}

// acceptBattery filters a battery reading: it counts and ignores implausible
// ones, the rest pass a median of three.
func (c *Car) acceptBattery(raw uint16, fresh bool) {
	a := &c.adc
	a.batteryAt = c.bus.ended + batteryHaste
	if !fresh {
		return
	}
	if a.filled >= len(a.window) {
		a.batteryAt = c.bus.ended + c.p.BatteryPeriod
	}
	v := batteryVolts(raw)
	switch {
	case a.doubt.tried > 0:
		a.batteryAt = c.bus.ended + c.p.BatteryPeriod
		c.try(v)
		return
	case a.suspect && raw == a.raw[0]: // plausible by chance
		c.desync(ErrDesync)
		return
	case !plausible(v):
		c.count.implausible.Add(1)
		a.batteryAt = c.bus.ended + c.p.BatteryPeriod
		if a.suspect {
			c.desync(ErrDesync)
			return
		}
		c.doubts(v)
		return
	}
	a.doubt = doubt{}
	c.supply.read(v, c.p.Cal.Motors.Nominal, c.bus.ended, c.turning())
	a.window[a.filled%len(a.window)] = v
	if a.filled++; a.filled == 2*len(a.window) { // keep the phase, avoid growth
		a.filled = len(a.window)
	}
	if a.filled >= len(a.window) {
		c.told.battery = robot.Reading{Value: float32(median3(a.window)), At: c.bus.ended, OK: true}
		c.changed = true
	}
}

// desync resets a controller that is out of step with the driver.
func (c *Car) desync(err error) {
	c.count.desyncs.Add(1)
	c.count.fail(err)
	c.lose(c.bus.ended, err)
}

// median3 returns the middle of three values.
func median3(x [3]float64) float64 {
	return max(min(x[0], x[1]), min(max(x[0], x[1]), x[2]))
}
