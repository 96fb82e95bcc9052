package picarx_test

import (
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

func TestRefresh(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.run(2 * time.Second)
	tests := []struct {
		prefix   string
		low, top int
	}{
		{"2C", 18, 22},
		{"2D", 18, 22}, // motors every 100 ms
		{"22", 3, 5},
		{"20", 3, 5},
		{"21", 3, 5}, // servos every 500 ms
		{"43 00 09", 1, 3},
		{"47 0F FF", 1, 3},
		{"40 01 5F", 1, 3},
		{"44 0F FF", 1, 3},
		{"17", 245, 252},
		{"16", 245, 252},
		{"15", 245, 252}, // sweep every 8 ms
		{"13", 1, 7},     // battery at 1 Hz once the median is full
	}
	for _, tt := range tests {
		if n := len(r.writes(tt.prefix)); n < tt.low || n > tt.top {
			t.Errorf("%d writes of %s in 2 s, want %d to %d", n, tt.prefix, tt.low, tt.top)
		}
	}
}

func TestZeroButtonHeals(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(500 * ms)
	want := r.hat.regs
	for i := range r.hat.regs {
		r.hat.regs[i] = 7
	}
	r.run(1100 * ms)
	for _, reg := range []byte{0x20, 0x21, 0x22, 0x2c, 0x2d, 0x40, 0x43, 0x44, 0x47} {
		if r.hat.regs[reg] != want[reg] {
			t.Errorf("register %#x is %d after the ZERO button, want %d again", reg, r.hat.regs[reg], want[reg])
		}
	}
}

func TestSweepAtFiveMilliseconds(t *testing.T) {
	r := newRig(t, func(p *picarx.Params) { p.SweepPeriod = 5 * ms })
	r.ready()
	swing := float32(0)
	r.brain = func(now time.Duration) (robot.Command, bool) {
		swing += 0.01
		return robot.Command{At: now, Speed: 0.3, Steering: swing - 0.4, Pan: swing, Enable: true}, true
	}
	r.run(400 * ms)
	if n := len(r.writes("15")); n < 76 {
		t.Errorf("%d sweeps in 400 ms beside moving servos, want about 80", n)
	}
	if n := len(r.writes("22")); n < 35 {
		t.Errorf("%d steering writes in 400 ms: a busy bus starves the wheels", n)
	}
}

// TestStopGoesFirst: from a stop's arrival to its first byte at most one
// transaction passes, whatever the bus is doing.
func TestStopGoesFirst(t *testing.T) {
	for offset := time.Duration(0); offset < 10*ms; offset += 130 * time.Microsecond {
		r := newRig(t, nil)
		r.ready()
		r.obey(forward)
		r.run(400*ms + offset)
		r.brain = nil
		stop := forward
		stop.At, stop.Brake = r.clock.Now(), true
		if err := r.car.Act(stop); err != nil {
			t.Fatal(err)
		}
		before := r.hat.txs
		r.log = nil
		for len(r.writes("2C 00 00", "2D 00 00")) < 1 {
			now := r.clock.Now()
			if next := r.car.Service(now); next > now {
				r.clock.SleepUntil(next)
			}
		}
		if n := r.hat.txs - before; n != 1 {
			t.Fatalf("offset %v: the stop was transaction %d after Act, want the first", offset, n)
		}
		r.run(100 * ms)
		if s := r.car.Stats(); s.Desyncs != 0 || s.Resets != 0 {
			t.Fatalf("offset %v: an interrupted conversion was read wrong: %+v", offset, s)
		}
		if f := r.sense().Floor[robot.FloorLeft]; f.Value != 1200.0/4095 {
			t.Fatalf("offset %v: floor %v after an interrupted conversion", offset, f.Value*4095)
		}
	}
}

func TestReadings(t *testing.T) {
	r := newRig(t, nil)
	r.hat.adc[4] = 3061
	r.ready()
	s := r.sense()
	for i, want := range []float32{1200.0 / 4095, 1300.0 / 4095, 1400.0 / 4095} {
		if f := s.Floor[i]; f.Value != want || !f.Fresh(s.Now, 20*ms) {
			t.Errorf("floor %d is %+v at %v, want %v and fresh", i, f, s.Now, want)
		}
	}
	if b := s.Battery; !b.OK || b.Value < 7.39 || b.Value > 7.41 {
		t.Errorf("battery %+v, want 7.40 V", b)
	}
	if s.Link != robot.LinkUp || s.Errors != 0 || s.Resets != 0 {
		t.Errorf("link %v, %d errors, %d resets on a sound bus", s.Link, s.Errors, s.Resets)
	}

	r = newRig(t, func(p *picarx.Params) { p.Cal.Floor.Swapped = true })
	r.ready()
	if got := r.sense().Floor[robot.FloorLeft].Value; got != 1400.0/4095 {
		t.Errorf("swapped floor sensors: left is %v, want A2's value", got*4095)
	}
}

func TestNoAllocations(t *testing.T) {
	r := newRig(t, nil)
	r.echo.edges = make([]picarx.Edge, 0, 64)
	r.echo.plan = func(fired time.Duration) { r.echo.pulse(fired, 3*ms) }
	r.ready()
	r.hat.quiet = true
	r.left.rig, r.right.rig, r.reset.rig = nil, nil, nil
	var s robot.State
	var buf [64]picarx.Response
	phase := float32(0)
	r.obey(forward)
	step := func() {
		now := r.clock.Now()
		r.car.Sense(&s)
		phase += 0.01
		cmd := robot.Command{At: now, SensedAt: now, Speed: 0.3 - phase, Steering: phase, Pan: phase, Enable: true}
		if phase > 0.6 {
			phase = 0
		}
		if err := r.car.Act(cmd); err != nil {
			t.Fatal(err)
		}
		for r.clock.Now() < now+5*ms {
			at := r.clock.Now()
			r.car.Ping(at)
			if next := r.car.Service(at); next > at {
				r.clock.SleepUntil(next)
			}
		}
		r.car.Responses(buf[:])
	}
	second := func() { // AllocsPerRun rounds down: rare ones must add up
		for range 200 {
			step()
		}
	}
	if n := testing.AllocsPerRun(10, second); n != 0 {
		t.Errorf("%v allocations per second of driving, want 0", n)
	}
	if st := r.car.Stats(); st.Sonar.Echoes == 0 || st.Errors != 0 {
		t.Errorf("the measured path was not the success path: %+v", st)
	}
}

func TestADCGap(t *testing.T) {
	r := newRig(t, func(p *picarx.Params) { p.ADCGap = 200 * us })
	var asked, early time.Duration
	r.hat.fault = func(w, _ []byte) error {
		switch start := r.clock.Now(); {
		case len(w) == 3 && w[0]&0xf8 == 0x10:
			asked = start
		case w == nil && asked != 0:
			if start-200*us-asked < 200*us { // the read itself takes 200 us
				early = start - asked
			}
			asked = 0
		}
		return nil
	}
	r.ready()
	if early != 0 {
		t.Errorf("first byte read %v after the command, want a gap of 200 us", early)
	}
	if f := r.sense().Floor[robot.FloorMiddle]; f.Value != 1300.0/4095 {
		t.Errorf("floor %v with a gap, want 1300 counts", f.Value*4095)
	}
}
