package safety

import (
	"math"
	"time"

	"fieldbrain/robot"
)

// forever is the age of a thing that never happened.
const forever = time.Duration(math.MaxInt64)

// age returns how long before now the instant at was. An instant further ahead
// than slack (a sampler may stamp during the copy) is impossible and forever
// old, and so is every difference that would overflow.
func age(now, at, slack time.Duration) time.Duration {
	if at <= now {
		if d := now - at; d >= 0 {
			return d
		}
		return forever
	}
	if d := at - now; d >= 0 && d <= slack {
		return 0
	}
	return forever
}

func seconds(d time.Duration) float32 { return float32(float64(d) / 1e9) }

func finite(x float32) bool { return x-x == 0 }

// A Deadman is one source of commands: the brain, a person at a joystick, a
// program on the network. Each has its own, so that a live source does not
// cover for a dead one. Nobody has fed the zero Deadman: it is stale.
type Deadman struct {
	at  time.Duration
	fed bool
}

// Feed says that the source gave a command decided at the instant at.
func (d *Deadman) Feed(at time.Duration) { d.at, d.fed = at, true }

// Age returns how old the source's newest command is, the largest Duration
// when there is none. A command from more than slack ahead is impossible and
// as old.
func (d Deadman) Age(now, slack time.Duration) time.Duration {
	if !d.fed {
		return forever
	}
	return age(now, d.at, slack)
}

// Stale reports whether the newest command is older than limit, or would be by
// the next look a period later: then it would be too late to act in time. The
// limit should be at least two periods.
func (d Deadman) Stale(now, limit, period time.Duration) bool {
	return d.Age(now, period) > limit-period
}

// An inbox is R4 and R7 at the entrance: the last good command, and how many
// impossible ones came since.
type inbox struct {
	good   robot.Command
	source Deadman
	bad    int // in a row
}

// accept returns the command to work with: want when all its numbers are
// numbers, else the last good one, which ages and so ends in R4.
func (i *inbox) accept(want robot.Command, p *Params, now time.Duration) (robot.Command, Causes) {
	if want.Finite() {
		i.good, i.bad = want, 0
		i.source.Feed(want.At)
	} else {
		i.bad = min(i.bad+1, countEnd)
	}
	var c Causes
	if i.source.Stale(now, p.Command.Stale, p.Period) {
		c |= CommandStale
	}
	if i.source.Stale(now, p.Command.Lost, p.Period) {
		c |= CommandLost
	}
	if i.bad >= p.Command.Invalid {
		c |= CommandInvalid
	}
	return i.good, c
}

// stateCauses returns what the body itself reports, and R5: the state is old
// when its copy is, or when every reading in it is, because then the samplers
// have died behind a copy that still works.
func stateCauses(s *robot.State, p *Params, now time.Duration) (c Causes) {
	newest := forever
	seen := func(r robot.Reading) { newest = min(newest, age(now, r.At, p.Period)) }
	for i := range s.Range {
		seen(s.Range[i])
	}
	for i := range s.Floor {
		seen(s.Floor[i])
	}
	seen(s.Battery)
	seen(s.Yaw)
	seen(s.Speed)
	seen(s.Target.Bearing)
	if max(newest, age(now, s.Now, p.Period)) > p.StateStale {
		c |= StateStale
	}
	switch s.Link {
	case robot.LinkUp:
	case robot.LinkDegraded:
		c |= LinkDegraded
	case robot.LinkLate:
		c |= LinkLate
	default:
		c |= LinkDown
	}
	return c
}

// towards moves from by at most step towards to: R7's slew limit.
func towards(from, to, step float32) float32 {
	return min(max(to, from-step), from+step)
}
