package guardbench

import (
	"context"
	"fmt"
	"time"

	"fieldbrain/daemon/loop"
)

// A Turn is an instant at which the motors of a lent car went on or off.
type Turn struct {
	At time.Duration // on CLOCK_MONOTONIC
	On bool
	By int // the process that pulled the reset line, 0 where nobody did
}

// String returns the line that make service-test reads.
func (t Turn) String() string {
	switch {
	case t.On:
		return fmt.Sprintf("%d us: motors on", t.At.Microseconds())
	case t.By == 0:
		return fmt.Sprintf("%d us: motors off", t.At.Microseconds())
	}
	return fmt.Sprintf("%d us: motors off, process %d pulled the reset line", t.At.Microseconds(), t.By)
}

// Lend lends the simulated car's HAT out until ctx ends, at the sockets h.sock and
// l.sock of a folder, to daemons and guards that somebody else starts, and tells
// whenever its motors go on or off.
func Lend(ctx context.Context, folder string, told func(Turn)) error {
	loop.MakeRoom()
	s, err := newStand(folder)
	if err != nil {
		return err
	}
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for on := false; ; {
		select {
		case <-ctx.Done():
			return s.close()
		case <-look.C:
		}
		switch is := s.moving() == nil; {
		case is == on:
			continue
		case is:
			_, at := s.watch()
			told(Turn{At: at, On: true})
		default:
			told(s.turned())
		}
		on = !on
	}
}

// turned describes the end of a drive that watch saw.
func (s *stand) turned() Turn {
	t := Turn{At: time.Duration(s.at.Load())}
	if t.At == 0 { // off and on and off again between two looks
		t.At = s.rig.Clock().Now()
	}
	if pulled, process := s.server.Pulled(); pulled != 0 && pulled <= t.At {
		t.At, t.By = pulled, process
	}
	return t
}
