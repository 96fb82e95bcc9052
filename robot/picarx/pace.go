package picarx

import (
	"time"

	"fieldbrain/robot"
)

// Times of a paced bus.
const (
	guard    = 100 * time.Microsecond // between a sweep's end and the release it is for
	look     = 50 * time.Microsecond  // between two looks for a command that is due
	patience = time.Millisecond       // the bus waits this long after a release for its command
	frame    = 20 * time.Millisecond  // of a servo, which shows nothing newer in between
)

// periodSoon is the age at which a paced bus renews the motor timer's period,
// early enough that no duty has to wait for that (periodFresh).
const periodSoon = 8 * time.Millisecond

// A grid is when the driver may expect commands: at first and every period
// after it.
type grid struct{ first, period time.Duration }

// Pace tells the driver that commands are decided at first and every period
// after it, on its clock. The bus then works towards these releases: a sweep of
// the floor sensors ends just before one, the command that follows finds the bus
// free, everything else goes into the gaps, and a ping is sent so that its echo
// comes in the middle of a sweep. Without a pace the driver sweeps every
// Params.SweepPeriod. Any goroutine may call Pace at any time; a period of 0
// ends the pace.
func (c *Car) Pace(first, period time.Duration) {
	if period <= 0 {
		c.grid.Store(nil)
		return
	}
	c.grid.Store(&grid{first, period})
}

// before returns the newest release at or before now.
func (g *grid) before(now, period time.Duration) time.Duration {
	since := now - g.first
	if since < 0 {
		since -= period - 1
	}
	return g.first + since/period*period
}

// costs are what transactions take on this bus, kernel included, as the driver
// measures them.
type costs struct{ write, read time.Duration }

// note takes the duration of one transaction. A thread that was late for once
// counts little.
func (c *costs) note(writes bool, took time.Duration) {
	mean := &c.read
	if writes {
		mean = &c.write
	}
	if *mean == 0 {
		*mean = took
	}
	*mean += (min(took, 2**mean) - *mean) / 16
}

// conversion is one ADC channel: a write and two reads.
func (c *costs) conversion(gap time.Duration) time.Duration { return c.write + gap + 2*c.read }

// sweep is all floor sensors.
func (c *costs) sweep(gap time.Duration) time.Duration {
	return robot.NumFloor * c.conversion(gap)
}

// command is both motors and the steering.
func (c *costs) command() time.Duration { return 3 * c.write }

// A sweepPlan is what the bus intends before the next release. Service only.
type sweepPlan struct {
	on      bool          // the driver knows the grid, and the bus keeps up with it
	last    time.Duration // newest release
	target  time.Duration // release that the next sweep is for
	start   time.Duration // instant at which that sweep begins
	every   bool          // a sweep fits before every release
	sweep   bool          // there shall be one, and it has not begun
	begun   bool          // it has
	swept   bool          // there was one for the target before
	waiting bool          // other work waited for the newest one
}

// outline brings the plan up to now.
func (c *Car) outline(now time.Duration) {
	p, g, cost := &c.sweepPlan, c.grid.Load(), &c.bus.costs
	p.on = g != nil && cost.read > 0 && cost.write > 0 && look+cost.command() < g.period
	if !p.on {
		return
	}
	// A sweep and the commands that come meanwhile take whole periods.
	span := guard + cost.sweep(c.p.ADCGap)
	room := g.period - look - cost.command()
	periods := (span + room - 1) / room
	p.last, p.every = g.before(now, g.period), periods == 1
	target := g.before(now, periods*g.period) + periods*g.period
	if target == p.target {
		return
	}
	p.swept = p.begun && target-p.target <= periods*g.period
	p.target, p.sweep, p.begun = target, true, false
	p.start = target - span - (span-1)/g.period*cost.command()
	c.lead.Store(int64(guard + cost.sweep(c.p.ADCGap)*5/8))
}

// awaits reports whether a command is due and not here: the bus stays free for
// it, unless a sweep takes more than one period.
func (c *Car) awaits(now time.Duration) bool {
	p := &c.sweepPlan
	return p.on && c.order.At < p.last && now < p.last+patience && (p.every || c.adc.sweep == 0)
}

// occupied reports whether the bus has no time for a ramp's step.
func (c *Car) occupied(now time.Duration) bool {
	return c.sweepPlan.on && (c.adc.sweep > 0 || c.awaits(now))
}

// paced does the next transaction below the motors in priority of a bus that
// works towards releases.
func (c *Car) paced(now time.Duration) time.Duration {
	p, cost := &c.sweepPlan, &c.bus.costs
	steering := &c.servos[steeringServo]
	switch {
	case c.awaits(now):
		return now + look
	case steering.want != steering.wrote:
		return c.writeServo(steeringServo, now)
	case c.adc.sweep > 0:
		c.adc.begins(adcLeft + c.adc.sweep)
		return c.convert(now)
	}
	lower := c.gapJob(now)
	takes := cost.write
	if lower == readBattery {
		takes = cost.conversion(c.p.ADCGap)
	}
	if p.yields(now, lower != idle && now+takes > p.start) {
		p.sweep, p.waiting = false, false // the next release gets one
	}
	end := p.target - look
	if p.sweep {
		end = p.start
	}
	switch {
	case lower != idle && now+takes <= end:
		return c.doLower(lower, now)
	case p.sweep && now >= p.start:
		p.sweep, p.begun, p.waiting = false, true, lower != idle
		c.adc.begins(adcLeft)
		return c.convert(now)
	}
	if now >= end {
		end = p.target
	}
	return min(now+c.p.Poll, end)
}

// yields reports whether this release goes without a sweep: it comes too late, or it
// would squeeze out other work that has waited for one already.
func (p *sweepPlan) yields(now time.Duration, squeezed bool) bool {
	return p.sweep && p.swept && (now > p.start+guard/2 || squeezed && p.waiting)
}

// gapJob finds the most urgent work for the gaps of a paced bus.
func (c *Car) gapJob(now time.Duration) job {
	moves := c.motors[leftPlug].wrote != 0 || c.motors[rightPlug].wrote != 0
	if moves && now-c.timers.period >= periodSoon {
		return writePeriod
	}
	for i := range c.servos {
		s := &c.servos[i]
		if now-s.at >= c.p.ServoRefresh || s.want != s.wrote && now-s.at >= frame {
			return writeSteering + job(i)
		}
	}
	return c.houseJob(now)
}

// jump is the most by which the changes of an echo's flight from ping to ping may
// differ while it is one thing that the sonar sees. A wall past which the car turns
// changes its flight by 2 ms from one ping to the next, and does so again.
const jump = time.Millisecond

// flew notes how long an echo took, and by how much the next one's flight will differ.
func (s *sampler) flew(d time.Duration) {
	change := d - s.flight
	s.drift = 0
	if !far(change, 0) || !far(change, s.change) {
		s.drift = change
	}
	s.flight, s.change = d, change
}

// far reports whether two changes of a flight are those of two things.
func far(a, b time.Duration) bool { return a-b > jump || b-a > jump }

// aim returns the instant, at or soon after at, for a ping whose echo comes in
// the middle of a sweep if its way goes on to change as it did: it is then no
// older than the floor's readings when the command is decided.
func (c *Car) aim(s *sampler, at time.Duration) time.Duration {
	g := c.grid.Load()
	if g == nil || s.flight == 0 {
		return at
	}
	lead := time.Duration(c.lead.Load())
	echo := at + triggerPulse + s.flight + s.drift + lead
	if late := echo - g.before(echo, g.period); late > lead/4 { // less is early enough
		return at + g.period - late
	}
	return at
}
