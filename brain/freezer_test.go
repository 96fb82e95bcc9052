package brain_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench"
	"fieldbrain/testbench/tier"
)

// TestFreezerTakesAll: everything that a brain is made of can be frozen, or is named as
// what New is given.
func TestFreezerTakesAll(t *testing.T) {
	for _, planner := range brain.Planners() {
		t.Run(planner, func(t *testing.T) { takesAll(t, planner) })
	}
}

func takesAll(t *testing.T, planner string) {
	body := newStill()
	b := brainThat(t, planner, body, body, engine(t, 0))
	f, err := brain.NewFreezer(b)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, f.Size())
	if err := f.Take(data); err != nil {
		t.Error(err)
	}
	b.Disarm()
	if err := f.Take(data); !errors.Is(err, brain.ErrCalled) {
		t.Errorf("behind a call of the owner: %v", err)
	}
	if n := testing.AllocsPerRun(10, func() { b.Tick(1); _ = f.Take(data) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
	data[0]++
	if err := f.Put(data); !errors.Is(err, brain.ErrFrozen) {
		t.Errorf("another kind: %v", err)
	}
}

// TestFrozenGoesOn: a brain that gets the frozen one in the middle of a drive, whatever
// owner, people and machine did to it, goes on bit for bit, with its plans half made, its
// library and its reflexes.
func TestFrozenGoesOn(t *testing.T) {
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	tree, rollout := []int{2, 777, 1200, 101, 333, 404}, []int{777, 1200, 101, 333}
	tree = tree[:tier.Count(t, "copies", 3, len(tree), len(tree))]
	rollout = rollout[:tier.Count(t, "copies", 2, len(rollout), len(rollout))]
	slices.Sort(tree) // a drive comes by them in order
	slices.Sort(rollout)
	t.Run(brain.PlannerTree, func(t *testing.T) { frozenGoesOn(t, brain.PlannerTree, tree...) })
	t.Run(brain.PlannerRollout, func(t *testing.T) { frozenGoesOn(t, brain.PlannerRollout, rollout...) })
}

func frozenGoesOn(t *testing.T, planner string, at ...int) {
	rig := rigIn(t, "room", 5)
	s, p := rig.Vehicle(testbench.DefaultPeriod), noisy()
	first := steps(t, p)
	b := brainThat(t, planner, s.Body, &slow{Clock: s.Clock}, &moody{Engine: first})
	var files [][]byte
	var heard []brain.TickInput
	var gave []tickOutcome
	const ticks = 1400
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) {
		n := len(heard)
		if n == ticks {
			return
		}
		if slices.Contains(at, n) {
			files = append(files, freeze(t, first, b, &p.Table))
		}
		meddle(t, n, b)
		praise(b, n)
		trace := b.Tick(now)
		heard, gave = append(heard, *b.TickInput()), append(gave, outcomeOf(b, trace))
	})
	rig.AdvanceTo(rig.Clock().Now() + (ticks+2)*testbench.DefaultPeriod)
	if len(heard) != ticks || len(files) != len(at) {
		t.Fatalf("%d ticks, %d copies", len(heard), len(files))
	}
	for i, file := range files {
		e, player := steps(t, p), brain.NewPlayer()
		again := brainThat(t, planner, player, player, e)
		shot, err := memory.Decode(file, &p.Table)
		if err == nil {
			err = shot.Restore(e, again, &p.Table, 0, true)
		}
		if err != nil {
			t.Fatal(err)
		}
		for n := at[i]; n < ticks; n++ {
			h := heard[n]
			if got := outcomeOf(again, player.Tick(again, &h)); got != gave[n] {
				t.Fatalf("frozen at tick %d: tick %d gave\n%+v\nand again\n%+v", at[i], n, gave[n], got)
			}
		}
		if a, b := field.Hash(first), field.Hash(e); a != b {
			t.Errorf("frozen at tick %d: field %x, and again %x", at[i], a, b)
		}
	}
}

// TestFrozenKeepsOrders: what people ordered and set before a brain was frozen counts for
// the one that goes on from it, whose parameters are those of the start.
func TestFrozenKeepsOrders(t *testing.T) {
	rig := rigIn(t, "line", 5)
	s, p := rig.Vehicle(testbench.DefaultPeriod), noisy()
	first := steps(t, p)
	b := brainOn(t, s.Body, s.Clock, first) // follows lines
	var file []byte
	var heard []brain.TickInput
	var gave []tickOutcome
	var err error
	const ticks, frozen = 700, 300
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) {
		n := len(heard)
		if n < 100 {
			_ = b.Arm() // when its bus is up
		}
		switch n {
		case 120:
			err = errors.Join(b.Go(brain.Order{Do: brain.DoGoal, X: 2}), b.Set(brain.Setting{Parameter: brain.ParameterCruise, Value: 0.15}))
		case frozen:
			file = freeze(t, first, b, &p.Table)
		case ticks:
			return
		}
		trace := b.Tick(now)
		heard, gave = append(heard, *b.TickInput()), append(gave, outcomeOf(b, trace))
	})
	rig.AdvanceTo(rig.Clock().Now() + (ticks+2)*testbench.DefaultPeriod)
	e, player := steps(t, p), brain.NewPlayer()
	again := brainOn(t, player, player, e)
	shot, wrong := memory.Decode(file, &p.Table)
	if err = errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	if err := shot.Restore(e, again, &p.Table, 0, true); err != nil {
		t.Fatal(err)
	}
	fastest := float32(0)
	for n := frozen; n < ticks; n++ {
		h := heard[n]
		if got := outcomeOf(again, player.Tick(again, &h)); got != gave[n] {
			t.Fatalf("tick %d gave\n%+v\nand again\n%+v", n, gave[n], got)
		}
		fastest = max(fastest, gave[n].command.Speed)
	}
	if fastest < 0.05 || fastest > 0.16 {
		t.Errorf("drives at %v m/s after it was told to cruise at 0.15", fastest)
	}
}

// freeze copies a brain in the middle of a drive into a file.
func freeze(t *testing.T, e *cpu.Engine, b *brain.Brain, table *[field.Channels]field.Channel) []byte {
	t.Helper()
	frost, err := memory.NewFrost(b, table)
	if err == nil {
		err = frost.All(e)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := frost.EncodeInto(nil, memory.Header{})
	if err != nil {
		t.Fatal(err)
	}
	return file
}
