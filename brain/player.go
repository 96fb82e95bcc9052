package brain

import (
	"errors"
	"math"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// A Player is a body and a clock that repeat what a brain heard: its State, and how long
// its stages took. Build a brain on it with the parameters of the one that was recorded.
type Player struct {
	input *TickInput
	trace *Trace // of the brain in its tick
	told  robot.Command
	saved State // what a save took, which nobody keeps
}

// NewPlayer returns a player that has nothing to play yet.
func NewPlayer() *Player { return &Player{input: new(TickInput), trace: new(Trace)} }

// Sense implements robot.Body.
func (p *Player) Sense(s *robot.State) { *s = p.input.State }

// Act implements robot.Body: it keeps the command to itself.
func (p *Player) Act(c robot.Command) error { p.told = c; return nil }

// Halt implements robot.Body.
func (p *Player) Halt() error { return nil }

// Now implements robot.Clock: it stands but at the end of a stage.
func (p *Player) Now() time.Duration {
	at := p.input.Now
	for _, lap := range p.input.Laps[:p.trace.ended] {
		at += lap
	}
	return at
}

// SleepUntil implements robot.Clock; nothing waits.
func (p *Player) SleepUntil(time.Duration) {}

// Tick lets a brain that is built on the player hear again what one heard before, as its
// next tick. Owner only.
func (p *Player) Tick(b *Brain, h *TickInput) *Trace {
	p.input, p.trace = h, &b.trace
	b.trace.ended = 0
	for _, a := range h.Calls[:min(h.NumCalls, MaxCalls)] {
		p.again(b, &a)
	}
	b.strain, b.guard = h.Strain, h.Guard
	r := &b.remote
	if h.Asked != AskNothing {
		r.post = posting{h.Order, h.Setting}
		r.asked++
		r.request.Store(r.asked<<3 | uint32(h.Asked))
	}
	r.stop.Store(h.Stop)
	r.outcome.Store(math.Float32bits(h.Outcome))
	r.manual.news = h.Manual
	r.Surround(quality.Surroundings{Heat: h.Heat, Saving: h.Save, Slowed: h.Slowed, Tight: h.Tight})
	if h.Fault {
		whole := b.engine
		b.engine = refusing{whole}
		defer func() { b.engine = whole }()
	}
	return b.Tick(h.Now)
}

// again repeats an act of the owner. What was refused then is refused now.
func (p *Player) again(b *Brain, a *Call) {
	switch a.Do {
	case CallArm:
		_ = b.Arm()
	case CallDisarm:
		b.Disarm()
	case CallTrip:
		b.Trip(a.Causes)
	case CallGo:
		_ = b.Go(a.Order)
	case CallEffort:
		b.Effort(a.Effort)
	case CallSet:
		_ = b.Set(a.Setting)
	case CallSave:
		b.Save(&p.saved)
	}
}

// refusing is an engine that refuses to step, as the recorded one did.
type refusing struct{ field.Engine }

// errRefused stands for the error of an engine that was recorded.
var errRefused = errors.New("brain: the recorded engine refused this step")

func (refusing) Step(*field.Input) (*field.Output, error) { return nil, errRefused }
