package brain

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbrain/brain/quality"
)

// Settings are the values of all parameters, in their units.
type Settings [NumParameters]float32

// parameters keep what people set since the start. Only the tick touches them; a frozen brain
// has them, because its parameters are those of the start.
type parameters struct {
	turned [NumParameters]bool
	now    Settings
}

// settings returns the values of Params that people may change.
func (p *Params) settings() Settings {
	return Settings{
		ParameterCruise: p.Cruise, ParameterArrival: p.Arrival,
		ParameterQuality:     float32(max(slices.Index(quality.Names(), p.Quality), 0)), // empty is Auto, the first
		ParameterManualSpeed: p.Manual.Speed, ParameterDeadman: float32(p.Manual.Deadman.Seconds()),
	}
}

// A span is the least and the largest value of a parameter.
type span struct{ low, high float32 }

// spans returns the limits of all parameters for a body with a top speed in m/s.
func spans(top float32) (all [NumParameters]span) {
	for _, d := range Parameters() {
		all[d].low, all[d].high = d.Limits(top)
	}
	return all
}

// allows reports whether a setting fits its parameter. The tick calls it, too.
func (r *Remote) allows(s Setting) bool {
	if s.Parameter == ParameterNothing || s.Parameter >= NumParameters {
		return false
	}
	if s.Parameter == ParameterQuality && s.Value != float32(math.Trunc(float64(s.Value))) {
		return false
	}
	return s.Value >= r.spans[s.Parameter].low && s.Value <= r.spans[s.Parameter].high
}

// set takes a setting; one that fits no parameter changes nothing.
func (b *Brain) set(s Setting) {
	if !b.remote.allows(s) {
		return
	}
	b.parameters.turned[s.Parameter], b.parameters.now[s.Parameter] = true, s.Value
	b.params.turn(s)
	switch s.Parameter {
	case ParameterCruise:
		b.law.Cruise(float64(s.Value))
		b.explorer.pace(s.Value)
	case ParameterQuality:
		b.governor.Bound(int(s.Value))
		b.take(b.governor.Choice().Rung)
	}
}

// turn writes a setting into the parameters. The governor keeps the quality.
func (p *Params) turn(s Setting) {
	switch s.Parameter {
	case ParameterCruise:
		p.Cruise = s.Value
	case ParameterArrival:
		p.Arrival = s.Value
	case ParameterManualSpeed:
		p.Manual.Speed = s.Value
	case ParameterDeadman:
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
	w := b.missions.wishes()
	b.params.FollowLine, b.params.SeekGoal = w.line, w.beacon
	for d, turned := range b.parameters.turned {
		if turned {
			b.params.turn(Setting{Parameter: Parameter(d), Value: b.parameters.now[d]})
		}
	}
}

// Set takes a setting, as Remote.Set does. Owner only.
func (b *Brain) Set(s Setting) error {
	if err := s.Check(b.remote.top); err != nil {
		return fmt.Errorf("brain: %w", err)
	}
	b.coming.act(Call{Do: CallSet, Setting: s})
	b.set(s)
	return nil
}

// Top returns the body's top speed in m/s: no speed is to be set above it.
func (r *Remote) Top() float32 { return r.top }

// Set changes a parameter from the next tick on, until the brain ends or somebody changes
// it again. A value out of its limits is refused.
func (r *Remote) Set(s Setting) error {
	if err := s.Check(r.top); err != nil {
		return fmt.Errorf("brain: %w", err)
	}
	return r.send(opSet, posting{setting: s})
}

// A ParameterStatus says how a parameter stands.
type ParameterStatus struct {
	Setting
	Start     float32 // its value at the start
	Low, High float32 // limits for this car
}

// Parameters appends how every parameter stands, in their order, to dst. It allocates nothing where
// dst has room.
func (r *Remote) Parameters(dst []ParameterStatus) []ParameterStatus {
	r.view.Lock()
	now := r.status.Settings
	r.view.Unlock()
	for d := ParameterNothing + 1; d < NumParameters; d++ {
		dst = append(dst, ParameterStatus{Setting: Setting{d, now[d]}, Start: r.start[d], Low: r.spans[d].low, High: r.spans[d].high})
	}
	return dst
}
