package pilots

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// run drives a built-in scenario by a pilot's name. Seeds from 1000 on are judged
// nowhere else.
func run(t *testing.T, name, scenario string, profile plant.Profile, seed uint64, length time.Duration) *testbench.Result {
	t.Helper()
	sc, err := scenarios.Open(scenario)
	if err != nil {
		t.Fatal(err)
	}
	sc.Profile = profile
	pilot, known := Named(name)
	if name == "vendor" {
		pilot, known = testbench.Vendor, true
	}
	if !known {
		t.Fatalf("no pilot is called %q", name)
	}
	r, err := testbench.Run(sc, seed, pilot, testbench.Options{Length: length})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRoom: every pilot makes way in the room and goes to different places; with
// five beams it touches hardly anything.
func TestRoom(t *testing.T) {
	seeds := tier.Count(t, "seeds", 1, 3, 5)
	both := tier.Count(t, "profiles", 1, 2, 2) == 2
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			contacts := 0
			for i := range seeds {
				r := run(t, name, "room", plant.P1, uint64(1001+i), 60*time.Second)
				contacts += r.Collisions
				if r.Distance < 8 || r.Coverage < 0.08 || r.Stuck > 0 {
					t.Errorf("seed %d:\n%s", 1001+i, r.Summary())
				}
				if !both {
					continue
				}
				one := run(t, name, "room", plant.P0, uint64(1001+i), 60*time.Second)
				if one.Distance < 6 || one.Coverage < 0.08 || one.Stuck > 1 {
					t.Errorf("one beam, seed %d:\n%s", 1001+i, one.Summary())
				}
			}
			if contacts > seeds {
				t.Errorf("%d contacts in %d drives", contacts, seeds)
			}
		})
	}
}

// TestGoal: every pilot reaches the goal more often than the vendor's rule, which
// does not know of it, with five beams and with one.
func TestGoal(t *testing.T) {
	seeds := tier.Count(t, "seeds", 2, 4, 8)
	reached := func(name string, profile plant.Profile) (n int) {
		for i := range seeds {
			if run(t, name, "goal", profile, uint64(1001+i), 0).Goal != nil {
				n++
			}
		}
		return n
	}
	for _, profile := range []plant.Profile{plant.P1, plant.P0} {
		vendor := reached("vendor", profile)
		for _, name := range Names() {
			n := reached(name, profile)
			if n <= vendor {
				t.Errorf("%s, %s: %d of %d, the vendor's rule %d", name, profile, n, seeds, vendor)
			}
			if profile == plant.P1 && n < seeds-seeds/4 { // one drive of four may go astray
				t.Errorf("%s, %s: only %d of %d", name, profile, n, seeds)
			}
		}
	}
}

// TestEdge: a pilot with a map that meets the table's edge turns away from it.
// Wheels may pass it: at an angle they are there before the sensors between them.
// reactive+ forgets the edge and comes back.
func TestEdge(t *testing.T) {
	for _, name := range Tunable() {
		sc, err := scenarios.Open("cliff")
		if err != nil {
			t.Fatal(err)
		}
		sc.Start.Heading, sc.Start.SpreadHeading = 0, 0
		sc.Measure.Fall = scenarios.FallAxle
		pilot, _ := Named(name)
		r, err := testbench.Run(sc, 1001, pilot, testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		turned := 0.0 // rad from the way to the edge
		for _, p := range r.Track.Trail {
			turned = max(turned, math.Abs(p.Pose.Heading))
		}
		if r.Crossings == nil || *r.Crossings < 1 || turned < 1 && name != "reactive+" {
			t.Errorf("%s: turned by %.2f rad at most\n%s", name, turned, r.Summary())
		}
	}
}

// TestSame: the same seed is the same drive.
func TestSame(t *testing.T) {
	for _, name := range Names() {
		a := run(t, name, "room", plant.P1, 1001, 8*time.Second)
		b := run(t, name, "room", plant.P1, 1001, 8*time.Second)
		if a.Trajectory != b.Trajectory || a.Distance < 0.5 {
			t.Errorf("%s: %s after %.2f m, then %s", name, a.Trajectory, a.Distance, b.Trajectory)
		}
	}
}

// TestKnobs: what tuning may turn has bounds around its value, and With holds
// them.
func TestKnobs(t *testing.T) {
	for _, name := range Tunable() {
		for _, profile := range []plant.Profile{plant.P0, plant.P1} {
			var values []float64
			for _, k := range Knobs(name, profile) {
				if !(k.Low <= k.Value && k.Value <= k.High && k.Low < k.High) {
					t.Errorf("%s %s: %+v", name, profile, k)
				}
				values = append(values, k.Value)
			}
			if _, err := With(name, values); err != nil || len(values) < 4 {
				t.Errorf("%s: %d numbers: %v", name, len(values), err)
			}
			values[0] = -1
			if _, err := With(name, values); err == nil || !strings.Contains(err.Error(), Knobs(name, profile)[0].Name) {
				t.Errorf("%s takes %v: %v", name, values, err)
			}
		}
	}
	if _, err := With(oracle, nil); err == nil || Knobs(oracle, plant.P1) != nil {
		t.Error("the oracle has numbers to tune")
	}
	if _, known := Named("nobody"); known {
		t.Error("nobody is a pilot")
	}
}

// TestNobodyLooks: no type that a driver reaches, by its own fields or by its
// view's, leads to the world, the plant, the scenario or the bench; and of the
// package's files only the oracle's reads more of a scenario than the task.
func TestNobodyLooks(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(path string, x reflect.Type)
	walk = func(path string, x reflect.Type) {
		if seen[x] {
			return
		}
		seen[x] = true
		if p := x.PkgPath(); strings.Contains(p, "/testbench") && !strings.HasSuffix(p, "/pilots") && !strings.HasSuffix(p, "/noise") ||
			x.Kind() == reflect.Interface {
			t.Errorf("%s is a %v", path, x)
		}
		switch x.Kind() {
		case reflect.Struct:
			for i := range x.NumField() {
				walk(path+"."+x.Field(i).Name, x.Field(i).Type)
			}
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(path, x.Elem())
		}
	}
	for _, name := range Tunable() {
		var v view
		v.axles = 0.1
		walk(name, reflect.TypeOf(defaults(name, plant.P1).seat(&v)))
	}
	walk("view", reflect.TypeFor[view]())
	if len(seen) < 30 {
		t.Errorf("only %d types seen", len(seen))
	}
	for file, words := range map[string][]string{
		"helm.go": {"Brain"}, "pilots.go": {"Profile", "Brain"}, "oracle.go": {"World", "Measure", "Stop"},
	} {
		if got := scenarioFields(t, file); !slices.Equal(got, words) {
			t.Errorf("%s reads %q of a scenario, want %q", file, got, words)
		}
	}
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		if slices.Contains([]string{"helm.go", "pilots.go", "oracle.go"}, file) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		if got := scenarioFields(t, file); len(got) > 0 {
			t.Errorf("%s reads %q of a scenario", file, got)
		}
	}
}

// scenarioFields lists what a file selects of anything that is called Scenario or
// sc, each once, in order.
func scenarioFields(t *testing.T, file string) (list []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		s, is := n.(*ast.SelectorExpr)
		if !is {
			return true
		}
		name := ""
		switch x := s.X.(type) {
		case *ast.SelectorExpr:
			name = x.Sel.Name
		case *ast.Ident:
			name = x.Name
		}
		if (name == "Scenario" || name == "sc") && !slices.Contains(list, s.Sel.Name) {
			list = append(list, s.Sel.Name)
		}
		return true
	})
	return list
}
