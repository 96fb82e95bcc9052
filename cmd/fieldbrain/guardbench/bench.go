package guardbench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/guard"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/noise"
)

// Options say what to kill, how and how often.
type Options struct {
	Program string // fieldbrain
	Guard   string // fieldbrain-guard
	Folder  string // for sockets and logs; short, and the bench's own
	Kinds   []Kind
	Count   int    // deaths of each kind
	Seed    uint64 // of the instants
	Told    func(done, of int)
}

// A Death is one.
type Death struct {
	Kind   string        `json:"kind"`
	Duty   float64       `json:"duty"`      // of the motors together, when it happened
	After  time.Duration `json:"after_ns"`  // from the signal to zero duty
	Beyond time.Duration `json:"beyond_ns"` // the same, less the silence that the guard allows
	By     string        `json:"by"`        // what stopped the motors: guard, or the daemon's own driver
}

// Patience of the bench: for a daemon to start and arm, and for motors to stop. A
// thread that spins in the real-time class may keep the bench waiting for seconds; the
// instant of the stop comes from the kernel all the same.
const (
	startTime = 60 * time.Second
	stopTime  = 60 * time.Second
)

// A Car is a daemon, its guard and the simulated car that survives them.
type Car struct {
	o      Options
	stand  *stand
	guard  *exec.Cmd
	daemon *exec.Cmd
	ice    *freezer // nil when no kind needs one
	hand   hand
	dice   noise.Stream
}

