package scenarios_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// TestEncode prints a scenario, reads it again and gets the same scenario.
func TestEncode(t *testing.T) {
	for _, name := range scenarios.Names() {
		want := load(t, name)
		text, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := scenarios.Parse(name+".toml", text)
		if err != nil {
			t.Errorf("%s:\n%v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(scenarios.Scenario{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// The documentation is itself a valid file, and names every key.
func TestDoc(t *testing.T) {
	text, err := scenarios.Doc()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scenarios.Parse("doc.toml", text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	for _, key := range []string{"cruise = ", "follow_line = ", "[[world.mover]]", "[world.floor.oval]", "[[fault]]", "servo_rate = ", "0.05 .. 2 m; required\nradius", "0.001 .. 1 m; required\nwidth"} {
		if !strings.Contains(string(text), key) {
			t.Errorf("no %s", key)
		}
	}
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
