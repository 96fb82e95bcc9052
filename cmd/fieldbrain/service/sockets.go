package service

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"fieldbrain/daemon/loop"
)

// socketsEvery is how often the daemon looks whether its sockets still have their names.
const socketsEvery = time.Second

// keepSockets makes the files of the control socket anew that somebody has removed, until
// ctx is done: without them nobody could stop the car. Those of the telemetry it misses.
func (s *Service) keepSockets(ctx context.Context) error {
	ticker := time.NewTicker(socketsEvery) // a look at files, nothing is paced by it
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		s.noteSockets()
		s.noteLost()
	}
}

// noteSockets looks once, and keeps visible what it cannot mend.
func (s *Service) noteSockets() {
	made, err := s.control.Renew()
	if len(made) > 0 {
		s.log.Warn().Str("socket", s.control.Path()).Str("made", strings.Join(made, ", ")).
			Str("remedy", "keep whatever clears this folder away from it, or name another with control.socket").
			Msg("somebody removed files of the control socket, they are made anew")
	}
	s.conditions.Put(socketCondition(s.control.Path(), err), err != nil)
}

// socketCondition says that nobody reaches the daemon.
func socketCondition(path string, err error) loop.Condition {
	c := loop.Condition{
		Name: "socket", Value: "files of the control socket are gone or not its own: orders or stops do not reach the daemon",
		Remedy: fmt.Sprintf("kill -USR1 %d stops the car; put right what stands at %s (its folder has to be there, and writable), and the daemon makes its sockets anew", os.Getpid(), path),
	}
	if err != nil {
		c.Cause = err.Error()
	}
	return c
}
