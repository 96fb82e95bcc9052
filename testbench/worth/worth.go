package worth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/ablation"
	"fieldbrain/testbench/behave"
	"fieldbrain/testbench/suite"
)

// Options choose the questions and the makers of brains and engines.
type Options struct {
	Make    behave.Maker                               // brains; it obeys Variant.Field
	Field   func(p field.Params) (field.Engine, error) // bare engines
	Outcome func(b *brain.Brain, o float32)            // tells a brain how its last seconds were
	Period  time.Duration                              // of the configured brain
	Only    []string                                   // questions; none means all
	Seeds   int                                        // of every question; 0 means its own count
	Workers int                                        // at once, at least 1

	Progress func(done, total int) // called after each answer, one call at a time; may be nil
}

// A question is one scene, asked of several kinds with several seeds.
type question struct {
	id, scene string
	seeds     int
	kinds     []ablation.Kind // besides Neural
	measures  []measure
	answer    func(o *Options, k ablation.Kind, seed uint64) ([]float64, error) // one number per measure; NaN: it did not happen
}

// A measure is one figure of a scene.
type measure struct {
	name  string
	more  bool // more of it is better
	about string
}

// deciders replace the decision, keepers the memory.
func deciders() []ablation.Kind {
	return []ablation.Kind{ablation.Attractor, ablation.Argmax, ablation.LowPass}
}

func keepers() []ablation.Kind { return []ablation.Kind{ablation.Point, ablation.Forget} }

// questions are all of them, in the order of the report.
func questions() []question {
	return slices.Concat(bare(), driven(), taught())
}

// Names lists the questions.
func Names() (ids []string) {
	for _, q := range questions() {
		ids = append(ids, q.id)
	}
	return ids
}

// chosen returns the questions that are asked for.
func (o *Options) chosen() ([]question, error) {
	all := questions()
	for _, id := range o.Only {
		if !slices.ContainsFunc(all, func(q question) bool { return q.id == id }) {
			return nil, fmt.Errorf("worth: no question %q; known are %s", id, strings.Join(Names(), ", "))
		}
	}
	if len(o.Only) > 0 {
		all = slices.DeleteFunc(all, func(q question) bool { return !slices.Contains(o.Only, q.id) })
	}
	for i := range all {
		if o.Seeds > 0 {
			all[i].seeds = o.Seeds
		}
	}
	return all, nil
}

// A Report is what the field is worth.
type Report struct {
	Questions []Question `json:"questions"`
	Runs      int        `json:"runs"`
}

// Decode reads the JSON of a report, and refuses what Run did not come to.
func Decode(text []byte) (*Report, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	r := new(Report)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("worth: %w", err)
	}
	if len(r.Questions) == 0 || r.Runs < 1 {
		return nil, errors.New("worth: it has no question, or no runs")
	}
	for _, q := range r.Questions {
		switch {
		case !slices.Contains(Names(), q.ID):
			return nil, fmt.Errorf("worth: no question %.100q; known are %s", q.ID, strings.Join(Names(), ", "))
		case q.Seeds < 1:
			return nil, fmt.Errorf("worth: question %s has %d seeds", q.ID, q.Seeds)
		case len(q.Rows) == 0:
			return nil, fmt.Errorf("worth: question %s has no rows", q.ID)
		}
	}
	return r, nil
}

// A Question is one scene with every measure of it.
type Question struct {
	ID    string `json:"id"`
	Scene string `json:"scene"`
	Seeds int    `json:"seeds"`
	Rows  []Row  `json:"rows"`
}

// A Row is one measure: the whole field, and what the others differ by.
type Row struct {
	Measure string       `json:"measure"`
	About   string       `json:"about"`
	More    bool         `json:"more_is_better"`
	Field   suite.Sample `json:"field"`
	Others  []Other      `json:"others"`
}

// An Other is the brain without the field's part. Gain is what the field is better by,
// seed by seed: above 0 it is, whatever the measure counts.
type Other struct {
	Kind   ablation.Kind `json:"kind"`
	Sample suite.Sample  `json:"sample"`
	Gain   suite.Sample  `json:"gain"`
}

// Verdict says what an interval shows: 1 the field is better, -1 the other one, 0
// neither.
func (o *Other) Verdict() int {
	switch g := o.Gain; {
	case g.N < 2 || g.Low <= 0 && g.High >= 0:
		return 0
	case g.Low > 0:
		return 1
	}
	return -1
}

// answers are the numbers of one question: by kind, seed and measure.
type answers map[ablation.Kind][][]float64

// Run asks every question and compares the answers.
func Run(ctx context.Context, o Options) (*Report, error) {
	asked, err := o.chosen()
	if err != nil {
		return nil, err
	}
	var jobs []func() error
	all := make([]answers, len(asked))
	for i, q := range asked {
		all[i] = answers{}
		for _, k := range append([]ablation.Kind{ablation.Neural}, q.kinds...) {
			got := make([][]float64, q.seeds)
			all[i][k] = got
			for seed := range got {
				jobs = append(jobs, func() (err error) {
					if got[seed], err = q.answer(&o, k, uint64(seed+1)); err != nil {
						return fmt.Errorf("worth: %s, %s, seed %d: %w", q.id, k, seed+1, err)
					}
					return nil
				})
			}
		}
	}
	err = suite.Each(ctx, o.Workers, len(jobs), o.Progress, func(i int) error { return jobs[i]() })
	if err != nil {
		return nil, err
	}
	r := &Report{Runs: len(jobs)}
	for i, q := range asked {
		r.Questions = append(r.Questions, q.compare(all[i]))
	}
	return r, nil
}

// Join puts the questions of reports into one, in the order of the list; of a question
// that stands in several the last one counts.
func Join(list ...*Report) *Report {
	all := &Report{}
	at := map[string]int{}
	for _, r := range list {
		all.Runs += r.Runs
		for _, q := range r.Questions {
			if i, has := at[q.ID]; has {
				all.Questions[i] = q
				continue
			}
			at[q.ID] = len(all.Questions)
			all.Questions = append(all.Questions, q)
		}
	}
	return all
}

// compare puts the answers to one question side by side.
func (q *question) compare(a answers) Question {
	r := Question{ID: q.id, Scene: q.scene, Seeds: q.seeds}
	for i, m := range q.measures {
		row := Row{Measure: m.name, About: m.about, More: m.more, Field: suite.NewSample(column(a[ablation.Neural], i))}
		for _, k := range q.kinds {
			other := Other{Kind: k, Sample: suite.NewSample(column(a[k], i))}
			var gains []float64
			for seed, ours := range a[ablation.Neural] {
				d := ours[i] - a[k][seed][i]
				if !m.more {
					d = -d
				}
				if !math.IsNaN(d) {
					gains = append(gains, d)
				}
			}
			other.Gain = suite.NewSample(gains)
			row.Others = append(row.Others, other)
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// column returns one measure of all seeds that have it.
func column(runs [][]float64, i int) (list []float64) {
	for _, run := range runs {
		if !math.IsNaN(run[i]) {
			list = append(list, run[i])
		}
	}
	return list
}