// NewCar starts the simulated car and the guard.
func NewCar(o Options) (*Car, error) {
	loop.MakeRoom() // the line's thread waits for no other of this process's
	s, err := newStand(o.Folder)
	if err != nil {
		return nil, err
	}
	b := &Car{o: o, stand: s, hand: newHand(), dice: noise.New(o.Seed, "deaths")}
	if err = b.configure(); err == nil {
		err = b.StartGuard(context.Background())
	}
	if err == nil && slices.ContainsFunc(o.Kinds, func(k Kind) bool { return k.Freeze }) {
		b.ice, err = newFreezer()
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Run kills the daemon again and again.
func Run(ctx context.Context, o Options) (deaths []Death, err error) {
	b, err := NewCar(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	of := o.Count * len(o.Kinds)
	for i := range of {
		d, err := b.die(ctx, o.Kinds[i%len(o.Kinds)])
		if err != nil {
			return deaths, fmt.Errorf("death %d of %d: %w", i+1, of, err)
		}
		deaths = append(deaths, d)
		if o.Told != nil {
			o.Told(i+1, of)
		}
	}
	return deaths, nil
}

// StartGuard starts the guard and waits until it answers.
func (b *Car) StartGuard(ctx context.Context) (err error) {
	if b.guard, err = b.start("guard", b.o.Guard, "--socket", b.Path("g.sock"), "--simulator", b.stand.line); err != nil {
		return err
	}
	return await(ctx, startTime, func() error { _, err := guard.Ask(b.Path("g.sock"), "status"); return err })
}

// KillGuard kills it.
func (b *Car) KillGuard() error {
	err := b.guard.Process.Kill()
	_ = b.guard.Wait() // it was killed
	return err
}

// Path returns that of a file in the folder: c.sock and g.sock are the sockets, daemon.log
// and guard.log what they said.
func (b *Car) Path(name string) string { return filepath.Join(b.o.Folder, name) }

// configure writes the daemon's configuration: a car that drives, and nothing that
// is not needed for it.
func (b *Car) configure() error {
	c := config.Default()
	c.Body.Kind, c.Body.Header, c.Body.Bus, c.Body.GuardSocket = "picarx", picarx.BenchHeader, b.stand.wires, b.Path("g.sock")
	c.Brain.Cliff, c.Brain.Recall, c.Memory.Path = "off", false, "off"
	c.Engine.GPUPath, c.Log.Level = "", "info"
	c.Control.Socket = b.Path("c.sock")
	text, err := c.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(b.Path("c.toml"), text, 0o600)
}

// start starts a program whose words go to a file.
func (b *Car) start(name, program string, args ...string) (*exec.Cmd, error) {
	log, err := os.OpenFile(b.Path(name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	b.hand.run(func() { err = cmd.Start() })
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return cmd, nil
}

// Close ends everything.
func (b *Car) Close() error {
	b.kill()
	if b.guard != nil {
		_ = b.KillGuard() // it may have ended before
	}
	close(b.hand)
	var left error
	if b.ice != nil {
		left = b.ice.close()
	}
	return errors.Join(left, b.stand.close())
}

// Signal sends the daemon a signal.
func (b *Car) Signal(s syscall.Signal) error { return b.daemon.Process.Signal(s) }

// End tells the daemon to end and returns how it did.
func (b *Car) End() error {
	err := b.Signal(syscall.SIGTERM)
	if err == nil {
		err = b.daemon.Wait()
		b.daemon = nil
	}
	return err
}

// kill ends the daemon, dead or not.
func (b *Car) kill() {
	if b.daemon != nil {
		_ = b.daemon.Process.Kill()
		if b.ice != nil {
			_ = b.ice.melt() // version 1 keeps the signal from the frozen
		}
		_ = b.daemon.Wait() // it was killed
		b.daemon = nil
	}
}

// Live starts a daemon.
func (b *Car) Live() (err error) {
	b.stand.place()
	b.daemon, err = b.start("daemon", b.o.Program, "bench", "guard-victim", "--config", b.Path("c.toml"), "--began", b.Path("began"))
	return err
}

// Order gives the daemon a command.
func (b *Car) Order(ctx context.Context, command string) error {
	_, err := b.ask(ctx, command)
	return err
}

func (b *Car) ask(ctx context.Context, command string) (daemon.Answer, error) {
	answer, err := daemon.Call(ctx, b.Path("c.sock"), daemon.Request{Command: command})
	if err == nil && !answer.OK {
		err = errors.New(answer.Error)
	}
	return answer, err
}

// Drive waits until the car moves, and arms it as often as it takes: on a busy
// machine it may disarm itself.
func (b *Car) Drive(ctx context.Context) error {
	return await(ctx, startTime, func() error {
		if b.stand.moving() == nil {
			return nil
		}
		if err := b.Order(ctx, "arm"); err != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond) // some ticks
		return b.stand.moving()
	})
}

// Until waits for a status of which is is true; what says it in words.
func (b *Car) Until(ctx context.Context, what string, is func(s *daemon.Status) bool) error {
	return await(ctx, startTime, func() error {
		answer, err := b.ask(ctx, "status")
		if err == nil && (answer.Status == nil || !is(answer.Status)) {
			err = errors.New("it is not so that " + what)
		}
		return err
	})
}

// die lets one daemon live and die.
func (b *Car) die(ctx context.Context, k Kind) (Death, error) {
	defer b.kill()
	err := b.Live()
	if err == nil && k.Freeze {
		err = b.ice.take(b.daemon.Process.Pid)
	}
	if err == nil {
		err = b.Drive(ctx)
	}
	if err != nil {
		return Death{}, fmt.Errorf("the car does not drive: %w; see %s", err, b.Path("daemon.log"))
	}
	time.Sleep(time.Duration(b.dice.Between(0, float64(500*time.Millisecond))))
	var duty float64
	var began time.Duration
	for err = errStands; errors.Is(err, errStands); { // on a busy machine it may have disarmed itself
		if err := b.Drive(ctx); err != nil {
			return Death{}, err
		}
		time.Sleep(time.Duration(b.dice.Between(0, float64(10*time.Millisecond)))) // any phase of tick and transfer
		duty, began, err = b.strike(k)
	}
	if err != nil {
		return Death{}, fmt.Errorf("%s: %w", k.Name, err)
	}
	if err := b.stop(ctx); err != nil {
		return Death{}, fmt.Errorf("%s: THE MOTORS RUN ON: %w", k.Name, err)
	}
	if at := b.began(); at > began {
		began = at
	}
	if k.Freeze && !b.ice.hard() {
		return Death{}, errors.New("the daemon's control group has not frozen: this death proves nothing")
	}
	zero, by := b.stand.zero(b.guard.Process.Pid)
	after := zero - began
	return Death{Kind: k.Name, Duty: duty, After: after, Beyond: after - time.Duration(k.limit()), By: by}, b.stays(ctx)
}

// stop waits until the motors are off. The board is part of this process, whose
// ordinary threads a spinning one can keep from a processor for as long as it lives:
// when the line is low and the board has not noticed for a second, the daemon goes.
func (b *Car) stop(ctx context.Context) error {
	if err := await(ctx, stopTime, b.stand.held); err != nil {
		return err
	}
	if await(ctx, time.Second, b.stand.stopped) == nil {
		return nil
	}
	b.kill()
	return await(ctx, stopTime, b.stand.stopped)
}

// strike sends the signal, or freezes the daemon, and returns the duty and the instant
// just before it, which no load must part.
func (b *Car) strike(k Kind) (duty float64, began time.Duration, err error) {
	b.hand.run(func() {
		if duty, began = b.stand.watch(); duty == 0 {
			err = errStands // a death now would prove nothing
			return
		}
		if k.Freeze {
			err = b.ice.freeze()
		} else {
			err = b.Signal(k.Signal)
		}
	})
	return duty, began, err
}

// began returns when the daemon's loop was held up, 0 when it was not.
func (b *Car) began() time.Duration {
	stamp, err := os.ReadFile(b.Path("began"))
	if err != nil || len(stamp) != 8 {
		return 0
	}
	return time.Duration(binary.LittleEndian.Uint64(stamp))
}

// stays makes sure that the motors stay off for a moment.
func (b *Car) stays(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(50 * time.Millisecond):
	}
	if b.stand.moving() == nil {
		return errors.New("the motors have started again")
	}
	return nil
}

// await asks until there is no error, or returns the last.
func await(ctx context.Context, limit time.Duration, ask func() error) error {
	for end := time.Now().Add(limit); ; {
		err := ask()
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("not within %v: %w", limit, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}
