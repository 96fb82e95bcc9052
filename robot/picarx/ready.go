package picarx

import "time"

// Motors are numbered by plug, servos by purpose.
const (
	leftPlug = iota
	rightPlug
)

const (
	steeringServo = iota
	panServo
	tiltServo
)

// zeroGap is the time between the two zeros of a stop (vendor's stop()).
const zeroGap = 2 * time.Millisecond

// A motor is one plug: what it shall do and what the driver last told the HAT.
type motor struct {
	register byte
	dir      Output
	high     bool // level of the direction line
	want     wheel
	wrote    uint16
	at       time.Duration // of the newest write
	owed     int           // zeros still to be written after a stop
	seq      uint64        // newest command with a response time
}

// inert reports whether the motor is at zero with no write owed.
func (m *motor) inert() bool { return m.wrote == 0 && m.owed == 0 }

// stopDue reports whether a stop wants a write now.
func (m *motor) stopDue(now time.Duration) bool {
	return m.wrote != 0 || m.owed > 0 && now-m.at >= zeroGap
}

// due reports whether a change or the refresh wants a write now.
func (m *motor) due(now, refresh time.Duration) bool {
	return !m.reached() || m.owed > 0 && now-m.at >= zeroGap || now-m.at >= refresh
}

// reached reports whether the motor does what it shall.
func (m *motor) reached() bool {
	return m.wrote == m.want.count && (m.wrote == 0 || m.high == m.want.high)
}

// A servo is one servo channel: what it shall show and what the driver told it.
type servo struct {
	register    byte
	want, wrote uint16
	at          time.Duration
	seq         uint64
}

func (s *servo) due(now, refresh time.Duration) bool {
	return s.want != s.wrote || now-s.at >= refresh
}

// timers is the slow re-assertion of the PWM timers.
type timers struct {
	at     time.Duration
	next   int
	period time.Duration // when the motor timer's period was written
}

// periodFresh bounds the age of the motor timer's period when a duty goes out.
// After a reset that nobody noticed the period is 0, and every duty above it is
// full power.
const periodFresh = 20 * time.Millisecond

// A job is work below the floor sensors in priority.
type job uint8

const (
	idle job = iota
	writePeriod
	writeSteering
	writePan
	writeTilt
	readBattery
	writeTimer
)

// ready does the most urgent transaction, if any is due.
func (c *Car) ready(now time.Duration) time.Duration {
	c.outline(now)
	c.obey(now)
	if i, is := c.urgent(now); is {
		c.adc.spoil()
		return c.writeMotor(i, now)
	}
	if c.adc.busy {
		return c.convert(now)
	}
	for i := range c.motors {
		if c.motors[i].due(now, c.p.MotorRefresh) {
			return c.writeMotor(i, now)
		}
	}
	if c.sweepPlan.on {
		return c.paced(now)
	}
	lower := c.lowerJob(now)
	// A saturated bus gives one lower job between two sweeps, or the wheels
	// would never turn.
	if c.adc.sweepDue(now) && (lower == idle || !c.adc.yield) {
		c.adc.startSweep(now, c.p.SweepPeriod)
		return c.convert(now)
	}
	c.adc.yield = false
	if lower == idle {
		return min(now+c.p.Poll, max(c.adc.sweepAt, now))
	}
	return c.doLower(lower, now)
}

// doLower does the next transaction of a job.
func (c *Car) doLower(lower job, now time.Duration) time.Duration {
	switch lower {
	case readBattery:
		c.adc.begins(adcBattery)
		return c.convert(now)
	case writeTimer:
		return c.writeTimer(now)
	case writePeriod:
		c.writePWM(write{regPeriod + timerMotor, pwmPeriod})
		return now
	}
	return c.writeServo(int(lower-writeSteering), now)
}

// urgent returns the motor that has to be stopped at once, or to get reverse
// power, which is as urgent as a stop.
func (c *Car) urgent(now time.Duration) (motor int, is bool) {
	for i := range c.motors {
		if c.drive.stopping() && c.motors[i].stopDue(now) {
			return i, true
		}
	}
	for i := range c.motors {
		if c.drive.rule == counter && !c.motors[i].reached() {
			return i, true
		}
	}
	return 0, false
}

// obey brings the actuators' targets up to date.
func (c *Car) obey(now time.Duration) {
	o := c.orders.newest()
	halt := c.halts.Load()
	if halt != c.haltSeen {
		c.haltSeen = halt
		c.barrier = max(c.barrier, time.Duration(c.haltAt.Load()))
		for i := range c.motors {
			c.motors[i].owed = 2
		}
	} else if o.seq == c.drive.seq && (now-c.drive.at < c.p.RampStep || c.occupied(now)) {
		return
	}
	c.order = *o
	still := time.Duration(0)
	if !c.turning() {
		still = now - c.still
	}
	c.drive.step(now, o, c.barrier, still)
	fresh := supplyFresh * c.p.BatteryPeriod
	if o.IgnoreBattery { // they come, and tell nothing
		fresh = 0
	}
	left, right := c.drive.wheels(c.supply.factor(now, fresh, !c.turning()))
	if c.p.Cal.Motors.Swapped {
		left, right = right, left
	}
	c.motors[leftPlug].want, c.motors[rightPlug].want = left, right
	for i, count := range c.servoWants() {
		c.servos[i].want = count
	}
}

