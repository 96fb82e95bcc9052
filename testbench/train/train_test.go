package train

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/policy"
	"fieldbrain/testbench/tier"
)

// small is a training of seconds.
func small() Options {
	p := Default()
	p.Hidden, p.Population, p.Worlds, p.Seconds, p.Generations, p.Warm = 3, 8, 3, 6, 6, 2
	return p
}

// train runs a training to its end.
func train(t *testing.T, p Options, from *Checkpoint) *Checkpoint {
	t.Helper()
	c, err := Run(context.Background(), p, from)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestThreads: one thread, two and five come to the same checkpoint, bit for bit.
func TestThreads(t *testing.T) {
	var want *Checkpoint
	for _, workers := range []int{1, 5} {
		p := small()
		p.Workers, p.Generations = workers, 5
		c := train(t, p, nil)
		c.Options.Workers = 0
		if want == nil {
			want = c
		} else if !reflect.DeepEqual(c, want) {
			t.Errorf("%d threads come to %+v, one to %+v", workers, c.Search, want.Search)
		}
	}
	if len(want.Curve) != 5 || want.Curve[4].Held == nil || want.At != 5 || want.Steps == 0 {
		t.Errorf("after five generations: %+v", want)
	}
	p := small()
	p.Seed, p.Generations = 2, 5
	if c := train(t, p, nil); slices.Equal(c.Search.Mean, want.Search.Mean) {
		t.Error("another seed comes to the same policy")
	}
}

// TestResume: a training that is interrupted after every generation, and goes on from
// its file, comes to what an undisturbed one comes to.
func TestResume(t *testing.T) {
	want := train(t, small(), nil)
	path := filepath.Join(t.TempDir(), "a.training")
	for rounds := 0; ; rounds++ {
		from, err := ReadCheckpoint(path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		p := small()
		p.Keep = func(c *Checkpoint) error {
			cancel()
			return c.Write(path)
		}
		_, err = Run(ctx, p, from)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || rounds > 20 {
			t.Fatalf("round %d: %v", rounds, err)
		}
	}
	have, err := ReadCheckpoint(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("resumed %+v, undisturbed %+v", have.Search, want.Search)
	}
	longer := small()
	longer.Generations = tier.Count(t, "generations", 8, 15, 15)
	if c := train(t, longer, have); len(c.Curve) != longer.Generations {
		t.Errorf("it went on to generation %d of %d", len(c.Curve), longer.Generations)
	}
	other := small()
	other.Worlds++
	if _, err := Run(context.Background(), other, have); !errors.Is(err, ErrOther) {
		t.Errorf("a training goes on with other settings: %v", err)
	}
}

// TestPatience ends a training that does not get better.
func TestPatience(t *testing.T) {
	p := small()
	c := begin(p)
	c.Cost, c.At = 0, 0 // nothing is better
	p.Patience, p.Generations = 1, 1000
	c = train(t, p, c)
	if len(c.Curve) != heldEvery || !strings.Contains(c.Ended, "no better") {
		t.Errorf("it ended after %d generations: %s", len(c.Curve), c.Ended)
	}
}

// TestCheckpointFile: a cut or changed file, a foreign one and what no training leaves
// are refused; no file is none.
func TestCheckpointFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.training")
	if c, err := ReadCheckpoint(path); c != nil || err != nil {
		t.Errorf("no file: %v, %v", c, err)
	}
	p := small()
	if err := begin(p).Write(path); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(what string, text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadCheckpoint(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "--afresh") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for n := 0; n < len(sound)-2; n += 37 {
		refuse("cut", sound[:n])
	}
	refuse("changed", bytes.Replace(sound, []byte(`"sigma":0.4`), []byte(`"sigma":0.5`), 1))
	for what, spoil := range map[string]func(c *Checkpoint){
		"no search":       func(c *Checkpoint) { c.Search = nil },
		"no variance":     func(c *Checkpoint) { c.Search.Variance[2] = 0 },
		"few dimensions":  func(c *Checkpoint) { c.Search.Mean = c.Search.Mean[1:] },
		"no step":         func(c *Checkpoint) { c.Search.Sigma = 0 },
		"no point":        func(c *Checkpoint) { c.Search.Generation = 4 },
		"no weights":      func(c *Checkpoint) { c.Best = nil },
		"absurd options":  func(c *Checkpoint) { c.Options.Population = 1 << 40 },
		"unknown family":  func(c *Checkpoint) { c.Options.Family = "ocean" },
		"negative":        func(c *Checkpoint) { c.Stale = -1 },
		"other dimension": func(c *Checkpoint) { c.Options.Hidden = 7 },
	} {
		c := begin(p)
		spoil(c)
		if err := c.Write(path); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		refuse(what, text)
	}
}

// costOf returns what a policy costs in some worlds.
func costOf(t *testing.T, weights []float64, hidden int, seconds float64) float64 {
	t.Helper()
	p := small()
	p.Hidden, p.Seconds = hidden, seconds
	tr := &trainer{Checkpoint: begin(p), arenas: map[uint64]*arena{}}
	arenas, err := tr.open(context.Background(), 1, 8)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := tr.drive(context.Background(), [][]float64{weights}, race{arenas: arenas, seconds: seconds, noise: 1})
	if err != nil {
		t.Fatal(err)
	}
	return costs[0]
}

// TestNoWayAround: who stands, or circles at any lock, pays nearly the worst price of a
// drive without a contact, however long it does so.
func TestNoWayAround(t *testing.T) {
	const hidden = 2
	inputs := policy.Inputs(plant.P1)
	row := func(output int) int { return (hidden + output) * (inputs + hidden) }
	for _, c := range []struct {
		name        string
		turn, drive float64
		least       float64
	}{
		{"standing", 0, 0, 2.8},
		{"circling at full lock", 1, 1, 2.3},
		{"circling at half of it", 0.5, 1, 2},
		{"creeping round", 1, 0.4, 2.3},
	} {
		w := make([]float64, policy.Weights(plant.P1, hidden))
		w[row(0)+1], w[row(1)] = c.turn, c.drive // of the side, of one
		if cost := costOf(t, w, hidden, 60); cost < c.least {
			t.Errorf("%s costs %.2f, less than %.2f", c.name, cost, c.least)
		}
	}
}

// TestLearns: in a few generations a policy comes to drive better than the one it began
// as, in worlds that it was not trained in.
func TestLearns(t *testing.T) {
	tier.Heavy(t, "trains for hours of simulated time")
	p := Default()
	p.Hidden, p.Population, p.Worlds, p.Seconds, p.Warm = 3, 12, 4, 20, 0
	p.Generations = tier.Count(t, "generations", 10, 25, 40)
	c := train(t, p, nil)
	first := costOf(t, policy.Novice(p.Profile, p.Hidden), p.Hidden, p.Seconds)
	last := costOf(t, c.Best, p.Hidden, p.Seconds)
	if !(last < first-0.1) {
		t.Errorf("after %d generations it costs %.2f, before %.2f", p.Generations, last, first)
	}
}

// TestPlan refuses what cannot be trained.
func TestPlan(t *testing.T) {
	for what, spoil := range map[string]func(p *Options){
		"family":     func(p *Options) { p.Family = "ocean" },
		"goal":       func(p *Options) { p.Family = "office" },
		"line":       func(p *Options) { p.Family = "line" },
		"table":      func(p *Options) { p.Family = "table" },
		"faults":     func(p *Options) { p.Family = "battery" },
		"profile":    func(p *Options) { p.Profile = "P7" },
		"population": func(p *Options) { p.Population = 1 },
		"worlds":     func(p *Options) { p.Worlds = 0 },
		"seconds":    func(p *Options) { p.Seconds = 1e9 },
		"hidden":     func(p *Options) { p.Hidden = 1 << 30 },
	} {
		p := small()
		spoil(&p)
		if _, err := Run(context.Background(), p, nil); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// TestEveryKind: all families in which a car may drive anywhere can be trained in, with
// either profile.
func TestEveryKind(t *testing.T) {
	dice := noise.New(1, "kinds")
	for _, name := range []string{"room", "legs", "hall", "rounds", "movers", "soft", "specular"} {
		for _, profile := range []plant.Profile{plant.P0, plant.P1} {
			p := small()
			p.Family, p.Profile, p.Seconds = name, profile, 5
			tr := &trainer{Checkpoint: begin(p), arenas: map[uint64]*arena{}}
			arenas, err := tr.open(context.Background(), 1, 1)
			if err != nil {
				t.Error(err)
				continue
			}
			w := policy.Novice(profile, p.Hidden)
			for i := range w {
				w[i] += dice.Normal()
			}
			if costs, err := tr.drive(context.Background(), [][]float64{w}, race{arenas: arenas, seconds: 5, noise: 1, scatter: true}); err != nil || !(costs[0] >= 0 && costs[0] <= 6) {
				t.Errorf("%s %s: %v, %v", name, profile, costs, err)
			}
		}
	}
}
