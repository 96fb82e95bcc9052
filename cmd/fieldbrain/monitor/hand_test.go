package monitor

import (
	"bufio"
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/daemon"
)

// TestHand: what the arrows want at a time after some presses, each at a time of its own.
func TestHand(t *testing.T) {
	const up, down, left, right = tcell.KeyUp, tcell.KeyDown, tcell.KeyLeft, tcell.KeyRight
	type press struct {
		at  int // ms
		key tcell.Key
	}
	for _, c := range []struct {
		why                string
		keys               []press
		at                 int // ms
		throttle, steering float64
	}{
		{"nobody presses", nil, 0, 0, 0},
		{"up", []press{{0, up}}, 400, 0.6, 0},
		{"up, long ago: the deadman of the keys", []press{{0, up}}, 500, 0, 0},
		{"up, held", []press{{0, up}, {450, up}, {480, up}}, 900, 0.6, 0},
		{"down", []press{{0, down}}, 100, -0.6, 0},
		{"down against the way stops first", []press{{0, up}, {100, down}}, 200, 0, 0},
		{"and then goes back", []press{{0, up}, {100, down}, {200, down}}, 300, -0.6, 0},
		{"who steers goes on driving", []press{{0, up}, {400, left}, {800, left}}, 1200, 0.6, 0.7},
		{"but steering alone drives nowhere", []press{{0, right}}, 100, 0, -0.7},
		{"nor does it revive a drive that has ended", []press{{0, up}, {600, right}}, 700, 0, -0.7},
		{"the wheels go ahead by themselves", []press{{0, left}, {300, up}}, 600, 0.6, 0},
	} {
		h := hand{share: usualShare}
		start := time.Unix(1, 0)
		for _, p := range c.keys {
			if !h.press(p.key, start.Add(time.Duration(p.at)*time.Millisecond)) {
				t.Errorf("%s: %v is no arrow", c.why, p.key)
			}
		}
		throttle, steering := h.want(start.Add(time.Duration(c.at) * time.Millisecond))
		if throttle != c.throttle || steering != c.steering {
			t.Errorf("%s: %g and %g, want %g and %g", c.why, throttle, steering, c.throttle, c.steering)
		}
	}
	h := hand{share: usualShare}
	now := time.Unix(1, 0)
	h.speed(9)
	h.press(up, now)
	if throttle, _ := h.want(now); throttle != 0.9 {
		t.Errorf("9 drives with %g", throttle)
	}
	h.still()
	if throttle, steering := h.want(now); throttle != 0 || steering != 0 {
		t.Errorf("space leaves %g and %g", throttle, steering)
	}
	if h.press(tcell.KeyPgUp, now) {
		t.Error("page up drives")
	}
}

// agreeable is a daemon that agrees to everything.
func agreeable(t *testing.T) (socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "d.sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			_, _ = conn.Write([]byte("{\"ok\":true}\n"))
		}
	}()
	return socket
}

// TestDrivesByNow: whoever takes the wheel sees the newest tick, wherever in the ring he
// looked before.
func TestDrivesByNow(t *testing.T) {
	page := drive(t, 12*time.Second)
	m := page.watching(Options{})
	now := m.scene.newest.Number
	m.press(t.Context(), tcell.NewEventKey(tcell.KeyPgUp, 0, tcell.ModNone))
	m.letter(t.Context(), 'p')
	if m.scene.shown.Number == now || !m.paused {
		t.Fatal("it shows the newest tick")
	}
	ctx, cancel := context.WithCancel(t.Context())
	driver, note, err := daemon.TakeManualLease(ctx, agreeable(t), "test")
	m.took(ctx, grip{driver, note, err})
	if m.scene.shown.Number != now || m.paused || m.driver == nil {
		t.Errorf("tick %d is shown of %d, stands: %v, %s", m.scene.shown.Number, now, m.paused, m.said)
	}
	cancel()
	m.end()
}
