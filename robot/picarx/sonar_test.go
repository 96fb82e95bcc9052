package picarx_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

const us = time.Microsecond

func TestSonar(t *testing.T) {
	tests := []struct {
		name string
		why  string
		plan func(e *echo, fired time.Duration)
		want float64 // m, 0 for no reading
		miss func(picarx.SonarStats) uint64
	}{
		{
			"one metre", "the vendor's table: 5826 us at 343.3 m/s",
			func(e *echo, f time.Duration) { e.pulse(f, 5826*us) }, 1.0, nil,
		},
		{
			"two centimetres", "the nearest the sensor measures",
			func(e *echo, f time.Duration) { e.pulse(f, 117*us) }, 0.02, nil,
		},
		{
			"ghost", "shorter than the sensor can measure",
			func(e *echo, f time.Duration) { e.pulse(f, 100*us) }, 0,
			func(s picarx.SonarStats) uint64 { return s.TooNear },
		},
		{
			"never rises", "unplugged, or the pad is not a GPIO",
			func(*echo, time.Duration) {}, 0,
			func(s picarx.SonarStats) uint64 { return s.Silent },
		},
		{
			"rises late", "not this ping's echo",
			func(e *echo, f time.Duration) { e.edge(f+6*ms, true); e.edge(f+7*ms, false) }, 0,
			func(s picarx.SonarStats) uint64 { return s.Silent },
		},
		{
			"never falls", "a clone without a target",
			func(e *echo, f time.Duration) { e.edge(f+450*us, true) }, 0,
			func(s picarx.SonarStats) uint64 { return s.Endless },
		},
		{
			"lost edge", "a gap in the numbers: the pulse is a guess",
			func(e *echo, f time.Duration) { e.edge(f+450*us, true); e.seq++; e.edge(f+ms, false) }, 0,
			func(s picarx.SonarStats) uint64 { return s.LostEdges },
		},
		{
			"lost rise", "the falling edge alone means nothing",
			func(e *echo, f time.Duration) { e.edge(f+ms, false) }, 0,
			func(s picarx.SonarStats) uint64 { return s.Mixed },
		},
		{
			"mislabelled", "two rising edges: a short pulse read in the kernel's thread",
			func(e *echo, f time.Duration) { e.edge(f+450*us, true); e.edge(f+ms, true) }, 0,
			func(s picarx.SonarStats) uint64 { return s.Mixed },
		},
		{
			"old edge", "stamped before the trigger",
			func(e *echo, f time.Duration) { e.edge(f-ms, true); e.edge(f+ms, false) }, 0,
			func(s picarx.SonarStats) uint64 { return s.Mixed },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.echo.plan = func(f time.Duration) { tt.plan(&r.echo, f) }
			r.run(400 * ms)
			s, reading := r.car.Stats().Sonar, r.sense().Range[robot.Front]
			if s.Pings < 9 || s.Pings > 11 {
				t.Errorf("%d pings in 400 ms, want one each 40 ms", s.Pings)
			}
			if tt.want == 0 {
				if reading.OK || tt.miss(s) < 8 || s.Echoes != 0 {
					t.Errorf("reading %+v, counts %+v: want none: %s", reading, s, tt.why)
				}
				return
			}
			if !reading.OK || math.Abs(float64(reading.Value)-tt.want) > 0.001 {
				t.Errorf("reading %+v, want %v m: %s", reading, tt.want, tt.why)
			}
			if age := reading.Age(r.clock.Now()); age > 60*ms {
				t.Errorf("reading is %v old: its instant is the falling edge's stamp", age)
			}
		})
	}
}

func TestMissInvalidatesTheReading(t *testing.T) {
	r := newRig(t, nil)
	r.echo.plan = func(f time.Duration) { r.echo.pulse(f, 3*ms) }
	r.run(200 * ms)
	good := r.sense().Range[robot.Front]
	r.echo.plan = nil
	r.run(200 * ms)
	got := r.sense().Range[robot.Front]
	if !good.OK || got.OK || got.At > good.At+41*ms {
		t.Errorf("%+v, then %+v without an echo: want not OK, with the age of the last range", good, got)
	}
}

