package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// stopsAlone is how long the daemon has the stop to itself: it brakes and keeps the
// steering, where the guard can only cut the HAT off.
const stopsAlone = 250 * time.Millisecond

// errLate says that the daemon took its time.
var errLate = errors.New("no answer yet")

// EStop stops the cars of all daemons whose control socket is one of paths; the first is
// the one that people see. Where one has not done so within a moment it asks
// fieldbrain-guard, which answers for itself, on its socket; the note then says so. Without
// a guard the daemons' answer counts.
func EStop(ctx context.Context, paths []string, guard string) (Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type said struct {
		answer Answer
		err    error
	}
	asked := make(chan said, 1)
	ask := func() {
		answer, err := stopAll(ctx, paths)
		asked <- said{answer, err}
	}
	go ask()
	timer := time.NewTimer(stopsAlone)
	defer timer.Stop()
	var daemon said
	select {
	case daemon = <-asked:
	case <-timer.C:
		daemon.err = errLate
	}
	if daemon.err == nil {
		return daemon.answer, nil
	}
	answer, err := StopAt(ctx, StopSocket(guard))
	if err == nil && answer.OK {
		answer.Note = fmt.Sprintf("stopped by fieldbrain-guard, the HAT is in reset (the daemon: %v)", daemon.err)
		return answer, nil
	}
	if err == nil {
		err = errors.New(answer.Error)
	}
	if errors.Is(daemon.err, errLate) {
		daemon = <-asked
	}
	if errors.Is(daemon.err, ErrSilent) {
		daemon.err = fmt.Errorf("%w; fieldbrain-guard, where it runs, stops the car of a silent daemon by itself; without it switch the HAT off", daemon.err)
	}
	if daemon.err != nil && !errors.Is(err, ErrNoDaemon) {
		return Answer{}, fmt.Errorf("%w; the guard: %w", daemon.err, err)
	}
	return daemon.answer, daemon.err
}
