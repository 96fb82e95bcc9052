package brain_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/tier"
)

// still is a body that stands where its ranges say, for ever.
type still struct {
	now   time.Duration
	state robot.State
	last  robot.Command
	fresh bool // odometry is stamped anew as well
}

func (b *still) Sense(s *robot.State) {
	*s = b.state
	s.Now = b.now
	for i := range s.Range {
		s.Range[i].At = b.now
	}
	for i := range s.Floor {
		s.Floor[i].At = b.now
	}
	s.Battery.At = b.now
	if b.fresh {
		s.Speed.At, s.Yaw.At = b.now, b.now
	}
}
func (b *still) Act(c robot.Command) error  { b.last = c; return nil }
func (b *still) Halt() error                { return nil }
func (b *still) Now() time.Duration         { return b.now }
func (b *still) SleepUntil(t time.Duration) { b.now = t }

// see puts an obstacle at a range into a sector.
func (b *still) see(sector int, metres float32) {
	b.state.Range[sector] = robot.Reading{Value: metres, OK: true}
}

func newStill() *still {
	b := &still{now: time.Second}
	for i := range b.state.Floor {
		b.state.Floor[i] = robot.Reading{Value: 0.3, OK: true}
	}
	b.state.Battery = robot.Reading{Value: 7.6, OK: true}
	return b
}

