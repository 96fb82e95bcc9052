package guard

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fieldbrain/robot"
)

// Limit is the longest silence of either side: the guard pulls the line after
// it, and a daemon that has not seen its guard look for as long disarms. It is the
// driver's own lease of a command (robot/picarx, Params.Lease).
const Limit = 150 * time.Millisecond

// gpioSetValues is GPIO_V2_LINE_SET_VALUES_IOCTL of linux/gpio.h.
const gpioSetValues = 0xc010b40f

// A Ward is a daemon in a guard's care. The zero guard is none: until Renew finds
// one, Lost is true and the line does not rise.
type Ward struct {
	socket, header string
	clock          robot.Clock

	page  atomic.Pointer[lease] // nil before the first guard
	line  atomic.Int64          // descriptor of the reset line, 0 for none
	noted atomic.Int64          // trips that a tick has acted on, as State counts them
	held  atomic.Pointer[error] // why the line does not rise without a guard, nil before the first Renew

	// The loop's thread only.
	seen *lease
	trip Trip // of the newest tick

	mu sync.Mutex // Renew and Close
	fd int        // connection, -1 for none
}

// A lease is a guard's page, what it had counted when this daemon came (a daemon
// before it may have been stopped: that is none of this one's), and what the guards
// before had done to this one.
type lease struct {
	*page
	trips, stops uint32

	before int64 // trips by the guards before
	newest Cause // of those
}

// count returns how often this daemon's guards have stopped the car, and why the newest
// time.
func (l *lease) count() (trips int64, why Cause) {
	mine := int64(l.guard.trips.Load() - l.trips) // the guard writes the cause first
	if mine == 0 {
		return l.before, l.newest
	}
	return l.before + mine, Cause(l.guard.cause.Load())
}

// New returns a ward of the guard at socket, whose line must be that of the header
// with this name. Renew connects.
func New(socket, header string, clock robot.Clock) *Ward {
	return &Ward{socket: socket, header: header, clock: clock, fd: -1}
}

// Socket returns the guard's.
func (w *Ward) Socket() string { return w.socket }

// Renew looks for a guard while there is none. The line of one before goes along:
// the next one may have no other way to it.
func (w *Ward) Renew() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if w.fd < 0 || w.Lost() {
		err = w.renew()
	}
	if err != nil && w.fd >= 0 && !w.Lost() { // the one before stood still, and goes on
		err = nil
	}
	held := unguarded(err)
	w.held.Store(&held)
	return err
}

// renew looks for a guard.
func (w *Ward) renew() error {
	fd, err := dial(w.socket)
	if err != nil {
		return err
	}
	p, fds, err := w.ask(fd)
	if err != nil {
		return errors.Join(err, shut(append(fds, fd)...))
	}
	old := int(w.line.Load())
	if old > 0 { // in place: somebody may be driving it
		err = unix.Dup3(fds[1], old, unix.O_CLOEXEC)
		err = errors.Join(err, shut(fds[1]))
	} else {
		w.line.Store(int64(fds[1]))
	}
	if w.fd >= 0 {
		err = errors.Join(err, shut(w.fd))
	}
	w.fd = fd
	l := &lease{page: p, trips: p.daemon.ack.Load(), stops: p.guard.stops.Load()}
	if old := w.page.Load(); old != nil {
		l.before, l.newest = old.count()
	}
	w.page.Store(l)
	return errors.Join(err, shut(fds[0])) // the mapping stays
}

// ask asks a guard to attend this daemon. It returns the page, and the descriptors that
// came: of the page and of the line.
func (w *Ward) ask(fd int) (p *page, fds []int, err error) {
	var mine []int
	if line := w.line.Load(); line > 0 {
		mine = []int{int(line)}
	}
	answer, fds, err := say(fd, "run", mine)
	if err == nil && (answer != "ok" || len(fds) != 2) {
		err = refusal(answer)
	}
	if err != nil {
		return nil, fds, err
	}
	p, err = mapPage(fds[0], w.header)
	return p, fds, err
}

// shut closes descriptors.
func shut(fds ...int) (err error) {
	for _, fd := range fds {
		err = errors.Join(err, unix.Close(fd))
	}
	return err
}

// Close leaves the guard, which then pulls the line. The line is given up too:
// call it only when the driver is done with it.
func (w *Ward) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if w.fd >= 0 {
		err, w.fd = shut(w.fd), -1
	}
	if line := w.line.Swap(0); line > 0 {
		err = errors.Join(err, shut(int(line)))
	}
	return err
}

// Lost reports whether no guard has looked for Limit.
func (w *Ward) Lost() bool {
	p := w.page.Load()
	return p == nil || w.clock.Now()-time.Duration(p.guard.stamp.Load()) > Limit
}

// refusal returns what a guard's answer means that is not ok.
func refusal(answer string) error {
	if why, is := strings.CutPrefix(answer, "refused: it has no reset line: "); is {
		return fmt.Errorf("guard: %w: %s: gpioinfo says who holds it", ErrNoLine, why)
	}
	if who, is := strings.CutPrefix(answer, "refused: another daemon drives the car: "); is {
		return fmt.Errorf("guard: %w (%s): stop it first", ErrOther, who)
	}
	return errors.New("guard: " + answer)
}

// unguarded returns why the line does not rise where Renew has ended with err.
func unguarded(err error) error {
	if err == nil || errors.Is(err, ErrNone) {
		return errUnguarded
	}
	return fmt.Errorf("guard: the reset line is %w: %w", robot.ErrHeld, err)
}