// TestQuietEcho: what a sensor without a target answers, by clone, and what looks
// like it.
func TestQuietEcho(t *testing.T) {
	fall := func(width time.Duration) func(*echo, time.Duration) {
		return func(e *echo, f time.Duration) { e.pulse(f, width); e.until = f + 450*us + width }
	}
	tests := []struct {
		name, why string
		plan      func(e *echo, fired time.Duration)
		trust     float32
		want      float32 // m, 0 for no reading
	}{
		{"38 ms", "the data sheet's time-out", fall(38 * ms), 1.5, 1.5},
		{"25 ms", "longer than 4 m of flight", fall(25 * ms), 1.5, 1.5},
		{"65 ms", "a slow clone: it falls after the driver has given up", fall(65 * ms), 1.5, 1.5},
		{"200 ms", "the slowest clones", fall(200 * ms), 1.5, 1.5},
		{"trusted farther", "a setting", fall(38 * ms), 4, 4},
		{"not trusted", "0 makes silence no reading, as a dead sensor", fall(38 * ms), 0, 0},
		{"never falls", "a wiring fault", func(e *echo, f time.Duration) { e.edge(f+450*us, true); e.until = time.Hour }, 1.5, 0},
		{"never rises", "unplugged", func(*echo, time.Duration) {}, 1.5, 0},
		{
			"the fall is lost", "the width of an echo without its fall is a guess",
			func(e *echo, f time.Duration) { e.edge(f+450*us, true); e.seq++ }, 1.5, 0,
		},
		{
			"the fall is lost and late", "the line is low again and nobody knows since when",
			func(e *echo, f time.Duration) { e.edge(f+450*us, true); e.until = f + 60*ms }, 1.5, 0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, func(p *picarx.Params) { p.Sonar.Trust = tt.trust })
			r.echo.clock = &r.clock
			r.echo.plan = func(f time.Duration) { tt.plan(&r.echo, f) }
			r.run(1500 * ms)
			got := r.sense().Range[robot.Front]
			if got.OK != (tt.want > 0) || got.AtLeast != got.OK || got.OK && got.Value != tt.want {
				t.Errorf("%+v, want silence up to %v m: %s", got, tt.want, tt.why)
			}
			if age := got.Age(r.clock.Now()); got.OK && age > 450*ms {
				t.Errorf("the reading is %v old", age)
			}
		})
	}
}

// TestSilenceTakesTime: two silent pings are a drop-out, the third begins to count
// from where the last echo came from.
func TestSilenceTakesTime(t *testing.T) {
	r, width := newRig(t, nil), 2913*us // 0.5 m
	r.echo.clock = &r.clock
	r.echo.plan = func(f time.Duration) { r.echo.pulse(f, width) }
	r.run(200 * ms)
	width = 38 * ms
	begun := r.clock.Now()
	for r.clock.Now() < begun+3*time.Second {
		r.run(5 * ms)
		got, after := r.sense().Range[robot.Front], r.clock.Now()-begun
		switch most := float32(0.5 + robot.Recede*(after+40*ms).Seconds()); {
		case !got.AtLeast:
			if after > 170*ms {
				t.Fatalf("%v after the last echo: %+v", after, got)
			}
		case after < 80*ms || got.Value > most:
			t.Fatalf("%v after an echo from 0.5 m: %+v, free up to %v m at most", after, got, most)
		}
	}
	if got := r.sense().Range[robot.Front]; got.Value != 1.5 {
		t.Errorf("after 3 s of silence %+v, want 1.5 m", got)
	}
	width = 2330 * us
	r.run(80 * ms)
	if got := r.sense().Range[robot.Front]; !got.OK || got.AtLeast || math.Abs(float64(got.Value)-0.4) > 0.001 {
		t.Errorf("%+v with the first echo, want 0.4 m", got)
	}
}

func TestStuckEcho(t *testing.T) {
	r := newRig(t, nil)
	r.echo.high = true
	r.run(time.Second)
	if s := r.car.Stats().Sonar; s.Pings != 0 || s.Stuck != 1 {
		t.Errorf("%d pings, %d faults with the echo high for a second, want 0 and 1", s.Pings, s.Stuck)
	}
	r.echo.high = false
	r.echo.plan = func(f time.Duration) { r.echo.pulse(f, 3*ms) }
	r.run(100 * ms)
	if !r.sense().Range[robot.Front].OK {
		t.Error("no reading once the echo is low again")
	}
}

