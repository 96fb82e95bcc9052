package service

import (
	"fieldbrain/daemon"
	"fieldbrain/robot/safety"
)

// reflexive are the causes of everyday driving, before which the car stops and goes on by
// itself: no warnings.
const reflexive = safety.Obstacle | safety.Cliff | safety.NoWayBack

// A tally is what the log has of the causes that hold against the car. The tick counts
// how often each begins (safety.Stats.Trips), so that none is too short for a look.
type tally struct {
	looks int                      // since the first tick, up to bringUpLooks
	begun [safety.NumCauses]uint32 // how often each had begun by the newest look
	times [safety.NumCauses]uint32 // how often since the log has it
	quiet [safety.NumCauses]int    // looks until one that the log has is over
}

// look returns the causes that the log shall have from now on, and those that are over:
// away for quietLooks, so that one that comes and goes does not fill the log. What holds
// while the car is brought up is no news, unless it stays.
func (t *tally) look(now *safety.Status, ticks bool) (began, over safety.Causes) {
	before := t.begun
	t.begun = now.Stats.Trips
	if t.looks <= bringUpLooks {
		switch {
		case now.Armed:
			t.looks = bringUpLooks + 1
		case ticks:
			t.looks++
		}
		return 0, 0
	}
	for i := range t.quiet {
		cause := safety.Causes(1) << i
		holds, news := now.Causes.Has(cause), t.begun[i]-before[i]
		switch {
		case cause == safety.Disarmed: // status and the lines on orders have it
		case holds || news > 0:
			if t.quiet[i] == 0 {
				began |= cause
				t.times[i], news = 0, max(news, 1)
			}
			t.times[i] += news
			t.quiet[i] = quietLooks
		case t.quiet[i] > 0:
			if t.quiet[i]--; t.quiet[i] == 0 {
				over |= cause
			}
		}
	}
	return began, over
}

// noteFaults writes a line when a cause begins and one when it is over.
func (s *Service) noteFaults() {
	status := s.car.Brain.Remote().Status().Safety
	began, over := s.tally.look(&status, s.loop.Counts().Ticks > 0)
	s.logFaults(began, over)
}

// logFaults writes them with what to do about them, or how often they began.
func (s *Service) logFaults(began, over safety.Causes) {
	i := -1
	for f := range safety.EachFault() {
		i++
		switch {
		case began.Has(f.Cause):
			remedy := f.Remedy
			if f.Cause == safety.LinkDown && s.settings.Body.Kind == "sim" {
				remedy = daemon.SimulatedRemedy
			}
			line := s.log.Warn()
			if reflexive.Has(f.Cause) {
				line = s.log.Info()
			}
			line.Str("fault", f.Name).Str("failsafe", f.Level.String()).Str("remedy", remedy).Msg(f.Means)
		case over.Has(f.Cause):
			s.log.Info().Str("fault", f.Name).Uint32("times", s.tally.times[i]).Msgf("no longer so: %s", f.Means)
		}
	}
}
