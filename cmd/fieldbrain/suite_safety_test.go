package main

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/hat"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A ride is a brain on the bench with hooks around every tick. Without them it
// is what fieldbrain sim drives.
type ride struct {
	rig    *testbench.Rig
	mind   *mind
	silent bool // the loop hangs: no ticks
	armed  bool
	after  func(now time.Duration, t *brain.Trace)
}

// newRide builds a scenario of one seed with a body put between brain and
// driver; nil leaves the driver's own.
func newRide(t *testing.T, scenario string, seed uint64, wrap func(robot.Body) robot.Body) *ride {
	t.Helper()
	sc := loadScenario(t, scenario)
	rig, err := testbench.NewRig(sc, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	config := daemon.DefaultConfig()
	s := rig.Seat(testbench.DefaultPeriod)
	body := s.Body
	if wrap != nil {
		body = wrap(body)
	}
	m, err := newMind(config, seat{body: body, clock: s.Clock, seed: seed, driver: s.Params, task: taskOf(config, sc)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.engine.Close() })
	r := &ride{rig: rig, mind: m}
	rig.Drive(testbench.DefaultPeriod, r.tick)
	return r
}

func (r *ride) tick(now time.Duration) {
	if r.silent {
		return
	}
	t := r.mind.brain.Tick(now)
	if r.after != nil {
		r.after(now, t)
	}
	r.armed = r.armed || r.mind.brain.Arm() == nil
}

// speed returns the car's true speed.
func (r *ride) speed() (v float64) {
	r.rig.Truth(func(c *plant.Car, _ *world.World) { v = c.Speed })
	return v
}

// duty returns the larger of the two motors' duties on the board's pins.
func (r *ride) duty() (d float64) {
	r.rig.Board.Settle(func(_ time.Duration, out *hat.Outputs) { d = max(out.Duty[12], out.Duty[13]) })
	return d
}

// TestS1BusLost: when the bus fails, in whatever way, no motor is driven 150 ms
// later.
func TestS1BusLost(t *testing.T) {
	for _, name := range []string{"storm", "hungbus", "stuckbus", "hat-off", "brownout"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := loadScenario(t, name)
			from := time.Duration(sc.Faults[0].From * float64(time.Second))
			r := newRide(t, name, 2, nil)
			r.rig.AdvanceTo(from)
			if !r.armed {
				t.Fatal("never armed")
			}
			r.rig.AdvanceTo(from + 150*time.Millisecond)
			for end := from + 5*time.Second; r.rig.Elapsed() < end; r.rig.AdvanceTo(r.rig.Elapsed() + 10*time.Millisecond) {
				if d := r.duty(); d != 0 {
					t.Fatalf("a motor has duty %.2f %v after the bus failed", d, r.rig.Elapsed()-from)
				}
			}
		})
	}
}

// TestS1BrainLost: when no command comes any more, the driver's lease ends at
// 150 ms: from then on the speed falls, and 100 ms later the motors are dead.
func TestS1BrainLost(t *testing.T) {
	r := newRide(t, "room", 1, nil)
	r.rig.AdvanceTo(5 * time.Second)
	before := r.duty()
	if before == 0 || r.speed() < 0.1 {
		t.Fatalf("the car does not drive: duty %v", before)
	}
	r.silent = true
	lost := r.rig.Elapsed()
	const latest = 5 * time.Millisecond // a motor write
	r.rig.AdvanceTo(lost + 150*time.Millisecond + 2*latest)
	if d := r.duty(); d >= before {
		t.Errorf("duty %.3f 160 ms after the last command, %.3f before: the stop has not begun", d, before)
	}
	r.rig.AdvanceTo(lost + 250*time.Millisecond + 2*latest)
	if d := r.duty(); d != 0 {
		t.Errorf("duty %.3f 260 ms after the last command, want 0", d)
	}
	r.rig.AdvanceTo(lost + time.Second)
	if v := r.speed(); math.Abs(v) > 0.001 {
		t.Errorf("rolls at %.3f m/s a second after the last command", v)
	}
}