func TestSonarMedian(t *testing.T) {
	r := newRig(t, func(p *picarx.Params) { p.Sonar.Median = 3 })
	n := 0
	r.echo.plan = func(f time.Duration) {
		if n++; n == 8 {
			r.echo.pulse(f, 583*us) // a ghost at 10 cm
			return
		}
		r.echo.pulse(f, 5826*us)
	}
	for r.clock.Now() < 600*ms {
		r.run(5 * ms)
		if g := r.sense().Range[robot.Front]; g.OK && g.Value < 0.9 {
			t.Fatalf("ghost passed the median: %v m", g.Value)
		}
	}
}

func TestSpeedOfSound(t *testing.T) {
	at := func(celsius float64) float64 {
		r := newRig(t, func(p *picarx.Params) { p.Sonar.Temperature = celsius })
		r.echo.plan = func(f time.Duration) { r.echo.pulse(f, 5826*us) }
		r.run(100 * ms)
		return float64(r.sense().Range[robot.Front].Value)
	}
	if ratio := at(40) / at(0); math.Abs(ratio-1.0732) > 0.001 {
		t.Errorf("0 to 40 degrees changes the range by %v, want 1.073", ratio)
	}
}

func TestSonarsTakeTurns(t *testing.T) {
	r := newRig(t, nil)
	w := r.wire()
	var rear echo
	var last time.Duration
	fired := func(e *echo, width time.Duration) func(bool) {
		return func(high bool) {
			if high {
				return
			}
			now := r.clock.Now()
			if last != 0 && now-last < 39*ms {
				t.Errorf("pings %v apart: one hears the other", now-last)
			}
			last = now
			e.pulse(now, width)
		}
	}
	r.trig.then = fired(&r.echo, 2330*us)
	w.Sonars = append(w.Sonars, picarx.SonarWire{Sector: robot.Rear, Trigger: &line{then: fired(&rear, 5826*us)}, Echo: &rear})
	car, err := picarx.New(w, picarx.Default())
	if err != nil {
		t.Fatal(err)
	}
	for r.clock.Now() < 500*ms {
		now := r.clock.Now()
		r.clock.SleepUntil(max(car.Ping(now), now+1))
	}
	var s robot.State
	car.Sense(&s)
	if f, b := s.Range[robot.Front], s.Range[robot.Rear]; !f.OK || !b.OK || f.Value > 0.41 || b.Value < 0.99 {
		t.Errorf("front %+v, rear %+v, want 0.4 and 1.0 m", f, b)
	}
}

// TestSlowSonarTells: what robot/safety takes a slow sonar for (slowSonar, slowest): how
// long after its instant a silence is told, and how old it is before the next one.
func TestSlowSonarTells(t *testing.T) {
	for _, tt := range []struct {
		width time.Duration
		slow  bool
	}{{38 * ms, false}, {65 * ms, false}, {130 * ms, false}, {150 * ms, true}, {200 * ms, true}} {
		r := newRig(t, nil)
		r.echo.clock = &r.clock
		r.echo.plan = func(fired time.Duration) {
			r.echo.until = fired + 450*time.Microsecond + tt.width
			r.echo.pulse(fired, tt.width)
		}
		r.run(3 * time.Second)
		limit, news := time.Hour, robot.Reading{}
		for range 1000 {
			r.run(5 * ms)
			front := r.sense().Range[robot.Front]
			if age := front.Age(r.clock.Now()); front.At == news.At && age > limit {
				t.Fatalf("width %v: the newest silence is %v old, and stale after %v", tt.width, age, limit)
			}
			if front.At == news.At || news.At == 0 && front.ReportedAt == 0 {
				continue // told before; or the first one was, before anybody looked
			}
			news = front
			took := front.ReportedAt - front.At
			if limit = 250 * ms; tt.slow {
				limit = min(2*took+100*ms, 450*ms)
			}
			if !front.OK || !front.AtLeast || took >= 110*ms != tt.slow {
				t.Fatalf("width %v: %+v, told %v after its instant: want silence, slow %v", tt.width, front, took, tt.slow)
			}
		}
	}
}
