package daemon

import (
	"context"
	"fmt"
	"time"

	systemd "github.com/coreos/go-systemd/v22/daemon"
)

// States of the service manager's protocol, sd_notify(3).
const (
	Ready    = systemd.SdNotifyReady
	Stopping = systemd.SdNotifyStopping
	Alive    = systemd.SdNotifyWatchdog // a sign of life
)

// Notify tells the service manager a state. Without one (no NOTIFY_SOCKET) it
// does nothing.
func Notify(state string) error {
	if _, err := systemd.SdNotify(false, state); err != nil {
		return fmt.Errorf("daemon: notify service manager: %w", err)
	}
	return nil
}

// WatchdogInterval returns how often the service manager wants a sign of life,
// 0 when it wants none.
func WatchdogInterval() (time.Duration, error) {
	d, err := systemd.SdWatchdogEnabled(false)
	if err != nil {
		return 0, fmt.Errorf("daemon: watchdog interval: %w", err)
	}
	return d, nil
}

// A Watchdog passes the loop's pulse on to the service manager. The loop alone
// feeds it: when the tick counter stands still between two
// looks, Run sends no sign of life, and the manager kills the process.
type Watchdog struct {
	Interval time.Duration                      // the manager's patience
	Ticks    func() uint64                      // the loop's counter
	Feed     func() error                       // sends one sign of life
	Stalled  func(since time.Duration, is bool) // may be nil: once when the loop stands, once when it moves again
}

// Run looks at the counter four times per interval until ctx is done. It is
// meant for a goroutine of the ordinary class. It returns the last error of
// Feed: a manager that hears nothing acts by itself.
func (w Watchdog) Run(ctx context.Context) error {
	look := w.Interval / 4
	ticker := time.NewTicker(look) // a slow look, not a period anything is paced by
	defer ticker.Stop()
	last, still := w.Ticks(), 0
	var failed error
	for {
		select {
		case <-ctx.Done():
			return failed
		case <-ticker.C:
		}
		now := w.Ticks()
		if now == last {
			if still++; still == 2 && w.Stalled != nil {
				w.Stalled(2*look, true)
			}
			continue
		}
		if still >= 2 && w.Stalled != nil {
			w.Stalled(0, false)
		}
		last, still = now, 0
		if err := w.Feed(); err != nil {
			failed = err
		}
	}
}