// drive runs n ticks of a brain on the body, armed as soon as it may be.
func drive(t *testing.T, body *still, engine field.Engine, n int) *brain.Brain {
	t.Helper()
	p := brain.Default()
	b, err := brain.New(body, engine, body, p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		body.now += p.Period
		// A new reading differs from the last one as a sensor's does.
		for s := range body.state.Range {
			body.state.Range[s].Value += float32(i%3-1) * 0.001
		}
		b.Tick(body.now)
		if i == 10 {
			if err := b.Arm(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b
}

func engine(t *testing.T, noise float32) *cpu.Engine {
	t.Helper()
	p := field.Default()
	p.Table[field.Heading].Noise = noise
	e, err := cpu.New(p, cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestThrottleFallsWithRange is O4: the nearer an obstacle ahead, the slower,
// and no forward motion below 0.14 m.
func TestThrottleFallsWithRange(t *testing.T) {
	last := float32(math.Inf(1))
	for _, r := range []float32{1.0, 0.7, 0.5, 0.4, 0.3, 0.13} {
		body := newStill()
		body.see(robot.Front, r)
		drive(t, body, engine(t, 0), 70) // 0.35 s: before an escape begins
		v := body.last.Speed
		if v > last+0.005 {
			t.Errorf("at %.2f m the car goes %.3f m/s, faster than the %.3f further away", r, v, last)
		}
		if r < 0.14 && v > 0 {
			t.Errorf("at %.2f m the car still goes %.3f m/s", r, v)
		}
		last = v
	}
}

// TestTurnsAwayAndMirrors is O5: an obstacle to the left turns the car right,
// the mirrored one turns it left by the same angle within one bin.
func TestTurnsAwayAndMirrors(t *testing.T) {
	turn := func(near, far int) float64 {
		body := newStill()
		body.see(robot.Front, 0.8)
		body.see(near, 0.35)
		body.see(far, 1.5) // it turns to what it knows
		drive(t, body, engine(t, 0), 300)
		return float64(body.last.Steering)
	}
	left, right := turn(robot.Left30, robot.Right30), turn(robot.Right30, robot.Left30)
	if left >= -2*math.Pi/180 || right <= 2*math.Pi/180 {
		t.Errorf("obstacle left steers %.3f, right %.3f rad; want away from both", left, right)
	}
	if math.Abs(left+right) > field.BinAngle {
		t.Errorf("mirrored obstacles steer %.3f and %.3f rad: not mirrored within a bin", left, right)
	}
}

// TestRepeatsAreEqual is O6: without noise ten repeats do not differ, with it
// neither, and no instruction set differs from another.
func TestRepeatsAreEqual(t *testing.T) {
	tier.Alone(t, "one goroutine computes for minutes")
	run := func(isa string) (robot.Command, uint64) {
		e, err := cpu.New(field.Default(), cpu.Options{ISA: isa, Threads: 1, Step: field.Collapsed})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		body := newStill()
		body.see(robot.Front, 0.9)
		body.see(robot.Left60, 0.5)
		drive(t, body, e, 200)
		return body.last, field.Hash(e)
	}
	wantCommand, wantHash := run(cpu.PureGo)
	// Pinned, so that every processor is held to the same motor values.
	if got, want := fmt.Sprintf("%v %v %#x", wantCommand.Speed, wantCommand.Steering, wantHash), pinned; got != want {
		t.Errorf("after 200 ticks %s, want %s", got, want)
	}
	for range tier.Count(t, "repeats", 2, 10, 10) {
		for _, isa := range cpu.ISAs() {
			if c, h := run(isa); c != wantCommand || h != wantHash {
				t.Fatalf("%s gave %+v and %#x, want %+v and %#x", isa, c, h, wantCommand, wantHash)
			}
		}
	}
}

// pinned are speed, steering and field hash after the run below.
const pinned = "0.30514768 0 0x34afa1ff1b5e30df"

func TestTickDoesNotAllocate(t *testing.T) {
	body := newStill()
	body.see(robot.Front, 0.9)
	b := drive(t, body, engine(t, 0.25), 100)
	n := testing.AllocsPerRun(500, func() {
		body.now += 5 * time.Millisecond
		b.Tick(body.now)
	})
	if n != 0 {
		t.Errorf("%v allocations per tick, want 0", n)
	}
}

// broken is an engine that fails from a given step on.
type broken struct {
	*cpu.Engine
	steps, after int
}

func (e *broken) Step(in *field.Input) (*field.Output, error) {
	if e.steps++; e.steps > e.after {
		return nil, errors.New("lost")
	}
	return e.Engine.Step(in)
}

func TestEngineFaultStops(t *testing.T) {
	body := newStill()
	body.see(robot.Front, 1.5)
	e := &broken{Engine: engine(t, 0), after: 150}
	drive(t, body, e, 150)
	if body.last.Speed <= 0.1 {
		t.Fatalf("the car stands at %.2f m/s before the fault", body.last.Speed)
	}
	e.steps = 0
	b := drive(t, body, e, 160)
	if s := b.Remote().Status(); body.last.Speed != 0 || !s.Safety.Causes.Has(safety.EngineFault) {
		t.Errorf("without an engine the car goes %.2f m/s, causes %v; want 0 and engine-fault", body.last.Speed, s.Safety.Causes)
	}
}

func TestStrainCapsTheSpeed(t *testing.T) {
	body := newStill()
	body.see(robot.Front, 2)
	b := drive(t, body, engine(t, 0), 300)
	free := body.last.Speed
	b.Strained(true)
	for range 100 {
		body.now += 5 * time.Millisecond
		b.Tick(body.now)
	}
	if got := body.last.Speed; got <= 0 || got > 0.6*free {
		t.Errorf("under strain the car goes %.2f m/s of %.2f, want at most half", got, free)
	}
	b.Strained(false)
	body.now += 5 * time.Millisecond
	if b.Tick(body.now).Causes.Has(safety.Overrun) {
		t.Error("the strain was withdrawn and still holds")
	}
}

func TestDataIsTheOldestNewReading(t *testing.T) {
	body := newStill()
	body.see(robot.Front, 0.9)
	drive(t, body, engine(t, 0), 5)
	if body.last.SensedAt != body.now {
		t.Errorf("command rests on data of %v, want %v", body.last.SensedAt, body.now)
	}
}

func TestParams(t *testing.T) {
	tests := []struct {
		name, why string
		spoil     func(*brain.Params)
	}{
		{"period", "the field is validated for 2.5..40 ms", func(p *brain.Params) { p.SetPeriod(time.Second) }},
		{"cruise", "cannot exceed the top speed", func(p *brain.Params) { p.Cruise = 9 }},
		{"wheelbase", "a metre is another car", func(p *brain.Params) { p.Wheelbase = 1 }},
		{"track", "wheels in one place turn no car", func(p *brain.Params) { p.Track = 0 }},
		{"track", "no number", func(p *brain.Params) { p.Track = math.NaN() }},
		{"floor", "light must exceed dark", func(p *brain.Params) { p.LineLight[1] = 0 }},
		{"reflex period", "the reflexes count ticks", func(p *brain.Params) { p.Safety.Period = 7 * time.Millisecond }},
		{"not a number", "nothing compares with it", func(p *brain.Params) { p.Top = float32(math.NaN()) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := brain.Default()
			if err := p.Validate(); err != nil {
				t.Fatal(err)
			}
			tt.spoil(&p)
			if p.Validate() == nil {
				t.Errorf("accepted, but %s", tt.why)
			}
		})
	}
}

func ExampleBrain_Tick() {
	body := newStill()
	body.see(robot.Front, 2)
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	b, err := brain.New(body, e, body, brain.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 200 { // one second
		body.now += 5 * time.Millisecond
		b.Tick(body.now)
		if i == 10 {
			fmt.Println("armed:", b.Arm() == nil)
		}
	}
	fmt.Printf("speed %.1f m/s\n", body.last.Speed)
	// Output:
	// armed: true
	// speed 0.3 m/s
}
