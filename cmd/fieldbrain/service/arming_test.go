package service

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/cmd/fieldbrain/car/cartest"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/loop"
	"fieldbrain/robot/safety"
)

// An armingRig is a service of run --arm on the bench, in a bubble: its clock stands while
// anybody computes, so that no machine is too slow for it.
type armingRig struct {
	t    *testing.T
	s    *Service
	log  bytes.Buffer
	err  chan error // of armWhenReady
	mu   sync.Mutex
	deed func() // of the loop's thread, before its next tick

	last loop.Condition // disarmed, at the last want
}

// tickEvery is the period of its loop: few ticks, and no gap that counts as a pause.
const tickEvery = 20 * time.Millisecond

// newArmingRig returns one whose loop runs until the test ends.
func newArmingRig(t *testing.T, body string) *armingRig {
	settings := config.Default()
	settings.Loop.Period, settings.Body.Kind = config.Duration(tickEvery), body
	m, bench := cartest.NewMind(t, settings, "room", 7, nil)
	r := &armingRig{t: t, err: make(chan error, 1)}
	r.s = &Service{
		settings: settings, car: &car.Car{Mind: m}, turn: make(chan struct{}, 1),
		conditions: loop.NewConditions(time.Now, nil), without: Collector,
	}
	r.s.log = &daemon.Log{Logger: zerolog.New(zerolog.SyncWriter(&r.log))}
	bench.Drive(tickEvery, func(now time.Duration) {
		r.mu.Lock()
		deed := r.deed
		r.deed = nil
		r.mu.Unlock()
		if deed != nil {
			deed()
		}
		m.Brain.Tick(now)
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for passed := time.Duration(0); ctx.Err() == nil; {
			passed += tickEvery
			bench.AdvanceTo(passed)
			time.Sleep(tickEvery)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return r
}

// owe does what Serve does with --arm before anything runs.
func (r *armingRig) owe() { r.s.arming.begin(r.s.settings.Body.Kind == "sim") }

// look starts the goroutine of --arm.
func (r *armingRig) look() {
	ctx, cancel := context.WithCancel(r.t.Context())
	go func() { r.err <- r.s.armWhenReady(ctx) }()
	r.t.Cleanup(cancel)
}

// begin does both.
func (r *armingRig) begin() {
	r.owe()
	r.look()
}

// do lets the loop's thread do something before a tick, and waits until that shows.
func (r *armingRig) do(deed func()) {
	r.mu.Lock()
	r.deed = deed
	r.mu.Unlock()
	time.Sleep(4 * tickEvery)
}

// trip disarms the car as a fault does that is over in the tick behind it.
func (r *armingRig) trip(why safety.Causes) { r.do(func() { r.s.car.Brain.Trip(why) }) }

// pause disarms the car as a pause of the machine does, and lets it be armed again.
func (r *armingRig) pause() {
	r.t.Helper()
	r.want("before the pause", true, false)
	r.trip(safety.Paused)
	time.Sleep(ready)
}

// strain keeps the car from arming, and would not disarm it.
func (r *armingRig) strain(on bool) { r.do(func() { r.s.car.Brain.Strained(on) }) }

// said wants words so often in the log.
func (r *armingRig) said(words string, want int) {
	r.t.Helper()
	if got := strings.Count(r.log.String(), words); got != want {
		r.t.Errorf("%q is in the log %d times, want %d:\n%s", words, got, want, &r.log)
	}
}

// say gives a person's order, which has to be carried out.
func (r *armingRig) say(command string) {
	r.t.Helper()
	if a := r.s.handle(r.t.Context(), daemon.Request{Command: command}); !a.OK {
		r.t.Errorf("%s: %s", command, a.Error)
	}
	time.Sleep(4 * tickEvery)
}

// want compares how the car stands, and whether the condition disarmed says so.
func (r *armingRig) want(when string, armed, shown bool) {
	r.t.Helper()
	status := r.s.car.Brain.Remote().Status().Safety
	c, show := r.s.disarmed(status, nil)
	if r.last = c; status.Armed != armed || show != shown {
		r.t.Errorf("%s: armed %v, want %v; condition %v, want %v (%+v)\n%s", when, status.Armed, armed, show, shown, c, &r.log)
	}
}

// ended wants that armWhenReady has ended, with no error unless it has words.
func (r *armingRig) ended(words string) {
	r.t.Helper()
	select {
	case err := <-r.err:
		if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
			r.t.Errorf("it ended with %v, want %q", err, words)
		}
	default:
		r.t.Error("it waits on")
	}
}

// ready is how long the bench's car takes until it can be armed, and to spare.
const ready = 3 * time.Second

// TestArmOnce: run --arm arms a real car once, whoever was faster in saying so. From there on
// a person arms it, and nobody ends a daemon for that.
func TestArmOnce(t *testing.T) {
	for _, k := range []struct {
		name  string
		do    func(r *armingRig)
		armed bool // at the end
		shown bool // the condition disarmed
		long  time.Duration
		error string
	}{
		{"the car becomes ready", func(r *armingRig) { r.begin() }, true, false, 0, ""},
		{"a fault behind that", func(r *armingRig) {
			r.begin()
			time.Sleep(ready)
			r.want("ready", true, false)
			r.trip(safety.LinkDown)
		}, false, true, 0, ""},
		{"a person is faster", func(r *armingRig) {
			time.Sleep(ready)
			r.begin()
			r.say("arm")
			r.want("by a person", true, false)
			r.trip(safety.Unguarded)
		}, false, true, armPatience, ""},
		{"a person is faster, and a fault is before any look", func(r *armingRig) {
			time.Sleep(ready)
			r.owe()
			r.say("arm")
			r.trip(safety.Paused)
			r.look()
		}, false, true, 0, ""},
		{"a person disarms an unready car", func(r *armingRig) {
			r.begin()
			r.say("disarm")
		}, false, false, 0, ""},
		{"a person disarms before anything looks", func(r *armingRig) {
			r.owe()
			r.say("disarm")
			r.look()
		}, false, false, 0, ""},
		{"a person arms and disarms", func(r *armingRig) {
			time.Sleep(ready)
			r.begin()
			r.say("arm")
			r.say("disarm")
		}, false, false, 0, ""},
		{"a stop of an unready car, and its reset", func(r *armingRig) {
			r.begin()
			r.say("estop")
			time.Sleep(armPatience + ready)
			r.say("reset")
		}, false, false, 0, ""},
		{"a latch that no person asked for, and its reset", func(r *armingRig) {
			r.begin()
			r.trip(safety.CommandInvalid)
			time.Sleep(ready)
			r.say("reset")
		}, false, false, 0, ""},
		{"it does not become ready", func(r *armingRig) {
			r.do(func() { r.s.car.Brain.Guarded(false) })
			r.begin()
		}, false, false, armPatience, "not ready within 15s"},
	} {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newArmingRig(t, "picarx")
				k.do(r)
				time.Sleep(k.long + ready)
				r.want("at the end", k.armed, k.shown)
				r.ended(k.error)
			})
		})
	}
}

