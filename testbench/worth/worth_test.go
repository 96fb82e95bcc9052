package worth

import (
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/field/cpu"
	"fieldbrain/testbench/tier"
)

// options are those of a bare field.
func options(only ...string) Options {
	return Options{
		Field:  func(p field.Params) (field.Engine, error) { return cpu.New(p, cpu.DefaultOptions()) },
		Period: 5 * time.Millisecond, Only: only, Seeds: 3, Workers: 2,
	}
}

// TestHiding: the whole field and a point know where a hidden goal is, who forgets
// knows nothing; and the report says whose memory is better by how much.
func TestHiding(t *testing.T) {
	tier.Heavy(t, "a field for 30 s, nine times")
	tier.Compiled(t, "a field for 30 s, nine times")
	r, err := Run(t.Context(), options("hiding"))
	if err != nil {
		t.Fatal(err)
	}
	row := &r.Questions[0].Rows[0]
	if row.Field.N != 3 || row.Field.Mean > 15 {
		t.Errorf("after 2 s the field errs by %+v deg", row.Field)
	}
	for _, o := range row.Others {
		switch o.Kind {
		case ablation.Point:
			if o.Sample.Mean > 15 {
				t.Errorf("the point errs by %+v deg", o.Sample)
			}
		case ablation.Forget:
			if o.Sample.Mean != 180 || o.Verdict() != 1 {
				t.Errorf("who forgets errs by %+v deg, verdict %d", o.Sample, o.Verdict())
			}
		}
	}
	var page strings.Builder
	if err := r.Markdown(&page, Heading{Command: "x", Date: "2026-01-01", Machine: "m", Took: "1 s"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## hiding", "| forget | 3 | 3 | 0 | 0 |", "180 **+**"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, page.String())
		}
	}
}

// TestCompare: a gain above 0 is the field's, whichever way the measure counts, and a
// run that lacks the figure takes its seed out of the comparison.
func TestCompare(t *testing.T) {
	q := question{
		id: "x", seeds: 3, kinds: []ablation.Kind{ablation.Argmax},
		measures: []measure{{name: "less"}, {name: "more", more: true}},
	}
	r := q.compare(answers{
		ablation.Neural: {{1, 10}, {2, 11}, {3, math.NaN()}},
		ablation.Argmax: {{3, 8}, {4, 9.5}, {5.5, 1}},
	})
	less, more := &r.Rows[0].Others[0], &r.Rows[1].Others[0]
	if less.Gain.N != 3 || less.Gain.Mean < 2 || less.Verdict() != 1 {
		t.Errorf("less is better: %+v", less)
	}
	if more.Gain.N != 2 || more.Gain.Mean != 1.75 || more.Sample.N != 3 {
		t.Errorf("more is better: %+v", more)
	}
}

// TestQuestions: every question has a name of its own, kinds to compare with and
// measures; a wrong name is refused.
func TestQuestions(t *testing.T) {
	seen := map[string]bool{}
	for _, q := range questions() {
		if seen[q.id] || len(q.kinds) == 0 || len(q.measures) == 0 || q.seeds < 5 || q.answer == nil {
			t.Errorf("%s: %+v", q.id, q)
		}
		seen[q.id] = true
	}
	o := options("choosing", "sitting")
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), `no question "sitting"`) {
		t.Errorf("a wrong question: %v", err)
	}
}

// TestDecode: what no run came to is no report.
func TestDecode(t *testing.T) {
	const row = `{"measure": "m", "field": {"n": 3}, "others": [{"kind": "point"}]}`
	for text, want := range map[string]string{
		`{"runs": 3, "questions": [{"id": "hiding", "seeds": 3, "rows": [` + row + `]}]}`: "",
		`{}`:   "no question",
		`null`: "no question",
		`[]`:   "cannot unmarshal",
		`{"runs": 3, "questions": [{"id": "nosuch", "seeds": 3, "rows": [` + row + `]}]}`:               `no question "nosuch"; known are `,
		`{"runs": 3, "questions": [{"id": "hiding", "seeds": -5, "rows": [` + row + `]}]}`:              "hiding has -5 seeds",
		`{"runs": 3, "questions": [{"id": "hiding", "seeds": 3}]}`:                                      "hiding has no rows",
		`{"questions": [{"id": "hiding", "seeds": 3, "rows": [` + row + `]}]}`:                          "no runs",
		`{"runs": 3, "questions": [{"id": "hiding", "seeds": 3, "rows": [` + row + `]}], "unheard": 1}`: "unknown field",
	} {
		r, err := Decode([]byte(text))
		if want == "" && (err != nil || len(r.Questions) != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v; want %q", text, r, err, want)
		}
	}
}

// TestJoin: the newest answer to a question counts, and its place is the oldest's.
func TestJoin(t *testing.T) {
	r := Join(
		&Report{Runs: 3, Questions: []Question{{ID: "a", Seeds: 1}, {ID: "b", Seeds: 1}}},
		&Report{Runs: 2, Questions: []Question{{ID: "c"}, {ID: "a", Seeds: 5}}},
	)
	if r.Runs != 5 || len(r.Questions) != 3 || r.Questions[0].Seeds != 5 || r.Questions[2].ID != "c" {
		t.Errorf("%+v", r)
	}
}
