package scenarios_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

func TestBuiltInScenariosBuild(t *testing.T) {
	specs := map[string]bool{}
	for _, name := range scenarios.Names() {
		sc, err := scenarios.Load(name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		specs[sc.Spec] = true
		if sc.Name != name || sc.Title == "" || len(sc.Limits) == 0 {
			t.Errorf("%s: name %q, title %q, %d limits", name, sc.Name, sc.Title, len(sc.Limits))
		}
		for seed := range uint64(sc.Runs) {
			w, start, err := sc.Build(seed + 1)
			if err != nil {
				t.Errorf("%s seed %d: %v", name, seed+1, err)
				continue
			}
			body := start.At.Add(world.Unit(start.Heading).Scale(sc.Car.BodyAhead))
			if gap := w.Distance(body) - sc.Car.BodyRadius; gap < 0.05 {
				t.Errorf("%s seed %d starts %.3f m from an obstacle", name, seed+1, gap)
			}
		}
	}
	for _, spec := range []string{"B1", "B2", "B3", "B4", "B5", "B6", "B7", "B12", "hardware 6"} {
		if !specs[spec] {
			t.Errorf("no scenario for %s", spec)
		}
	}
}

func TestSameSeedSameWorld(t *testing.T) {
	sc := load(t, "room")
	a, pa, _ := sc.Build(7)
	b, pb, _ := sc.Build(7)
	if diff := cmp.Diff(a.Discs, b.Discs); diff != "" || pa != pb {
		t.Errorf("two builds of seed 7 differ:\n%s", diff)
	}
	c, pc, _ := sc.Build(8)
	if cmp.Equal(a.Discs, c.Discs) || pa == pc {
		t.Error("seeds 7 and 8 build the same world")
	}
}

func TestScatterKeepsItsGaps(t *testing.T) {
	sc := load(t, "room")
	for seed := range uint64(50) {
		w, start, err := sc.Build(seed)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range w.Discs {
			others := *w
			others.Discs = append(append([]world.Disc{}, w.Discs[:i]...), w.Discs[i+1:]...)
			if gap := others.Distance(d.Centre) - d.Radius; gap < sc.World.Scatter.Gap-1e-9 {
				t.Errorf("seed %d: a gap of %.3f m", seed, gap)
			}
			if clear := d.Distance(start.At); clear < sc.World.Scatter.Clear {
				t.Errorf("seed %d: a disc %.3f m from the start", seed, clear)
			}
			if d.Radius < 0.08 || d.Radius > 0.18 {
				t.Errorf("seed %d: radius %.3f", seed, d.Radius)
			}
		}
	}
}

func TestLineStartPutsTheBarOnTheLine(t *testing.T) {
	sc := load(t, "line")
	w, start, err := sc.Build(3)
	if err != nil {
		t.Fatal(err)
	}
	bar := start.At.Add(world.Unit(start.Heading).Scale(sc.Car.FloorAhead))
	if d := w.Floor.LineDistance(bar); d > 1e-9 {
		t.Errorf("the bar starts %v m from the line", d)
	}
	if math.Abs(start.Heading) > 1e-9 {
		t.Errorf("heading %v on a straight along x", start.Heading)
	}
}

const good = `duration_s = 10
[world]
size = [4, 3]
`

// Each complaint must name the file, the line and the key, and say why.
func TestComplaints(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"unknown key", good + "colour = 3\n", "x.toml:4: world.colour: unknown key"},
		{"unknown table", good + "[wheels]\nn = 4\n", "x.toml:4: wheels: unknown key"},
		{"wrong type", "duration_s = \"long\"\n[world]\nsize = [4, 3]\n", "x.toml:1: duration_s: "},
		{"out of range", "duration_s = -1\n[world]\nsize = [4, 3]\n", "x.toml:1: duration_s: -1 is outside 0.1..3600"},
		{"missing", "title = \"x\"\n", "x.toml: duration_s: 0 is outside 0.1..3600"},
		{"clock", good + "[start]\nx = 1\n[car]\n[brain]\n" + "[hat]\nclock_hz = 1\n", "x.toml:9: hat.clock_hz: 1 is outside"},
		{"second of an array", good + "[[fault]]\nkind = \"nack\"\n[[fault]]\nkind = \"nack\"\nprobability = 2\n", "x.toml:8: fault.1.probability: 2 is outside 0..1"},
		{"fault kind", good + "[[fault]]\nkind = \"gremlin\"\n", "unknown fault \"gremlin\""},
		{"window", good + "[[fault]]\nkind = \"nack\"\nfrom_s = 5\nuntil_s = 4\n", "x.toml:7: fault.0.until_s: 4 is not after from_s = 5"},
		{"metric", good + "[[limit]]\nmetric = \"beauty\"\nmax = 1\n", "x.toml:5: limit.0.metric: unknown metric \"beauty\""},
		{"no bound", good + "[[limit]]\nmetric = \"stops\"\n", "x.toml:4: limit.0: a limit needs min or max"},
		{"mean share", good + "[[limit]]\nmetric = \"stops\"\nmax = 1\nover = \"mean\"\nshare = 0.5\n", "x.toml:8: limit.0.share: "},
		{"goal", good + "[brain]\ngoal = true\n", "x.toml:5: brain.goal: there is no [world.goal]"},
		{"stop", "stop = \"goal\"\n" + good, "x.toml:1: stop: a run cannot end at a goal"},
		{"car", good + "[car]\nlag = 0\n", "x.toml:4: car: plant: Lag 0 outside 0.002..2"},
		{"nan", good + "[start]\nx = nan\n", "x.toml:4: start: NaN is outside"},
		{"syntax", good + "= 3\n", "x.toml:4"},
		{"nested array", good + "[[world.mover]]\npath = [[1, 1]]\nradius = 0.1\n", "x.toml:5: world.mover.0.path: a path needs at least 2 points"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := scenarios.Parse("x.toml", []byte(tt.text))
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q\nwant it to contain %q", err, tt.want)
			}
			var e *scenarios.Error
			if !errors.As(err, &e) || e.File != "x.toml" {
				t.Errorf("no *Error with the file in %v", err)
			}
		})
	}
}

