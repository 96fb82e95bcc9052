package gpu

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fieldbrain/field"
)

// Options say which child a Supervisor keeps and how patient it is.
type Options struct {
	Path  string   // the child's program; empty finds it, see Find
	Env   []string // added to its environment
	Setup Setup
	// Judge makes an engine of the same parameters that a new child is compared
	// with. The supervisor closes it.
	Judge func() (field.Engine, error)

	Deadline time.Duration // of a step
	Patience time.Duration // of any other order
	Late     Tolerance     // of late answers, once proven

	StartLimit time.Duration // until the child is ready
	ProofLimit time.Duration // per order while it is proven
	Probes     int           // exercises that it has to pass
	Pace       int           // ticks that it then has to step within Deadline, no engine beside it
	Backoff    time.Duration // before the second start, doubling from then on
	MaxBackoff time.Duration // and at most; a child that served as long starts anew
	Starts     int           // as many starts in Window, then no more
	Window     time.Duration
	Tries      int // so many failed starts end it while none was ever proven; 0 is 1

	// Changed is called once per change of phase, by the supervisor's goroutine;
	// nil for nobody.
	Changed func(State)
}

// StartTime is how long a start may take. A driver whose card is newer than the machine code
// compiles the kernels first, which takes 10 s of a server's processor, and keeps nothing of
// it where it is killed meanwhile: a shorter limit might never see it ready.
const StartTime = 2 * time.Minute

// DefaultOptions returns a supervisor's settings for a setup.
func DefaultOptions(s Setup, judge func() (field.Engine, error)) Options {
	return Options{
		Setup: s, Judge: judge,
		Deadline: 2500 * time.Microsecond, Patience: 2500 * time.Microsecond,
		StartLimit: StartTime, ProofLimit: 2 * time.Second, Probes: 3, Pace: 100,
		Backoff: time.Second, MaxBackoff: time.Minute, Starts: 10, Window: 10 * time.Minute,
		Tries: 10, // their pauses take four minutes: a driver may come up after the daemon
	}
}

// spin is how long the client looks before it sleeps. It never spins for a
// whole deadline: on a busy machine the child may need this very processor.
func (o *Options) spin() time.Duration {
	switch o.Setup.Wait {
	case WaitSpin:
		return min(500*time.Microsecond, o.Deadline/2)
	case WaitYield:
		return min(50*time.Microsecond, o.Deadline/2)
	}
	return 0
}

// A Supervisor keeps one child alive: it starts it, proves it, offers its engine
// and starts another when that fails.
type Supervisor struct {
	options Options
	offer   atomic.Pointer[Engine]

	mu    sync.Mutex
	state State

	// Of Run's goroutine.
	graves  []*Engine   // of dead children, not closed by their owner yet
	started []time.Time // within the window
}

// NewSupervisor returns a supervisor whose Run has not begun.
func NewSupervisor(o Options) (*Supervisor, error) {
	if err := o.Setup.Validate(); err != nil {
		return nil, err
	}
	if o.Judge == nil || o.Deadline <= 0 || o.Patience <= 0 || o.StartLimit <= 0 || o.ProofLimit <= 0 || o.Starts < 1 ||
		o.Late.Late < 0 || o.Late.Behind < 0 {
		return nil, errors.New("gpu: a supervisor needs a judge, positive limits, a tolerance of no negative numbers and at least one start")
	}
	return &Supervisor{options: o, state: State{Phase: Stopped, Since: time.Now(), Ends: map[string]uint64{}}}, nil
}

// Ready returns the engine of a newly proven child, once; nil while there is
// none. The caller owns it. It neither blocks nor allocates.
func (s *Supervisor) Ready() *Engine {
	if s.offer.Load() == nil {
		return nil
	}
	e := s.offer.Swap(nil)
	if e != nil {
		e.taken <- struct{}{} // has room: an engine is taken once
	}
	return e
}

// Await waits for an engine. It returns the newest failure when no more will
// come or ctx ends.
func (s *Supervisor) Await(ctx context.Context) (*Engine, error) {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		if e := s.Ready(); e != nil {
			return e, nil
		}
		select {
		case <-look.C:
			if state := s.State(); state.Phase == GivenUp {
				return nil, state.Err
			}
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), s.State().Err)
		}
	}
}

// State returns what the supervisor says of itself. Any goroutine may call it.
func (s *Supervisor) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.state
	state.Ends = maps.Clone(state.Ends)
	return state
}

// note changes the state and tells no listener.
func (s *Supervisor) note(change func(*State)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.state)
}

// enter changes the state and tells the listener, if there is one.
func (s *Supervisor) enter(p Phase, more func(*State)) {
	s.note(func(st *State) {
		st.Phase, st.Since = p, time.Now()
		if more != nil {
			more(st)
		}
	})
	if s.options.Changed != nil {
		s.options.Changed(s.State())
	}
}

// Run keeps a child until ctx is done, then kills and reaps it. It is called
// once. The error is nil, or says that a process or a page could not be given
// back.
func (s *Supervisor) Run(ctx context.Context) error {
	// The kernel kills a child when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var left error
	backoff := s.options.Backoff
	for failed := 0; ctx.Err() == nil; {
		began := time.Now()
		err, lost := s.attend(ctx)
		left = errors.Join(left, lost)
		if errors.Is(err, ErrClosed) { // the owner of a sound engine closed it and wants no other
			s.enter(Stopped, nil)
			<-ctx.Done()
		}
		if ctx.Err() != nil {
			break
		}
		if time.Since(began) > s.options.MaxBackoff {
			backoff = s.options.Backoff
		}
		if failed++; s.State().Proofs > 0 {
			failed = 0
		}
		if hopeless := s.hopeless(err, failed); hopeless != nil {
			s.enter(GivenUp, func(st *State) { st.Err = hopeless }) // and it says so of an ended run, too
			<-ctx.Done()
			break
		}
		s.enter(Waiting, func(st *State) { st.Retry = backoff })
		pause(ctx, backoff)
		backoff = s.options.next(backoff)
	}
	for _, e := range s.graves {
		left = errors.Join(left, e.abandon())
	}
	s.graves = nil
	if s.State().Phase != GivenUp {
		s.enter(Stopped, nil)
	}
	return left
}

// next returns the pause after one that did not help.
func (o *Options) next(backoff time.Duration) time.Duration {
	return min(2*backoff, o.MaxBackoff)
}

// hopeless says why no other child should be started, or nil.
func (s *Supervisor) hopeless(err error, failed int) error {
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound)
	switch o := &s.options; {
	case missing && s.State().Proofs == 0: // of a card that has served it may be under replacement
		return err
	case failed > 0 && failed >= o.Tries:
		return fmt.Errorf("gpu: %d starts and none worked: restart the daemon once the cause is mended: %w", failed, err)
	case len(s.started) >= o.Starts && time.Since(s.started[len(s.started)-o.Starts]) < o.Window:
		return fmt.Errorf("gpu: %d starts within %v: restart the daemon once the cause is mended: %w", o.Starts, o.Window, err)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
