package service

import (
	"context"
	"fmt"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
)

// watch publishes the histograms, turns the loop thread's notes into conditions
// and feeds the service manager's watchdog, until ctx is done.
func (s *Service) watch(ctx context.Context) error {
	interval, err := daemon.WatchdogInterval()
	if err != nil {
		s.conditions.Set(loop.Condition{
			Name: "watchdog", Value: "not fed", Cause: err.Error(),
			Remedy: "WATCHDOG_USEC comes from the unit's WatchdogSec; correct it there",
		})
	}
	dog := daemon.Watchdog{Interval: interval, Ticks: s.ticks, Feed: s.feed, Stalled: s.stalled}
	if interval == 0 { // no manager: still notice a loop that stands
		dog.Interval = 2 * time.Second
		dog.Feed = func() error { return nil }
	}
	fed := make(chan error, 1)
	go func() { fed <- shielded("watchdog", func() error { return dog.Run(ctx) }) }()
	ticker := time.NewTicker(lookEvery) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	var errors uint64
	for {
		select {
		case err := <-fed:
			return err
		case <-ticker.C:
		}
		s.witness.Look()
		s.noteMisses()
		s.recorder.Publish()
		s.noteStrain()
		s.noteQuality()
		s.noteStart()
		s.noteGuard()
		s.noteBus()
		s.noteNap()
		s.noteDisarmed()
		s.noteFaults()
		s.noteOrder()
		s.noteDriver()
		s.noteCard()
		s.noteDisk()
		s.noteTelemetry()
		s.noteRecording()
		s.noteHeap()
		errors = s.noteErrors(errors)
		s.noteLog()
	}
}

func (s *Service) ticks() uint64 { return s.loop.Counts().Ticks }

// tellManager tells the service manager a state, and keeps visible that it does not hear.
// That is no failure of the drive: a manager that waits for a word acts by itself.
func (s *Service) tellManager(state string) {
	err := daemon.Notify(state)
	c := loop.Condition{
		Name: "manager", Value: "the service manager does not hear the daemon; the car drives on",
		Remedy: "unset NOTIFY_SOCKET where no manager runs; under systemd, which sets it for Type=notify, see that the daemon may write to that socket",
	}
	if err != nil {
		c.Cause = err.Error()
	}
	s.conditions.Put(c, err != nil)
}

// feed gives the service manager a sign of life.
func (s *Service) feed() error {
	s.tellManager(daemon.Alive)
	return nil
}

// stalled says on every surface that the loop stands still.
func (s *Service) stalled(since time.Duration, is bool) {
	s.conditions.Put(loop.Condition{
		Name: "loop", Value: fmt.Sprintf("no tick for %v", since),
		Cause:  "a tick does not return, or the machine gives the process no time",
		Remedy: "the service manager restarts the daemon; look at the machine's load and at fieldbrain bench latency",
	}, is)
}

// noteStrain keeps an overload visible, and a while longer.
func (s *Service) noteStrain() {
	c := loop.Condition{Name: "overrun", Value: "the loop is " + loop.Overloaded.String()}
	holds := loop.Strain(s.strain.Load()) == loop.Overloaded
	if holds {
		c.Cause = "ticks are not finished within the period; in the last second " + s.witness.Over(time.Second).String()
		c.Remedy = "compare busy and wake-up in fieldbrain status: a long busy time wants a longer loop.period or another engine, a late wake-up wants a real-time class"
	}
	s.conditions.Put(s.overrun.look(c, holds, 0))
}

// noteErrors keeps the newest refusal of engine or body visible while new ones
// arrive; it returns how many there were.
func (s *Service) noteErrors(before uint64) uint64 {
	now := s.tickErrs.Load()
	if now == before {
		s.conditions.Clear("tick")
		return now
	}
	if err := s.lastErr.Get(); err != nil {
		s.conditions.Set(loop.Condition{
			Name: "tick", Value: err.Error(), Cause: "the engine or the body refuses",
			Remedy: "see the message; the car stays stopped while it lasts",
		})
	}
	return now
}

// A ledger is what the watch knows of the log.
type ledger struct {
	lost  uint64
	cause string // of the newest trouble
	quiet int    // looks until it counts as over
}

// noteLog keeps visible that the log loses lines, or cannot write any: it cannot say so
// itself.
func (s *Service) noteLog() {
	l := &s.ledger
	lost, cause := s.log.Dropped(), s.log.Trouble()
	switch {
	case cause != "":
		l.cause, l.quiet = cause, quietLooks
	case lost != l.lost:
		l.cause, l.quiet = "the terminal, the journal or the disk is slower than the log", quietLooks
	case l.quiet > 0:
		l.quiet--
	}
	l.lost = lost
	s.conditions.Put(loop.Condition{
		Name: "log", Value: "the log loses lines",
		Cause:  fmt.Sprintf("%s; %d are lost so far", l.cause, lost),
		Remedy: "see that somebody reads what fieldbrain writes (the journal runs, the pipe's other end reads, Ctrl-Q on a terminal) and that its disk has room, or raise log.level; fieldbrain status has what the log lacks",
	}, l.quiet > 0)
}

// A gist is the part of the state whose change is worth a line at once.
type gist struct {
	armed          bool
	failsafe, link string
	rung           string
	degraded       int
}

// report writes a line for people who watch without a terminal whenever the
// state changes, and once per log.status.
func (s *Service) report(ctx context.Context) error {
	ticker := time.NewTicker(time.Second) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	period := time.Duration(s.settings.Log.Status)
	var told gist
	var at time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		status := s.Status()
		now := gist{status.Armed, status.Failsafe, status.Link, status.Rung, len(status.Conditions)}
		if period == 0 || now == told && time.Since(at) < period {
			continue
		}
		told, at = now, time.Now()
		s.reportLine(status)
	}
}

// reportLine writes the line; numbers carry their unit in the name.
func (s *Service) reportLine(status daemon.Status) {
	busy, wake := status.Table.Rows[loop.Busy], status.Table.Rows[loop.Wake]
	line := s.log.Info().Bool("armed", status.Armed).Str("failsafe", status.Failsafe)
	if h := status.Hindrance; h != nil {
		line = line.Str("hindrance", h.What)
	}
	line.Float32("speed_m_s", status.Speed).Float32("steering_rad", status.Steering).
		Float32("front_m", status.Range).Bool("front_ok", status.RangeOK).Bool("front_beyond", status.Beyond).
		Int64("busy_p99_ns", busy.P99.Nanoseconds()).Int64("wake_p99_ns", wake.P99.Nanoseconds()).
		Uint64("ticks", status.Table.Counts.Ticks).Uint64("overruns", status.Table.Counts.Overruns).
		Int("degraded", len(status.Conditions)).Msg("status")
}
