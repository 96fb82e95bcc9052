package fieldbrain_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench"
)

// TestVirtualTimeRepeats: the same seed drives the same way on every engine, and
// another seed another way.
func TestVirtualTimeRepeats(t *testing.T) {
	drive := func(seed uint64, isa string) (x, y float64) {
		clock := &testbench.Virtual{}
		body := &cart{clock: clock}
		o := fieldbrain.Default()
		o.Clock, o.Arm, o.Seed, o.ISA = clock, true, seed, isa
		b, err := fieldbrain.New(body, o)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if err := b.Advance(3 * time.Second); err != nil {
			t.Fatal(err)
		}
		return body.x, body.y
	}
	x, y := drive(1, "auto")
	if a, b := drive(1, cpu.PureGo); a != x || b != y {
		t.Errorf("in pure Go %v, %v, want %v, %v", a, b, x, y)
	}
	if a, b := drive(2, "auto"); a == x && b == y {
		t.Error("two seeds drive the same way")
	}
}

// TestRun drives in real time until it is told to stop, and halts the body. How
// late the ticks are is this machine's affair.
func TestRun(t *testing.T) {
	o := fieldbrain.Default()
	body := &parked{}
	var refused atomic.Int64
	o.Priority, o.Refused = 10, func(reason string) {
		if reason == "" {
			t.Error("a refusal without a word")
		}
		refused.Add(1)
	}
	b, err := fieldbrain.New(body, o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, stop := context.WithCancel(context.Background())
	body.after = func(n int64) {
		if n == 20 {
			stop()
		}
	}
	if err := b.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if body.ticks.Load() < 20 || body.halts.Load() != 1 {
		t.Errorf("%d ticks, %d halts", body.ticks.Load(), body.halts.Load())
	}
	t.Logf("the kernel refused %d things", refused.Load())
}

// A parked body senses nothing and counts what it is told.
type parked struct {
	ticks, halts atomic.Int64
	after        func(n int64)
}

func (p *parked) Sense(s *fieldbrain.State) { *s = fieldbrain.State{} }

func (p *parked) Act(c fieldbrain.Command) error {
	if n := p.ticks.Add(1); p.after != nil {
		p.after(n)
	}
	return nil
}

func (p *parked) Halt() error {
	p.halts.Add(1)
	return nil
}

// TestDisarmed: a brain that nobody armed moves nothing, and says what stands
// against it.
func TestDisarmed(t *testing.T) {
	clock := &testbench.Virtual{}
	body := &cart{clock: clock}
	o := fieldbrain.Default()
	o.Clock = clock
	b, err := fieldbrain.New(body, o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Advance(time.Second); err != nil || body.x != 0 || body.command.Enable {
		t.Errorf("drove to %v with %+v, %v", body.x, body.command, err)
	}
	if err := b.Arm(); err != nil {
		t.Fatal(err)
	}
	if err := b.Advance(time.Second); err != nil || body.x == 0 {
		t.Errorf("armed, at %v, %v", body.x, err)
	}
	b.Disarm()
	if err := b.Advance(time.Second); err != nil || body.command.Enable {
		t.Errorf("disarmed, told %+v, %v", body.command, err)
	}
	other, err := fieldbrain.New(&parked{}, fieldbrain.Default())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Arm(); err == nil || !strings.Contains(err.Error(), "arm refused") {
		t.Errorf("a body without sensors is armed: %v", err)
	}
}

// TestComplaints: every wrong option is named, and no brain comes with it.
func TestComplaints(t *testing.T) {
	wrong := map[string]func(*fieldbrain.Options){
		"Task.Cruise NaN m/s must be above 0 and at most Shape.TopSpeed, 0.35 m/s": func(o *fieldbrain.Options) { o.Task.Cruise = math.NaN() },
		"Options.Priority 99":                                         func(o *fieldbrain.Options) { o.Priority = 99 },
		"needs Options.Refused":                                       func(o *fieldbrain.Options) { o.Priority = 5 },
		"Options.Period 1s must be within 2.5ms..40ms":                func(o *fieldbrain.Options) { o.Period = time.Second },
		"Shape.Wheelbase 3 m must be within 0.05..0.5":                func(o *fieldbrain.Options) { o.Shape.Wheelbase = 3 },
		"Shape.Track 0 m must":                                        func(o *fieldbrain.Options) { o.Shape.Track = 0 },
		"Shape.TopSpeed NaN m/s must":                                 func(o *fieldbrain.Options) { o.Shape.TopSpeed = math.NaN() },
		"Shape.TopSpeed 3 m/s must be within 0.05..2":                 func(o *fieldbrain.Options) { o.Shape.TopSpeed, o.Shape.Limits.Speed = 3, 3 },
		"TopSpeed 1 m/s must be at most Shape.Limits.Speed, 0.35 m/s": func(o *fieldbrain.Options) { o.Shape.TopSpeed = 1 },
		"Shape.SonarAhead -1 m must":                                  func(o *fieldbrain.Options) { o.Shape.SonarAhead = -1 },
		"Options.ISA: cpu: abacus: instruction set":                   func(o *fieldbrain.Options) { o.ISA = "abacus" },
		"Options.Threads 99 must be within 1..16":                     func(o *fieldbrain.Options) { o.Threads = 99 },
	}
	for want, spoil := range wrong {
		o := fieldbrain.Default()
		spoil(&o)
		b, err := fieldbrain.New(&parked{}, o)
		if err == nil || b != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestShapeOfTheDriver: the driver's settings give the shape with which Default begins,
// and what the owner of a car measured comes through.
func TestShapeOfTheDriver(t *testing.T) {
	p := picarx.Default()
	shape := fieldbrain.PiCarX(p.Sheet())
	if want := fieldbrain.Default().Shape; shape != want {
		t.Errorf("the driver's shape is %+v, want %+v", shape, want)
	}
	p.Cal.Body.Wheelbase, p.Cal.Body.Track, p.Cal.Sonar.Ahead, p.Limits.Steering = 0.1, 0.114, 0.12, 0.4
	for i := range p.Cal.Floor.Line {
		p.Cal.Floor.Line[i], p.Cal.Floor.Cliff[i] = 2000, 819
	}
	shape.Wheelbase, shape.Track, shape.SonarAhead, shape.Limits.Steering = 0.1, 0.114, 0.12, 0.4
	for i := range shape.LineLight {
		shape.LineLight[i], shape.LineDark[i], shape.CliffDark[i] = 2400.0/4095, 800.0/4095, 0.2
	}
	if got := fieldbrain.PiCarX(p.Sheet()); got != shape {
		t.Errorf("of a car that was measured it is %+v, want %+v", got, shape)
	}
}

// TestFastBody: a body that drives at 1 m/s may be told to cruise at 0.8 m/s, and does; it
// is refused what its top speed does not allow, with that limit.
func TestFastBody(t *testing.T) {
	clock := &testbench.Virtual{}
	body := &cart{clock: clock, x: -0.8}
	o := fieldbrain.Default()
	o.Clock, o.Arm = clock, true
	o.Shape.TopSpeed, o.Shape.Limits.Speed, o.Shape.Limits.SpeedRate = 1, 1, 4
	b, err := fieldbrain.New(body, o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	tell := func(words string) error {
		s, err := brain.ParseSetting(words, b.Remote().Top())
		return errors.Join(err, b.Core().Set(s))
	}
	fastest := func() (v float32) {
		for range 20 {
			if err := b.Advance(100 * time.Millisecond); err != nil {
				t.Fatal(err)
			}
			v = max(v, body.command.Speed)
		}
		return v
	}
	if v := fastest(); v < 0.3 || v > 0.36 {
		t.Errorf("it cruises at %v m/s, want about 0.35", v)
	}
	if err := tell("brain.cruise 0.8"); err != nil {
		t.Fatal(err)
	}
	if v := fastest(); v < 0.6 || v > 0.82 {
		t.Errorf("told 0.8 m/s it drives at %v m/s", v)
	}
	if err := tell("brain.cruise 1.2"); err == nil || !strings.Contains(err.Error(), "1.2 m/s is out of range: choose 0.05 .. 1 m/s") {
		t.Errorf("told 1.2 m/s: %v", err)
	}
	if err := b.Remote().Set(brain.Setting{Parameter: brain.ParameterCruise, Value: 1.2}); err == nil || !strings.Contains(err.Error(), "0.05 .. 1 m/s") {
		t.Errorf("from elsewhere told 1.2 m/s: %v", err)
	}
}

// TestTickDoesNotAllocate, through the facade as well.
func TestTickDoesNotAllocate(t *testing.T) {
	clock := &testbench.Virtual{}
	o := fieldbrain.Default()
	o.Clock, o.Arm = clock, true
	b, err := fieldbrain.New(&cart{clock: clock}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Advance(time.Second); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(200, func() {
		clock.SleepUntil(clock.Now() + o.Period)
		b.Tick(clock.Now())
		b.Heading()
	}); n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
}

func TestSectors(t *testing.T) {
	const deg = math.Pi / 180
	for bearing, want := range map[float64]int{0: 0, 10: 0, -10: 0, 20: 1, -31: 2, 60: 3, -50: 4, 90: 5, -95: 6, 180: 7, -179: 7, 350: 0} {
		if got, ok := fieldbrain.Sector(bearing * deg); !ok || got != want {
			t.Errorf("%v deg is sector %d %v, want %d", bearing, got, ok, want)
		}
	}
	for _, bearing := range []float64{120, -140, math.NaN(), math.Inf(1)} {
		var s fieldbrain.State
		if fieldbrain.Echo(&s, bearing*deg, 1, 0) || s != (fieldbrain.State{}) {
			t.Errorf("%v deg has a sector", bearing)
		}
	}
}

// TestStimulusAt: where the stimulus is put, the peak appears, in rad.
func TestStimulusAt(t *testing.T) {
	o := fieldbrain.Default()
	e, err := o.Processor()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	in := field.Input{Quality: field.Full()}
	in.Add(fieldbrain.StimulusAt(field.GoalMem, 12, -0.8, 0.5, 0.4))
	var out *field.Output
	for range 100 {
		if out, err = e.Step(&in); err != nil {
			t.Fatal(err)
		}
		in.Tick++
	}
	if bearing, mass := fieldbrain.Peak(out, field.GoalMem); mass < 1 || math.Abs(bearing+0.8) > 0.1 {
		t.Errorf("peak at %v rad, mass %v, want -0.8", bearing, mass)
	}
	if _, mass := fieldbrain.Peak(out, field.Line); mass != 0 {
		t.Error("a peak where nothing was put")
	}
}
