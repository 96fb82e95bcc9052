package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fieldbrain/daemon/recording"
)

// taping begins and ends recordings while the car drives. A recording begins with a frozen
// brain: the loop's thread, which completes the copy behind a tick, gives the recorder
// every tick from the next one on.
type taping struct {
	mu    sync.Mutex // one order at a time
	asked chan *tape // for the goroutine that keeps the stills
	now   *tape      // under way, nil without; mu's
}

// A tape is a recording that is wanted, or under way.
type tape struct {
	recorder *recording.Recorder
	stop     chan struct{} // closed: end the file
	begun    chan error    // once: every tick is recorded from here on
	ended    chan error    // once, when the file is whole
}

// A recording may take tapeWait to begin; how it goes is looked at every tapeLook.
const (
	tapeWait = 5 * time.Second
	tapeLook = 20 * time.Millisecond
)

// obeyTape carries out record-start or record-stop.
func (s *Service) obeyTape(ctx context.Context, command string) (note string, err error) {
	if command == "record-start" {
		return s.tapeStart(ctx)
	}
	return s.tapeStop()
}

// tapeStart begins a recording in the configured folder.
func (s *Service) tapeStart(ctx context.Context) (note string, err error) {
	t := &s.taping
	t.mu.Lock()
	defer t.mu.Unlock()
	set := s.settings.Record
	switch {
	case s.recording.Load() != nil:
		return "", fmt.Errorf("the daemon records already: %s", s.recording.Load().Status().Line())
	case set.Path == "":
		return "", errors.New("the configuration names no folder for recordings: write record.path, and start the daemon again; fieldbrain run --record PATH records without")
	case s.stills == nil:
		return "", errors.New("the brain cannot be frozen, and without that nobody could replay the recording: status says why")
	case s.car.Mind.GPU != nil && s.car.Mind.GPU.Failover.State().Primary:
		return "", errCard
	}
	limits := recording.DefaultLimits()
	limits.Quota = set.Quota << 20
	shelf, err := recording.NewShelf(set.Path, limits)
	if err != nil {
		return "", err
	}
	head, err := s.head()
	if err != nil {
		return "", err
	}
	head.Epoch = time.Duration(time.Now().UnixNano()) - s.clock.Now()
	n := &tape{
		recorder: recording.NewRecorder(shelf, head), stop: make(chan struct{}), begun: make(chan error, 1),
		ended: make(chan error, 1),
	}
	ctx, cancel := context.WithTimeout(ctx, tapeWait)
	defer cancel()
	select {
	case t.asked <- n:
	case <-ctx.Done():
		return "", errTape
	}
	select {
	case err := <-n.begun:
		if err != nil {
			return "", err
		}
	case <-ctx.Done(): // what comes about all the same ends at once
		close(n.stop)
		return "", errTape
	}
	if err := firstFile(ctx, n.recorder); err != nil {
		close(n.stop)
		<-n.ended
		return "", fmt.Errorf("nothing can be recorded below %s: %w; put that right and start again", set.Path, err)
	}
	t.now = n
	return taped(shelf, set.Path), nil
}

// taped says where a recording goes.
func taped(shelf *recording.Shelf, path string) string {
	if first, aside := shelf.Aside(); aside {
		return fmt.Sprintf("every tick is recorded as %s: %s has the recording of an earlier run, which stays", first, path)
	}
	return "every tick is recorded below " + path
}

// firstFile waits until a recorder has begun a file, or says why it has not.
func firstFile(ctx context.Context, r *recording.Recorder) error {
	look := time.NewTicker(tapeLook) // it paces nothing
	defer look.Stop()
	for {
		if err := r.Err(); err != nil || r.Status().Files > 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the disk has not answered: %w", ctx.Err())
		case <-look.C:
		}
	}
}

// errCard says why there is no copy of the brain at any tick.
var errCard = errors.New("a graphics card steps the field, and the processor's copy of it is up to a second old: record from the start with fieldbrain run --record, or choose an engine.kind of the processor's")

// errTape says that no recording came about.
var errTape = errors.New("no tick had the time to copy the brain: the recording did not begin; try again")

// tapeStop ends the recording, and says what is in it.
func (s *Service) tapeStop() (note string, err error) {
	t := &s.taping
	t.mu.Lock()
	defer t.mu.Unlock()
	r, n := s.recording.Load(), t.now
	switch {
	case r == nil:
		return "", errors.New("the daemon records nothing")
	case n == nil:
		return "", errors.New("run --record records until the daemon ends")
	}
	t.now = nil
	close(n.stop)
	err = <-n.ended
	return r.Status().Line(), err
}

// tape writes a recording, which begins with the brain in file; it returns
// when the recording has ended, by an order or by the end of ctx.
func (s *Service) tape(ctx context.Context, n *tape, file []byte) {
	n.recorder.Begin(file)
	n.begun <- nil
	run, end := context.WithCancel(ctx)
	defer end()
	go func() {
		select {
		case <-n.stop:
			s.recording.Store(nil)
		case <-run.Done():
		}
		end()
	}()
	n.ended <- n.recorder.Run(run)
}