// TestS2FrozenSensor: a front sonar that repeats itself is flagged within a
// second of driving, R3 applies while it is, and it ends with the fault.
func TestS2FrozenSensor(t *testing.T) {
	sc := loadScenario(t, repeats)
	from := time.Duration(sc.Faults[0].From * float64(time.Second))
	until := time.Duration(sc.Faults[0].Until * float64(time.Second))
	creep := safety.Default().Range.Creep
	for seed := uint64(1); seed <= 3; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			var flagged, cleared time.Duration
			r := newRide(t, repeats, seed, nil)
			r.after = func(now time.Duration, tr *brain.Trace) {
				is := tr.Causes&safety.FrozenSensor != 0
				switch {
				case is && flagged == 0:
					flagged = now
				case !is && flagged != 0 && cleared == 0:
					cleared = now
				}
				if is && tr.Command.Speed > creep {
					t.Errorf("at %v: %.3f m/s with a frozen sensor, at most %.2f", now, tr.Command.Speed, creep)
				}
			}
			r.rig.AdvanceTo(until + 2*time.Second)
			if flagged < from || flagged > from+time.Second {
				t.Errorf("flagged at %v, the fault began at %v", flagged, from)
			}
			if cleared < until || cleared > until+time.Second {
				t.Errorf("cleared at %v, the fault ended at %v", cleared, until)
			}
		})
	}
}

// A spoiled body replaces what all sensors say in every seventh state: by the
// same impossible value, or by nothing.
type spoiled struct {
	robot.Body
	n       int
	value   float32
	nothing bool
}

// Sense implements robot.Body.
func (s *spoiled) Sense(st *robot.State) {
	s.Body.Sense(st)
	if s.n++; s.n%7 != 0 {
		return
	}
	for _, r := range readings(st) {
		if s.nothing {
			r.OK = false
		} else if r.OK {
			r.Value, r.At = s.value, st.Now
		}
	}
}

// readings lists every reading of a state that can be sensed.
func readings(st *robot.State) []*robot.Reading {
	list := []*robot.Reading{&st.Battery, &st.Target.Bearing, &st.Target.Elevation, &st.Target.Size, &st.Target.Confidence}
	for i := range st.Range {
		list = append(list, &st.Range[i])
	}
	for i := range st.Floor {
		list = append(list, &st.Floor[i])
	}
	return list
}

// TestS3ImpossibleFrames: a state full of NaN, infinities or values no sensor
// can give changes nothing but a counter. It is worth as much as a state
// without readings: every command and the field end up the same, bit for bit.
func TestS3ImpossibleFrames(t *testing.T) {
	drive := func(value float32, nothing bool) (commands []robot.Command, hash uint64, bad uint64) {
		r := newRide(t, "goal", 4, func(b robot.Body) robot.Body { return &spoiled{Body: b, value: value, nothing: nothing} })
		r.after = func(_ time.Duration, tr *brain.Trace) {
			if !tr.Command.Finite() {
				t.Fatalf("a command that is not finite: %+v", tr.Command)
			}
			c := tr.Command
			c.Data = 0 // when the oldest new reading was ready: spoiled instants are
			commands = append(commands, c)
		}
		r.rig.AdvanceTo(12 * time.Second)
		if !r.armed {
			t.Fatal("never armed")
		}
		return commands, field.Hash(r.mind.engine), r.mind.brain.Remote().Status().Safety.Stats.BadReadings
	}
	want, hash, none := drive(0, true)
	if none != 0 {
		t.Errorf("%d bad readings counted without any", none)
	}
	for name, value := range map[string]float32{
		"NaN": float32(math.NaN()), "+Inf": float32(math.Inf(1)), "-Inf": float32(math.Inf(-1)),
		"negative": -3, "huge": 1e9,
	} {
		t.Run(name, func(t *testing.T) {
			got, h, bad := drive(value, false)
			if bad == 0 {
				t.Error("no reading was counted as bad")
			}
			for i := range want {
				if diff := cmp.Diff(want[i], got[i]); diff != "" {
					t.Fatalf("tick %d differs from one without readings:\n%s", i, diff)
				}
			}
			if h != hash {
				t.Errorf("field %016x, want %016x", h, hash)
			}
		})
	}
}
