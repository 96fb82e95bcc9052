package picarx_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

const ms = time.Millisecond

// A clock is virtual time; sleeping moves it.
type clock struct {
	mu  sync.Mutex
	now time.Duration
}

func (c *clock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) SleepUntil(t time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = max(c.now, t)
}

// An event is one thing that happened on the wires.
type event struct {
	at   time.Duration
	what string
}

// A line is an output that keeps its level.
type line struct {
	mu   sync.Mutex
	rig  *rig
	name string
	high bool
	err  error
	then func(high bool)
}

func (l *line) Set(high bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if l.high != high && l.rig != nil {
		l.rig.note(fmt.Sprintf("%s %v", l.name, high))
	}
	l.high = high
	if l.then != nil {
		l.then(high)
	}
	return nil
}

func (l *line) level() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.high
}

// An echo is an input whose edges a test queues.
type echo struct {
	edges []picarx.Edge
	seq   uint32
	high  bool
	plan  func(fired time.Duration) // called at the end of a trigger pulse
	until time.Duration             // instant to which the line is high, on clock
	clock *clock                    // edges come when it says so; at once when nil
}

func (e *echo) Next(out *picarx.Edge) bool {
	if len(e.edges) == 0 || e.clock != nil && e.edges[0].At > e.clock.Now() {
		return false
	}
	*out = e.edges[0]
	copy(e.edges, e.edges[1:])
	e.edges = e.edges[:len(e.edges)-1]
	return true
}
func (e *echo) Wait(d time.Duration) { time.Sleep(d) }
func (e *echo) Level() (bool, error) {
	return e.high || e.clock != nil && e.clock.Now() < e.until, nil
}

func (e *echo) edge(at time.Duration, rising bool) {
	e.seq++
	e.edges = append(e.edges, picarx.Edge{At: at, Rising: rising, Seq: e.seq})
}

// pulse answers a ping with an echo of the given width.
func (e *echo) pulse(fired, width time.Duration) {
	e.edge(fired+450*time.Microsecond, true)
	e.edge(fired+450*time.Microsecond+width, false)
}

var errNack = fmt.Errorf("sysfs-i2c: %v", syscall.EREMOTEIO) // as periph words it

// An mcu is the HAT's controller as far as these tests need it: 100 kHz wire
// time, registers, a queue of ADC bytes, dead while its reset line is low.
type mcu struct {
	rig    *rig
	addr   uint16
	regs   [256]uint16
	queue  [2]byte
	queued int
	adc    [8]uint16
	boot   time.Duration // from the rising edge of reset to the first answer
	since  time.Duration // of that edge
	off    bool
	quiet  bool // keep no log, for allocation tests
	fault  func(w, r []byte) error
	txs    int
}

func (m *mcu) String() string                    { return "/dev/i2c-7" }
func (m *mcu) SetSpeed(f physic.Frequency) error { return errors.New("not supported") }

func (m *mcu) Tx(addr uint16, w, r []byte) error {
	m.txs++
	if (len(w) == 0) == (len(r) == 0) {
		panic("both or neither of w and r")
	}
	bits := 2 + 9*(1+len(w)+len(r))
	m.rig.clock.SleepUntil(m.rig.clock.Now() + time.Duration(bits)*10*time.Microsecond)
	if m.fault != nil {
		if err := m.fault(w, r); err != nil {
			return err
		}
	}
	now := m.rig.clock.Now()
	if m.off || addr != m.addr || !m.rig.reset.high || now < m.since+m.boot {
		return errNack
	}
	if len(r) == 1 {
		r[0] = 0
		if m.queued > 0 {
			r[0] = m.queue[2-m.queued]
			m.queued--
		}
		return nil
	}
	if !m.quiet {
		m.rig.note(fmt.Sprintf("% X", w))
	}
	if len(w) != 3 {
		return errNack
	}
	if w[0]&0xf8 == 0x10 {
		v := m.adc[7-w[0]&7]
		m.queue, m.queued = [2]byte{byte(v >> 8), byte(v)}, 2
		return nil
	}
	m.regs[w[0]] = uint16(w[1])<<8 | uint16(w[2])
	return nil
}