// refused returns why the line does not rise now.
func (w *Ward) refused() error {
	if why := w.held.Load(); why != nil {
		return *why
	}
	return errUnguarded
}

// errUnguarded is why the line does not rise where no guard runs.
var errUnguarded = fmt.Errorf("guard: the reset line is %w, and fieldbrain-guard does not run: sudo systemctl start fieldbrain-guard", robot.ErrHeld)

// errHeld is why it does not yet.
var errTripped = fmt.Errorf("guard: the reset line is %w until the next tick: it has stopped the car", robot.ErrHeld)

// Set drives the reset line (robot/picarx, Output). It rises only under the eyes
// of a guard, and after a trip only when a tick has taken note.
func (w *Ward) Set(high bool) error {
	line, p := int(w.line.Load()), w.page.Load()
	if line == 0 || p == nil {
		return w.refused()
	}
	if high {
		switch {
		case w.Lost():
			return w.refused()
		case p.guard.trips.Load() != p.daemon.ack.Load():
			return errTripped
		}
		p.daemon.high.Store(1) // before the line: from now on silence counts
	}
	if err := drive(line, p.name() == Bench, high); err != nil {
		return fmt.Errorf("guard: drive the reset line: %w", err)
	}
	if !high {
		p.daemon.high.Store(0)
	}
	return nil
}

// drive sets the line's level; a simulated HAT takes a byte for it.
func drive(line int, simulated, high bool) error {
	level := uint64(0)
	if high {
		level = 1
	}
	if simulated {
		return unix.Sendto(line, []byte{'0' + byte(level)}, unix.MSG_NOSIGNAL, nil)
	}
	values := struct{ bits, mask uint64 }{level, 1}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(line), gpioSetValues, uintptr(unsafe.Pointer(&values)))
	if errno != 0 {
		return errno
	}
	return nil
}

// A Trip is what a tick learns of the guard.
type Trip struct {
	Lost    bool // there is none: the car must not drive
	Stopped bool // it has pulled the line since the last Noted
	EStop   bool // because a person asked for it

	trips, stops uint32
}

// Beat is the loop's sign of life and its look at the guard, at the start of every
// tick. It takes no lock and allocates nothing.
func (w *Ward) Beat(now time.Duration) Trip {
	p := w.page.Load()
	if p == nil {
		return Trip{Lost: true}
	}
	renewed := false
	if p != w.seen { // a new guard, which has pulled the line, and counts from its own beginning
		renewed = w.seen != nil
		w.seen = p
		w.trip = Trip{trips: p.trips, stops: p.stops}
		p.daemon.tid.Store(uint32(unix.Gettid()))
	}
	p.daemon.stamp.Store(int64(now))
	p.daemon.seq.Add(1)
	t := Trip{trips: p.guard.trips.Load(), stops: p.guard.stops.Load()}
	t.Lost = now-time.Duration(p.guard.stamp.Load()) > Limit
	t.Stopped, t.EStop = renewed || t.trips != w.trip.trips, t.stops != w.trip.stops
	return t
}

// End tells the guard that the loop's thread ends on purpose: its end is no death, and
// only the silence after it counts, in which the driver stops the motors. The loop's
// thread calls it.
func (w *Ward) End() {
	if w.seen != nil {
		w.seen.daemon.tid.Store(0)
	}
}

// Noted tells the guard that a tick has acted on a trip: from now on the line may
// rise again.
func (w *Ward) Noted(t Trip) {
	if w.seen != nil {
		w.trip = t
		w.seen.daemon.ack.Store(t.trips)
		w.noted.Store(w.seen.before + int64(t.trips-w.seen.trips))
	}
}

// A State is the guard as people want to know it.
type State struct {
	Lost     bool
	Priority int  // its SCHED_FIFO priority, 0 for the ordinary class
	Locked   bool // its memory
	DeadMan  bool // it drives the hardware dead-man's pin
	Hidden   bool // nobody but this daemon reaches it: its files are gone and cannot be made anew
	Trips    int  // how often it, or one before it, has stopped the car of this daemon
	Noted    int  // the trips of these that a tick has acted on: it has disarmed the car
	Cause    Cause
}

// State returns the newest.
func (w *Ward) State() State {
	p := w.page.Load()
	if p == nil {
		return State{Lost: true}
	}
	flags, acted := p.guard.flags.Load(), w.noted.Load()
	trips, why := p.count()
	return State{
		Lost: w.Lost(), Priority: int(p.guard.priority.Load()), Locked: flags&flagLocked != 0,
		DeadMan: flags&flagDeadMan != 0, Hidden: flags&flagHidden != 0, Trips: int(trips), Noted: int(acted), Cause: why,
	}
}

// A Cause is why the guard pulled the line.
type Cause uint32

// The causes.
const (
	None   Cause = iota
	Dead         // the loop's thread had ended
	Silent       // no tick for Limit
	Stop         // a person stopped the car through the guard
	Ending       // the guard was told to end
)

// String says it in a few words.
func (c Cause) String() string {
	switch c {
	case None:
		return "nothing"
	case Dead:
		return "the loop's thread had ended"
	case Silent:
		return fmt.Sprintf("no tick for %v", Limit)
	case Stop:
		return "somebody stopped the car through the guard's socket"
	case Ending:
		return "the guard was told to end"
	}
	return fmt.Sprintf("cause %d", uint32(c))
}
