package gamepad

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"fieldbrain/daemon"
)

// Every is how long a source waits from word to word.
const Every = 50 * time.Millisecond

// Quiet is how long a stick that is pushed is believed without any event of its pad. A
// radio that is out of range, or whose battery is empty, leaves the stick where it was:
// over Bluetooth the kernel keeps the device for 20 to 30 s, behind a dongle for ever. A
// hand that drives moves the stick all the time; one that holds it at its stop may give
// no event, and then the car stops until the stick moves.
const Quiet = 2 * time.Second

// plugged is how often a session looks for a gamepad that was pulled out.
const plugged = 500 * time.Millisecond

// A Session is a person who drives with a gamepad.
type Session struct {
	Socket string               // the daemon's control socket
	Guard  string               // the guard's, for an emergency stop that the daemon does not carry out
	Source string               // name under which the wheel is taken
	Find   func() (*Pad, error) // looks for the gamepad
	Out    io.Writer            // what the person should know
}

// Run drives until ctx ends. A gamepad that is pulled out stops the car; Run then waits
// for it. It returns an error where no gamepad is there at the start, or the daemon
// refuses or ends. At the end the car stops and stands: the brain drives on only where
// the person has given it the wheel.
func (s *Session) Run(ctx context.Context) error {
	pad, err := s.Find()
	if err != nil {
		return err
	}
	for {
		err := s.drive(ctx, pad)
		if err = errors.Join(err, pad.Close()); ctx.Err() != nil || !errors.Is(err, errPulled) {
			return err
		}
		fmt.Fprintf(s.Out, "%s is gone: the car stops; plug it in again\n", pad.Name())
		if pad = s.await(ctx); pad == nil {
			return nil
		}
	}
}

// errPulled ends a drive whose gamepad is gone.
var errPulled = errors.New("the gamepad was pulled out")

// await waits for a gamepad, nil at the end of ctx.
func (s *Session) await(ctx context.Context) *Pad {
	ticker := time.NewTicker(plugged)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if pad, err := s.Find(); err == nil {
			return pad
		}
	}
}

// A seat is one gamepad's drive.
type seat struct {
	*Session
	pad    *Pad
	driver *daemon.Driver // nil while the brain drives
	ready  bool           // the stick has been in its middle since the wheel was taken
	events uint64         // of the pad, at the last word
	since  time.Time      // the first word that knew of them
	told   bool           // the person knows that the pad is quiet
}

// drive drives with one gamepad.
func (s *Session) drive(ctx context.Context, pad *Pad) error {
	at := &seat{Session: s, pad: pad}
	defer at.leave()
	if err := at.take(ctx); err != nil {
		return err
	}
	ticker := time.NewTicker(Every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case b, is := <-pad.Presses():
			if !is {
				return errPulled
			}
			if err := at.press(ctx, b); err != nil {
				return err
			}
		case now := <-ticker.C:
			if err := at.word(now); err != nil {
				return err
			}
		}
	}
}

// take takes the wheel.
func (a *seat) take(ctx context.Context) error {
	throttle, _ := a.pad.Wish() // as it was before: whoever pushes it while the daemon answers means it
	driver, note, err := daemon.TakeManualLease(ctx, a.Socket, a.Source)
	if err != nil {
		return err
	}
	a.driver, a.ready = driver, throttle == 0
	fmt.Fprintf(a.Out, "%s drives: left stick up is forwards; A gives the wheel to the brain, B stops, Y is good, X is bad\n", a.pad.Name())
	if note != "" {
		fmt.Fprintln(a.Out, daemon.Printable(note))
	}
	return nil
}

// leave ends the connection: a car that is driven stops.
func (a *seat) leave() {
	if a.driver != nil {
		_ = a.driver.Close() // the daemon notices the end either way
	}
}

// word tells the daemon where the sticks stand. A stick that was pushed before the
// wheel was taken counts once it has come back; one of a quiet pad counts as let go.
func (a *seat) word(now time.Time) error {
	if a.driver == nil {
		return nil
	}
	quiet := a.quiet(now)
	throttle, steering := a.pad.Wish()
	a.ready = a.ready || throttle == 0
	if !a.ready {
		throttle = 0
	}
	if quiet && throttle != 0 {
		throttle, steering = 0, 0
		if !a.told {
			fmt.Fprintf(a.Out, "no word from the pad for %.0f s: the car stops; move the stick\n", Quiet.Seconds())
		}
		a.told = true
	}
	return a.driver.Drive(throttle, steering)
}

// quiet reports whether the pad has given no event of any kind for Quiet.
func (a *seat) quiet(now time.Time) bool {
	if events := a.pad.Events(); a.since.IsZero() || events != a.events {
		a.events, a.since, a.told = events, now, false
	}
	return now.Sub(a.since) >= Quiet
}

// press does what a button says.
func (a *seat) press(ctx context.Context, b Press) error {
	switch b {
	case PressStop:
		return a.tell("emergency stop: fieldbrain reset, then arm", func() (daemon.Answer, error) { return daemon.EStop(ctx, []string{a.Socket}, a.Guard) })
	case PressGood, PressBad:
		value, words := 1.0, "good"
		if b == PressBad {
			value, words = -1, "bad"
		}
		return a.tell("noted as "+words+": the last seconds", func() (daemon.Answer, error) {
			return daemon.Call(ctx, a.Socket, daemon.Request{Command: "outcome", Value: value})
		})
	case PressWheel:
		if a.driver == nil {
			if err := a.take(ctx); err != nil { // another drives: the person may try again
				fmt.Fprintln(a.Out, daemon.Printable(err.Error()))
			}
			return nil
		}
		err := a.driver.Release()
		a.driver = nil
		if err == nil {
			fmt.Fprintln(a.Out, "the brain drives; A takes the wheel again")
		}
		return err
	}
	return nil
}

// tell asks the daemon for something beside driving and says what became of it; a
// refusal does not end the drive.
func (a *seat) tell(done string, ask func() (daemon.Answer, error)) error {
	answer, err := ask()
	switch {
	case err != nil:
		return err
	case !answer.OK:
		fmt.Fprintln(a.Out, daemon.Printable(answer.Error))
	default:
		fmt.Fprintln(a.Out, done)
		if answer.Note != "" {
			fmt.Fprintln(a.Out, daemon.Printable(answer.Note))
		}
	}
	return nil
}
