package daemon_test

import (
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/reckoning"
	"fieldbrain/daemon"
	"fieldbrain/daemon/loop"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// dying makes a page, lets write fill it and returns what a reader says of it.
func dying(t *testing.T, write func(w *telemetry.Writer)) daemon.Status {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.page")
	w, err := telemetry.New(telemetry.Options{Page: path, Identity: telemetry.Identity{Program: "p", Body: "sim", Period: 5 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	write(w)
	s, err := daemon.ReadPage(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(&s); err != nil {
		t.Errorf("no JSON: %v", err)
	}
	if err := s.Print(io.Discard); err != nil {
		t.Error(err)
	}
	return s
}

func TestReadPage(t *testing.T) {
	s := dying(t, func(w *telemetry.Writer) {
		var tick telemetry.Tick
		tick.SetTrace(&brain.Trace{
			Tick: 41, Rung: 1, Causes: safety.Obstacle | safety.BatteryLow,
			Command: robot.Command{Speed: 0.25, Steering: -0.125},
		}, loop.Sample{Release: time.Second, Start: time.Second + 30*time.Microsecond, End: time.Second + 200*time.Microsecond, Warm: true})
		var state robot.State
		state.Range[robot.Front] = robot.Reading{Value: 0.5, OK: true}
		state.Battery = robot.Reading{Value: 7.5, OK: true}
		state.Link = robot.LinkDegraded
		tick.SetState(&state)
		tick.SetSafety(&safety.Status{Armed: true, Level: safety.Hold, Tripped: safety.Paused})
		tick.SetPlace(reckoning.Fix{X: 1, Y: 2})
		tick.Hand, tick.Source = uint8(brain.DriverLost), brain.Source{'p', 'a', 'd'}
		w.Tick(&tick, loop.Counts{Ticks: 42, Overruns: 3, Skipped: 4})
		c := telemetry.Nothing()
		telemetry.SetText(c.Engine[:], "cpu/test")
		telemetry.SetText(c.Order.Text[:], "goal 1 2")
		c.Order.Left = 1.5
		c.NumConditions = telemetry.MaxConditions + 5
		telemetry.SetText(c.Conditions[0].Name[:], "realtime")
		w.Car(&c)
	})
	if s.Driver.Hand != "lost" || s.Driver.Source != "pad" || !strings.Contains(s.Driver.Line(), "pad drove and is silent") {
		t.Errorf("driven by %+v", s.Driver)
	}
	names := make([]string, len(s.Table.Rows))
	for i, r := range s.Table.Rows {
		names[i] = r.Name
	}
	switch {
	case !s.Armed, s.Failsafe != "HOLD", s.Rung != "balanced", s.Link != "degraded", s.Engine != "cpu/test":
		t.Errorf("%+v", s)
	case !slices.Contains(s.Causes, "obstacle"), !slices.Equal(s.Tripped, []string{"paused"}):
		t.Errorf("causes %v, tripped %v", s.Causes, s.Tripped)
	case s.Speed != 0.25, s.Steering != -0.125, s.Range != 0.5, !s.RangeOK, s.Battery != 7.5, s.Place.Y != 2:
		t.Errorf("%+v", s)
	case s.Order.Order != "goal 1 2", s.Order.Left == nil, *s.Order.Left != 1.5, s.Before != nil, s.GPU != nil:
		t.Errorf("order %+v", s.Order)
	case s.Table.Counts != loop.Counts{Ticks: 42, Overruns: 3, Skipped: 4}:
		t.Errorf("counts %+v", s.Table.Counts)
	case strings.Join(names, " ") != "sense encode step decode reflex act busy wake-up":
		t.Errorf("rows %v: what nobody measured must be left out", names)
	case s.Table.Rows[7].Max != 30*time.Microsecond || s.Table.Rows[6].Max != 170*time.Microsecond:
		t.Errorf("wake-up %v and busy %v, want 30us and 170us", s.Table.Rows[7].Max, s.Table.Rows[6].Max)
	case len(s.Conditions) != telemetry.MaxConditions, s.Conditions[0].Name != "realtime":
		t.Errorf("%d conditions", len(s.Conditions))
	case !s.Page.Alive, len(s.Page.Missing) != 0:
		t.Errorf("%+v", s.Page)
	}
}

// TestReadCard holds that a page gives back what the daemon knew of a card, and nothing
// where it knew nothing.
func TestReadCard(t *testing.T) {
	known := func(v float64) daemon.Reading { return daemon.Reading{Value: v, OK: true} }
	for _, c := range []struct {
		name  string
		set   func(c *telemetry.Car)
		want  daemon.Gauges
		share daemon.Reading
	}{
		{"nothing known", func(*telemetry.Car) {}, daemon.Gauges{}, daemon.Reading{}},
		{"all known", func(c *telemetry.Car) {
			c.Card.Memory, c.Card.Room, c.Card.Clock, c.Card.Load, c.Card.Temperature = 1e9, 8e9, 625e6, 0.5, 48
			c.Late.Share = 0.25
		}, daemon.Gauges{Memory: known(1e9), Room: known(8e9), Clock: known(625e6), Load: known(0.5), Heat: known(48)}, known(0.25)},
	} {
		s := dying(t, func(w *telemetry.Writer) {
			var tick telemetry.Tick
			w.Tick(&tick, loop.Counts{Ticks: 1})
			car := telemetry.Nothing()
			telemetry.SetText(car.Card.Phase[:], "serving")
			car.Late = telemetry.Late{Recent: 3, Window: 64, Behind: 2, Ticks: 17, Share: car.Late.Share}
			car.Rays = telemetry.Rays{Wanted: 1, Card: 1, Answered: 8, Late: 1, Busy: 2, Gone: 3, Wrong: 4, Absent: 5}
			c.set(&car)
			w.Car(&car)
		})
		g := s.GPU
		if g == nil || g.Late != 3 || g.LateOf != 64 || g.Behind != 2 || g.StoodIn != 17 || g.Gauges != c.want || s.Quality.Card != c.share || s.Quality.Share.OK {
			t.Errorf("%s: %+v, %+v", c.name, g, s.Quality)
		}
		if want := (daemon.RaysStatus{Card: true, Answered: 8, Late: 1, Busy: 2, Gone: 3, Wrong: 4, Absent: 5}); g.Rays == nil || *g.Rays != want {
			t.Errorf("%s: %+v, want %+v", c.name, g.Rays, want)
		}
	}
}

// TestReadWrongNumbers holds that a page with sums made right and numbers made wrong
// ends in a status all the same.
func TestReadWrongNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	s := dying(t, func(w *telemetry.Writer) {
		tick := telemetry.Tick{Level: 250, Rung: 251, Mode: 252, Link: 253, Causes: math.MaxUint32, Speed: nan, Turn: inf, X: nan, Off: inf}
		tick.Readings[robot.Front] = telemetry.Reading{Value: nan, Flags: math.MaxUint32}
		w.Tick(&tick, loop.Counts{})
		c := telemetry.Nothing()
		c.NumConditions, c.Order.Driving, c.Order.Left, c.Machine.Limit = math.MaxUint32, nan, inf, nan
		for i := range c.Engine {
			c.Engine[i] = 0xff // no zero at the end
		}
		w.Car(&c)
	})
	if s.Failsafe != "UNKNOWN" || s.Rung != "rung 251" || s.Speed != 0 || s.Place.X != 0 || s.Order.Left != nil {
		t.Errorf("%+v", s)
	}
}

// TestPageOfNothing holds that a run that died before its first tick says so.
func TestPageOfNothing(t *testing.T) {
	s := dying(t, func(*telemetry.Writer) {})
	if len(s.Page.Missing) != 2 || s.Failsafe != "UNKNOWN" {
		t.Errorf("missing %q, failsafe %s; want the tick and the car, and UNKNOWN", s.Page.Missing, s.Failsafe)
	}
}

func TestPageLine(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for want, p := range map[string]daemon.PageStatus{
		"ALIVE, as of":       {Alive: true, Last: now.Add(-5 * time.Millisecond), Age: 5 * time.Millisecond, Dated: true},
		"without a tick for": {Alive: true, Last: now.Add(-5 * time.Second), Age: 5 * time.Second, Dated: true},
		"without a tick yet": {Alive: true},
		"11:59:50, 10s ago,": {Last: now.Add(-10 * time.Second)},
		"ENDED in order":     {Last: now.Add(-time.Hour), Ended: now.Add(-time.Hour)},
		"before its first":   {},
	} {
		if got := p.Line(now); !strings.Contains(got, want) {
			t.Errorf("%+v: %q, want %q in it", p, got, want)
		}
	}
}

// TestUsage reads what a Jetson and a laptop tell, and marks what a machine does not.
func TestUsage(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s + "\n")} }
	u := daemon.Usage{Root: fstest.MapFS{
		"proc/loadavg": file("1.25 0.50 0.10 1/200 300"),
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq":             file("1510400"),
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq":             file("729600"),
		"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq":             file("1510400"),
		"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": file("2"),
		"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count": file("3"),
		"sys/class/devfreq/17000000.gpu/cur_freq":                          file("624750000"),
		"sys/class/devfreq/17000000.gpu/max_freq":                          file("1020000000"),
		"sys/devices/platform/gpu.0/load":                                  file("431"),
		"sys/class/thermal/thermal_zone0/type":                             file("cpu-thermal"),
		"sys/class/thermal/thermal_zone0/temp":                             file("50000"),
		"sys/class/thermal/thermal_zone1/type":                             file("GPU-therm"),
		"sys/class/thermal/thermal_zone1/temp":                             file("47500"),
	}}
	u.Read()
	if u.Read(); u.Slowed {
		t.Error("a core throttled itself between two equal looks")
	}
	u.Root.(fstest.MapFS)["sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count"] = file("4")
	if u.Read(); !u.Slowed {
		t.Error("a core that throttled itself is not seen")
	}
	for name, c := range map[string]struct {
		got  daemon.Reading
		want float64
	}{
		"load": {u.Load, 1.25}, "clock": {u.Clock, 729.6e6}, "fastest": {u.Fastest, 1510.4e6}, "throttled": {u.Throttled, 6}, "card's limit": {u.CardMost, 1.02e9},
		"card's clock": {u.CardClock, 624.75e6}, "card's load": {u.CardLoad, 0.431}, "card's heat": {u.CardHeat, 47.5},
	} {
		if !c.got.OK || math.Abs(c.got.Value-c.want) > 1e-9*c.want {
			t.Errorf("%s: %+v, want %v", name, c.got, c.want)
		}
	}
	if !u.Share.OK {
		t.Error("the second look knows no share of the processor")
	}
	bare := daemon.Usage{Root: fstest.MapFS{}}
	bare.Read()
	for _, r := range []daemon.Reading{bare.Share, bare.Load, bare.Clock, bare.Fastest, bare.Throttled, bare.CardClock, bare.CardLoad, bare.CardHeat} {
		if r.OK || r.Value != 0 {
			t.Errorf("a machine that tells nothing tells %+v", r)
		}
	}
}
