package brain_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/brain/plan"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// saveAt and goOn are how many ticks there are before and after a save.
const saveAt, goOn = 1003, 1000

// A recording is a drive: the state and the command of every tick after the save,
// and how it ended.
type recording struct {
	planner  string
	file     []byte // the save
	at       time.Duration
	instants []time.Duration
	states   []robot.State
	commands []robot.Command
	first    uint64 // hash of the field one tick after the save
	hash     uint64 // and at the end
	end      brain.State
	saved    *brain.Brain // with its reflexes as they were at the save
}

// replay is a body that senses a recording.
type replay struct {
	*recording
	next int
	last robot.Command
}

func (r *replay) Sense(s *robot.State)      { *s = r.states[r.next] }
func (r *replay) Act(c robot.Command) error { r.last = c; return nil }
func (r *replay) Halt() error               { return nil }
func (r *replay) Now() time.Duration        { return 0 }
func (r *replay) SleepUntil(time.Duration)  {}

// spy is a body that notes the states it hands on.
type spy struct {
	robot.Body
	last robot.State
}

func (s *spy) Sense(st *robot.State) {
	s.Body.Sense(st)
	s.last = *st
}

// brainOn builds a brain with every behaviour switched on.
func brainOn(t *testing.T, body robot.Body, clock robot.Clock, e field.Engine) *brain.Brain {
	t.Helper()
	return brainThat(t, brain.PlannerTree, body, clock, e)
}

