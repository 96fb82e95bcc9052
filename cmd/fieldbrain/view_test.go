package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

func TestFrame(t *testing.T) {
	s := daemon.Status{
		Armed: true, Failsafe: "NORMAL", Body: "sim", Link: "up", Engine: "avx2", Rung: "full", Mode: "cruise",
		GPU:        &daemon.GPUStatus{Phase: "serving", Device: "Orin", Starts: 2},
		Conditions: []daemon.Condition{{Name: "realtime", Value: "ordinary class"}},
		Table: daemon.Table{Rows: []daemon.Row{
			{Name: "step", Count: 3, P50: time.Millisecond},
			{Name: "response"},
		}},
	}
	got := strings.Join(frame(s, []string{"#map#"}, []string{"a log line"}, ordersHint("bin/fieldbrain", "/run/x.sock")), "\n")
	for _, want := range []string{"ARMED  NORMAL", "speed +0.00 m/s", "gpu serving  Orin  starts 2", "1.00 ms", "#map#", "degraded: realtime", "a log line", "Ctrl-C", "bin/fieldbrain estop --socket /run/x.sock"} {
		if !strings.Contains(got, want) {
			t.Errorf("the frame lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "response") {
		t.Error("a stage without a value takes a line")
	}
}

func TestScrollback(t *testing.T) {
	var b scrollback
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

// The leftmost bearing is the highest bin: what lies to the left is drawn left.
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
	lines := newMap(rig).draw()
	text := strings.Join(lines, "\n")
	if !strings.HasPrefix(lines[0], "####") || !strings.Contains(text, "o") {
		t.Errorf("no walls or no discs:\n%s", text)
	}
	if n := strings.Count(text, ">") + strings.Count(text, "<") + strings.Count(text, "^") + strings.Count(text, "v") +
		strings.Count(text, "/") + strings.Count(text, "\\"); n != 1 {
		t.Errorf("%d cars on the map:\n%s", n, text)
	}
}

func TestLatencyVerdicts(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name string
		wake daemon.Row
		busy time.Duration // of half the ticks at most
		c    daemon.Counts
		band string
		want string
	}{
		{"quiet", daemon.Row{Count: 9, P999: 15 * us, Max: 18 * us}, us, daemon.Counts{}, "very good", "punctual"},
		{"ordinary", daemon.Row{Count: 9, P999: 700 * us, Max: 900 * us}, us, daemon.Counts{}, "unusable", "acceptable"},
		{"loaded", daemon.Row{Count: 9, P999: 4000 * us, Max: 4900 * us}, us, daemon.Counts{}, "unusable", "late"},
		{"hole", daemon.Row{Count: 9, Max: 20000 * us}, us, daemon.Counts{Overruns: 1, Skipped: 4}, "unusable", "4 periods missed: the machine stood still"},
		{"heavy", daemon.Row{Count: 18, Max: 5000 * us}, 7000 * us, daemon.Counts{Overruns: 9, Skipped: 9}, "unusable", "does not fit"},
		{"nothing", daemon.Row{}, 0, daemon.Counts{}, "very good", "too short"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := band(c.wake.Max); !strings.Contains(got, c.band) {
				t.Errorf("band %q, want %q", got, c.band)
			}
			table := daemon.Table{Rows: make([]daemon.Row, daemon.NumStreams), Counts: c.c}
			table.Rows[daemon.Wake], table.Rows[daemon.Busy].P50 = c.wake, c.busy
			if got := verdict(table, 5000*us); !strings.Contains(got, c.want) {
				t.Errorf("verdict %q, want %q", got, c.want)
			}
		})
	}
}
