package picarx

import (
	"time"

	"fieldbrain/robot"
)

// Limits of an HC-SR04 class sensor.
const (
	triggerPulse = 10 * time.Microsecond
	riseLimit    = 5 * time.Millisecond   // from trigger to rising echo; 0.45 ms is usual
	fallLimit    = 40 * time.Millisecond  // most fall after 38 ms without a target, slow clones after 200 ms
	lowLimit     = 250 * time.Millisecond // an echo high for longer is a wiring fault
	nearest      = 0.02                   // m, shorter echoes are ghosts
	farthest     = 4.0                    // m

	farFlight = 24 * time.Millisecond // of an echo from farthest; a cold day's takes 24.1 ms
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
	over      bool          // the echo was still high at fallLimit: it may yet fall
	flight    time.Duration // from the newest ping to its echo's fall, 0 for none
	change    time.Duration // how much longer that was than the one before
	drift     time.Duration // how much longer the next one will take, as far as that can be told

	window [5]float64 // m, newest ranges, for the median
	filled int
	ear    robot.Hearing
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
		c.pingAt = c.aim(&c.sonars[c.active], max(c.pingAt, now))
		return c.pingAt
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
		if s.over {
			c.fallen(s)
		}
		s.high, s.reported, s.over = 0, false, false
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
		s.reported, s.over = true, false
		c.count.stuck.Add(1)
	}
	if s.over {
		s.wait()
	} else {
		s.miss()
	}
	return false
}

// fallen looks for the fall of an echo that was still high at fallLimit: a slow
// clone without a target. Without that edge the ping says nothing.
func (c *Car) fallen(s *sampler) {
	for s.wire.Echo.Next(&s.edge) {
		e := s.edge
		gap := e.Seq != s.seq+1
		s.seq = e.Seq
		if !gap && !e.Rising && e.At-s.rise > fallLimit {
			s.silence(e.At)
			return
		}
	}
	s.miss()
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
			s.flew(e.At - s.fired)
			return c.measure(s, e.At)
		}
	}
	switch late := c.p.Sonar.Poll; { // an edge may still be on its way from the kernel
	case !s.up && now-s.fired > riseLimit+late:
		c.count.silent.Add(1)
		return s.miss()
	case s.up && now-s.rise > fallLimit+late:
		c.count.endless.Add(1)
		s.over = true
		return s.wait()
	}
	return false
}

// measure turns an echo's width into a range; one too long for the sensor is the
// sensor's own time-out, silence.
func (c *Car) measure(s *sampler, fall time.Duration) (done bool) {
	width := (fall - s.rise).Seconds()
	r := float64(width*soundSpeed(c.p.Sonar.Temperature)) / 2
	switch {
	case r < nearest:
		c.count.tooNear.Add(1)
		return s.miss()
	case r > farthest:
		c.count.tooFar.Add(1)
		return s.silence(fall)
	}
	c.count.echoes.Add(1)
	return s.end(s.ear.Echo(float32(s.smooth(r, c.p.Sonar.Median)), fall))
}

// miss ends a measurement that says nothing.
func (s *sampler) miss() bool {
	s.filled = 0
	return s.end(s.ear.Miss())
}

// silence ends a measurement that the sensor ended without an echo. What it says
// held when an echo from farthest would have come, however late the line fell.
func (s *sampler) silence(fall time.Duration) bool {
	s.filled = 0
	r := s.ear.Silence(min(fall, s.rise+farFlight))
	r.ReportedAt = fall
	return s.end(r)
}

// wait ends a measurement whose echo may yet fall: no reading for now, but
// silence before it still stands, as long as it is fresh.
func (s *sampler) wait() bool {
	s.filled = 0
	r := s.ear.Last()
	r.OK = r.OK && r.AtLeast
	return s.end(r)
}

// end publishes what a measurement gave: a reading that is not OK keeps the
// instant of the last one that was. It reports that the measurement is over.
func (s *sampler) end(r robot.Reading) bool {
	s.listening = false
	s.out.publish(&r)
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
