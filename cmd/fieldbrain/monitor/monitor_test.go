package monitor

import (
	"context"
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/testbench/golden"
	"fieldbrain/testbench/tier"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// TestGolden compares the picture of a drive at the usual sizes.
func TestGolden(t *testing.T) {
	tier.Alone(t, "one goroutine draws")
	page := drive(t, 20*time.Second)
	for _, c := range []struct {
		name, charset string
		width, height int
		keys          string // pressed before
	}{
		{"80x24", "UTF-8", 80, 24, ""},
		{"40x12", "UTF-8", 40, 12, ""},
		{"200x60", "UTF-8", 200, 60, ""},
		{"ascii", "US-ASCII", 80, 24, ""},
		{"help", "UTF-8", 40, 16, "?"},
		{"minute", "UTF-8", 80, 24, "whh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := screen(t, c.charset, c.width, c.height)
			m := page.watching(Options{Order: noOrder})
			for _, key := range c.keys {
				m.letter(t.Context(), key)
			}
			m.Draw(s)
			golden.Compare(t, *update, filepath.Join("testdata", c.name+".golden"), shown(s))
		})
	}
}

// TestEverySize draws at every size without a word outside, and with the state first.
func TestEverySize(t *testing.T) {
	tier.Alone(t, "one goroutine draws")
	page := drive(t, time.Second)
	m := page.watching(Options{Log: &Scrollback{}})
	for width := 1; width < 130; width += 13 {
		for height := 1; height < 70; height += 9 {
			s := screen(t, "UTF-8", width, height)
			for m.zoomed = range numPanels {
				m.Draw(s)
			}
			if got := shown(s); width >= 40 && height > 1 && !strings.HasPrefix(got, "ARMED  NORMAL") {
				t.Errorf("%dx%d begins with %.40q", width, height, got)
			}
		}
	}
}

// TestColour: a car that may not drive is marked, with colour and without; nothing else
// depends on it.
func TestColour(t *testing.T) {
	page := drive(t, time.Second)
	m := page.watching(Options{})
	m.scene.status.Failsafe = "LATCHED"
	for _, mono := range []bool{false, true} {
		s := screen(t, "UTF-8", 80, 24)
		all := canvas{screen: s, width: 80, height: 24, mono: mono}
		m.drawHead(all)
		_, style, _ := s.Get(0, 0)
		fg, bg, attributes := style.Decompose()
		switch {
		case mono && (fg != tcell.ColorDefault || bg != tcell.ColorDefault || attributes&tcell.AttrReverse == 0):
			t.Errorf("without colour a latched car looks like %v on %v, %v", fg, bg, attributes)
		case !mono && bg != tcell.ColorMaroon:
			t.Errorf("with colour a latched car is on %v", bg)
		}
	}
}

// A counted screen knows whether the terminal was given back.
type counted struct {
	tcell.SimulationScreen
	began chan struct{} // closed by Init
	ended int
}

func (c *counted) Init() error {
	defer close(c.began)
	return c.SimulationScreen.Init()
}

func (c *counted) Fini() { c.ended++; c.SimulationScreen.Fini() }

// TestGivesTheTerminalBack: at q, at the end of the context, when nobody wants the picture
// any more, and at a panic.
func TestGivesTheTerminalBack(t *testing.T) {
	page := drive(t, time.Second)
	for _, c := range []struct {
		why   string
		o     Options
		key   rune
		ends  bool // the context does
		panic bool
	}{
		{why: "q", key: 'q'},
		{why: "the context", ends: true},
		{why: "the run that started it has gone", o: Options{Alive: func() bool { return false }}},
		{why: "a panic", o: Options{Order: func(context.Context, string) error { panic("broken") }}, key: 'a', panic: true},
	} {
		t.Run(c.why, func(t *testing.T) {
			s := &counted{SimulationScreen: tcell.NewSimulationScreen("UTF-8"), began: make(chan struct{})}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if c.ends {
				cancel()
			}
			if c.key != 0 {
				c.o.Log = nil
				go func() {
					<-s.began // from then on the screen takes keys
					for ctx.Err() == nil && s.PostEvent(tcell.NewEventKey(tcell.KeyRune, c.key, tcell.ModNone)) != nil {
						time.Sleep(time.Millisecond)
					}
				}()
			}
			c.o.Page, c.o.Now = page.path, func() time.Time { return page.now }
			var broken any
			func() {
				defer func() { broken = recover() }()
				if err := New(c.o).Show(ctx, s); err != nil {
					t.Error(err)
				}
			}()
			if s.ended != 1 || (broken != nil) != c.panic {
				t.Errorf("the terminal was given back %d times, panic %v", s.ended, broken)
			}
			if !c.ends && errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.Error("it went on")
			}
		})
	}
}

// TestClockSetBack: where the clock was set back, a run that does not tick is not taken for
// one that does, and no time is shown that has not passed.
func TestClockSetBack(t *testing.T) {
	page := drive(t, time.Second)
	page.now = page.now.Add(-time.Hour)
	m := page.watching(Options{})
	if said := m.death(); !strings.Contains(said, "lies in the future") || strings.Contains(said, "ago") {
		t.Errorf("alive: %q", said)
	}
	if line := m.headline(); strings.Contains(line, "  up ") {
		t.Errorf("%q says for how long it has been going", line)
	}
	page.end()
	m.look()
	if said := m.death(); !strings.Contains(said, "ENDED in order at") {
		t.Errorf("ended: %q", said)
	}
	if line := m.headline(); !strings.Contains(line, "up 0:00") && !strings.Contains(line, "up 0:01") {
		t.Errorf("%q does not say for how long it went", line)
	}
}
