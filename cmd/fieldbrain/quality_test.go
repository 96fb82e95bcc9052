package main

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// A burdened body takes its time to act, more on higher rungs: the bench's
// clock goes on meanwhile, as a real one does.
type burdened struct {
	robot.Body
	clock  robot.Clock
	burden *time.Duration // at full quality
	rung   func() int
}

// shareOf is how much of a full tick the model of this test takes on each rung.
var shareOf = [brain.NumRungs]float64{1, 0.7, 0.45, 0.33}

func (b burdened) Act(c robot.Command) error {
	cost := time.Duration(float64(*b.burden) * shareOf[b.rung()])
	b.clock.SleepUntil(b.clock.Now() + cost)
	return b.Body.Act(c)
}

// A slowRide is the simulated car in virtual time on a machine with a burden.
type slowRide struct {
	*ride
	burden  time.Duration
	at      time.Duration // bench time of the end of the last stretch
	ticks   int
	skipped int // releases that passed while a tick ran
	last    time.Duration
	tripped bool // the loop would have disarmed the car
}

func newSlowRide(t *testing.T, scenario string) *slowRide {
	s := &slowRide{}
	b := burdened{burden: &s.burden}
	s.ride = newRide(t, scenario, 7, func(body robot.Body) robot.Body {
		b.Body = body
		return &b
	})
	b.clock, b.rung = s.rig.Clock(), func() int { return s.mind.brain.Remote().Status().Quality.Rung }
	overload := daemon.NewOverload(daemon.DefaultOverload(), testbench.DefaultPeriod)
	s.after = func(now time.Duration, _ *brain.Trace) {
		gone := 0
		if s.last != 0 {
			gone = int((now-s.last)/testbench.DefaultPeriod) - 1
		}
		s.ticks, s.skipped, s.last = s.ticks+1, s.skipped+gone, now
		s.tripped = s.tripped || overload.Observe(gone) == daemon.Overloaded
	}
	return s
}

// under drives on for a while and returns the releases missed meanwhile.
func (s *slowRide) under(burden, length time.Duration) (skipped int) {
	before := s.skipped
	s.burden = burden
	s.at += length
	s.rig.AdvanceTo(s.at)
	return s.skipped - before
}

// TestSlowMachine drives while the machine becomes too slow and recovers: the
// whole car in virtual time. At full quality a tick then takes longer than the
// period; the loop keeps its deadline by going down, the car drives on armed
// and without a contact, and full quality comes back.
func TestSlowMachine(t *testing.T) {
	s := newSlowRide(t, "room")
	const ms = time.Millisecond
	quality := func() brain.Choice { return s.mind.brain.Remote().Status().Quality }
	if n := s.under(200*time.Microsecond, 5*time.Second); n != 0 || quality().Rung != 0 {
		t.Fatalf("on a fast machine %d releases missed, %+v", n, quality())
	}
	if !s.armed {
		t.Fatal("never armed")
	}
	if n := s.under(5500*time.Microsecond, time.Second); n > 2 {
		t.Errorf("%d releases missed on the way down, at most the two ticks that lead off the first rung", n)
	}
	low := quality()
	if low.Rung == 0 || low.Why != brain.BecauseBusy {
		t.Fatalf("on a slow machine %+v", low)
	}
	if cost := time.Duration(5.5 * shareOf[low.Rung] * float64(ms)); cost > 2250*time.Microsecond {
		t.Errorf("a second later on rung %d, whose ticks take %v", low.Rung, cost)
	}
	if n := s.under(5500*time.Microsecond, 8*time.Second); n != 0 || quality().Changes != low.Changes {
		t.Errorf("on a machine that stays slow %d releases missed, %+v", n, quality())
	}
	if n := s.under(200*time.Microsecond, 41*time.Second); n != 0 || quality().Rung != 0 || quality().Why != brain.BecauseNothing {
		t.Errorf("on a fast machine again %d releases missed, %+v", n, quality())
	}
	result := s.rig.Result()
	if s.tripped || s.mind.brain.Remote().Status().Safety.Tripped&safety.Overrun != 0 {
		t.Error("the loop would have disarmed the car")
	}
	if result.Collisions != 0 || result.Distance < 5 {
		t.Errorf("%d contacts, %.1f m driven", result.Collisions, result.Distance)
	}
}

