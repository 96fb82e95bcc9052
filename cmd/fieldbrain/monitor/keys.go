package monitor

import (
	"context"
	"syscall"
	"time"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/sys/unix"

	"fieldbrain/daemon/telemetry"
)

// keys are the lines of the help.
var keys = []struct{ key, does string }{
	{"e", "emergency stop; then r clears it, a arms"},
	{"space", "stop: the car holds where it is"},
	{"m", "drive: arrows, 1-9 speed; again: the brain"},
	{"a d", "arm, disarm"},
	{"g b", "good, bad: judge the last seconds"},
	{"left right", "back and forth in the ring, 1 s"},
	{"PgUp PgDn", "the same, 10 s"},
	{"Home End", "oldest tick, newest tick"},
	{"p", "the picture stands, the car does not"},
	{"h H", "histogram of the next, last stage"},
	{"w", "percentiles of the start or the minute"},
	{"Tab", "one panel after the other, large"},
	{"+ -", "map nearer, farther"},
	{"? q", "this help; quit"},
}

// jumps are the keys that go back or forth in the ring.
var jumps = map[tcell.Key]time.Duration{
	tcell.KeyLeft: -time.Second, tcell.KeyRight: time.Second, tcell.KeyPgUp: -10 * time.Second, tcell.KeyPgDn: 10 * time.Second,
}

// press obeys a key, and reports whether the monitor goes on.
func (m *Monitor) press(ctx context.Context, e *tcell.EventKey) bool {
	if m.driver != nil && m.hand.press(e.Key(), m.o.Now()) {
		return true
	}
	if by, is := jumps[e.Key()]; is {
		m.scroll(by)
		return true
	}
	switch e.Key() {
	case tcell.KeyRune:
		return m.letter(ctx, e.Rune())
	case tcell.KeyCtrlC: // of a terminal that encodes it; elsewhere the kernel makes the signal
		_ = unix.Kill(0, unix.SIGINT) // the foreground group, as the kernel does
	case tcell.KeyCtrlZ:
		_ = unix.Kill(0, syscall.SIGTSTP)
	case tcell.KeyHome:
		m.seek(m.watch.history.oldest)
	case tcell.KeyEnd:
		m.seek(0)
	case tcell.KeyTab:
		m.zoomed = (m.zoomed + 1) % numPanels
	case tcell.KeyBacktab:
		m.zoomed = (m.zoomed + numPanels - 1) % numPanels
	case tcell.KeyEscape:
		m.zoomed, m.help = 0, false
	}
	return true
}

// orders are the letters that give one.
var orders = map[rune]string{
	'e': "estop", 'E': "estop", ' ': "hold", 'a': "arm", 'd': "disarm", 'r': "reset", 'g': "good", 'b': "bad",
}

// letter obeys a letter.
func (m *Monitor) letter(ctx context.Context, r rune) bool {
	if m.driver != nil && m.hand.letter(r) {
		return true
	}
	if word, is := orders[r]; is {
		m.order(ctx, word)
		return true
	}
	switch r {
	case 'q', 'Q':
		return false
	case '?':
		m.help = !m.help
	case 'm':
		m.takeWheel(ctx)
	case 'p':
		m.paused = !m.paused
		m.look()
	case 'h':
		m.next(1)
	case 'H':
		m.next(int(telemetry.NumStreams) - 1)
	case 'w':
		m.recent = !m.recent
		m.look()
	case '+', '=':
		m.across = max(m.across/2, leastAcross)
	case '-':
		m.across = min(m.across*2, mostAcross)
	}
	return true
}

// next chooses another stream that was measured.
func (m *Monitor) next(step int) {
	for range telemetry.NumStreams {
		m.stream = (m.stream + telemetry.Stream(step)) % telemetry.NumStreams
		if _, is := m.scene.row(m.stream); is {
			return
		}
	}
}

// scroll goes back or forth in the ring; at its end the picture moves again.
func (m *Monitor) scroll(by time.Duration) {
	h := &m.watch.history
	if h.newest == 0 || m.scene.wrong != "" {
		m.say("the run keeps no ring to go back in", true)
		return
	}
	at := int64(h.newest)
	if m.record > 0 {
		at = int64(m.record)
	}
	at += int64(by / m.scene.period)
	switch {
	case at >= int64(h.newest):
		m.seek(0)
	default:
		m.seek(uint64(max(at, int64(h.oldest), 1)))
	}
}

// seek shows a place of the ring at once, even when the picture stands.
func (m *Monitor) seek(record uint64) {
	m.record, m.paused = record, false
	m.look()
}
