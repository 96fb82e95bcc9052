package hat

import "time"

// Register groups (robot_hat/pwm.py, adc.py).
const (
	regADC       = 0x10 // 0x10 | (7 - channel): convert
	regCompare   = 0x20 // + channel
	regPrescale  = 0x40 // + timer 0..3, written value is prescaler - 1
	regPeriod    = 0x44 // + timer 0..3
	regPrescale2 = 0x50 // + timer - 4, timers 4..6
	regPeriod2   = 0x54 // + timer - 4

	channels = 20
	timers   = 7
	coreHz   = 72_000_000
)

// Outputs are the levels on the board's output pins, as the plant sees them.
type Outputs struct {
	Duty  [channels]float64       // fraction of the time the pin is high
	Pulse [channels]time.Duration // high time per frame; 0 where no servo would follow it
	Left  bool                    // left direction line, low is forward
	Right bool                    // right direction line, high is forward
}

// A controller is the HAT's AT32 as its bus sees it.
type controller struct {
	awake   time.Duration // instant from which it acknowledges
	held    bool          // reset line low
	off     bool          // no supply
	starved bool          // supply too low to run

	zeroPeriod bool // Params.ZeroPeriod

	compare          [channels]uint16
	prescale, period [timers]uint16

	group  [3]byte // bytes of an unfinished write
	filled int
	queue  [8]byte // ADC bytes not yet read; only the sticky mode holds more than two
	queued int
	last   byte
	due    time.Duration // instant from which a read finds the queue
}

// ready reports whether the controller acknowledges at now.
func (c *controller) ready(now time.Duration) bool {
	return !c.held && !c.off && !c.starved && now >= c.awake
}

// restart forgets everything and drops all outputs; the direction lines are
// the host's and stay.
func (c *controller) restart(awake time.Duration, out *Outputs) {
	*c = controller{awake: awake, held: c.held, off: c.off, starved: c.starved, zeroPeriod: c.zeroPeriod}
	*out = Outputs{Left: out.Left, Right: out.Right}
}

// timer returns the timer that drives a channel: four channels share one, the
// last ones have their own.
func timer(channel int) int {
	switch {
	case channel < 16:
		return channel / 4
	case channel < 18:
		return 4
	}
	return channel - 13
}

// take consumes one written byte and reports a complete group.
func (c *controller) take(x byte) bool {
	c.group[c.filled] = x
	c.filled++
	if c.filled < len(c.group) {
		return false
	}
	c.filled = 0
	return true
}

// store executes the complete group as a register write and reports whether it
// was an ADC command, and for which channel. It ignores unknown registers.
func (c *controller) store(out *Outputs) (channel int, adc bool) {
	reg, value := c.group[0], uint16(c.group[1])<<8|uint16(c.group[2])
	switch {
	case reg >= regADC && reg < regADC+8:
		return 7 - int(reg-regADC), true
	case reg >= regCompare && reg < regCompare+channels:
		c.compare[reg-regCompare] = value
		c.drive(int(reg-regCompare), out)
	case reg >= regPrescale && reg < regPrescale+4:
		c.prescale[reg-regPrescale] = value
		c.driveAll(out)
	case reg >= regPeriod && reg < regPeriod+4:
		c.period[reg-regPeriod] = value
		c.driveAll(out)
	case reg >= regPrescale2 && reg < regPrescale2+3:
		c.prescale[4+reg-regPrescale2] = value
		c.driveAll(out)
	case reg >= regPeriod2 && reg < regPeriod2+3:
		c.period[4+reg-regPeriod2] = value
		c.driveAll(out)
	}
	return 0, false
}

// drive computes what one channel's pin puts out from its compare value and the
// registers of the timer it shares. compare > ARR is 100 % (docs/hardware.md
// 1.12); nobody has published whether that holds for a timer that nobody set
// up, so the model assumes the worse.
func (c *controller) drive(channel int, out *Outputs) {
	t := timer(channel)
	compare, arr, psc := uint64(c.compare[channel]), uint64(c.period[t]), uint64(c.prescale[t])
	duty := float64(compare) / float64(arr+1)
	if compare > arr {
		duty = 1
	}
	if arr == 0 && c.zeroPeriod {
		duty = 0
	}
	out.Duty[channel] = duty

	pulse := time.Duration(compare * (psc + 1) * 1_000_000 / (coreHz / 1000))
	frame := time.Duration((arr + 1) * (psc + 1) * 1_000_000 / (coreHz / 1000))
	if frame < 3*time.Millisecond || frame > 25*time.Millisecond ||
		pulse < 400*time.Microsecond || pulse > 2600*time.Microsecond {
		pulse = 0 // a servo holds its place
	}
	out.Pulse[channel] = pulse
}

func (c *controller) driveAll(out *Outputs) {
	for channel := range channels {
		c.drive(channel, out)
	}
}

// pressZero does what two presses of the ZERO button do: 1500 us in a 20 ms
// frame on every output, motors included, or all outputs to zero.
func (c *controller) pressZero(clear bool, out *Outputs) {
	for t := range timers {
		c.prescale[t], c.period[t] = 351, 4095
	}
	for channel := range channels {
		c.compare[channel] = 307
		if clear {
			c.compare[channel] = 0
		}
	}
	c.driveAll(out)
}

// push queues a converted value, high byte first. Without sticky it drops bytes
// left over from an earlier conversion.
func (c *controller) push(value uint16, sticky bool) {
	if !sticky || c.queued+2 > len(c.queue) {
		c.queued = 0
	}
	c.queue[c.queued], c.queue[c.queued+1] = byte(value>>8), byte(value)
	c.queued += 2
}

// pop returns the next byte that a read finds which begins at an instant.
func (c *controller) pop(e Empty, at time.Duration) byte {
	if c.queued == 0 || at < c.due {
		switch e {
		case Zeros:
			return 0
		case Ones:
			return 0xFF
		}
		return c.last
	}
	c.last = c.queue[0]
	copy(c.queue[:], c.queue[1:c.queued])
	c.queued--
	return c.last
}
