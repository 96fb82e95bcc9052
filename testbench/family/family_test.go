package family_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fieldbrain/strict"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
)

// Everything that both sets hold can be driven: the car stands free, the oracle finds
// the way or the floor, and a file of it is the same world.
func TestMembers(t *testing.T) {
	seeds := tier.Count(t, "seeds of every family and set", 1, 10, 200)
	for _, name := range family.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, set := range []family.Set{family.Train, family.Test} {
				for seed := range uint64(seeds) {
					member(t, name, set, seed+1)
				}
			}
		})
	}
}

func member(t *testing.T, name string, set family.Set, seed uint64) {
	sc, err := family.Make(name, set, seed)
	if err != nil {
		t.Fatal(err)
	}
	w, start, err := sc.Build(seed)
	if err != nil {
		t.Fatal(err)
	}
	body := start.At.Add(world.Unit(start.Heading).Scale(sc.Car.BodyAhead))
	if gap := w.Distance(body) - sc.Car.BodyRadius; gap < 0.05 {
		t.Errorf("%s starts %.3f m from an obstacle", sc.Name, gap)
	}
	way, err := oracle.Solve(sc, seed)
	if err != nil {
		t.Errorf("%s: %v", sc.Name, err)
	}
	if sc.Stop != "" && (way.Length < 0.4 || way.Narrow < oracle.Margin/2-1e-9) {
		t.Errorf("%s: a way of %.2f m with %.3f m of air", sc.Name, way.Length, way.Narrow)
	}
	same(t, sc, w)
}

// same writes a member as a file and reads it back.
func same(t *testing.T, sc *scenarios.Scenario, w *world.World) {
	text, err := sc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := scenarios.Check(sc.Name, text)
	if err != nil {
		t.Fatalf("%s as a file: %v", sc.Name, err)
	}
	ignore := cmpopts.IgnoreFields(scenarios.Scenario{}, "Name")
	if diff := cmp.Diff(sc, read, cmpopts.IgnoreUnexported(scenarios.Scenario{}), ignore, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s and its file differ:\n%s", sc.Name, diff)
	}
	again, _, err := read.Build(99)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, again, cmpopts.IgnoreUnexported(world.Mover{})); diff != "" {
		t.Errorf("%s and its file build other worlds:\n%s", sc.Name, diff)
	}
}

func TestSetsAreApart(t *testing.T) {
	for _, name := range family.Names() {
		seen := map[string]string{}
		for _, set := range []family.Set{family.Train, family.Test} {
			for seed := range uint64(3) {
				sc, err := family.Make(name, set, seed)
				if err != nil {
					t.Fatal(err)
				}
				key := fmt.Sprint(sc.Start, sc.World.Size, sc.World.Discs, sc.World.Walls)
				if other, there := seen[key]; there {
					t.Errorf("%s and %s are the same world", sc.Name, other)
				}
				seen[key] = sc.Name
			}
		}
	}
}

// The same name makes the same member; with one beam it is the same world.
func TestSameNameSameMember(t *testing.T) {
	for _, name := range []string{"room", "clutter", "office", "line-gaps"} {
		a, err := family.Make(name, family.Train, 5)
		if err != nil {
			t.Fatal(err)
		}
		b, err := family.Make(name, family.Train, 5)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, b, cmpopts.IgnoreUnexported(scenarios.Scenario{})); diff != "" {
			t.Errorf("two draws of %s differ:\n%s", a.Name, diff)
		}
		one, err := family.Make(name+"-p0", family.Train, 5)
		if err != nil {
			t.Fatal(err)
		}
		if a.Profile != plant.P1 || one.Profile != plant.P0 {
			t.Errorf("%s has profile %s, %s has %s", a.Name, a.Profile, one.Name, one.Profile)
		}
		if diff := cmp.Diff(a.World, one.World); diff != "" || a.Start != one.Start {
			t.Errorf("%s with one beam is another world:\n%s", a.Name, diff)
		}
	}
}