// brainThat is brainOn with a planner of one's choice.
func brainThat(t *testing.T, planner string, body robot.Body, clock robot.Clock, e field.Engine) *brain.Brain {
	t.Helper()
	p := brain.Default()
	p.FollowLine, p.SeekGoal, p.Effort, p.Planner = true, true, plan.Full(), planner
	p.Safety.Cliff.Enabled = false
	b, err := brain.New(body, e, clock, p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// record drives a scenario, saves in the middle and records the rest.
func record(t *testing.T, scenario, planner string, before int) *recording {
	t.Helper()
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	sc, err := scenarios.Load(scenario)
	if err != nil {
		t.Fatal(err)
	}
	rig, err := testbench.NewRig(sc, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := noisy()
	e := steps(t, p)
	s := rig.Vehicle(testbench.DefaultPeriod)
	body := &spy{Body: s.Body}
	b := brainThat(t, planner, body, s.Clock, e)
	r, ticks, armed := &recording{planner: planner}, 0, false
	rig.Drive(testbench.DefaultPeriod, func(now time.Duration) {
		praise(b, ticks-before)
		if ticks == before {
			if r.file, err = whole(e, b, &p.Table).Encode(); err != nil {
				t.Error(err)
			}
			r.saved = brainThat(t, planner, body, s.Clock, e)
			brain.ShareReflexes(r.saved, b)
		}
		tr := b.Tick(now)
		armed = armed || b.Arm() == nil
		if ticks++; ticks <= before {
			r.at = now
			return
		}
		if ticks == before+1 {
			r.first = field.Hash(e)
		}
		r.instants, r.states, r.commands = append(r.instants, now), append(r.states, body.last), append(r.commands, tr.Command)
	})
	rig.AdvanceTo(rig.Clock().Now() + time.Duration(before+goOn+40)*testbench.DefaultPeriod)
	if len(r.states) < goOn || !armed {
		t.Fatalf("%d ticks after the save, armed %v", len(r.states), armed)
	}
	r.hash = field.Hash(e)
	b.Save(&r.end)
	return r
}

func noisy() field.Params {
	p := field.Default()
	p.Table[field.Heading].Noise = 0.1
	p.Recall = field.DefaultLibrary()
	return p
}

// steps returns the fastest engine for parameters.
func steps(t *testing.T, p field.Params) *cpu.Engine {
	t.Helper()
	e, err := cpu.New(p, cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// praise tells the brain now and then how well it did: the library makes patterns of what
// it then did in the seconds before, and recalls them.
func praise(b *brain.Brain, tick int) {
	if n := (tick + 1e6) % 170; n == 45 || n == 90 {
		b.Remote().Outcome(float32(n)/60 - 1)
	}
}

// whole copies everything that a save keeps of a brain between two ticks.
func whole(e *cpu.Engine, b *brain.Brain, table *[field.Channels]field.Channel) *memory.Snapshot {
	shot, patterns, episodes := memory.New(table), memory.NewPatterns(), memory.NewEpisodes(table)
	for !patterns.Follow(e.Distinct) {
		if patterns.Short() {
			patterns.Grow()
		}
	}
	for !episodes.Follow(e.Prep()) {
	}
	shot.Take(e.Distinct, b)
	shot.Parts = patterns.Parts()
	episodes.Put(shot)
	return shot
}

// TestRestoredDrivesOn is B.9: a brain restored from a file answers the next 1000
// recorded frames with the same commands, bit for bit, and ends in the same
// state, whichever engine and step saved or goes on.
func TestRestoredDrivesOn(t *testing.T) {
	tier.Alone(t, "one goroutine computes for minutes")
	names := []string{"room", "goal", "line", "deadend", "corridor"}
	for i, name := range names[:tier.Count(t, "worlds", 1, len(names), len(names))] {
		t.Run(name, func(t *testing.T) {
			tier.Native(t, "takes minutes, and every engine has the same hash")
			r := record(t, name, brain.PlannerTree, saveAt)
			for _, isa := range cpu.ISAs() {
				for _, step := range []field.StepKind{field.Collapsed, field.Dense} {
					t.Run(fmt.Sprint(isa, "/", step), func(t *testing.T) {
						restoreTier(t, i == 0, isa, step)
						r.compare(t, cpu.Options{ISA: isa, Threads: 1, Step: step})
					})
				}
			}
		})
	}
}

// TestRestoredImagines: so does a brain that imagines drives.
func TestRestoredImagines(t *testing.T) {
	record(t, "room", brain.PlannerRollout, saveAt).compare(t, cpu.DefaultOptions())
}

// restoreTier says in which tier a brain is restored into an engine. The fastest
// goes on in every world and pure Go in the first.
func restoreTier(t *testing.T, firstWorld bool, isa string, step field.StepKind) {
	t.Helper()
	fastest := isa == cpu.ISAs()[0]
	switch {
	case step == field.Collapsed && (fastest || firstWorld && isa == cpu.PureGo):
	case step == field.Dense && fastest && firstWorld:
		tier.Compiled(t, "the dense step")
		tier.Heavy(t, "the dense step")
	default:
		tier.Long(t, "restores the same brain into the other engines")
	}
}

// compare restores the recording's save into a new engine and drives on.
func (r *recording) compare(t *testing.T, o cpu.Options) {
	t.Helper()
	p := noisy()
	e, err := cpu.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	body := &replay{recording: r}
	b := brainThat(t, r.planner, body, body, e)
	shot, err := memory.Decode(r.file, &p.Table)
	if err != nil {
		t.Fatal(err)
	}
	if err := shot.Restore(e, b, &p.Table, r.at, true); err != nil {
		t.Fatal(err)
	}
	brain.ShareReflexes(b, r.saved)
	moving := 0
	for i, now := range r.instants {
		body.next = i
		praise(b, i)
		if got := b.Tick(now).Command; got != r.commands[i] {
			t.Fatalf("%s: tick %d after the save commands\n%+v, want\n%+v", e.Name(), i, got, r.commands[i])
		}
		if i == 0 && field.Hash(e) != r.first {
			t.Errorf("%s: one tick after the save the field is another", e.Name())
		}
		if r.commands[i].Speed != 0 {
			moving++
		}
	}
	if moving < goOn/2 {
		t.Errorf("the car moved in %d of %d ticks only: this proves little", moving, len(r.instants))
	}
	var end brain.State
	b.Save(&end)
	if end.Explored.Ticks == 0 || end.Explored.Belief.Odds == (brain.State{}).Explored.Belief.Odds {
		t.Error("nothing was explored: this proves little")
	}
	if end != r.end {
		t.Errorf("%s: the brain ends as\n%+v, want\n%+v", e.Name(), end, r.end)
	}
	library := make([]float32, field.Cells)
	e.Read(field.LibrarySection, library)
	if field.NewCatalogue(library).Version(1) == 0 {
		t.Error("the library has no two patterns: this proves little")
	}
	if got := field.Hash(e); got != r.hash {
		t.Errorf("%s: the field ends as %#016x, want %#016x", e.Name(), got, r.hash)
	}
}

// TestRestoredLater: after a restart the clock is another one. No reading counts
// as seen, the brain is disarmed, and counts on.
func TestRestoredLater(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	r := record(t, "room", brain.PlannerTree, saveAt)
	p := noisy()
	shot, err := memory.Decode(r.file, &p.Table)
	if err != nil {
		t.Fatal(err)
	}
	e := steps(t, p)
	body := newStill()
	body.now = 10 * time.Millisecond // a clock that began just now
	b := brainOn(t, body, body, e)
	if err := shot.Restore(e, b, &p.Table, 0, true); err != nil {
		t.Fatal(err)
	}
	var s brain.State
	b.Save(&s)
	for i, age := range s.RangeAge {
		if age != brain.Never {
			t.Errorf("range %d was seen %v ago on a clock that did not run then", i, time.Duration(age))
		}
	}
	tr := b.Tick(body.now)
	if tr.Tick != saveAt || tr.Command.Speed != 0 || b.Remote().Status().Safety.Armed {
		t.Errorf("tick %d, command %+v, want tick %d, disarmed and at rest", tr.Tick, tr.Command, saveAt)
	}
}

// TestStateReturns: every number of a state comes back out of the brain it was
// put into.
func TestStateReturns(t *testing.T) {
	var want brain.State
	v := reflect.ValueOf(&want).Elem()
	n := 0.0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		n += 0.001 // within every bound, and no two alike
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				switch cell := v.Index(i); cell.Kind() {
				case reflect.Int8:
					cell.SetInt(int64(i%150 - 70))
				case reflect.Uint8, reflect.Uint64:
					cell.SetUint(uint64(i % 200))
				default:
					fill(cell)
				}
			}
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Float32, reflect.Float64:
			v.SetFloat(n)
		case reflect.Int32, reflect.Int64:
			v.SetInt(int64(n * 1e6))
		case reflect.Uint64:
			v.SetUint(uint64(n * 1e6))
		case reflect.Uint8:
			v.SetUint(7)
		case reflect.Int8:
			v.SetInt(2)
		default:
			t.Fatalf("no value for a %v", v.Kind())
		}
	}
	fill(v)
	want.Explored.Sector, want.Explored.Belief.Layer, want.Explored.Goal = 3, 5, 0.7 // small numbers
	g := &want.Surveyed.Ground
	want.Crossing.Vain, want.Coming = 2, [robot.NumSectors]uint8{1, 2}
	want.Surveyed.Sector, g.Row, g.Part, g.Movers, g.Mover = 4, 9, 0.2, 2, 1
	g.MoverCell[0], g.MoverCell[1] = 11, 12
	want.Law.Stage, want.Law.Places, want.Law.Vain, want.StallVain = 3, 7, 1, 1
	want.Guided.Places.Stayed, want.Guided.Places.PlaceX, want.Guided.Places.PlaceY, want.Guided.Places.Task = 0.5, 3, 4, 1
	want.Guided.Table.Leg, want.Guided.Table.Scale, want.Guided.Table.Unsure = 3, 0.1, 0.001
	want.Guided.Places.West, want.Guided.Places.South = -60, -61
	body := newStill()
	b := brainOn(t, body, body, engine(t, 0))
	if err := b.Restore(&want, time.Hour); err != nil {
		t.Fatal(err)
	}
	var got brain.State
	if b.Save(&got); got != want {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}
