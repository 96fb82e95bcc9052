package monitor

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"fieldbrain/brain"
	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
)

const tick = 5 * time.Millisecond

// A made page is of a drive in virtual time, whose ticks have lengths by their number:
// equal on every machine.
type made struct {
	path string
	w    *telemetry.Writer
	now  time.Time // shortly after its last tick
}

// drive writes one of so long; the run lives until somebody closes it.
func drive(t testing.TB, driven time.Duration) *made {
	t.Helper()
	path := filepath.Join(t.TempDir(), "drive.page")
	w, err := telemetry.New(telemetry.Options{
		Page: path, Ring: telemetry.RingOf(path), Length: time.Minute,
		Identity: telemetry.Identity{Program: "test", Body: "sim", World: "room", Period: tick},
	})
	if err != nil {
		t.Fatal(err)
	}
	m := &made{path: path, w: w}
	t.Cleanup(m.end)
	p, err := telemetry.OpenPage(path)
	if err != nil {
		t.Fatal(err)
	}
	since := p.Run().Since
	p.Close()
	sc, err := scenarios.Load("room")
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Default()
	settings.Engine.Kind = "auto"
	pilot := func(s testbench.Vehicle) (func(time.Duration), error) {
		mind, err := car.NewMind(settings, car.Seat{
			Body: s.Body, Clock: s.Clock, Seed: s.Seed, Driver: s.Params, Task: car.Task(settings, s.Scenario),
		})
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { _ = mind.Close() })
		return (&scribe{w: w, mind: mind, since: since}).tick, nil
	}
	if _, err := testbench.Run(sc, 7, pilot, testbench.Options{Period: tick, Length: driven}); err != nil {
		t.Fatal(err)
	}
	m.now = since.Add(driven)
	return m
}

// end ends the run in order, once.
func (p *made) end() {
	if p.w != nil {
		_ = p.w.Close() // its file may be cut short
		p.w = nil
	}
}

// A scribe ticks a brain and writes what a daemon would.
type scribe struct {
	w     *telemetry.Writer
	mind  *car.Mind
	since time.Time
	armed bool
	tickN telemetry.Tick
}

func (s *scribe) tick(now time.Duration) {
	b := s.mind.Brain
	trace := *b.Tick(now)
	n := time.Duration(trace.Tick)
	late, busy := (n*37%97)*time.Microsecond, 200*time.Microsecond+(n*n%151)*time.Microsecond
	sample := loop.Sample{Release: now, Start: now + late, End: now + late + busy, Warm: true}
	if trace.Tick%1500 == 1499 {
		sample.End, sample.Skipped = sample.Start+7*time.Millisecond, 1
	}
	for i := range trace.Laps {
		trace.Laps[i] = busy / time.Duration(i+3)
	}
	trace.Plan = 0
	s.tickN.Set(b, &trace, sample)
	s.tickN.SetLength(telemetry.Evolve, busy/4)
	s.w.Tick(&s.tickN, loop.Counts{Ticks: trace.Tick + 1, Overruns: trace.Tick / 1500})
	look := telemetry.Look{Number: trace.Tick, Output: b.Output()}
	look.Ground, look.At = b.Around()
	s.w.Collect(&look)
	if trace.Tick%20 == 19 {
		s.w.Publish()
		s.describe(b, now)
	}
	if !s.armed {
		s.armed = b.Arm() == nil
	}
}

func (s *scribe) describe(b *brain.Brain, now time.Duration) {
	c := telemetry.Nothing()
	c.Wall, c.Mono = s.since.Add(now).UnixNano(), int64(now)
	telemetry.SetText(c.Engine[:], "cpu/any/collapsed/1")
	telemetry.SetText(c.Rung[:], "full")
	telemetry.SetText(c.Wanted[:], "auto")
	telemetry.SetText(c.Order.Text[:], "explore")
	telemetry.SetText(c.Order.Standing[:], "under way")
	c.NumConditions = 1
	d := &c.Conditions[0]
	telemetry.SetText(d.Name[:], "realtime")
	telemetry.SetText(d.Value[:], "ordinary class")
	telemetry.SetText(d.Remedy[:], "run it with the unit's rights")
	s.w.Car(&c)
}

// noOrder takes every order and carries none out.
func noOrder(context.Context, string) error { return nil }

// screen returns a simulated terminal.
func screen(t testing.TB, charset string, width, height int) tcell.SimulationScreen {
	t.Helper()
	s := tcell.NewSimulationScreen(charset)
	if err := s.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Fini)
	s.SetSize(width, height)
	return s
}

// shown returns what stands on a screen, without spaces at the ends of lines.
func shown(s tcell.SimulationScreen) string {
	s.Show()
	cells, width, height := s.GetContents()
	var text []rune
	for y := range height {
		end := len(text)
		for x := range width {
			r := ' '
			if c := cells[y*width+x]; len(c.Runes) > 0 {
				r = c.Runes[0]
			}
			text = append(text, r)
			if r != ' ' {
				end = len(text)
			}
		}
		text = append(text[:end], '\n')
	}
	return string(text)
}

// watching returns a monitor of a page, after its first look.
func (p *made) watching(o Options) *Monitor {
	o.Page, o.Now = p.path, func() time.Time { return p.now }
	m := New(o)
	m.look()
	return m
}