// turning reports whether a motor was told a duty.
func (c *Car) turning() bool { return c.motors[0].wrote != 0 || c.motors[1].wrote != 0 }

func (c *Car) servoWants() [3]uint16 {
	d := &c.drive
	return [...]uint16{steeringServo: d.steeringCount(), panServo: d.panCount(), tiltServo: d.tiltCount()}
}

// lowerJob finds the most urgent work below the floor sensors.
func (c *Car) lowerJob(now time.Duration) job {
	for i := range c.servos {
		if c.servos[i].due(now, c.p.ServoRefresh) {
			return writeSteering + job(i)
		}
	}
	return c.houseJob(now)
}

// houseJob finds work that no command asks for.
func (c *Car) houseJob(now time.Duration) job {
	if now >= c.adc.batteryAt {
		return readBattery
	}
	if now >= c.timers.at {
		return writeTimer
	}
	return idle
}

// writeMotor writes one duty. A direction line changes only while the duty on
// the HAT is zero, so a turn writes a zero first, and a duty goes out only while
// the timer's period is known to be there.
func (c *Car) writeMotor(i int, now time.Duration) time.Duration {
	m := &c.motors[i]
	count := m.want.count
	turn := count > 0 && m.want.high != m.high
	if turn && m.wrote != 0 {
		count = 0
	}
	if count > 0 && now-c.timers.period >= periodFresh {
		c.writePWM(write{regPeriod + timerMotor, pwmPeriod})
		return now
	}
	if turn && count > 0 {
		m.high = m.want.high
		c.set(m.dir, m.high)
	}
	if err := c.bus.write(m.register, count); err != nil {
		if c.bus.lost(motorRetries, c.p.Silence) {
			c.lose(c.bus.ended, err)
		}
		return now
	}
	c.motorWrote(Actuator(i), count)
	return now
}

// motorWrote notes a duty that has gone out to a motor.
func (c *Car) motorWrote(i Actuator, count uint16) {
	m := &c.motors[i]
	if count != m.wrote {
		c.respond(i, &m.seq)
	}
	switch {
	case count != 0:
		m.owed = 0
	case m.wrote != 0:
		m.owed = max(m.owed-1, 1)
	case m.owed > 0:
		m.owed--
	}
	moved := c.turning()
	m.wrote, m.at = count, c.bus.ended
	if moved && !c.turning() {
		c.still = c.bus.ended
	}
	c.noteWheels()
}

// noteWheels updates what Sense reports about the motors once both have been
// told.
func (c *Car) noteWheels() {
	for i := range c.motors {
		if !c.motors[i].reached() {
			return
		}
	}
	c.told.wheel, c.changed = 0, true
	if c.drive.moving() {
		c.told.wheel = float32(c.drive.speed)
	}
}

// writeServo writes one servo's pulse.
func (c *Car) writeServo(i int, now time.Duration) time.Duration {
	s := &c.servos[i]
	if err := c.bus.write(s.register, s.want); err != nil {
		if c.bus.lost(readRetries, c.p.Silence) {
			c.lose(c.bus.ended, err)
		}
		return now
	}
	if s.want != s.wrote && i == steeringServo {
		c.respond(Steering, &s.seq)
	}
	s.wrote, s.at = s.want, c.bus.ended
	d, t := &c.drive, &c.told
	switch i {
	case steeringServo:
		t.steering = float32(d.steering)
	case panServo:
		t.pan = float32(d.pan)
	case tiltServo:
		t.tilt = float32(d.tilt)
	}
	c.changed = true
	return now
}

// writeTimer re-asserts one timer register.
func (c *Car) writeTimer(now time.Duration) time.Duration {
	if !c.writePWM(timerWrites[c.timers.next]) {
		return now
	}
	if c.timers.next++; c.timers.next == len(timerWrites) {
		c.timers.next, c.timers.at = 0, now+c.p.TimerRefresh
	}
	return now
}

// writePWM writes one timer register and reports whether the HAT took it.
func (c *Car) writePWM(w write) bool {
	if err := c.bus.write(w.register, w.value); err != nil {
		if c.bus.lost(motorRetries, c.p.Silence) {
			c.lose(c.bus.ended, err)
		}
		return false
	}
	if w.register == regPeriod+timerMotor {
		c.timers.period = c.bus.ended
	}
	return true
}

// respond records the newest command's first change to one actuator. The
// driver's own stops answer no reading.
func (c *Car) respond(of Actuator, seen *uint64) {
	if own := c.drive.rule == inert || c.drive.rule == lapsed; own || c.order.SensedAt == 0 || *seen == c.order.seq {
		return
	}
	*seen = c.order.seq
	if !c.responses.put(Response{Actuator: of, Ready: c.order.SensedAt, Decided: c.order.At, Written: c.bus.ended}) {
		c.count.dropped.Add(1)
	}
}
