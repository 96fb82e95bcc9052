package picarx

import (
	"time"

	"fieldbrain/robot"
)

// Limits of an HC-SR04 class sensor.
const (
	triggerPulse = 10 * time.Microsecond
	riseLimit    = 5 * time.Millisecond   // from trigger to rising echo; 0.45 ms is usual
	fallLimit    = 40 * time.Millisecond  // a clone without a target falls after 38 ms
	lowLimit     = 250 * time.Millisecond // an echo high for longer is a wiring fault
	nearest      = 0.02                   // m, shorter echoes are ghosts
	farthest     = 4.0                    // m
)

// A sampler measures with one sonar: it fires, listens, judges.
type sampler struct {
	wire      SonarWire
	listening bool
	fired     time.Duration // end of the trigger pulse
	up        bool          // the rising edge has come
	rise      time.Duration // its stamp
	edge      Edge          // buffer of Next; a local one would escape to the heap
	seq       uint32        // number of the newest edge
	seen      bool          // seq is valid
	high      time.Duration // since when the echo is found high before a ping, 0 when low
	reported  bool          // that it is stuck

	window [5]float64 // m, newest ranges, for the median
	filled int
	last   robot.Reading
	out    tripleBuffer[robot.Reading] // Ping to Sense
}

// soundSpeed returns the speed of sound in m/s at a temperature in Celsius.
func soundSpeed(celsius float64) float64 { return 331.3 + float64(0.606*celsius) }

// Ping steps the sonars, one after the other so that none hears another's
// sound, and returns when it wants to be called next. While an echo is
// outstanding that is one Poll away; a caller that waits on the echo line's
// edges may come earlier. It allocates only for errors and waits only for the
// 10 us of the trigger pulse.
func (c *Car) Ping(now time.Duration) (next time.Duration) {
	if len(c.sonars) == 0 {
		return now + c.p.Sonar.Period
	}
	if !c.pinging.CompareAndSwap(false, true) {
		return now + c.p.Sonar.Poll
	}
	defer c.pinging.Store(false)
	s := &c.sonars[c.active]
	if s.listening {
		if !c.listen(s, now) {
			return now + c.p.Sonar.Poll
		}
		c.active = (c.active + 1) % len(c.sonars)
		return max(c.pingAt, now)
	}
	if now < c.pingAt {
		return c.pingAt
	}
	if !c.quiet(s, now) {
		c.active = (c.active + 1) % len(c.sonars)
		c.pingAt = now + c.p.Sonar.Poll
		return c.pingAt
	}
	c.fire(s)
	if c.pingAt += c.p.Sonar.Period; c.pingAt <= now {
		c.pingAt = now + c.p.Sonar.Period
	}
	return now + c.p.Sonar.Poll
}

// quiet reports whether the echo line is low, so that the driver may send a
// ping. An echo that stays high is no reading and, after lowLimit, a fault.
func (c *Car) quiet(s *sampler, now time.Duration) bool {
	high, err := s.wire.Echo.Level()
	if err == nil && !high {
		s.high, s.reported = 0, false
		return true
	}
	if err != nil {
		c.count.lineErrors.Add(1)
		c.count.fail(err)
	}
	if s.high == 0 {
		s.high = max(now, 1)
	}
	if now-s.high >= lowLimit && !s.reported {
		s.reported = true
		c.count.stuck.Add(1)
	}
	s.miss()
	return false
}

// fire sends the trigger pulse. Edges from before it are dropped.
func (c *Car) fire(s *sampler) {
	for s.wire.Echo.Next(&s.edge) {
		s.seq, s.seen = s.edge.Seq, true
	}
	c.set(s.wire.Trigger, true)
	c.clock.SleepUntil(c.clock.Now() + triggerPulse)
	c.set(s.wire.Trigger, false)
	s.fired, s.listening, s.up = c.clock.Now(), true, false
	c.count.pings.Add(1)
}

// listen takes the edges that have come and reports whether the measurement is
// over. Only the kernel's stamps count, so a late call loses nothing.
func (c *Car) listen(s *sampler, now time.Duration) (done bool) {
	for s.wire.Echo.Next(&s.edge) {
		e := s.edge
		gap := s.seen && e.Seq != s.seq+1
		s.seq, s.seen = e.Seq, true
		switch {
		case gap:
			c.count.lostEdges.Add(1)
			return s.miss()
		case e.Rising == s.up || e.At < s.fired-triggerPulse:
			c.count.mixed.Add(1)
			return s.miss()
		case e.Rising && e.At-s.fired > riseLimit:
			c.count.silent.Add(1)
			return s.miss()
		case e.Rising:
			s.up, s.rise = true, e.At
		default:
			return c.measure(s, e.At)
		}
	}
	switch late := c.p.Sonar.Poll; { // an edge may still be on its way from the kernel
	case !s.up && now-s.fired > riseLimit+late:
		c.count.silent.Add(1)
		return s.miss()
	case s.up && now-s.rise > fallLimit+late:
		c.count.endless.Add(1)
		return s.miss()
	}
	return false
}

// measure turns an echo's width into a range, or into no reading when it is
// outside what the sensor can see.
func (c *Car) measure(s *sampler, fall time.Duration) (done bool) {
	width := (fall - s.rise).Seconds()
	r := float64(width*soundSpeed(c.p.Sonar.Temperature)) / 2
	switch {
	case fall-s.rise > fallLimit:
		c.count.endless.Add(1)
		return s.miss()
	case r < nearest:
		c.count.tooNear.Add(1)
		return s.miss()
	case r > farthest:
		c.count.tooFar.Add(1)
		return s.miss()
	}
	c.count.echoes.Add(1)
	s.listening = false
	s.last = robot.Reading{Value: float32(s.smooth(r, c.p.Sonar.Median)), At: fall, OK: true}
	s.out.publish(&s.last)
	return true
}

// miss ends a measurement without a range: the reading is not OK, its instant
// stays that of the last range. It reports that the measurement is over.
func (s *sampler) miss() bool {
	s.listening, s.filled = false, 0
	if s.last.OK {
		s.last.OK = false
		s.out.publish(&s.last)
	}
	return true
}

// smooth returns the median of the newest n ranges, of those there are.
func (s *sampler) smooth(r float64, n int) float64 {
	s.filled = min(s.filled+1, n)
	copy(s.window[1:s.filled], s.window[:s.filled-1])
	s.window[0] = r
	sorted := s.window
	for i := 1; i < s.filled; i++ { // insertion sort of at most five
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	return sorted[(s.filled-1)/2]
}
