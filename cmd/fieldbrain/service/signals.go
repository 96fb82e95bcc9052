package service

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that ends when somebody or something wants the
// program to end: Ctrl-C, Ctrl-\, a service manager, a terminal that closes.
// Only an orderly end stops the motors, so from here on the program ignores the
// signals that would end or freeze it without one: that of a reader of its output
// that has gone, and Ctrl-Z, which stops the thread that renews the motors' lease
// together with the one that watches it; answerStop says so. A hang-up that the
// program ignored at the start (nohup) stays ignored.
//
// pressed gets a signal for each Ctrl-Z. The program goes on to ignore these
// signals: it writes its last lines after restore.
func untilSignal(parent context.Context, pressed chan<- os.Signal) (ctx context.Context, restore func()) {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGTTIN, syscall.SIGTTOU)
	signal.Notify(pressed, syscall.SIGTSTP)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return signal.NotifyContext(parent, ends...)
}

// answerStop answers Ctrl-Z until ctx is done.
func (s *Service) answerStop(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.pressed:
			s.log.Warn().Msg("Ctrl-Z is ignored: a program that stands still could not stop the motors; Ctrl-C stops them and ends")
		}
	}
}
