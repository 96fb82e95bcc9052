package safety

import (
	"time"

	"fieldbrain/robot"
)

// A pack is what R6 remembers of the battery: a low-passed voltage and two
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

// sense takes the newest voltage and returns R6's causes. An implausible
// voltage is refused and counted in bad; only its absence is noticed, later.
func (b *pack) sense(r robot.Reading, p *Params, now time.Duration) (c Causes, bad uint64) {
	q := p.Battery
	if r.OK && (!b.read || r.At != b.at) {
		b.read, b.at = true, r.At
		if !finite(r.Value) || r.Value < q.Min || r.Value > q.Max {
			bad = 1
		} else {
			b.filter(r, q.Filter, age(r.At, b.valid, p.Period))
			b.low = b.volts < q.Low || (b.low && b.volts < q.Low+q.Recover)
			b.empty = b.volts < q.Empty || (b.empty && b.volts < q.Empty+q.Recover)
		}
	}
	if !b.has || age(now, b.valid, p.Period) > q.Stale {
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