func TestAllComplaintsAtOnce(t *testing.T) {
	_, err := scenarios.Parse("x.toml", []byte("duration_s = 0\nruns = 0\nprofile = \"P9\"\n[world]\nsize = [0, 3]\n"))
	if err == nil {
		t.Fatal("accepted")
	}
	if n := strings.Count(err.Error(), "x.toml"); n != 4 {
		t.Errorf("%d complaints, want 4:\n%v", n, err)
	}
}

func TestUnknownNameListsTheKnown(t *testing.T) {
	_, err := scenarios.Load("mars")
	if err == nil || !strings.Contains(err.Error(), "corridor") {
		t.Errorf("Load(mars): %v", err)
	}
}

// Whatever Parse accepts can be built, or says why not, and is bounded.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	for _, name := range scenarios.Names() {
		f.Add([]byte("title = \"" + name + "\"\n" + good))
	}
	f.Add([]byte("[[world.wall]]\nfrom=[0,0]\nto=[1,1]\n[[limit]]\nmetric='stops'\nmax=1\n"))
	f.Add([]byte("world = { size = [1, 1], walled = true }\nduration_s = 1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sc, err := scenarios.Parse("fuzz.toml", data)
		if err != nil {
			if sc != nil {
				t.Fatal("a scenario beside an error")
			}
			return
		}
		if !(sc.Duration >= 0.1 && sc.Duration <= 3600) || sc.Profile.Sectors() == nil {
			t.Fatalf("accepted %+v", sc)
		}
		if sc.World.Scatter.Count > 10 {
			return // crowded worlds take long to refuse
		}
		w, start, err := sc.Build(1)
		if err == nil && (math.IsNaN(w.Distance(start.At)) || math.IsNaN(start.Heading)) {
			t.Fatalf("NaN in the world of %+v", sc)
		}
	})
}

func Example() {
	sc, err := scenarios.Load("room")
	if err != nil {
		fmt.Println(err)
		return
	}
	w, start, err := sc.Build(7)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d discs, start at %.1f, %.1f\n", sc.Title, len(w.Discs), start.At.X, start.At.Y)
	// Output: Room with six discs, beams at 0, +-30 and +-60 deg: 6 discs, start at 0.6, 1.5
}

func load(t *testing.T, name string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func TestEveryMetricHasAMeaning(t *testing.T) {
	names := scenarios.Metrics()
	if !slices.IsSorted(names) {
		t.Errorf("not in alphabetical order: %v", names)
	}
	for _, name := range names {
		if scenarios.Meaning(name) == "" {
			t.Errorf("%s has no meaning", name)
		}
	}
	if m := scenarios.Meaning("beauty"); m != "" {
		t.Errorf("beauty means %q", m)
	}
}
