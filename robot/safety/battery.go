package safety

import (
	"time"

	"fieldbrain/robot"
)

// A pack holds what R6 keeps of the battery: a low-passed voltage and two
// hysteresis bits.
type pack struct {
	at    time.Duration // instant of the newest reading seen
	read  bool          // whether at holds one
	volts float32       // V, low-passed over the plausible readings
	valid time.Duration // instant of the last plausible one
	has   bool          // whether volts holds one
	low   bool          // below Low, not yet recovered
	empty bool          // below Empty, not yet recovered
}

// sense takes the newest voltage and returns R6's causes. The pack refuses an
// implausible voltage and counts it in bad; R6 notices only its absence, later. f
// says since when the voltage has repeated itself, if it is frozen: nothing after
// that counts.
func (b *pack) sense(r robot.Reading, f *repeat, p *Params, now time.Duration) (c Causes, bad uint64) {
	if r.OK && (!b.read || r.At != b.at) {
		bad = b.take(r, p)
	}
	if f.stuck && b.has {
		b.valid = min(b.valid, f.since)
	}
	if !b.has || age(now, b.valid, p.Period) > p.Battery.Stale {
		c |= BatteryUnknown
	}
	if b.low {
		c |= BatteryLow
	}
	if b.empty {
		c |= BatteryEmpty
	}
	return c, bad
}

// take judges a new reading.
func (b *pack) take(r robot.Reading, p *Params) (bad uint64) {
	q := p.Battery
	b.read, b.at = true, r.At
	if !finite(r.Value) || r.Value < q.Min || r.Value > q.Max {
		return 1
	}
	b.filter(r, q.Filter, age(r.At, b.valid, p.Period))
	b.low = b.volts < q.Low || (b.low && b.volts < q.Low+q.Recover)
	b.empty = b.volts < q.Empty || (b.empty && b.volts < q.Empty+q.Recover)
	return 0
}

// filter is the low pass tau dV/dt = r - V by one implicit Euler step of the
// time between the readings, which is stable for every spacing of them.
func (b *pack) filter(r robot.Reading, tau, dt time.Duration) {
	switch {
	case !b.has:
		b.volts = r.Value
	case tau > 0:
		share := seconds(dt) / (seconds(tau) + seconds(dt))
		b.volts += float32(share * (r.Value - b.volts))
	default:
		b.volts = r.Value
	}
	b.has, b.valid = true, r.At
}
