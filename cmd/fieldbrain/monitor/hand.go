package monitor

import (
	"context"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/daemon"
)

// Times of a drive by keys. A terminal tells when a key is pressed and repeated, not when
// it is let go: what a key wants ends when no other arrives.
const (
	keyHolds  = 500 * time.Millisecond // what an arrow wants, without another one
	wordEvery = 50 * time.Millisecond  // between two words to the daemon
)

// Shares that an arrow wants.
const (
	usualShare = 0.6 // of the largest speed, until a digit chooses another
	turnShare  = 0.7 // of the largest steering angle
)

// A hand is what the arrows want at any time.
type hand struct {
	mu                 sync.Mutex
	share              float64
	throttle, steering float64
	drives, turns      time.Time // until when each counts
}

// want returns the shares at an instant: without keys the car stands, wheels ahead.
func (h *hand) want(now time.Time) (throttle, steering float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now.Before(h.drives) {
		throttle = h.throttle
	}
	if now.Before(h.turns) {
		steering = h.steering
	}
	return throttle, steering
}

// press takes an arrow, and reports whether the key is one. Whoever steers goes on
// driving: a terminal repeats only the key that was pressed last. The arrow against the
// car's way stops it first.
func (h *hand) press(k tcell.Key, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	moving := now.Before(h.drives)
	switch k {
	case tcell.KeyUp, tcell.KeyDown:
		want := h.share
		if k == tcell.KeyDown {
			want = -want
		}
		if moving && want*h.throttle < 0 {
			want = 0
		}
		h.throttle, h.drives = want, now.Add(keyHolds)
	case tcell.KeyLeft, tcell.KeyRight:
		h.steering, h.turns = turnShare, now.Add(keyHolds)
		if k == tcell.KeyRight {
			h.steering = -turnShare
		}
		if moving {
			h.drives = now.Add(keyHolds)
		}
	default:
		return false
	}
	return true
}

// letter takes a letter, and reports whether it is one of the driver's.
func (h *hand) letter(r rune) bool {
	switch {
	case r == ' ':
		h.still()
	case r >= '1' && r <= '9':
		h.speed(int(r - '0'))
	default:
		return false
	}
	return true
}

// still wants the car to stand.
func (h *hand) still() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drives, h.turns = time.Time{}, time.Time{}
}

// speed chooses the share of the largest speed by a digit.
func (h *hand) speed(digit int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.share = float64(digit) / 10
}

// A grip is a wheel that was taken, or why it was not.
type grip struct {
	driver *daemon.Driver
	note   string
	err    error
}

// takeWheel takes the wheel, or gives it back to the brain.
func (m *Monitor) takeWheel(ctx context.Context) {
	switch {
	case m.o.Take == nil:
		m.say("no daemon to drive: this is a page alone", true)
	case m.taking:
		m.say("the wheel is being taken", true)
	case m.driver != nil && m.letGo == nil: // it is on its way back
	case m.driver != nil:
		m.hand.still()
		close(m.letGo)
		m.letGo = nil
	default:
		m.taking = true
		go func() {
			driver, note, err := m.o.Take(ctx)
			m.taken <- grip{driver, note, err}
		}()
	}
}

// took begins to drive with a wheel that was taken. From here on the car hears a word
// twenty times a second, also while it shall stand, until somebody gives the wheel back;
// a monitor that dies, stands or loses its terminal falls silent, and the car stops.
func (m *Monitor) took(ctx context.Context, g grip) {
	m.taking = false
	if g.err != nil {
		m.say(g.err.Error(), true)
		return
	}
	words := "arrows drive, space stands, 1-9 speed, m gives the wheel back"
	if g.note != "" {
		words = g.note
	}
	m.say(words, false)
	m.seek(0) // nobody drives by an old picture
	m.hand.still()
	m.driver, m.letGo = g.driver, make(chan struct{})
	go func(letGo <-chan struct{}) { m.lost <- m.speak(ctx, g.driver, letGo) }(m.letGo)
}

// speak tells the daemon what the hand wants, until the wheel is given back, the monitor
// ends, or the daemon refuses. A monitor that ends does not let the brain go on: the
// connection breaks, and the car stands.
func (m *Monitor) speak(ctx context.Context, d *daemon.Driver, letGo <-chan struct{}) error {
	defer d.Close()
	ticker := time.NewTicker(wordEvery) // the daemon's deadman is several of them
	defer ticker.Stop()
	for {
		if err := d.Drive(m.hand.want(m.o.Now())); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-letGo:
			return d.Release()
		case <-ticker.C:
		}
	}
}

// gone says that the wheel is no longer in these hands, and why.
func (m *Monitor) gone(err error) {
	m.driver, m.letGo = nil, nil
	if err != nil {
		m.say(err.Error(), true)
		return
	}
	m.say("the brain drives", false)
}
