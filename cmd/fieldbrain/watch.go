package main

import (
	"context"
	"fmt"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/robot"
)

// watch publishes the histograms, turns what the loop's thread left behind into
// conditions and feeds the service manager's watchdog, until ctx is done.
func (s *service) watch(ctx context.Context) error {
	interval, err := daemon.WatchdogInterval()
	if err != nil {
		s.conditions.Set(daemon.Condition{
			Name: "watchdog", Value: "not fed", Cause: err.Error(),
			Remedy: "WATCHDOG_USEC comes from the unit's WatchdogSec; correct it there",
		})
	}
	dog := daemon.Watchdog{Interval: interval, Ticks: s.ticks, Feed: daemon.FeedSystemd, Stalled: s.stalled}
	if interval == 0 { // no manager: still notice a loop that stands
		dog.Interval = 2 * time.Second
		dog.Feed = func() error { return nil }
	}
	fed := make(chan error, 1)
	go func() { fed <- shielded("watchdog", func() error { return dog.Run(ctx) }) }()
	ticker := time.NewTicker(lookEvery) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	var errors, dropped uint64
	for {
		select {
		case err := <-fed:
			return err
		case <-ticker.C:
		}
		s.recorder.Publish()
		s.noteStrain()
		s.noteQuality()
		s.noteBus()
		s.noteNap()
		s.noteCard()
		s.noteDisk()
		errors = s.noteErrors(errors)
		dropped = s.noteDropped(dropped)
	}
}

func (s *service) ticks() uint64 { return s.loop.Counts().Ticks }

// stalled says on every surface that the loop stands still.
func (s *service) stalled(since time.Duration, is bool) {
	s.conditions.Put(daemon.Condition{
		Name: "loop", Value: fmt.Sprintf("no tick for %v", since),
		Cause:  "a tick does not return, or the machine gives the process no time",
		Remedy: "the service manager restarts the daemon; look at the machine's load and at fieldbrain bench latency",
	}, is)
}

func (s *service) noteStrain() {
	strain := daemon.Strain(s.strain.Load())
	s.conditions.Put(daemon.Condition{
		Name: "overrun", Value: "the loop is " + strain.String(),
		Cause:  "ticks are not finished within the period",
		Remedy: "compare busy and wake-up in fieldbrain status: a long busy time wants a longer loop.period or another engine, a late wake-up wants a real-time class",
	}, strain == daemon.Overloaded)
}

// noteBus keeps a bus that is not up visible, with the driver's own words.
func (s *service) noteBus() {
	status := s.car.brain.Remote().Status()
	c := daemon.Condition{
		Name: "bus", Value: "the link to the car is " + status.State.Link.String(),
		Remedy: "is the HAT on, its battery charged, SDA and SCL wired? see fieldbrain doctor",
	}
	if err := s.car.driver.Stats().LastError; err != nil {
		c.Cause = err.Error()
	}
	const bringUp = 3 * time.Second // reset, boot and first writes take half a second
	s.conditions.Put(c, time.Since(s.since) > bringUp && status.State.Link != robot.LinkUp)
}

// noteErrors keeps the newest refusal of engine or body visible while new ones
// arrive; it returns how many there were.
func (s *service) noteErrors(before uint64) uint64 {
	now := s.tickErrs.Load()
	if now == before {
		s.conditions.Clear("tick")
		return now
	}
	if err := s.lastErr.Get(); err != nil {
		s.conditions.Set(daemon.Condition{
			Name: "tick", Value: err.Error(), Cause: "the engine or the body refuses",
			Remedy: "see the message; the car stays stopped while it lasts",
		})
	}
	return now
}

func (s *service) noteDropped(before uint64) uint64 {
	now := s.log.Dropped()
	s.conditions.Put(daemon.Condition{
		Name: "log", Value: "log lines are being lost",
		Cause:  "the terminal, the journal or the disk is slower than the log",
		Remedy: "raise log.level, or look at the disk",
	}, now != before)
	return now
}

// report writes one line a second for people who watch without a terminal.
func (s *service) report(ctx context.Context) error {
	ticker := time.NewTicker(time.Second) // a look at copies, nothing is paced by it
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		status := s.status()
		busy, wake := status.Table.Rows[daemon.Busy], status.Table.Rows[daemon.Wake]
		s.log.Info().Bool("armed", status.Armed).Str("failsafe", status.Failsafe).
			Float32("speed_m_s", status.Speed).Float32("steering_rad", status.Steering).
			Float32("front_m", status.Range).Bool("front_ok", status.RangeOK).
			Str("busy_p99", daemon.Short(busy.P99)).Str("wake_p99", daemon.Short(wake.P99)).
			Uint64("ticks", status.Table.Counts.Ticks).Uint64("overruns", status.Table.Counts.Overruns).
			Int("degraded", len(status.Conditions)).Msg("status")
	}
}