// TestClutterApart: start and goal of clutter are as far apart as its title says, in
// lengths of a car of 0.25 m.
func TestClutterApart(t *testing.T) {
	const length = 0.25 // m
	sc, err := family.Make("clutter", family.Train, 5)
	if err != nil {
		t.Fatal(err)
	}
	apart := math.Hypot(sc.World.Goal.At[0]-sc.Start.X, sc.World.Goal.At[1]-sc.Start.Y) / length
	if want := fmt.Sprintf("start and goal %.0f car lengths apart", apart); !strings.Contains(sc.Title, want) {
		t.Errorf("%q does not say %q (%.2f)", sc.Title, want, apart)
	}
}

func TestOpen(t *testing.T) {
	for _, name := range []string{"room/7", "room/test/7", "clutter-p0/3"} {
		sc, err := family.Open(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if sc.Name != name || !family.Is(name) {
			t.Errorf("%s opened %s", name, sc.Name)
		}
	}
	if seed, is := family.Seed("clutter/test/9"); !is || seed != 9 {
		t.Errorf("clutter/test/9 has seed %d, %v", seed, is)
	}
	if _, is := family.Seed("room"); is {
		t.Error("the built-in room has a member's seed")
	}
	if sc, err := family.Open("room"); err != nil || sc.World.Scatter.Count == 0 {
		t.Errorf("room is not the built-in scenario: %v", err)
	}
	var complaints strict.Complaints
	if _, err := family.Open("romo/7"); !errors.As(err, &complaints) || !strings.Contains(err.Error(), "did you mean room?") {
		t.Errorf("romo/7 is no family's, and no file: got %v", err)
	}
	if _, err := family.Open("worlds/mine.toml"); !errors.As(err, &complaints) || strings.Contains(err.Error(), "family") {
		t.Errorf("worlds/mine.toml is a file that is not there: got %v", err)
	}
	for name, want := range map[string]string{
		"clutter/x":       "clutter/x: no member of the family clutter, and no such file (write clutter/SEED or clutter/test/SEED",
		"clutter/test/-1": "clutter/test/-1: no member of the family clutter",
		"romo/7":          "romo/7: no such file, and no member of a family (family \"romo\": unknown (did you mean room?)",
	} {
		_, err := family.Open(name)
		if !errors.As(err, &complaints) || len(complaints) != 1 || !strings.HasPrefix(complaints[0].String(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	if _, err := family.Open("legs"); err == nil || !strings.Contains(err.Error(), "a family of worlds") || !strings.Contains(err.Error(), "legs/7") {
		t.Errorf("legs is a family and no scenario: got %v", err)
	}
	for _, name := range []string{"room/", "room/x", "room/-1", "room/train/1", "./room/7", "nobody/1"} {
		if family.Is(name) {
			t.Errorf("%s is a member", name)
		}
	}
}

func TestUnknownFamily(t *testing.T) {
	_, err := family.Make("clutte", family.Train, 1)
	if err == nil || !strings.Contains(err.Error(), "did you mean clutter?") || !strings.Contains(err.Error(), "door-10") {
		t.Errorf("got %v", err)
	}
	if family.Title("clutte") != "" || family.Title("room-p0") == family.Title("room") {
		t.Error("titles do not tell families apart")
	}
}

func Example() {
	sc, err := family.Make("door-10", family.Train, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	way, err := oracle.Solve(sc, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.1f m to the goal, in %.0f s at best\n", sc.Name, way.Length, way.Time)
	// Output: door-10/7: 2.6 m to the goal, in 8 s at best
}

// The worlds of a set are dealt to the judged families: one more would make other worlds
// of every report.
func TestJudged(t *testing.T) {
	if got := family.Judged(); len(got) != 27 || got[26] != "clutter" || slices.Contains(got, "jumble") || len(family.Names()) != 30 {
		t.Errorf("%d judged families of %d: %v", len(got), len(family.Names()), got)
	}
}
