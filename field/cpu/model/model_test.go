package model_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldbrain/field"
	"fieldbrain/field/cpu/model"
)

// TestReport holds the committed report to the sources, and its page to the report.
func TestReport(t *testing.T) {
	r, err := model.ReadReport()
	if err != nil {
		t.Fatal(err)
	}
	sources, err := model.HashSources(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	if r.Sources != sources {
		t.Error("the report is older than the NEON engine's sources: run make neon (needs g++-aarch64-linux-gnu and llvm-19) and commit what it writes")
	}
	text, err := os.ReadFile("../../../docs/neon.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != r.Markdown() {
		t.Error("docs/neon.md does not show report.json: run make neon")
	}
	for _, e := range model.Entries() {
		n, cycles := r.Cost(e.Name)
		if n < 1 || slices.ContainsFunc(cycles, func(c float64) bool { return !(c > 0) || math.IsInf(c, 0) }) {
			t.Errorf("%s: %v instructions, %v cycles", e.Name, n, cycles)
		}
	}
}

// TestRows: every channel is judged once, the dearest first.
func TestRows(t *testing.T) {
	r, err := model.ReadReport()
	if err != nil {
		t.Fatal(err)
	}
	rows, mean := r.Rows()
	n, sum, before := 0, 0.0, math.Inf(1)
	for _, row := range rows {
		c := row.Cycles[len(row.Cycles)-1]
		n += len(row.Channels)
		sum += c * float64(len(row.Channels))
		if c > before {
			t.Errorf("%v stand behind cheaper ones", row.Channels)
		}
		before = c
	}
	if got := mean.Cycles[len(mean.Cycles)-1]; n != field.Channels || math.Abs(got-sum/field.Channels) > 1e-6 || r.Held() != (got <= model.Goal) {
		t.Errorf("%d channels, mean %v of %v, held %v", n, got, sum/field.Channels, r.Held())
	}
}

// TestThrough: what the parts of a tick are, of channels that differ in all of them.
func TestThrough(t *testing.T) {
	p := field.Default()
	l := field.NewPlanesLayout(&p.Table, field.Dense)
	k := field.NewConstants(&p, &l)
	for c, want := range map[int]string{
		field.RangeSeen:  "axis_1_first_both axis_2_last_narrow axis_2_last_wide rows_xy_plane_amari_inhibited_preshaped",
		field.TargetSeen: "axis_0_first_narrow axis_1_narrow axis_2_last_narrow rows_xyz_amari_preshaped",
		field.Heading:    "axis_1_first_last_narrow rows_x_plane_amari_noisy",
		field.Body:       "rows_z_plane_linear_still",
		field.FirstTrace: "trace_gated",
		field.HeadTrace:  "trace_average",
		field.ObstMap:    "map",
	} {
		var names []string
		for _, e := range model.Through(&p, k, c) {
			names = append(names, e.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s goes through %s, want %s", p.Table[c].Name, got, want)
		}
	}
}

// TestHashSources: a change of the engine makes the report stale, one of another engine
// does not.
func TestHashSources(t *testing.T) {
	hash := func(change string) string {
		files := fstest.MapFS{}
		for _, name := range []string{"field/cpu/native/evolve.h", "field/cpu/native/lanes_avx2.h", "field/cpu/model/rows.h"} {
			text := "x"
			if name == change {
				text = "y"
			}
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		sum, err := model.HashSources(files)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	same := hash("")
	for name, changes := range map[string]bool{"field/cpu/native/evolve.h": true, "field/cpu/model/rows.h": true, "field/cpu/native/lanes_avx2.h": false} {
		if (hash(name) != same) != changes {
			t.Errorf("a change of %s: another hash is %v", name, !changes)
		}
	}
}

func ExampleEntry_PerRow() {
	for _, e := range model.Entries() {
		if e.Name == "axis_1_first_both" {
			fmt.Println(e.PerRow("line read"), e.PerRow("line weigh"))
		}
	}
	// Output: 3 2
}