// TestArmAgain: the simulated car is armed again after a pause alone, unless the newest word
// of a person is disarm or stop. Where it stands for longer the condition disarmed says so.
func TestArmAgain(t *testing.T) {
	for _, k := range []struct {
		name string
		do   func(r *armingRig)
	}{
		{"a pause", func(r *armingRig) {
			r.pause()
			r.want("behind it", true, false)
		}},
		{"a fault, a person's arm, a pause", func(r *armingRig) {
			r.trip(safety.LinkDown)
			time.Sleep(ready)
			r.want("a link that goes down alone", false, true)
			r.said("stays so", 1)
			r.say("arm")
			time.Sleep(ready)
			r.pause()
			r.want("after the pause", true, false)
			r.said("is armed again", 1)
		}},
		{"disarm, arm, a pause", func(r *armingRig) {
			r.say("disarm")
			time.Sleep(ready)
			r.want("disarmed", false, false)
			r.say("arm")
			r.pause()
			r.want("after the pause", true, false)
		}},
		{"a stop, its reset, an arm, a pause", func(r *armingRig) {
			r.say("estop")
			time.Sleep(ready)
			r.say("reset")
			time.Sleep(ready)
			r.want("reset", false, false)
			r.say("arm")
			r.pause()
			r.want("after the pause", true, false)
		}},
		{"a pause, and something stands against arming", func(r *armingRig) {
			r.strain(true)
			r.trip(safety.Paused)
			time.Sleep(time.Second)
			r.want("not for long", false, false)
			time.Sleep(ready)
			r.want("for long", false, true)
			if !strings.Contains(r.last.Cause, "(overrun)") || !strings.Contains(r.last.Remedy, daemon.Remedies(safety.Overrun)) {
				r.t.Errorf("%+v: want what stands against arming", r.last)
			}
			r.strain(false)
			time.Sleep(time.Second)
			r.want("over", true, false)
		}},
		{"the same, and a person disarms", func(r *armingRig) {
			r.strain(true)
			r.pause()
			r.say("disarm")
			r.strain(false)
			time.Sleep(ready)
			r.want("it stays so, and says why it stands", false, true)
		}},
		{"a pause, and a fault before it is armed again", func(r *armingRig) {
			r.do(func() { r.s.car.Brain.Guarded(false); r.s.car.Brain.Trip(safety.Paused) })
			time.Sleep(ready)
			r.do(func() { r.s.car.Brain.Guarded(true) })
			time.Sleep(ready)
			r.want("a person has to look", false, true)
			r.said("stays so", 1)
			r.say("arm")
			r.pause()
			r.want("armed by a person, after a pause", true, false)
		}},
		{"a latch behind a pause, and its reset", func(r *armingRig) {
			r.strain(true)
			r.pause()
			r.trip(safety.CommandInvalid)
			r.strain(false)
			time.Sleep(ready)
			r.say("reset")
			time.Sleep(ready)
			r.want("reset", false, true)
		}},
	} {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newArmingRig(t, "sim")
				r.begin()
				time.Sleep(ready)
				r.want("at first", true, false)
				k.do(r)
				if len(r.err) > 0 {
					t.Errorf("nobody looks any more: %v", <-r.err)
				}
			})
		})
	}
}