// A rig is a car on fake wires in virtual time.
type rig struct {
	t      testing.TB
	clock  clock
	hat    mcu
	reset  line
	left   line
	right  line
	trig   line
	echo   echo
	car    *picarx.Car
	mu     sync.Mutex
	log    []event
	brain  func(now time.Duration) (robot.Command, bool) // asked every 5 ms
	think  time.Duration
	period time.Duration // of the brain
	ping   time.Duration
}

func (r *rig) note(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, event{r.clock.Now(), what})
}

func (r *rig) wire() picarx.Wire {
	return picarx.Wire{
		Bus: &r.hat, Reset: &r.reset, LeftDir: &r.left, RightDir: &r.right, Clock: &r.clock,
		Sonars: []picarx.SonarWire{{Sector: robot.Front, Trigger: &r.trig, Echo: &r.echo}},
	}
}

func newRig(t testing.TB, change func(*picarx.Params)) *rig {
	t.Helper()
	r := &rig{t: t, period: 5 * ms}
	// 7.55 V: the duty is the nominal one at rest, where a pack gives more, and driven.
	r.hat = mcu{rig: r, addr: 0x14, boot: 100 * ms, adc: [8]uint16{0: 1200, 1: 1300, 2: 1400, 4: 3123}}
	r.reset = line{rig: r, name: "reset"}
	r.reset.then = func(high bool) {
		if high {
			r.hat.since = r.clock.Now()
		} else {
			r.hat.regs, r.hat.queued = [256]uint16{}, 0
		}
	}
	r.left, r.right = line{rig: r, name: "left"}, line{rig: r, name: "right"}
	r.trig.then = func(high bool) {
		if !high && r.echo.plan != nil {
			r.echo.plan(r.clock.Now())
		}
	}
	p := picarx.Default()
	if change != nil {
		change(&p)
	}
	car, err := picarx.New(r.wire(), p)
	if err != nil {
		t.Fatal(err)
	}
	r.car = car
	return r
}

// run steps the car for d of virtual time.
func (r *rig) run(d time.Duration) {
	r.t.Helper()
	end := r.clock.Now() + d
	for calls := 0; ; calls++ {
		if calls > 10_000_000 {
			r.t.Fatal("the car never waits")
		}
		now := r.clock.Now()
		if now >= end {
			return
		}
		if r.brain != nil && now >= r.think {
			r.think += r.period
			if r.think <= now {
				r.think = now + r.period
			}
			if cmd, ok := r.brain(now); ok {
				if err := r.car.Act(cmd); err != nil {
					r.t.Fatal(err)
				}
			}
		}
		if now >= r.ping {
			r.ping = r.car.Ping(now)
		}
		next := r.car.Service(now)
		if next > now {
			next = min(next, r.ping, end)
			if r.brain != nil {
				next = min(next, r.think)
			}
			r.clock.SleepUntil(next)
		}
	}
}

// ready brings the car up and forgets the log.
func (r *rig) ready() {
	r.t.Helper()
	r.run(400 * ms)
	if got := r.car.Stats().Phase; got != "ready" {
		r.t.Fatalf("phase %q after 400 ms, want ready: %v", got, r.car.Stats().LastError)
	}
	r.log = nil
}

// obey makes the brain repeat one command, decided anew each time.
func (r *rig) obey(cmd robot.Command) {
	r.think = 0
	r.brain = func(now time.Duration) (robot.Command, bool) {
		cmd.At = now
		return cmd, true
	}
}

func (r *rig) sense() robot.State {
	var s robot.State
	r.car.Sense(&s)
	return s
}

// duties returns the compare values of the left and the right motor.
func (r *rig) duties() (left, right uint16) { return r.hat.regs[0x2d], r.hat.regs[0x2c] }

// writes returns the log's entries that begin with one of the prefixes.
func (r *rig) writes(prefixes ...string) []event {
	var out []event
	for _, e := range r.log {
		for _, p := range prefixes {
			if bytes.HasPrefix([]byte(e.what), []byte(p)) {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// whats drops the times.
func whats(events []event) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.what
	}
	return out
}
