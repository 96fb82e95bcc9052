package monitor

import (
	"context"
	"fmt"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/daemon"
	"fieldbrain/daemon/telemetry"
)

// lookEvery is how often the page is read and the picture drawn.
const lookEvery = 200 * time.Millisecond

// Options say what is watched, and how orders are given.
type Options struct {
	Page string           // the run's page
	Now  func() time.Time // time.Now when left out

	// Order gives an order: arm, disarm, estop, reset, hold, good or bad. Without it nobody
	// listens.
	Order func(ctx context.Context, word string) error
	// Take takes the wheel. Without it nobody can drive.
	Take func(ctx context.Context) (d *daemon.Driver, note string, err error)

	Log   *Scrollback // newest lines of the run; nil when it keeps them
	Alive func() bool // nil, or whether the picture is still wanted
	Quits string      // what q does: "end run"; "quit" when left out
}

// A Monitor shows a run and takes keys.
type Monitor struct {
	o     Options
	watch watcher
	scene scene

	record uint64 // of the ring that is shown, 0 its end
	paused bool
	recent bool             // percentiles of the last minute
	stream telemetry.Stream // whose histogram is drawn
	zoomed int              // panel that has the screen to itself, 0 none
	help   bool
	across float64 // m, width of the map

	said     string // the last answer
	saidBad  bool
	saidAt   time.Time
	ordering bool // an order is under way
	done     chan answer

	hand   hand
	taking bool           // the wheel
	driver *daemon.Driver // nil while somebody else drives
	letGo  chan struct{}  // closed to give the wheel back
	taken  chan grip
	lost   chan error // the wheel is in no hand any more
}

// An answer is how an order ended.
type answer struct {
	word   string
	err    error
	broken any // a panic, for the goroutine that owns the screen
}

// New returns a monitor.
func New(o Options) *Monitor {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Quits == "" {
		o.Quits = "quit"
	}
	return &Monitor{
		o: o, watch: watcher{page: o.Page, now: o.Now}, stream: telemetry.Busy, across: usualAcross,
		scene: scene{wrong: "nothing was read yet"}, done: make(chan answer, 8),
		hand: hand{share: usualShare}, taken: make(chan grip, 1), lost: make(chan error, 1),
	}
}

// Show draws the run on a screen until ctx is done, somebody presses q, or nobody wants
// the picture any more. It leaves the terminal as it was, also when it panics.
func (m *Monitor) Show(ctx context.Context, screen tcell.Screen) error {
	if err := screen.Init(); err != nil {
		return fmt.Errorf("monitor: terminal: %w", err)
	}
	defer screen.Fini()
	screen.HideCursor()
	events, quit := make(chan tcell.Event, 64), make(chan struct{})
	defer close(quit)
	ctx, cancel := context.WithCancel(ctx)
	defer m.end()
	defer cancel()
	go screen.ChannelEvents(events, quit)
	stops := newStops()
	defer stops.end()
	ticker := time.NewTicker(lookEvery) // a look at files, nothing is paced by it
	defer ticker.Stop()
	m.look()
	for {
		m.Draw(screen)
		screen.Show()
		select {
		case <-ctx.Done():
			return nil
		case <-stops.pressed:
			if err := suspend(screen); err != nil {
				return err
			}
		case a := <-m.done:
			m.answered(a)
		case g := <-m.taken:
			m.took(ctx, g)
		case err := <-m.lost:
			m.gone(err)
		case event, on := <-events:
			if !on || !m.take(ctx, screen, event) {
				return nil
			}
		case <-ticker.C:
			if !m.wanted() {
				return nil
			}
			m.look()
		}
	}
}

// wanted reports whether whoever started the monitor still wants the picture.
func (m *Monitor) wanted() bool { return m.o.Alive == nil || m.o.Alive() }

// end waits until the wheel is in no hand any more.
func (m *Monitor) end() {
	if m.driver != nil {
		<-m.lost
	}
}

// take takes an event, and reports whether the monitor goes on.
func (m *Monitor) take(ctx context.Context, screen tcell.Screen, event tcell.Event) bool {
	switch e := event.(type) {
	case *tcell.EventResize:
		screen.Sync()
	case *tcell.EventKey:
		return m.press(ctx, e)
	case *tcell.EventError:
		return false // the terminal has gone
	}
	return true
}

// look reads page and ring, unless the picture stands.
func (m *Monitor) look() {
	if !m.paused {
		m.scene = m.watch.look(m.record, m.recent)
	}
}

// order gives an order without waiting for its end. The stop goes out even while
// another order is under way.
func (m *Monitor) order(ctx context.Context, word string) {
	switch {
	case m.o.Order == nil:
		m.say("no daemon to give orders to: this is a page alone", true)
		return
	case m.ordering && word != "estop" && word != "hold":
		m.say("the order before is under way", true)
		return
	}
	m.ordering = true
	m.say(word+" ...", false)
	go func() {
		a := answer{word: word}
		defer func() {
			a.broken = recover()
			m.done <- a
		}()
		a.err = m.o.Order(ctx, word)
	}()
}

// answered says how an order ended.
func (m *Monitor) answered(a answer) {
	m.ordering = false
	if a.broken != nil {
		panic(a.broken)
	}
	if a.err != nil {
		m.say(a.err.Error(), true)
		return
	}
	m.say(a.word+": done", false)
}

// saidFor is how long an answer stays on the screen.
const saidFor = 8 * time.Second

// say shows words in the last line for a while.
func (m *Monitor) say(words string, wrong bool) {
	m.said, m.saidBad, m.saidAt = words, wrong, m.o.Now()
}
