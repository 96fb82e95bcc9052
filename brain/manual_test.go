package brain_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/tier"
)

// word is how often a source speaks.
const word = 50 * time.Millisecond

// person has a person drive for so many seconds.
func (d *trip) person(throttle, steering float32, seconds float64) {
	for range int(seconds/word.Seconds() + 0.5) {
		d.say(throttle, steering)
		d.wait(word.Seconds())
	}
}

// say says one word.
func (d *trip) say(throttle, steering float32) {
	d.brain.Remote().Steer(brain.ManualInput{Driver: brain.DriverPerson, Throttle: throttle, Steering: steering, Source: brain.Source{'p', 'a', 'd'}})
}

// standing is the speed in m/s below which a car counts as standing: its motors are
// dead, and it rolls 2 mm on.
const standing = 0.02

// TestDeadman: half a second after a source's last word the car stands, at full
// throttle too, and says so; it stays until somebody drives or orders something.
func TestDeadman(t *testing.T) {
	tier.Compiled(t, "drives of some seconds")
	for seed := range uint64(tier.Count(t, "seeds", 2, 4, 8)) {
		d := newTrip(t, empty, seed+1)
		d.arm()
		for _, cut := range []bool{true, false} {
			d.person(1, 0.1, 1)
			if _, _, v := d.truth(); v < 0.15 {
				t.Fatalf("seed %d: driven at %.3f m/s before the silence", seed, v)
			}
			if cut {
				d.brain.Remote().Steer(brain.ManualInput{Driver: brain.DriverLost})
			}
			d.wait(0.5 - word.Seconds()) // the last word was one word ago
			x, y, v := d.truth()
			if math.Abs(v) > standing || d.brain.DriverState().Driver != brain.DriverLost {
				t.Errorf("seed %d, cut %t: %.3f m/s and %v half a second after the last word", seed, cut, v, d.brain.DriverState().Driver)
			}
			d.wait(2)
			if a, b, _ := d.truth(); math.Hypot(a-x, b-y) > 0.01 {
				t.Errorf("seed %d: went %.3f m on with nobody at the wheel", seed, math.Hypot(a-x, b-y))
			}
		}
		if err := d.brain.Go(brain.Order{Do: brain.DoExplore}); err != nil {
			t.Fatal(err)
		}
		d.wait(3)
		if _, _, v := d.truth(); v < 0.05 || d.brain.DriverState().Driver != brain.DriverBrain {
			t.Errorf("seed %d: %.3f m/s, %v after an order", seed, v, d.brain.DriverState().Driver)
		}
	}
}

// TestHandOver: neither command jumps when the wheel changes hands, whatever the person
// wants: speed within slew and jerk, steering within its rate, and where a hand has just
// come within the slower one.
func TestHandOver(t *testing.T) {
	tier.Compiled(t, "drives of some seconds")
	const dt = 0.005
	for seed := range uint64(tier.Count(t, "seeds", 2, 4, 8)) {
		d := newTrip(t, empty, seed+1)
		d.arm()
		var was brain.Status
		var speed, steering float64
		since := 1.0 // s
		begun := false
		look := func() {
			s := d.brain.Remote().Status()
			c := s.Trace.Command
			if begun && s.Driver.Driver != was.Driver.Driver {
				since = 0
			}
			if free := s.Safety.Level < safety.Limited && was.Safety.Level < safety.Limited; begun && free {
				if step := math.Abs(float64(c.Speed) - speed); step > 1.2*dt+1e-6 {
					t.Errorf("seed %d: speed jumps by %.4f m/s at %v", seed, step, s.Trace.Now)
				}
				rate := 400.0
				if since < 0.5 {
					rate = 90
				}
				if step := math.Abs(float64(c.Steering)-steering) * 180 / math.Pi; step > rate*dt+1e-4 {
					t.Errorf("seed %d: steering jumps by %.2f deg at %v, %.3f s after %v", seed, step, s.Trace.Now, since, s.Driver.Driver)
				}
			}
			speed, steering, was, begun = float64(c.Speed), float64(c.Steering), s, true
			since += dt
		}
		d.after(look)
		d.wait(2) // the brain drives
		for range 2 {
			d.person(1, -1, 0.6)
			d.person(-1, 1, 0.6)
			d.brain.Remote().Steer(brain.ManualInput{Driver: brain.DriverBrain})
			d.wait(1.5)
			if h := d.brain.DriverState().Driver; h != brain.DriverBrain {
				t.Fatalf("seed %d: %v drives after the release", seed, h)
			}
		}
		if _, _, v := d.truth(); math.Abs(v) < 0.02 {
			t.Errorf("seed %d: the brain does not drive on: %.3f m/s", seed, v)
		}
	}
}

// TestStopBeatsPeople: an emergency stop ends a manual drive, whatever the person goes on
// saying, until it is reset and armed; then the words count again.
func TestStopBeatsPeople(t *testing.T) {
	tier.Compiled(t, "a drive of some seconds")
	d := newTrip(t, empty, 3)
	d.arm()
	d.person(1, 0, 1)
	d.brain.Remote().Stop()
	d.person(1, 0, 1)
	if _, _, v := d.truth(); math.Abs(v) > standing || !d.brain.Safety().Causes.Has(safety.EStop) {
		t.Errorf("%.3f m/s, %v a second after the stop", v, d.brain.Safety().Causes)
	}
	x, y, _ := d.truth()
	d.person(1, 0.5, 2)
	if a, b, _ := d.truth(); math.Hypot(a-x, b-y) > 0.005 {
		t.Errorf("went %.3f m on", math.Hypot(a-x, b-y))
	}
}

// TestWordsAreCheap: a tick that takes a word allocates nothing, and says who spoke.
func TestWordsAreCheap(t *testing.T) {
	tier.Compiled(t, "ticks of a field")
	body, e := newStill(), engine(t, 0)
	body.see(robot.Front, 1.5)
	b := drive(t, body, e, 30)
	n := testing.AllocsPerRun(50, func() {
		body.now += 5 * time.Millisecond
		b.Remote().Steer(brain.ManualInput{Driver: brain.DriverPerson, Throttle: 0.3, Steering: 2, Source: brain.Source{'k'}})
		b.Tick(body.now)
	})
	if h := b.DriverState(); n != 0 || h.Source.String() != "k" || h.Steering != 1 || b.Mode() != brain.Driven {
		t.Errorf("%v allocations, %+v, mode %v", n, h, b.Mode())
	}
	b.Remote().Steer(brain.ManualInput{Driver: brain.DriverPerson, Throttle: float32(math.NaN()), Source: brain.Source{'k'}})
	body.now += 5 * time.Millisecond
	if b.Tick(body.now); b.DriverState().Throttle != 0 {
		t.Errorf("no number counts as %v", b.DriverState().Throttle)
	}
}

// TestParseSource: what would break a line of a log or a status is no name.
func TestParseSource(t *testing.T) {
	for _, name := range []string{"", "seventeen-letters", "a b", "a\n", "\x1b[2J", "\u00e9"} {
		if s, err := brain.ParseSource(name); err == nil {
			t.Errorf("%q is taken as %q", name, s)
		}
	}
	if s, err := brain.ParseSource("sixteen-letters."); err != nil || s.String() != "sixteen-letters." {
		t.Errorf("%q, %v", s, err)
	}
}
