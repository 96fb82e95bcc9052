package tune

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"text/tabwriter"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/trials"
	"fieldbrain/verdict"
)

// An Exam lets a pilot drive worlds of the test set, of which the search has seen none,
// twice: with the numbers as they were and as they were tuned.
type Exam struct {
	Families      []string // nil takes Families
	Profile       plant.Profile
	Worlds        int
	Before, After trials.Pilot
	Journal       *trials.Journal // keeps the drives; may be nil
	Workers       int
	Progress      func(done, total int) // may be nil
}

// A Metric is one figure of the drives, before and after.
type Metric struct {
	Name   string      `json:"name"`
	Before float64     `json:"before"` // mean over the worlds
	After  float64     `json:"after"`
	Gap    verdict.Gap `json:"gap"` // after minus before, world by world
}

// Marks are what an exam came to.
type Marks struct {
	Families []string         `json:"families"`
	Profile  plant.Profile    `json:"profile"`
	Worlds   int              `json:"worlds"` // of the test set
	Metrics  []Metric         `json:"metrics"`
	Contact  verdict.Contrast `json:"contact"` // worlds in which only the tuned numbers touched something, and only the ones before
	Before   string           `json:"before_hash"`
	After    string           `json:"after_hash"` // of all drives, which whoever drives them again can compare
}

// hash is of the worlds and trajectories of drives, in the order of the worlds.
func hash(drives []trials.Record) string {
	h := fnv.New64a()
	for i := range drives {
		fmt.Fprintln(h, drives[i].World, drives[i].Way)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// figures are what an exam compares: a name with its unit, and the figure of a drive.
// The first three decide.
func figures() []figure {
	return []figure{
		{"cost", RecordCost},
		{"contacts", func(r *trials.Record) float64 { return float64(r.Contacts) }},
		{"falls", func(r *trials.Record) float64 { return float64(r.Falls) }},
		{"worth, 0..1", func(r *trials.Record) float64 { return worth(result(r)) }},
		{"share of what the map allows", func(r *trials.Record) float64 { return r.Oracle }},
		{"coverage", func(r *trials.Record) float64 { return r.Coverage }},
		{"holds every condition", func(r *trials.Record) float64 {
			if r.Pass {
				return 1
			}
			return 0
		}},
		{"stood, s", func(r *trials.Record) float64 { return r.Standing }},
		{"circled, s", func(r *trials.Record) float64 { return r.Circling }},
		{"steering, deg/s", func(r *trials.Record) float64 { return r.Steering }},
		{"reversals per s", func(r *trials.Record) float64 { return r.Reversals }},
	}
}

// A figure of a drive.
type figure struct {
	name string
	of   func(r *trials.Record) float64
}

// Run drives the exam.
func (x *Exam) Run(ctx context.Context) (*Marks, error) {
	if x.Families == nil {
		x.Families = Families()
	}
	x.Families = x.Families[:min(len(x.Families), x.Worlds)]
	roster := &trials.Roster{
		Families: x.Families, Profiles: []plant.Profile{x.Profile}, Worlds: x.Worlds,
		Set: family.Test, Pilots: []trials.Pilot{x.After, x.Before}, Workers: x.Workers, Progress: x.Progress,
	}
	journal := x.Journal
	if journal == nil {
		var err error
		if journal, err = trials.Resume(nil, trials.Program{Sum: "exam"}, nil); err != nil {
			return nil, err
		}
	}
	if _, err := trials.Run(ctx, roster, journal); err != nil {
		return nil, err
	}
	var drives [2][]trials.Record
	for i, pilot := range roster.Pilots {
		for _, w := range roster.List() {
			r, is := journal.Record(w, pilot.Name)
			if !is {
				return nil, fmt.Errorf("tune: nobody drove %v as %s", w, pilot.Name)
			}
			drives[i] = append(drives[i], r)
		}
	}
	return x.mark(drives[1], drives[0]), nil
}

// mark compares drives of the same worlds.
func (x *Exam) mark(before, after []trials.Record) *Marks {
	m := &Marks{Families: x.Families, Profile: x.Profile, Worlds: len(after), Before: hash(before), After: hash(after)}
	mean := func(of func(r *trials.Record) float64, drives []trials.Record) (sum float64) {
		for i := range drives {
			sum += of(&drives[i])
		}
		return sum / float64(len(drives))
	}
	for _, f := range figures() {
		m.Metrics = append(m.Metrics, Metric{f.name, mean(f.of, before), mean(f.of, after), trials.Difference(after, before, f.of)})
	}
	m.Contact = trials.Discordant(after, before, func(r *trials.Record) bool { return r.Contacts > 0 })
	return m
}

// Accepted reports whether the tuned numbers are better: the interval of the cost's
// difference lies below zero, and neither contacts nor falls became more.
func (m *Marks) Accepted() bool {
	cost, contacts, falls := &m.Metrics[0], &m.Metrics[1], &m.Metrics[2]
	return cost.Gap.Pairs > 0 && cost.Gap.High < 0 && contacts.After <= contacts.Before && falls.After <= falls.Before
}

// Verdict says in a sentence what the exam decides. Without marks the search found
// nothing to examine.
func (m *Marks) Verdict() string {
	if m == nil {
		return "The defaults stay: the search found nothing better in its own worlds."
	}
	cost, contacts, falls := &m.Metrics[0], &m.Metrics[1], &m.Metrics[2]
	change := fmt.Sprintf("in %d test worlds the cost changes by %s", m.Worlds, short(cost.Gap))
	touched := fmt.Sprintf("contacts a drive go from %.3f to %.3f", contacts.Before, contacts.After)
	switch {
	case m.Accepted():
		return fmt.Sprintf("The tuned numbers are accepted: %s, and %s. They become the defaults only through a commit that shows this report.", change, touched)
	case !(cost.Gap.High < 0):
		return fmt.Sprintf("The defaults stay: %s, an interval that does not lie below zero.", change)
	case falls.After > falls.Before:
		return fmt.Sprintf("The defaults stay: %s, but falls a drive go from %.3f to %.3f.", change, falls.Before, falls.After)
	}
	return fmt.Sprintf("The defaults stay: %s, but %s.", change, touched)
}

// short writes a difference with its interval.
func short(g verdict.Gap) string { return fmt.Sprintf("%+.3f (%+.3f..%+.3f)", g.Mean, g.Low, g.High) }

// Print writes the marks for a person.
func (m *Marks) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %d test worlds\tbefore\tafter\tafter - before (95 %%)\n", m.Profile, m.Worlds)
	for _, f := range m.Metrics {
		fmt.Fprintf(t, "  %s\t%.3f\t%.3f\t%s\n", f.Name, f.Before, f.After, short(f.Gap))
	}
	fmt.Fprintf(t, "only the tuned numbers touched something in %d worlds, only those before in %d (p %.2g)\n", m.Contact.Ours, m.Contact.Theirs, m.Contact.P)
	fmt.Fprintf(t, "hash of the drives before %s, after %s\n", m.Before, m.After)
	return t.Flush()
}
