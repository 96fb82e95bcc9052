package drive_test

import (
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
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
var shareOf = [quality.NumRungs]float64{1, 0.7, 0.45, 0.33}

func (b burdened) Act(c robot.Command) error {
	cost := time.Duration(float64(*b.burden) * shareOf[b.rung()])
	b.clock.SleepUntil(b.clock.Now() + cost)
	return b.Body.Act(c)
}

// A slowRide is the simulated car in virtual time on a machine with a burden.
type slowRide struct {
	*cartest.Ride
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
	s.Ride = cartest.NewRide(t, scenario, 7, func(body robot.Body) robot.Body {
		b.Body = body
		return &b
	})
	b.clock, b.rung = s.Rig.Clock(), func() int { return s.Mind.Brain.Remote().Status().Quality.Rung }
	overload := loop.NewOverload(loop.DefaultOverload(), testbench.DefaultPeriod)
	s.After = func(now time.Duration, _ *brain.Trace) {
		gone := 0
		if s.last != 0 {
			gone = int((now-s.last)/testbench.DefaultPeriod) - 1
		}
		s.ticks, s.skipped, s.last = s.ticks+1, s.skipped+gone, now
		s.tripped = s.tripped || overload.Observe(gone) == loop.Overloaded
	}
	return s
}

// under drives on for a while and returns the releases missed meanwhile.
func (s *slowRide) under(burden, length time.Duration) (skipped int) {
	before := s.skipped
	s.burden = burden
	s.at += length
	s.Rig.AdvanceTo(s.at)
	return s.skipped - before
}

// TestSlowMachine drives while the machine becomes too slow and recovers: the
// whole car in virtual time. At full quality a tick then takes longer than the
// period; the loop keeps its deadline by going down, the car drives on armed
// and without a contact, and full quality comes back.
func TestSlowMachine(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	s := newSlowRide(t, "room")
	const ms = time.Millisecond
	choice := func() quality.Choice { return s.Mind.Brain.Remote().Status().Quality }
	if n := s.under(200*time.Microsecond, 5*time.Second); n != 0 || choice().Rung != 0 {
		t.Fatalf("on a fast machine %d releases missed, %+v", n, choice())
	}
	if !s.Armed {
		t.Fatal("never armed")
	}
	if n := s.under(5500*time.Microsecond, time.Second); n > 2 {
		t.Errorf("%d releases missed on the way down, at most the two ticks that lead off the first rung", n)
	}
	low := choice()
	if low.Rung == 0 || low.Why != quality.BecauseBusy {
		t.Fatalf("on a slow machine %+v", low)
	}
	if cost := time.Duration(5.5 * shareOf[low.Rung] * float64(ms)); cost > 2250*time.Microsecond {
		t.Errorf("a second later on rung %d, whose ticks take %v", low.Rung, cost)
	}
	if n := s.under(5500*time.Microsecond, 8*time.Second); n != 0 || choice().Changes != low.Changes {
		t.Errorf("on a machine that stays slow %d releases missed, %+v", n, choice())
	}
	if n := s.under(200*time.Microsecond, 41*time.Second); n != 0 || choice().Rung != 0 || choice().Why != quality.BecauseNothing {
		t.Errorf("on a fast machine again %d releases missed, %+v", n, choice())
	}
	result := s.Rig.Result()
	if s.tripped || s.Mind.Brain.Remote().Status().Safety.Tripped&safety.Overrun != 0 {
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
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	sc := cartest.Scenario(t, "goal")
	run := func(rung string) (field, way string) {
		t.Helper()
		settings := config.Default()
		settings.Engine.Quality = rung
		r, err := drive.Contestant(settings, "brain", testbench.Options{Length: 3 * time.Second}).Run(sc, 3)
		if err != nil {
			t.Fatal(err)
		}
		return r.FieldHash, r.Trajectory
	}
	autoField, autoWay := run(quality.Auto)
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