// TestQualityIsTheSameAgain: in virtual time a tick takes none, so the governor
// stays on the best rung and the run is that of a fixed full quality; another
// rung is another run.
func TestQualityIsTheSameAgain(t *testing.T) {
	sc := loadScenario(t, "goal")
	run := func(quality string) (field, way string) {
		t.Helper()
		config := daemon.DefaultConfig()
		config.Engine.Quality = quality
		d := newSimulated(config)
		d.crowded = true
		r, err := d.virtual(sc, 3, "brain", testbench.Options{Length: 3 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return r.FieldHash, r.Trajectory
	}
	autoField, autoWay := run(brain.Auto)
	fullField, fullWay := run("full")
	if autoField != fullField || autoWay != fullWay {
		t.Errorf("auto gives field %s, way %s; full gives %s, %s", autoField, autoWay, fullField, fullWay)
	}
	if field, _ := run("survival"); field == fullField {
		t.Error("survival computes the field of full quality: the flag does nothing")
	}
	again, _ := run("survival")
	if other, _ := run("survival"); other != again {
		t.Errorf("the same run on survival twice: fields %s and %s", again, other)
	}
}

func TestLoweredQualityIsACondition(t *testing.T) {
	for _, c := range []struct {
		name   string
		q      daemon.Quality
		choice brain.Choice
		want   []string // in value, cause and remedy; nil: no condition
	}{
		{"best", daemon.Quality{Wanted: "auto"}, brain.Choice{}, nil},
		{"asked for", daemon.Quality{Wanted: "sparse"}, brain.Choice{Rung: 2, Best: 2}, nil},
		{
			"busy",
			daemon.Quality{Wanted: "auto"},
			brain.Choice{Rung: 1, Why: brain.BecauseBusy, Changes: 2},
			[]string{"rung balanced instead of full", "ticks took too long", "climbs back by itself"},
		},
		{
			"hot",
			daemon.Quality{Wanted: "auto", Sensor: "cpu-thermal", Temp: 99.5, Limit: 99},
			brain.Choice{Rung: 3, Why: brain.BecauseHot},
			[]string{"survival", "cpu-thermal 99.5 of 99.0 C", "cool the machine"},
		},
		{
			"saving",
			daemon.Quality{Wanted: "auto", Mode: "10W"},
			brain.Choice{Rung: 1, Why: brain.BecauseSaving},
			[]string{"balanced", "power mode 10W", "nvpmodel"},
		},
		{
			"nothing fits",
			daemon.Quality{Wanted: "auto"},
			brain.Choice{Rung: 3, Why: brain.BecauseBusy, Over: true},
			[]string{"even on rung survival", "longer loop.period"},
		},
		{
			"fixed and too slow",
			daemon.Quality{Wanted: "full"},
			brain.Choice{Over: true},
			[]string{"even on rung full", "engine.quality fixes", `engine.quality = "auto"`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, holds := lowered(c.q, c.choice)
			if holds != (c.want != nil) {
				t.Fatalf("holds %v: %+v", holds, got)
			}
			for _, words := range c.want {
				if !strings.Contains(got.Value+"\n"+got.Cause+"\n"+got.Remedy, words) {
					t.Errorf("%+v does not say %q", got, words)
				}
			}
		})
	}
}

// TestHeatIsTold: a machine that becomes hot and cools down again. Every change
// of the rung is reported once, the status says which and why, and full quality
// comes back.
func TestHeatIsTold(t *testing.T) {
	d := newSimulated(daemon.DefaultConfig())
	sensor := func(milli string) fstest.MapFS {
		const zone = "sys/class/thermal/thermal_zone0/"
		return fstest.MapFS{
			zone + "type": {Data: []byte("cpu-thermal\n")}, zone + "temp": {Data: []byte(milli + "\n")},
			zone + "trip_point_0_type": {Data: []byte("passive\n")}, zone + "trip_point_0_temp": {Data: []byte("99000\n")},
		}
	}
	var told []string
	s := &service{config: d.config, gauge: daemon.Gauge{Root: sensor("60000")}}
	s.conditions = daemon.NewConditions(time.Now, func(c daemon.Condition, active bool) {
		if !active {
			told = append(told, "no longer")
			return
		}
		told = append(told, strings.Fields(c.Value)[5])
	})
	var hot daemon.Status
	n := 0
	pilot := func(seat testbench.Seat) (func(time.Duration), error) {
		if _, err := d.pilot(seat); err != nil {
			return nil, err
		}
		s.car = &car{mind: d.mind}
		return func(now time.Duration) {
			d.tick(now)
			switch n++; n {
			case 5 * 200:
				s.gauge.Root = sensor("99500")
			case 10 * 200:
				hot.Quality = s.quality.Get()
				s.car.describe(&hot)
				s.gauge.Root = sensor("60000")
			}
			if n%20 == 0 { // lookEvery
				s.noteQuality()
			}
		}, nil
	}
	if _, err := testbench.Run(loadScenario(t, "room"), 7, pilot, testbench.Options{Length: 45 * time.Second}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.mind.engine.Close() })
	if want := []string{"balanced", "sparse", "survival", "sparse", "balanced", "no longer"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	line := hot.Quality.Line(hot.Rung)
	for _, words := range []string{"quality survival: the machine was hot", "3 changes", "cpu-thermal 99.5 of 99.0 C"} {
		if !strings.Contains(line, words) {
			t.Errorf("the status says %q, not %q", line, words)
		}
	}
	if q := s.quality.Get(); q.Heat != "cool" || q.Changes != 6 || q.Wanted != brain.Auto {
		t.Errorf("in the end %+v", q)
	}
}
