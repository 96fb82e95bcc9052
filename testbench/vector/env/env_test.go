package env_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/env"
)

// open returns a small environment that is reset with a seed.
func open(t testing.TB, o env.Options, seed uint64) *env.Env {
	t.Helper()
	if o.Worlds == 0 {
		o.Worlds = 4
	}
	e, err := env.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.ResetAll(seed); err != nil {
		t.Fatal(err)
	}
	return e
}

// step lets every car act.
func step(t testing.TB, e *env.Env) {
	t.Helper()
	if err := e.Step(); err != nil {
		t.Fatal(err)
	}
}

// roam writes random actions, those of a car and a step whatever else there is.
func roam(e *env.Env, turn int) {
	m := e.Memory()
	for car := range len(m.Rewards) {
		dice := noise.New(uint64(turn), fmt.Sprint("roam ", car))
		m.Actions[2*car] = float32(dice.Between(-0.1, 0.35))
		m.Actions[2*car+1] = float32(dice.Between(-0.6, 0.6))
	}
}

// row is everything that a step says about a car.
func row(e *env.Env, car int) string {
	m, n := e.Memory(), len(e.Observations())
	return fmt.Sprint(m.Observations[car*n:(car+1)*n], m.Rewards[car], m.Terminated[car], m.Truncated[car], m.Returns[car], m.Lengths[car], m.Causes[car])
}

// TestSeeds holds a car's drive to its seed: whatever the number of cars, the threads
// and the engine, and again after a reset.
func TestSeeds(t *testing.T) {
	tier.Native(t, "TestPinned carries it over")
	for _, task := range env.Tasks() {
		o := env.Options{Task: task, Cars: 1, Limit: 30}
		one := open(t, o, 12)
		o.Cars, o.Threads = 120, 3
		many := open(t, o, 5) // car 7 has the seed 12
		o.Cars, o.Threads, o.ISA = 9, 1, vector.Go
		pure := open(t, o, 5)
		began := row(many, 7)
		worlds := map[int]bool{}
		for turn := range 100 {
			world, _, _ := many.World(7)
			worlds[world] = true
			roam(many, turn)
			roam(pure, turn)
			copy(one.Memory().Actions, many.Memory().Actions[14:16])
			step(t, one)
			step(t, many)
			step(t, pure)
			if want := row(one, 0); row(many, 7) != want || row(pure, 7) != want {
				t.Fatalf("%s, step %d: alone %s, among others %s, in pure Go %s", task, turn, want, row(many, 7), row(pure, 7))
			}
		}
		if len(worlds) < 2 {
			t.Errorf("%s: three episodes and more were all in one world", task)
		}
		if err := many.Reset(nil, nil); err != nil || row(many, 7) == began {
			t.Errorf("%s: a reset without seeds begins the first episode again: %v", task, err)
		}
		if err := many.ResetAll(5); err != nil || row(many, 7) != began {
			t.Errorf("%s: a seed begins %s, then %s: %v", task, began, row(many, 7), err)
		}
	}
}

// TestPinned holds every machine to the checksums of what 17 cars observe, earn and
// end by in 80 steps: they change only with the model, the worlds or the rewards.
func TestPinned(t *testing.T) {
	pinned := map[env.Task]uint32{env.Avoid: 0x751cbf42, env.Goal: 0x4dd20b98, env.Line: 0x4660768e, env.Explore: 0xe477b66e}
	for _, task := range env.Tasks() {
		e := open(t, env.Options{Task: task, Cars: 17, Limit: 50}, 9)
		sum := crc32.NewIEEE()
		for turn := range 80 {
			roam(e, turn)
			step(t, e)
			for car := range 17 {
				_, _ = sum.Write([]byte(row(e, car)))
			}
		}
		if have := sum.Sum32(); have != pinned[task] {
			t.Errorf("%s: %#x, pinned %#x", task, have, pinned[task])
		}
	}
}

