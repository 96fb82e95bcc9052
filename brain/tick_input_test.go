package brain_test

import (
	"errors"
	"math/bits"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/quality"
	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// heardTicks is how long the drive of TestInputIsEverything lasts.
const heardTicks = 900

// A moody engine refuses a step now and then.
type moody struct {
	field.Engine
	steps int
}

func (m *moody) Step(in *field.Input) (*field.Output, error) {
	if m.steps++; m.steps%211 == 0 {
		return nil, errors.New("moody")
	}
	return m.Engine.Step(in)
}

// slow is a clock that tells another duration at every read: the governor then changes
// rungs.
type slow struct {
	robot.Clock
	reads, extra time.Duration
}

func (s *slow) Now() time.Duration {
	s.reads++
	s.extra += s.reads % 7 * 130 * time.Microsecond
	return s.Clock.Now() + s.extra
}

// An outcome is what a tick gave.
type tickOutcome struct {
	command robot.Command
	causes  safety.Causes
	rung    int
	heading [32]int32
}

func outcomeOf(b *brain.Brain, t *brain.Trace) tickOutcome {
	return tickOutcome{t.Command, t.Causes, t.Rung, b.Output().Marginals[field.Heading].X}
}

// meddle does to a brain, between two ticks, what an owner and other goroutines do.
func meddle(t *testing.T, tick int, b *brain.Brain) {
	t.Helper()
	r := b.Remote()
	switch tick % 150 {
	case 3, 40:
		_ = b.Arm()
	case 20:
		r.Outcome(0.7)
	case 50:
		b.Trip(safety.Paused)
		_ = b.Arm()
	case 60:
		if err := b.Go(brain.Order{Do: brain.DoGoal, X: 1, Y: float64(tick) / 1000}); err != nil {
			t.Error(err)
		}
	case 75:
		r.Stop()
	case 80:
		b.Strained(true)
	case 85:
		b.Strained(false)
		b.Guarded(false)
	case 90:
		b.Guarded(true)
		b.Disarm()
	case 100:
		b.Effort(plan.Effort{RaysPerTick: 128, Rays: 512, Depth: 1, Beam: 1})
	case 4, 5, 6, 7, 8, 9, 10, 11, 12:
		r.Steer(brain.ManualInput{Driver: brain.DriverPerson, Throttle: 0.9, Steering: float32(tick%7) / 7, Source: brain.Source{'p', 'a', 'd'}})
	case 30:
		r.Steer(brain.ManualInput{Driver: brain.DriverLost})
	case 41:
		r.Steer(brain.ManualInput{Driver: brain.DriverPerson, Throttle: 1, Steering: -1, Source: brain.Source{'k', 'e', 'y'}})
	case 45:
		r.Steer(brain.ManualInput{Driver: brain.DriverBrain})
	case 15, 70:
		for _, s := range []brain.Setting{
			{Parameter: brain.ParameterCruise, Value: 0.1 + float32(tick)/1e4},
			{Parameter: brain.ParameterArrival, Value: 0.3},
			{Parameter: brain.ParameterManualSpeed, Value: 0.2},
			{Parameter: brain.ParameterDeadman, Value: float32(tick%150) / 200},
		} {
			if err := b.Set(s); err != nil {
				t.Error(err)
			}
		}
	case 120, 130:
		if err := b.Set(brain.Setting{Parameter: brain.ParameterQuality, Value: float32(130-tick%150) / 5}); err != nil {
			t.Error(err)
		}
	case 95:
		b.Save(new(brain.State))
	case 110:
		r.Surround(quality.Surroundings{Heat: quality.Hot})
	case 140:
		r.Surround(quality.Surroundings{Saving: true})
	}
}

// ask has another goroutine ask for something and waits until a tick will find it.
func ask(t *testing.T, tick int, b *brain.Brain, done chan error) {
	t.Helper()
	asks := []func() error{
		b.Remote().Disarm, b.Remote().Reset, b.Remote().Arm, b.Remote().EStop, b.Remote().Reset,
		func() error { return b.Remote().Go(brain.Order{Do: brain.DoExplore}) }, b.Remote().Arm,
		func() error { return b.Remote().Set(brain.Setting{Parameter: brain.ParameterCruise, Value: 0.25}) },
	}
	go func() { done <- asks[tick/30%len(asks)]() }()
	for !b.Asked() {
		time.Sleep(50 * time.Microsecond)
	}
}

// TestInputIsEverything: a brain that hears again what another heard gives the same
// commands, causes, rungs and field, whatever owner, people, engine, clock and machine
// did to the first, and hears the same itself; whoever plans.
func TestInputIsEverything(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	for _, planner := range brain.Planners() {
		t.Run(planner, func(t *testing.T) { hearsEverything(t, planner) })
	}
}

// rigIn returns the car in a world, with nobody who drives it.
func rigIn(t *testing.T, world string, seed uint64) *testbench.Rig {
	t.Helper()
	sc, err := scenarios.Load(world)
	if err != nil {
		t.Fatal(err)
	}
	rig, err := testbench.NewRig(sc, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rig
}

func hearsEverything(t *testing.T, planner string) {
	rig := rigIn(t, "room", 5)
	s := rig.Vehicle(testbench.DefaultPeriod)
	first := engine(t, 0.1)
	b := brainThat(t, planner, s.Body, &slow{Clock: s.Clock}, &moody{Engine: first})
	var heard []brain.TickInput
	var gave []tickOutcome
	done := make(chan error, 1)
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) {
		n := len(heard)
		if n == heardTicks {
			return
		}
		meddle(t, n, b)
		asked := n%30 == 29
		if asked {
			ask(t, n, b, done)
		}
		trace := b.Tick(now)
		if asked {
			<-done // refused or not
		}
		heard, gave = append(heard, *b.TickInput()), append(gave, outcomeOf(b, trace))
	})
	rig.AdvanceTo(rig.Clock().Now() + (heardTicks+2)*testbench.DefaultPeriod)

	var seen, rungs, faults uint32
	second := engine(t, 0.1)
	player := brain.NewPlayer()
	again := brainThat(t, planner, player, player, second)
	for i := range heard {
		h := heard[i] // a copy: the brain must not change it
		trace := player.Tick(again, &h)
		if got := outcomeOf(again, trace); got != gave[i] {
			t.Fatalf("tick %d gave\n%+v\nand again\n%+v", i, gave[i], got)
		}
		if *again.TickInput() != heard[i] {
			t.Fatalf("tick %d heard\n%+v\nand again\n%+v", i, heard[i], *again.TickInput())
		}
		seen |= 1 << h.Asked
		rungs |= 1 << trace.Rung
		if h.Fault {
			faults++
		}
	}
	if a, b := field.Hash(first), field.Hash(second); a != b {
		t.Errorf("field %x, and again %x", a, b)
	}
	if bits.OnesCount32(seen) < 7 || bits.OnesCount32(rungs) < 2 || faults < 3 || len(heard) != heardTicks {
		t.Errorf("%d ticks, asked %b, rungs %b, %d faults: the drive asks too little", len(heard), seen, rungs, faults)
	}
}

// TestTooManyCalls: a tick that was told more than a TickInput holds says so.
func TestTooManyCalls(t *testing.T) {
	e := engine(t, 0)
	player := brain.NewPlayer()
	b := brainOn(t, player, player, e)
	for range brain.MaxCalls + 1 {
		b.Disarm()
	}
	b.Tick(1)
	if b.TickInput().Whole() {
		t.Error("a call is missing, and nobody says so")
	}
	b.Tick(2)
	if !b.TickInput().Whole() {
		t.Error("the next tick is not whole")
	}
}