// TestPersonArmsTheSimulatedCar: that a person was faster than --arm changes nothing of what
// follows, and ends no daemon once a car would have had to become ready.
func TestPersonArmsTheSimulatedCar(t *testing.T) {
	for why, again := range map[safety.Causes]bool{safety.LinkDown: false, safety.Paused: true} {
		synctest.Test(t, func(t *testing.T) {
			r := newArmingRig(t, "sim")
			time.Sleep(ready)
			r.begin()
			r.say("arm")
			time.Sleep(time.Second)
			r.trip(why)
			time.Sleep(armPatience + ready)
			r.want(why.String(), again, !again)
			r.said("as asked for by --arm", 0)
			if len(r.err) > 0 {
				t.Errorf("%v: nobody looks any more: %v", why, <-r.err)
			}
		})
	}
}

func TestResumes(t *testing.T) {
	for _, c := range []struct {
		why     string
		tripped safety.Causes
		want    bool
	}{
		{"the machine paused", safety.Paused, true},
		{"the pause stopped the simulated HAT's driver too", safety.Paused | safety.LinkDown, true},
		{"commands grew old in a long pause", safety.Paused | safety.CommandLost, true},
		{"the brain stopped deciding", safety.CommandLost, false},
		{"the scenario's HAT was off, or its bus hung", safety.LinkDown, false},
		{"a busy computer did not run the driver", safety.LinkLate, true},
		{"a person stopped the car", safety.EStop, false},
		{"a stop during a pause is a stop", safety.Paused | safety.EStop, false},
		{"an empty battery stays empty", safety.BatteryEmpty, false},
		{"no cause known", 0, false},
	} {
		if got := resumes(c.tripped); got != c.want {
			t.Errorf("%s (%v): resumes %v, want %v", c.why, c.tripped, got, c.want)
		}
	}
}
