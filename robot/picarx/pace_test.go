package picarx_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// us100 is how long the fake controller's 3-byte write and 1-byte read take.
const (
	us100Write = 380 * us
	us100Read  = 200 * us
)

// pacedRig drives with a brain on the grid that the driver knows; every command
// changes motors and steering and rests on the oldest new floor reading.
func pacedRig(t testing.TB, period time.Duration) *rig {
	t.Helper()
	r := newRig(t, nil)
	r.ready()
	r.think = r.clock.Now()
	r.period = period
	r.car.Pace(r.think, period)
	swing, seen := float32(0), time.Duration(0)
	r.brain = func(now time.Duration) (robot.Command, bool) {
		if swing += 0.01; swing > 0.8 {
			swing = 0
		}
		c := robot.Command{At: now, Speed: 0.3, Steering: swing - 0.4, Enable: true}
		newest := seen
		for _, f := range r.sense().Floor {
			if f.At > seen && (c.SensedAt == 0 || f.At < c.SensedAt) {
				c.SensedAt = f.At
			}
			newest = max(newest, f.At)
		}
		seen = newest
		return c, true
	}
	r.run(100 * ms)
	r.car.Responses(make([]picarx.Response, 1024))
	r.log = nil
	return r
}

// TestPacedResponse: on a paced bus every response lies within the guard and the
// look of its floor, and its stamps are those of the wire.
func TestPacedResponse(t *testing.T) {
	r := pacedRig(t, 5*ms)
	r.run(time.Second)
	buf := make([]picarx.Response, 1024)
	n := r.car.Responses(buf)
	if n < 400 {
		t.Fatalf("%d responses in a second of steering", n)
	}
	least := picarx.LeastResponse(us100Write, us100Read, 0)
	registers := [...]string{picarx.LeftMotor: "2D", picarx.RightMotor: "2C", picarx.Steering: "22"}
	written := map[time.Duration]string{}
	for _, e := range r.log {
		written[e.at] = e.what
	}
	for _, x := range buf[:n] {
		if took := x.Took(); took < least[picarx.LeftMotor] || took > least[x.Actuator]+150*us {
			t.Errorf("%v after %v, floor %v", x.Actuator, took, least[x.Actuator])
		}
		if !strings.HasPrefix(written[x.Written], registers[x.Actuator]) {
			t.Errorf("%v stamped %v, where the wire carried %q", x.Actuator, x.Written, written[x.Written])
		}
		if early := x.Decided - x.Ready; early < 2*(us100Write+2*us100Read) || early > 2*ms {
			t.Errorf("first reading %v before its command", early)
		}
	}
}

// TestPacedGaps: beside the sweeps everything else finds its time, and no duty
// waits for the timer's period or goes out without it.
func TestPacedGaps(t *testing.T) {
	r := pacedRig(t, 5*ms)
	command := r.brain
	pan := float32(0)
	r.brain = func(now time.Duration) (robot.Command, bool) {
		c, ok := command(now)
		pan += 0.005
		c.Pan = pan - 0.6
		return c, ok
	}
	r.run(2 * time.Second)
	for _, tt := range []struct {
		prefix   string
		low, top int
	}{
		{"15", 240, 400}, // a sweep at least before two releases in three, mostly
		{"22", 390, 401}, // the steering moves every time
		{"2D", 380, 410},
		{"20", 60, 101}, // the camera once in a servo's frame, at most 20 ms
		{"47 0F FF", 100, 250},
		{"40 01 5F", 1, 3},
		{"13", 1, 7},
	} {
		if n := len(r.writes(tt.prefix)); n < tt.low || n > tt.top {
			t.Errorf("%d writes of %s in 2 s, want %d to %d", n, tt.prefix, tt.low, tt.top)
		}
	}
	period, swept := time.Duration(0), time.Duration(0)
	for i, e := range r.log {
		switch {
		case strings.HasPrefix(e.what, "47"):
			period = e.at
			if i+1 < len(r.log) && strings.HasPrefix(r.log[i+1].what, "2D") && r.log[i+1].at-e.at < us100Write+look {
				t.Errorf("at %v the left motor waited for the timer's period", e.at)
			}
		case strings.HasPrefix(e.what, "2"):
			if period != 0 && e.at-period > 21*ms {
				t.Errorf("at %v a duty went out with a period %v old", e.at, e.at-period)
			}
		case strings.HasPrefix(e.what, "15"):
			if swept != 0 && e.at-swept > 10*ms+us {
				t.Errorf("at %v %v between two sweeps", e.at, e.at-swept)
			}
			swept = e.at
		}
	}
}

const look = 50 * us