// TestNextStep holds the ends of episodes to the autoreset mode.
func TestNextStep(t *testing.T) {
	tier.Native(t, "TestPinned carries it over")
	for _, task := range env.Tasks() {
		e := open(t, env.Options{Task: task, Cars: 40, Limit: 120}, 3)
		m := e.Memory()
		ended, ends, sums := make([]bool, 40), map[env.Cause]int{}, make([]float64, 40)
		for turn := range 400 {
			roam(e, turn)
			for car := range ended { // some straight on, so that something is met, and some not at all
				m.Actions[2*car], m.Actions[2*car+1] = float32(0.35*float64(car%2)), m.Actions[2*car+1]/8
			}
			step(t, e)
			for car, over := range ended {
				cause, done := env.Cause(m.Causes[car]), m.Terminated[car]+m.Truncated[car]
				if over {
					sums[car] = 0
					if m.Rewards[car] != 0 || done != 0 || m.Lengths[car] != 0 || cause != env.Running {
						t.Fatalf("%s: after an end the episode does not begin anew: %s", task, row(e, car))
					}
				}
				sums[car] += float64(m.Rewards[car])
				if diff := sums[car] - float64(m.Returns[car]); diff > 1e-4 || diff < -1e-4 {
					t.Fatalf("%s: the rewards come to %v, the return is %v", task, sums[car], m.Returns[car])
				}
				if (cause == env.Time) != (m.Truncated[car] == 1) || (cause != env.Running) != (done == 1) {
					t.Fatalf("%s: %v with %s", task, cause, row(e, car))
				}
				if cause == env.Time && m.Lengths[car] != 120 {
					t.Fatalf("%s: truncated after %d steps", task, m.Lengths[car])
				}
				if ended[car] = done == 1; ended[car] {
					ends[cause]++
				}
			}
		}
		if ends[env.Contact] == 0 || ends[env.Time] == 0 {
			t.Errorf("%s: episodes ended by %v", task, ends)
		}
	}
}

// TestBounds holds observations and rewards to what is said of them.
func TestBounds(t *testing.T) {
	tier.Native(t, "TestPinned carries it over")
	for _, task := range env.Tasks() {
		for _, profile := range []string{"P0", "P1"} {
			o := env.Options{Task: task, Cars: 50, Profile: "P1"}
			if profile == "P0" {
				o.Profile = "P0"
			}
			e := open(t, o, 1)
			m, channels := e.Memory(), e.Observations()
			moved := make([]bool, len(channels))
			before := slices.Clone(m.Observations)
			for turn := range 60 {
				roam(e, turn)
				step(t, e)
				for i, v := range m.Observations {
					if c := channels[i%len(channels)]; !(v >= c.Low && v <= c.High) {
						t.Fatalf("%s: %s is %v, beyond %v .. %v", task, c.Name, v, c.Low, c.High)
					}
					moved[i%len(channels)] = moved[i%len(channels)] || v != before[i]
				}
				for car, r := range m.Rewards { // no step goes farther than 40 ms allow, and one end
					if !(r >= -1.05 && r <= 1.05) {
						t.Fatalf("%s: reward %v: %s", task, r, row(e, car))
					}
				}
			}
			for i, did := range moved {
				if !did {
					t.Errorf("%s: %s says always the same", task, channels[i].Name)
				}
			}
		}
	}
}

// TestMask resets some cars and leaves the others.
func TestMask(t *testing.T) {
	tier.Native(t, "TestPinned carries it over")
	e := open(t, env.Options{Task: env.Explore, Cars: 20}, 1)
	twin := open(t, env.Options{Task: env.Explore, Cars: 20}, 1)
	mask := make([]uint8, 20)
	mask[3], mask[17] = 1, 1
	for turn := range 40 {
		if turn == 15 {
			if err := e.Reset(nil, mask); err != nil {
				t.Fatal(err)
			}
		}
		roam(e, turn)
		roam(twin, turn)
		step(t, e)
		step(t, twin)
		for car := range mask {
			if same := row(e, car) == row(twin, car); same != (turn < 15 || mask[car] == 0) && turn >= 15 == (mask[car] == 0) {
				t.Fatalf("step %d, car %d: %s, without the mask %s", turn, car, row(e, car), row(twin, car))
			}
		}
	}
	if err := e.Reset(nil, mask[:3]); err == nil {
		t.Error("a mask of 3 is taken for 20 cars")
	}
}

