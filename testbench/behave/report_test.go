package behave_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/field"
	"fieldbrain/testbench/behave"
	"fieldbrain/testbench/golden"
	"fieldbrain/testbench/tier"
)

var update = flag.Bool("update", false, "write the golden files anew")

// report runs some behaviours that take part in every kind of column.
func report(t *testing.T, workers int) *behave.Report {
	t.Helper()
	o := spoil{}.options("B3", "B8", "O7", "S6")
	o.Seeds, o.Workers, o.Engines = tier.Count(t, "seeds", 1, 2, 2), workers, []string{"auto", "auto"}
	r, err := behave.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Workers = 0
	return r
}

// shape replaces every value of decoded JSON by its type, and every list by what
// its first entry is.
func shape(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = shape(v[key])
		}
		return v
	case []any:
		return append([]any(nil), shape(v[0]))
	case nil:
		return "null"
	}
	return fmt.Sprintf("%T", v)
}

// TestReport: the JSON form has the keys and types it had, and does not depend
// on the number of workers.
func TestReport(t *testing.T) {
	tier.Heavy(t, "drives through a corridor a dozen times")
	tier.Compiled(t, "drives through a corridor a dozen times")
	r := report(t, 1)
	t.Run("pages", func(t *testing.T) { pages(t, r) })
	got, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.MarshalIndent(report(t, 4), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), string(other)); diff != "" {
		t.Errorf("one worker and four differ:\n%s", diff)
	}
	var v any
	if err := json.Unmarshal(got, &v); err != nil {
		t.Fatal(err)
	}
	if got, err = json.MarshalIndent(shape(v), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, *update, "testdata/report.json", string(got)+"\n")
}

// pages: the page and the table name every failure, every missing part and
// every figure that the field does not improve.
func pages(t *testing.T, r *behave.Report) {
	var page, table bytes.Buffer
	if err := r.Markdown(&page, behave.Heading{Command: "fieldbrain bench behave", Date: "2026-11-21", Machine: "machine", Took: "1s", Folder: "pictures"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Print(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Behaviours, beside drivers without a field", "**3 of 4 behaviours pass.**", "- S6, killed while saving: needs saving and loading what was learned, which is not in this build.",
		"- B3, corridor centring: the reactive driver holds every limit, too", "| B3 | exit_s (corridor) | <= 60 |", "equal on all: B3, B8.",
		"| S6 | loadable | >= 1 |",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, want := range []string{"finding B3:", "3 of 4 behaviours pass", "missing"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, table.String())
		}
	}
}

// TestOtherEngineIsFound: an engine with another result fails the behaviour.
func TestOtherEngineIsFound(t *testing.T) {
	o := spoil{}.options("O5")
	o.Engines = []string{"purego", "other"}
	inner := o.Field
	o.Field = func(p field.Params, isa string) (field.Engine, error) {
		if isa != "other" {
			return inner(p, isa)
		}
		e, err := inner(p, "purego")
		return kill(e), err
	}
	if b := result(t, o); b.Passed || b.Same == nil || len(b.Same.Differ) != 1 || b.Same.Differ[0] != "other" {
		t.Errorf("passed %v, same %+v; want the other engine named", b.Passed, b.Same)
	}
}

func TestPictures(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	o := spoil{}.options("B3", "B8")
	o.Draw, o.Length = true, 10*time.Second
	r, err := behave.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range r.Pictures {
		names = append(names, p.File)
		if !bytes.HasPrefix(p.PNG, []byte("\x89PNG")) || len(p.PNG) < 2000 || p.Caption == "" {
			t.Errorf("%s has %d bytes, caption %q", p.File, len(p.PNG), p.Caption)
		}
	}
	if want := []string{"B3-corridor.png", "B3-corridor-field.png", "B8-error.png"}; !cmp.Equal(names, want) {
		t.Errorf("pictures %v, want %v", names, want)
	}
}

// TestMechanismsPass: the behaviours that need no world hold (T15 and the rest
// of C.3 are tests of field).
func TestMechanismsPass(t *testing.T) {
	ids := []string{"B8", "O1", "O4", "O5", "O6", "O7", "S4", "B9", "B10", "B11"}
	ids = ids[:tier.Count(t, "mechanisms", 7, 10, 10)]
	o := spoil{}.options(ids...)
	r, err := behave.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Behaviours) != len(ids) {
		t.Errorf("%d behaviours for %v", len(r.Behaviours), ids)
	}
	for _, b := range r.Behaviours {
		for _, c := range b.Checks {
			if !c.Passed && !c.Open {
				t.Errorf("%s %s: %+v", b.ID, b.Name, c)
			}
		}
	}
}

func TestUnknownBehaviour(t *testing.T) {
	_, err := behave.Run(context.Background(), spoil{}.options("B99"))
	if err == nil || !strings.Contains(err.Error(), `"B99"; known are B1, B2`) {
		t.Errorf("B99: %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := spoil{}.options("B3")
	o.Workers = 1
	o.Progress = func(done, _ int) {
		if done == 2 {
			cancel()
		}
	}
	if r, err := behave.Run(ctx, o); err == nil || r != nil {
		t.Errorf("an interrupted suite reports %+v", r)
	}
}

func Example() {
	// A maker puts a brain into the bench's seat; see behave_parts.go of the
	// command for the one that drives. O7 needs none.
	r, err := behave.Run(context.Background(), spoil{}.options("O7"))
	if err != nil {
		fmt.Println(err)
		return
	}
	b := r.Behaviours[0]
	fmt.Printf("%s %s: %s %s %.1f, passed %v\n", b.ID, b.Name, b.Metric, b.Bound, b.Threshold, b.Passed)
	// Output: O7 ramp: operating_point_ramp_left_rad >= 0.1, passed true
}
