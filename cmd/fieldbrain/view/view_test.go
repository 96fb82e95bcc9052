package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

// aView shows a car that stands on a busy computer, with every part of a frame.
func aView(t *testing.T) (View, *topDown) {
	t.Helper()
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	rig, err := testbench.NewRig(sc, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := daemon.Status{
		Failsafe: "STOPPED", Body: "sim", Link: "up", Engine: "avx2", Rung: "full", Mode: "cruise",
		Hindrance: &daemon.Hindrance{What: "stands: disarmed by paused", Remedy: "arm again; if it repeats look for suspends and system load"},
		GPU:       &daemon.GPUStatus{Phase: "serving", Device: "Orin", Starts: 2},
		Conditions: []loop.Condition{
			{Name: "realtime", Value: "ordinary class"},
			{Name: "quality", Value: "reduced quality: balanced"},
		},
		Table: loop.Table{Rows: make([]loop.Row, loop.NumStreams)},
	}
	for i := range s.Table.Rows {
		s.Table.Rows[i] = loop.Row{Name: loop.Stream(i).String(), Count: 3, P50: time.Millisecond}
	}
	s.Table.Rows[loop.Response].Count = 0
	log := &Scrollback{}
	for i := range 9 {
		fmt.Fprintf(log, "log line %d, which is long enough to be cut on every terminal that is narrower than it is%s\n", i, strings.Repeat(".", 99))
	}
	return View{
		Status: func() daemon.Status { return s }, Brain: func() brain.Status { return brain.Status{} }, Rig: rig,
		Log: log, Orders: OrdersHint("bin/fieldbrain", "/run/x.sock"),
	}, newMap(rig)
}

// TestFrameFits: the frame is never larger than its terminal, and says why the car
// stands and how to end.
func TestFrameFits(t *testing.T) {
	v, world := aView(t)
	for _, size := range []struct {
		width, height int
		want          []string
	}{
		{80, 24, []string{"disarmed  STOPPED", "arm again; if it repeats", "####", "busy", "degraded: realtime", "log line 8", "heading[", "speed +0.00"}},
		{60, 20, []string{"disarmed  STOPPED", "remedy: arm again", "####", "busy", "degraded: realtime", "log line 8", "heading[", "speed +0.00"}},
		{30, 10, []string{"disarmed  STOPPED", "remedy: arm again", "####", "speed +0.00"}},
		{200, 60, []string{"gpu serving  Orin  starts 2", "step", "reduced quality: balanced", "log line 2", "--socket /run/x.sock", "ticks 0"}},
		{10, 3, []string{"disarmed", "stands"}},
		{1, 1, nil},
	} {
		lines := v.frame(world, size.width, size.height, false)
		text := strings.Join(lines, "\n")
		if len(lines) > size.height {
			t.Errorf("%dx%d: %d lines", size.width, size.height, len(lines))
		}
		for _, l := range lines {
			if n := len([]rune(l)); n > size.width {
				t.Errorf("%dx%d: %d characters: %s", size.width, size.height, n, l)
			}
		}
		want := size.want
		if size.width >= 30 {
			want = append(want, "stands: disarmed by paused", "q or Ctrl-C")
		}
		for _, words := range want {
			if !strings.Contains(text, words) {
				t.Errorf("%dx%d: the frame lacks %q:\n%s", size.width, size.height, words, text)
			}
		}
		if strings.Contains(text, "\x1b") || strings.Contains(text, "response") {
			t.Errorf("%dx%d: colour, or a stream without a value:\n%s", size.width, size.height, text)
		}
	}
}

// TestColour: the view colours whole lines only, after it has cut them.
func TestColour(t *testing.T) {
	v, world := aView(t)
	lines := v.frame(world, 30, 10, true)
	if !strings.HasPrefix(lines[0], "\x1b[1;31mdisarmed  STOPPED") || !strings.HasSuffix(lines[0], ">\x1b[0m") {
		t.Errorf("the state of a car that stands: %q", lines[0])
	}
	if plain := lines[len(lines)-1]; strings.Contains(plain, "\x1b") {
		t.Errorf("the last line: %q", plain)
	}
	for _, c := range []struct {
		term, none string
		dumb       bool
	}{{"dumb", "", true}, {"xterm", "1", false}} {
		getenv := func(k string) string { return map[string]string{"TERM": c.term, "NO_COLOR": c.none}[k] }
		if Dumb(getenv) != c.dumb {
			t.Errorf("TERM=%s: dumb is %v", c.term, Dumb(getenv))
		}
	}
}

func TestScrollback(t *testing.T) {
	var b Scrollback
	for i := range scrollLines + 10 {
		if _, err := fmt.Fprintf(&b, "line %d\n", i); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(b.tail(2), []string{"line 508", "line 509"}); d != "" {
		t.Error(d)
	}
	if got := len(b.tail(2 * scrollLines)); got != scrollLines {
		t.Errorf("%d lines kept, want %d", got, scrollLines)
	}
}

// The leftmost bearing is the highest bin: the bar shows things on the left at its left.
func TestHeadingBar(t *testing.T) {
	var s brain.Status
	s.Heading[31], s.Heading[16] = 1000, 500
	bar := headingBar(s)[1]
	if !strings.HasPrefix(bar, "heading[@") || strings.IndexByte(bar, '=') < len("heading[")+14 {
		t.Errorf("bar %q, want the peak at the far left and half of it in the middle", bar)
	}
}

func TestMapShowsWallsAndCar(t *testing.T) {
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	rig, err := testbench.NewRig(sc, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := newMap(rig).draw(16, 72)
	text := strings.Join(lines, "\n")
	if !strings.HasPrefix(lines[0], "####") || !strings.Contains(text, "o") {
		t.Errorf("no walls or no discs:\n%s", text)
	}
	if n := strings.Count(text, ">") + strings.Count(text, "<") + strings.Count(text, "^") + strings.Count(text, "v") +
		strings.Count(text, "/") + strings.Count(text, "\\"); n != 1 {
		t.Errorf("%d cars on the map:\n%s", n, text)
	}
}
