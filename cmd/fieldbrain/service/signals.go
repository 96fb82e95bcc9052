package service

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// signals are those that the program answers in place of the kernel.
type signals struct {
	ctx     context.Context // ends when somebody or something wants the program to end
	pressed chan os.Signal  // a Ctrl-Z that waits for its answer
	usr1    chan os.Signal  // an emergency stop that came as a signal
	restore func()          // a signal that ends the program ends it the hard way again
}

// catch takes the signals from the kernel, those that want the program to end:
// Ctrl-C, Ctrl-\, a service manager, a terminal that closes.
// Only an orderly end stops the motors and leaves no half-made file, so from here on the
// program ignores the signals that would end or freeze it without one: that of a reader of
// its output that has gone, and Ctrl-Z, which stops the thread that renews the motors' lease
// together with the one that watches it; answerStop says so. A hang-up that the
// program ignored at the start (nohup) stays ignored.
//
// The program goes on to ignore these signals, and to take SIGUSR1, when it has given the
// others back: it writes its last lines then.
func catch() signals {
	s := signals{pressed: make(chan os.Signal, 1), usr1: make(chan os.Signal, 1)}
	signal.Ignore(syscall.SIGPIPE, syscall.SIGTTIN, syscall.SIGTTOU)
	signal.Notify(s.pressed, syscall.SIGTSTP)
	signal.Notify(s.usr1, syscall.SIGUSR1)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	s.ctx, s.restore = signal.NotifyContext(context.Background(), ends...)
	return s
}

// answerStop answers Ctrl-Z until ctx is done.
func (s *Service) answerStop(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.signals.pressed:
			s.log.Warn().Msg("Ctrl-Z is ignored: a program that stands still could not stop the motors; Ctrl-C stops them and ends")
		}
	}
}