func TestAllocatesNothing(t *testing.T) {
	tier.Native(t, "the logic is the same everywhere")
	for _, task := range env.Tasks() {
		e := open(t, env.Options{Task: task, Cars: 300, Limit: 20, Threads: 2}, 1)
		turn := 0
		if n := testing.AllocsPerRun(50, func() {
			turn++
			for i := range e.Memory().Actions {
				e.Memory().Actions[i] = float32(i%5) * 0.1
			}
			_ = e.Step()
		}); n != 0 {
			t.Errorf("%s: a step allocates %v times", task, n)
		}
	}
}

// TestRefusals wants every mistake named with what there is instead.
func TestRefusals(t *testing.T) {
	good := env.Options{Task: env.Avoid, Cars: 2, Worlds: 1}
	for what, c := range map[string]struct {
		spoil func(o *env.Options)
		says  string
	}{
		"task":      {func(o *env.Options) { o.Task = "swim" }, "explore"},
		"cars":      {func(o *env.Options) { o.Cars = 0 }, "choose 1 to"},
		"first":     {func(o *env.Options) { o.First = 1<<64 - 1 }, "choose 1 to 18446744073709551614"},
		"family":    {func(o *env.Options) { o.Families = []string{"rom"} }, "did you mean room"},
		"no goal":   {func(o *env.Options) { o.Task, o.Families = env.Goal, []string{"room"} }, "clutter"},
		"no line":   {func(o *env.Options) { o.Task, o.Families = env.Line, []string{"room"} }, "line-tight"},
		"profile":   {func(o *env.Options) { o.Profile = "P9" }, "P0 and P1"},
		"engine":    {func(o *env.Options) { o.ISA = "mmx" }, "mmx"},
		"hold":      {func(o *env.Options) { o.Hold = -1 }, "1 to 1000"},
		"the limit": {func(o *env.Options) { o.Limit = 1 << 30 }, "1 to 1000000"},
	} {
		o := good
		c.spoil(&o)
		if _, err := env.New(o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("wrong %s: %v, want %q in it", what, err, c.says)
		}
	}
	if _, err := env.New(env.Options{Task: env.Avoid, Cars: 1, Families: []string{"rom"}}); err == nil || strings.Contains(err.Error(), "-p0") {
		t.Errorf("an unknown family: %v, want no name that is refused, too", err)
	}
	e, err := env.New(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Step(); !errors.Is(err, env.ErrReset) {
		t.Errorf("a step before the reset: %v", err)
	}
	m := env.NewMemory(2, len(e.Observations()))
	m.Rewards = m.Rewards[:1]
	if err := e.Use(m); err == nil || !strings.Contains(err.Error(), "rewards") {
		t.Errorf("too little memory: %v", err)
	}
	e.Close()
	e.Close()
	if err := e.Step(); !errors.Is(err, env.ErrClosed) {
		t.Errorf("a step after the end: %v", err)
	}
}

// TestCallersMemory: what Use was given is written, and nothing else.
func TestCallersMemory(t *testing.T) {
	e := open(t, env.Options{Task: env.Avoid, Cars: 3}, 1)
	own, mine := e.Memory().Observations, env.NewMemory(3, len(e.Observations()))
	if err := e.Use(mine); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(own)
	mine.Actions[0] = 0.3
	for range 20 {
		step(t, e)
	}
	if !slices.Equal(own, before) || mine.Lengths[0] != 20 || mine.Observations[0] == 0 {
		t.Errorf("lengths %v, observations %v", mine.Lengths, mine.Observations)
	}
}
