package monitor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/daemon"
	"fieldbrain/testbench/tier"
)

// TestOrders: each key gives its order, once, and says how it ended.
func TestOrders(t *testing.T) {
	page := drive(t, time.Second)
	for _, c := range []struct {
		key  rune
		want string
		err  error
	}{
		{'e', "estop", nil},
		{' ', "hold", nil},
		{'a', "arm", errors.New("arm refused: e-stop")},
		{'d', "disarm", nil},
		{'r', "reset", nil},
		{'g', "good", nil},
		{'b', "bad", nil},
	} {
		var got []string
		m := page.watching(Options{Order: func(_ context.Context, word string) error {
			got = append(got, word)
			return c.err
		}})
		m.letter(t.Context(), c.key)
		m.answered(<-m.done)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%q gave %q, want %q", c.key, got, c.want)
		}
		s := screen(t, "UTF-8", 80, 24)
		m.Draw(s)
		want := c.want + ": done"
		if c.err != nil {
			want = c.err.Error()
		}
		if !strings.Contains(shown(s), want) {
			t.Errorf("%q: the screen lacks %q:\n%s", c.key, want, shown(s))
		}
	}
}

// TestStopIsNeverLate: the stop goes out while another order is under way; a second
// order of another kind does not.
func TestStopIsNeverLate(t *testing.T) {
	page := drive(t, time.Second)
	slow, began := make(chan struct{}), make(chan string, 8)
	m := page.watching(Options{Order: func(_ context.Context, word string) error {
		began <- word
		if word == "arm" {
			<-slow
		}
		return nil
	}})
	m.letter(t.Context(), 'a')
	if got := <-began; got != "arm" {
		t.Fatalf("it began with %s", got)
	}
	m.letter(t.Context(), 'd')
	m.letter(t.Context(), 'e')
	if got := <-began; got != "estop" {
		t.Errorf("behind arm came %s, want estop", got)
	}
	close(slow)
	m.answered(<-m.done)
	m.answered(<-m.done)
	if len(began) != 0 {
		t.Errorf("then came %s", <-began)
	}
}

// TestPageAlone: without a daemon no key gives an order, and the screen says why.
func TestPageAlone(t *testing.T) {
	page := drive(t, time.Second)
	m := page.watching(Options{})
	m.letter(t.Context(), 'a')
	if s := screen(t, "UTF-8", 80, 24); true {
		m.Draw(s)
		if got := shown(s); !strings.Contains(got, "no daemon to give orders to") {
			t.Errorf("the screen is\n%s", got)
		}
	}
}

// TestScroll goes back through the ring and forth again: what is shown is the tick of
// then, in the units of time that the keys name, and its ends are ends.
func TestScroll(t *testing.T) {
	tier.Alone(t, "one goroutine draws")
	page := drive(t, 12*time.Second)
	m := page.watching(Options{})
	now := m.scene.newest.Number
	for _, c := range []struct {
		key  tcell.Key
		want uint64 // tick shown
	}{
		{tcell.KeyLeft, now - 200},
		{tcell.KeyLeft, now - 400},
		{tcell.KeyRight, now - 200},
		{tcell.KeyPgUp, now - 2200},
		{tcell.KeyPgUp, 0},
		{tcell.KeyLeft, 0},
		{tcell.KeyPgDn, 2000},
		{tcell.KeyPgDn, now},
		{tcell.KeyHome, 0},
		{tcell.KeyEnd, now},
	} {
		m.press(t.Context(), tcell.NewEventKey(c.key, 0, tcell.ModNone))
		if got := m.scene.shown.Number; got != c.want {
			t.Errorf("%s: tick %d is shown, want %d", tcell.KeyNames[c.key], got, c.want)
		}
		end := m.scene.minute[len(m.scene.minute)-1].number
		if end != c.want {
			t.Errorf("%s: the minute ends at tick %d, want %d", tcell.KeyNames[c.key], end, c.want)
		}
		s := screen(t, "UTF-8", 80, 24)
		m.Draw(s)
		if back := strings.Contains(shown(s), " BACK  "); back != (c.want != now) {
			t.Errorf("%s: the screen says that it is back: %v", tcell.KeyNames[c.key], back)
		}
		m.scene.status.Hindrance = nil
		m.scene.status.Order = daemon.OrderStatus{Order: "hold", Standing: "under way"}
		m.Draw(s)
		if told := strings.Contains(shown(s), "order hold"); told != (c.want == now) {
			t.Errorf("%s: the order of now is shown: %v", tcell.KeyNames[c.key], told)
		}
	}
}

// TestViewKeys: the picture stands, panels become large, the map nearer, the histogram
// another's.
func TestViewKeys(t *testing.T) {
	page := drive(t, time.Second)
	m := page.watching(Options{})
	press := func(r rune) { m.letter(t.Context(), r) }
	picture := func() string {
		s := screen(t, "UTF-8", 80, 24)
		m.Draw(s)
		return shown(s)
	}
	press('p')
	m.watch.page = "nothing.page"
	m.look()
	if got := picture(); !strings.HasPrefix(got, "PAUSED") {
		t.Errorf("the picture moved while it should stand:\n%s", got)
	}
	m.watch.page = page.path
	press('p')
	if m.paused || m.scene.wrong != "" {
		t.Error("it still stands")
	}
	press('h')
	if got := picture(); m.stream.String() == "busy" || !strings.Contains(got, m.stream.String()+" p50") {
		t.Errorf("the histogram is that of %s:\n%s", m.stream, got)
	}
	press('H')
	press('+')
	if got := picture(); !strings.Contains(got, "map 2 m") || !strings.Contains(got, "busy p50") {
		t.Errorf("nearer, and the stage before:\n%s", got)
	}
	press('?')
	if got := picture(); !strings.Contains(got, "emergency stop") {
		t.Errorf("no help:\n%s", got)
	}
	m.press(t.Context(), tcell.NewEventKey(tcell.KeyEscape, 0, tcell.ModNone))
	for range faultPanel {
		m.press(t.Context(), tcell.NewEventKey(tcell.KeyTab, 0, tcell.ModNone))
	}
	if got := picture(); !strings.Contains(got, "degraded: realtime: ordinary class: run it with the unit's rights") || strings.Contains(got, "map ") {
		t.Errorf("the faults are not alone:\n%s", got)
	}
	if press('q'); m.letter(t.Context(), 'q') {
		t.Error("q does not end it")
	}
}
