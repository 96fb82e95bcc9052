package train

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/trials"
	"fieldbrain/testbench/tune"
	"fieldbrain/verdict"
)

// An Exam lets a policy and others drive the same worlds of the test set in the bench,
// with bus, driver and HAT.
type Exam struct {
	Family   string
	Profile  plant.Profile
	Worlds   int
	Pilots   []trials.Pilot // the policy first
	Workers  int
	Progress func(done, total int) // may be nil
}

// A Line is one pilot in an exam.
type Line struct {
	trials.Sum
	Cost float64 `json:"cost"` // mean of tune.Cost
}

// A Pair is the policy against another pilot, world by world: differences are the
// policy's minus the other's.
type Pair struct {
	Pilot    string           `json:"pilot"`
	Cost     verdict.Gap      `json:"cost"`
	Contact  verdict.Contrast `json:"contact"` // drives in which only one of them touched something
	Share    verdict.Gap      `json:"oracle"`  // of what the map allows
	Coverage verdict.Gap      `json:"coverage"`
	Standing verdict.Gap      `json:"standing_s"`
	Circling verdict.Gap      `json:"circling_s"`
}

// Beats reports whether the policy is better: its cost is lower beyond the interval.
func (p *Pair) Beats() bool { return p.Cost.Pairs > 0 && p.Cost.High < 0 }

// Marks are what an exam came to.
type Marks struct {
	Family  string        `json:"family"`
	Profile plant.Profile `json:"profile"`
	Worlds  int           `json:"worlds"` // of the test set
	Lines   []Line        `json:"pilots"`
	Pairs   []Pair        `json:"against"`
}

// Run drives the exam.
func (x *Exam) Run(ctx context.Context) (*Marks, error) {
	roster := &trials.Roster{
		Families: []string{x.Family}, Profiles: []plant.Profile{x.Profile}, Worlds: x.Worlds,
		Set: family.Test, Pilots: x.Pilots, Workers: x.Workers, Progress: x.Progress,
	}
	journal, err := trials.Resume(nil, trials.Program{Sum: "exam"}, nil)
	if err != nil {
		return nil, err
	}
	if _, err := trials.Run(ctx, roster, journal); err != nil {
		return nil, err
	}
	m := &Marks{Family: x.Family, Profile: x.Profile, Worlds: x.Worlds}
	var all [][]trials.Record
	for _, pilot := range x.Pilots {
		var records []trials.Record
		for _, w := range roster.List() {
			r, is := journal.Record(w, pilot.Name)
			if !is {
				return nil, fmt.Errorf("train: nobody drove %v as %s", w, pilot.Name)
			}
			records = append(records, r)
		}
		line := Line{Sum: trials.NewSum(pilot.Name, records)}
		for i := range records {
			line.Cost += tune.RecordCost(&records[i]) / float64(len(records))
		}
		m.Lines, all = append(m.Lines, line), append(all, records)
	}
	for i, theirs := range all[1:] {
		m.Pairs = append(m.Pairs, compare(x.Pilots[i+1].Name, all[0], theirs))
	}
	return m, nil
}

// compare pairs the drives of two pilots in the same worlds.
func compare(name string, ours, theirs []trials.Record) Pair {
	return Pair{
		Pilot:    name,
		Contact:  trials.Discordant(ours, theirs, func(r *trials.Record) bool { return r.Contacts > 0 }),
		Cost:     trials.Difference(ours, theirs, tune.RecordCost),
		Share:    trials.Difference(ours, theirs, func(r *trials.Record) float64 { return r.Oracle }),
		Coverage: trials.Difference(ours, theirs, func(r *trials.Record) float64 { return r.Coverage }),
		Standing: trials.Difference(ours, theirs, func(r *trials.Record) float64 { return r.Standing }),
		Circling: trials.Difference(ours, theirs, func(r *trials.Record) float64 { return r.Circling }),
	}
}

// Print writes the marks for a person.
func (m *Marks) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "%s %s, %d test worlds\tcost\tcontact\tof the map\tcoverage\tstood s\tcircled s\tpass\n", m.Family, m.Profile, m.Worlds)
	for i := range m.Lines {
		fmt.Fprintf(t, "  %s\n", strings.Join(m.Lines[i].cells(), "\t"))
	}
	for i := range m.Pairs {
		fmt.Fprintf(t, "%s\n", m.Pairs[i].sentence(m.Lines[0].Pilot))
	}
	return t.Flush()
}

// cells are a line of the table.
func (l *Line) cells() []string {
	return []string{
		l.Pilot, fmt.Sprintf("%.3f", l.Cost), fmt.Sprintf("%d/%d", l.Contact.Held, l.Contact.Of),
		fmt.Sprintf("%.3f", l.Reach), fmt.Sprintf("%.3f", l.Coverage),
		fmt.Sprintf("%.1f", l.Standing), fmt.Sprintf("%.1f", l.Circling), fmt.Sprintf("%d/%d", l.Pass.Held, l.Pass.Of),
	}
}

// sentence says who is better, and by how much.
func (p *Pair) sentence(policy string) string {
	word := "does not differ from"
	switch {
	case p.Beats():
		word = "beats"
	case p.Cost.Low > 0:
		word = "is worse than"
	}
	return fmt.Sprintf("%s %s %s: cost %+.3f (%+.3f..%+.3f), share of the map %+.3f (%+.3f..%+.3f), only it touched %d, only the other %d (p %.2g)",
		policy, word, p.Pilot, p.Cost.Mean, p.Cost.Low, p.Cost.High, p.Share.Mean, p.Share.Low, p.Share.High,
		p.Contact.Ours, p.Contact.Theirs, p.Contact.P)
}