// TestPacedStopGoesFirst: a stop that comes at any phase waits for one
// transaction at most, and a brain that has died leaves the motors at zero.
func TestPacedStopGoesFirst(t *testing.T) {
	for offset := time.Duration(0); offset < 5*ms; offset += 130 * us {
		r := pacedRig(t, 5*ms)
		r.run(100*ms + offset)
		r.brain = nil
		stop := forward
		stop.At, stop.Brake = r.clock.Now(), true
		if err := r.car.Act(stop); err != nil {
			t.Fatal(err)
		}
		r.log = nil
		at := r.clock.Now()
		for len(r.writes("2C 00 00", "2D 00 00")) < 2 {
			now := r.clock.Now()
			if next := r.car.Service(now); next > now {
				r.clock.SleepUntil(next)
			}
		}
		if took := r.clock.Now() - at; took != 2*us100Write {
			t.Fatalf("offset %v: both zeros after %v, want two writes", offset, took)
		}
	}
	r := pacedRig(t, 5*ms)
	r.brain = nil
	r.run(300 * ms)
	if left, right := r.duties(); left != 0 || right != 0 {
		t.Errorf("duties %d %d after 300 ms of silence", left, right)
	}
}

// TestPacedPeriods: the shortest and the longest period of the loop, too, have
// fresh floor readings and every command on the wheels.
func TestPacedPeriods(t *testing.T) {
	for _, tt := range []struct {
		period time.Duration
		age    time.Duration // of the oldest floor reading, at most
	}{{2500 * us, 15 * ms}, {4 * ms, 13 * ms}, {10 * ms, 13 * ms}, {40 * ms, 43 * ms}} {
		r := pacedRig(t, tt.period)
		command := r.brain
		r.brain = func(now time.Duration) (robot.Command, bool) {
			for i, f := range r.sense().Floor {
				if age := now - f.At; age > tt.age {
					t.Errorf("period %v: floor %d is %v old at %v", tt.period, i, age, now)
				}
			}
			return command(now)
		}
		r.run(time.Second)
		if n, want := len(r.writes("22")), int(time.Second/tt.period); n < want*9/10 {
			t.Errorf("period %v: %d of %d commands reached the steering", tt.period, n, want)
		}
		if st := r.car.Stats(); st.Errors != 0 || st.Desyncs != 0 {
			t.Errorf("period %v: %+v", tt.period, st)
		}
	}
}

// TestAim: echoes of a thing that comes nearer arrive within the sweep before a
// release, and pings are never closer than their period.
func TestAim(t *testing.T) {
	r := newRig(t, nil)
	width := 9 * ms
	var falls, fires []time.Duration
	r.echo.clock = &r.clock
	r.echo.plan = func(fired time.Duration) {
		width -= 80 * us // 14 mm a ping: 0.35 m/s
		r.echo.pulse(fired, width)
		fires, falls = append(fires, fired), append(falls, fired+450*us+width)
	}
	r.ready()
	first := r.clock.Now() + 1234*us
	r.think, r.period = first, 5*ms
	r.car.Pace(first, 5*ms)
	r.obey(forward)
	r.think = first
	r.run(100 * ms)
	known := len(falls)
	r.run(3 * time.Second)
	if len(falls)-known < 60 {
		t.Fatalf("%d pings in 3 s", len(falls)-known)
	}
	for i := known; i < len(falls); i++ {
		if before := 5*ms - (falls[i]-first)%(5*ms); before < 100*us || before > 2500*us {
			t.Errorf("echo %d falls %v before the next release", i, before)
		}
		if gap := fires[i] - fires[i-1]; gap < 40*ms-us100Write || gap > 46*ms { // the rig calls Ping between two transactions
			t.Errorf("%v between two pings", gap)
		}
	}
}

// TestAimAlongAWall: while the car turns past a wall the flight changes by more than any
// motion towards a thing explains, ping after ping alike; all but the echoes after the
// ends of the wall come within the sweep.
func TestAimAlongAWall(t *testing.T) {
	r := newRig(t, nil)
	width, step := 4*ms, 1500*us
	var falls []time.Duration
	r.echo.clock = &r.clock
	r.echo.plan = func(fired time.Duration) {
		if width += step; width < 3*ms || width > 21*ms {
			step = -step
			width += 2 * step
		}
		r.echo.pulse(fired, width)
		falls = append(falls, fired+450*us+width)
	}
	r.ready()
	first := r.clock.Now() + 1234*us
	r.think, r.period = first, 5*ms
	r.car.Pace(first, 5*ms)
	r.obey(forward)
	r.think = first
	r.run(100 * ms)
	falls = falls[:0]
	r.run(6 * time.Second)
	within := 0
	for _, fall := range falls {
		if before := 5*ms - (fall-first)%(5*ms); before >= 100*us && before <= 2500*us {
			within++
		}
	}
	if len(falls) < 120 || 10*within < 7*len(falls) {
		t.Errorf("%d of %d echoes come within a sweep, want seven of ten", within, len(falls))
	}
}

// TestPacedNoAllocations repeats TestNoAllocations on a paced bus.
func TestPacedNoAllocations(t *testing.T) {
	r := pacedRig(t, 5*ms)
	r.hat.quiet = true
	r.left.rig, r.right.rig, r.reset.rig = nil, nil, nil
	var buf [64]picarx.Response
	second := func() {
		for range 200 {
			r.run(5 * ms)
			r.car.Responses(buf[:])
		}
	}
	if n := testing.AllocsPerRun(5, second); n != 0 {
		t.Errorf("%v allocations per second of driving, want 0", n)
	}
}
