package tune

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// form is the number of the journal's form.
const form = 1

// A label says what a journal's evaluations are of: everything that costs depend on.
type label struct {
	Form     int      `json:"fieldbrain_tuning"`
	Program  string   `json:"program"`
	Pilot    string   `json:"pilot"`
	Profile  string   `json:"profile"`
	Families []string `json:"families"`
	Worlds   int      `json:"worlds"`
	Seconds  float64  `json:"seconds"`
	Seed     uint64   `json:"seed"`
	Knobs    []Knob   `json:"knobs"`
}

// newLabel returns a job's label.
func newLabel(program string, job Job) (*label, error) {
	l := &label{
		Form: form, Program: program, Pilot: job.Pilot, Profile: string(job.Profile), Families: job.Families,
		Worlds: job.Worlds, Seconds: job.Seconds, Seed: cmp.Or(job.Seed, 1),
	}
	if l.Families == nil {
		l.Families = Families()
	}
	for _, k := range job.Knobs {
		k.Best = 0
		l.Knobs = append(l.Knobs, k)
	}
	if _, err := json.Marshal(l); err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	return l, nil
}

// compare refuses a journal whose first line says something else, and names it.
func (l *label) compare(path string, content []byte) error {
	var o label
	if err := json.Unmarshal(content, &o); err != nil || o.Form == 0 {
		return refuse(path, "is no journal of a search: name another file")
	}
	if o.Form != l.Form {
		return refuse(path, "has form %d, and this program writes form %d: name another file, or begin anew with --afresh", o.Form, l.Form)
	}
	var other []string
	for _, d := range []struct{ name, theirs, ours string }{
		{"pilot", o.Pilot, l.Pilot},
		{"profile", o.Profile, l.Profile},
		{"families", strings.Join(o.Families, ","), strings.Join(l.Families, ",")},
		{"worlds", fmt.Sprint(o.Worlds), fmt.Sprint(l.Worlds)},
		{"seconds", fmt.Sprint(o.Seconds), fmt.Sprint(l.Seconds)},
		{"seed", fmt.Sprint(o.Seed), fmt.Sprint(l.Seed)},
		{"numbers", numbers(o.Knobs), numbers(l.Knobs)},
		{"program and settings", o.Program, l.Program},
	} {
		if d.theirs != d.ours {
			other = append(other, fmt.Sprintf("%s %s and not %s", d.name, d.theirs, d.ours))
		}
	}
	if len(other) > 0 {
		return refuse(path, "is of another search: %s; give that one's flags to its program, name another file, or begin anew with --afresh", strings.Join(other, "; "))
	}
	return nil
}

// numbers writes knobs in short.
func numbers(all []Knob) string {
	words := make([]string, len(all))
	for i, k := range all {
		words[i] = fmt.Sprintf("%s=%g(%g..%g)", k.Name, k.Start, k.Low, k.High)
	}
	return strings.Join(words, ",")
}
