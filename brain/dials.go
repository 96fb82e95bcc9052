package brain

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Settings are the values of all dials, in their units.
type Settings [NumDials]float32

// dials keep what people set since the start. Only the tick touches them; a frozen brain
// has them, because its parameters are those of the start.
type dials struct {
	turned [NumDials]bool
	now    Settings
}

// settings returns the dials' values in the parameters.
func (p *Params) settings() Settings {
	return Settings{
		DialCruise: p.Cruise, DialArrival: p.Arrival,
		DialQuality:     float32(max(slices.Index(Qualities(), p.Quality), 0)), // empty is Auto, the first
		DialManualSpeed: p.Manual.Speed, DialDeadman: float32(p.Manual.Deadman.Seconds()),
	}
}

// A span is the least and the largest value of a dial.
type span struct{ low, high float32 }

// spans returns the limits of all dials for a car with a top speed in m/s.
func spans(top float32) (all [NumDials]span) {
	for _, d := range Dials() {
		all[d].low, all[d].high = d.bound(top)
	}
	return all
}

// allows reports whether a setting fits its dial. The tick calls it, too.
func (r *Remote) allows(s Setting) bool {
	if s.Dial == DialNothing || s.Dial >= NumDials {
		return false
	}
	if s.Dial == DialQuality && s.Value != float32(math.Trunc(float64(s.Value))) {
		return false
	}
	return s.Value >= r.spans[s.Dial].low && s.Value <= r.spans[s.Dial].high
}

// set takes a setting; one that fits no dial changes nothing.
func (b *Brain) set(s Setting) {
	if !b.remote.allows(s) {
		return
	}
	b.dials.turned[s.Dial], b.dials.now[s.Dial] = true, s.Value
	b.params.turn(s)
	switch s.Dial {
	case DialCruise:
		b.law.Cruise(float64(s.Value))
		b.explorer.pace(s.Value)
	case DialQuality:
		b.governor.bound(rungsOf(s.Value))
		b.take(b.governor.Choice().Rung)
	}
}

// rungsOf returns the best and the worst rung of a value of DialQuality.
func rungsOf(v float32) (best, worst int) {
	if v == 0 {
		return bestRung, lastRung
	}
	return int(v) - 1, int(v) - 1
}

// turn writes a setting into the parameters. The governor keeps the quality.
func (p *Params) turn(s Setting) {
	switch s.Dial {
	case DialCruise:
		p.Cruise = s.Value
	case DialArrival:
		p.Arrival = s.Value
	case DialManualSpeed:
		p.Manual.Speed = s.Value
	case DialDeadman:
		p.Manual.Deadman = milliseconds(s.Value)
	}
}

// milliseconds returns so many seconds, to a whole millisecond.
func milliseconds(s float32) time.Duration {
	return time.Duration(math.Round(float64(s)*1000)) * time.Millisecond
}

// refit makes the parameters what the brain's own memory says of them: what was ordered
// and what was set since the start. Everything else that depends on them is in it.
func (b *Brain) refit() {
	w := b.errands.wishes()
	b.params.FollowLine, b.params.SeekGoal = w.line, w.beacon
	for d, turned := range b.dials.turned {
		if turned {
			b.params.turn(Setting{Dial: Dial(d), Value: b.dials.now[d]})
		}
	}
}

// Set takes a setting, as Remote.Set does. Owner only.
func (b *Brain) Set(s Setting) error {
	if err := s.fits(b.remote.top); err != nil {
		return fmt.Errorf("brain: %w", err)
	}
	b.coming.act(Call{Do: DeedSet, Setting: s})
	b.set(s)
	return nil
}

// Set changes a parameter from the next tick on, until the brain ends or somebody changes
// it again. A value out of its limits is refused.
func (r *Remote) Set(s Setting) error {
	if err := s.fits(r.top); err != nil {
		return fmt.Errorf("brain: %w", err)
	}
	return r.send(opSet, posting{setting: s})
}

// A DialStatus says how a dial stands.
type DialStatus struct {
	Setting
	Start     float32 // its value at the start
	Low, High float32 // limits for this car
}

// Dials appends how every dial stands, in their order, to dst. It allocates nothing where
// dst has room.
func (r *Remote) Dials(dst []DialStatus) []DialStatus {
	r.view.Lock()
	now := r.status.Settings
	r.view.Unlock()
	for d := DialNothing + 1; d < NumDials; d++ {
		dst = append(dst, DialStatus{Setting: Setting{d, now[d]}, Start: r.start[d], Low: r.spans[d].low, High: r.spans[d].high})
	}
	return dst
}
