package gpu

import (
	"testing"
	"time"
)

// believable are gauges that a card may have.
func believable() Gauges {
	return Gauges{
		Looks: 1, Used: Tell(3e9), Room: Tell(24e9), Clock: Tell(2520e6), Most: Tell(3105e6),
		Load: Tell(100), Heat: Tell(0), Held: Tell(HeldByHeat | HeldByPower),
	}
}

// TestGaugesReach: what one side tells the other reads, and what is not told is unknown;
// a number that cannot be true is not told either, and takes no other with it.
func TestGaugesReach(t *testing.T) {
	whole := believable()
	for _, c := range []struct {
		name  string
		spoil func(g *Gauges)
		want  func(g *Gauges)
	}{
		{"all", func(*Gauges) {}, func(*Gauges) {}},
		{"nobody has looked", func(g *Gauges) { g.Looks = 0 }, func(g *Gauges) { *g = Gauges{} }},
		{"no heat", func(g *Gauges) { g.Heat = 0 }, func(g *Gauges) { g.Heat = 0 }},
		{"more used than there is", func(g *Gauges) { g.Used = Tell(25e9) }, func(g *Gauges) { g.Used, g.Room = 0, 0 }},
		{"used of an unknown room", func(g *Gauges) { g.Room = 0 }, func(g *Gauges) { g.Used, g.Room = 0, 0 }},
		{"unknown use of a room", func(g *Gauges) { g.Used = 0 }, func(g *Gauges) { g.Used, g.Room = 0, 0 }},
		{"no room at all", func(g *Gauges) { g.Used, g.Room = Tell(0), Tell(0) }, func(g *Gauges) { g.Used, g.Room = 0, 0 }},
		{"a room without end", func(g *Gauges) { g.Room = ^Told(0) }, func(g *Gauges) { g.Used, g.Room = 0, 0 }},
		{"a clock without end", func(g *Gauges) { g.Clock = ^Told(0) }, func(g *Gauges) { g.Clock = 0 }},
		{"a limit without end", func(g *Gauges) { g.Most = ^Told(0) }, func(g *Gauges) { g.Most = 0 }},
		{"more than all the time", func(g *Gauges) { g.Load = Tell(101) }, func(g *Gauges) { g.Load = 0 }},
		{"molten", func(g *Gauges) { g.Heat = Tell(201) }, func(g *Gauges) { g.Heat = 0 }},
		{"a reason of another version", func(g *Gauges) { g.Held = Tell(4) }, func(g *Gauges) { g.Held = 0 }},
	} {
		m, _ := testPage(t)
		told, want := whole, whole
		c.spoil(&told)
		c.want(&want)
		NewServer(m.Page, 0).Tell(told)
		if got := m.Page.Head.Gauges.read(); got != want {
			t.Errorf("%s: read %+v, want %+v", c.name, got, want)
		}
	}
}

// TestGaugesAge: numbers that nobody reads again are unknown after a while, and known as
// soon as somebody does.
func TestGaugesAge(t *testing.T) {
	m, _ := testPage(t)
	told, began, watch := believable(), time.Now(), new(gaugesWatch)
	server := NewServer(m.Page, 0)
	for _, c := range []struct {
		at    time.Duration
		looks uint64
		known bool
	}{
		{0, 0, false},
		{time.Second, 1, true},
		{6 * time.Second, 1, true},
		{6*time.Second + 1, 1, false},
		{time.Hour, 1, false},
		{time.Hour, 2, true},
		{time.Hour + 5*time.Second, 2, true},
		{time.Hour + 6*time.Second, 2, false},
	} {
		told.Looks = c.looks
		server.Tell(told)
		want := Gauges{}
		if c.known {
			want = told
		}
		if got := watch.look(&m.Page.Head.Gauges, began.Add(c.at)); got != want {
			t.Errorf("after %v and %d looks: %+v, want %+v", c.at, c.looks, got, want)
		}
	}
}
