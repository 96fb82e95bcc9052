package suite

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fieldbrain/testbench/scenarios"
)

// A Heading tells the readers of a page how it was made.
type Heading struct {
	Command string // that makes the page
	Date    string // when it was made
	Engine  string // that stepped the field
	Notes   string // what else the reader should know, may be empty
}

// Markdown writes the report as a page for docs.
func (r *Report) Markdown(w io.Writer, h Heading) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Scenarios: worlds and faults of the bench, driven\n\nMade by `%s` on %s with engine `%s`: %d runs. ", h.Command, h.Date, h.Engine, r.Runs)
	b.WriteString("The same command gives the same figures on every machine and every engine; only the time it takes differs.\n\n")
	b.WriteString("Behind a scenario's own limits stand the conditions of every world: no fall, and at most a tenth of the run, or 5 s, spent standing or circling, and where the run is to end at a goal or an exit that it does; \"left out\" marks one that a scenario waives, because its fault stops the car by design. A limit on the mean shows the mean and its 95 % interval (Student). Any other limit shows the worst run and, in brackets, how many runs hold it. ")
	fmt.Fprintf(&b, "`%s` is judged; the others drive the same worlds with the same seeds. Spec says where a threshold comes from: B1 to B15 are behaviours of `specification.md`, part C; \"hardware 6\" is section 6 of `hardware.md`.\n", r.Drivers[0])
	passed := 0
	for i := range r.Rows {
		if r.Rows[i].Pass {
			passed++
		}
	}
	fmt.Fprintf(&b, "\n%s passes %d of %d scenarios.\n", sentence(r.Drivers[0]), passed, len(r.Rows))
	r.group(&b, "Driving", false)
	r.group(&b, "Faults", true)
	r.worse(&b)
	r.shares(&b)
	r.meanings(&b)
	if h.Notes != "" {
		fmt.Fprintf(&b, "\n## Elsewhere\n\n%s\n", h.Notes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// group writes the rows with or without faults as one table.
func (r *Report) group(b *strings.Builder, title string, faulty bool) {
	var rows []*Row
	for i := range r.Rows {
		if r.Rows[i].Faulty == faulty {
			rows = append(rows, &r.Rows[i])
		}
	}
	if len(rows) == 0 {
		return
	}
	names := append([]string(nil), r.Drivers...)
	if faulty {
		names = append(names, r.Drivers[0]+" without the fault")
	}
	fmt.Fprintf(b, "\n## %s\n\n| scenario | spec | runs | metric | threshold | %s | pass |\n|---|---|---|---|---|%s---|\n",
		title, strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	for _, row := range rows {
		for j := range row.Lines {
			l := &row.Lines[j]
			fmt.Fprintf(b, "| %s | %s | %d | %s | %s |", row.Scenario, row.Spec, row.Seeds, l.Metric, l.Threshold())
			for k := range l.Cells {
				fmt.Fprintf(b, " %s |", l.Figure(&l.Cells[k], row.Seeds))
			}
			if faulty {
				fmt.Fprintf(b, " %s |", calmFigure(l, row.Seeds))
			}
			fmt.Fprintf(b, " %s |\n", l.verdict())
		}
	}
	b.WriteString("\n")
	for _, row := range rows {
		fmt.Fprintf(b, "- %s: %s.", row.Scenario, row.Title)
		if row.Prototype != "" {
			fmt.Fprintf(b, " The prototype: %s.", row.Prototype)
		}
		if row.Published != "" {
			fmt.Fprintf(b, " The vendor's rule there: %s.", row.Published)
		}
		b.WriteString("\n")
	}
}

// calmFigure is a line's figure without the fault; it leaves out metrics that
// count from a fault.
func calmFigure(l *Line, runs int) string {
	if l.Calm == nil || l.Calm.Value == nil {
		return "-"
	}
	return l.Figure(l.Calm, runs)
}

// worse says in plain words where a baseline does better. It leaves rows with
// faults out: there standing still is the task.
func (r *Report) worse(b *strings.Builder) {
	b.WriteString("\n## Where the field is not better\n\n")
	found := false
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Faulty {
			continue
		}
		for j := range row.Lines {
			for k := 1; k < len(row.Lines[j].Cells); k++ {
				if !row.Lines[j].Waived && row.Lines[j].beaten(k) {
					found = true
					r.confess(b, row, &row.Lines[j], k)
				}
			}
		}
	}
	if !found {
		b.WriteString("Nowhere: no baseline has a better mean in any metric above.\n")
	}
}

// beaten reports whether baseline k has a better mean than the judged driver.
func (l *Line) beaten(k int) bool {
	ours, theirs := &l.Cells[0].Sample, &l.Cells[k].Sample
	switch {
	case theirs.N == 0 || ours.N == 0:
		return ours.N == 0 && theirs.N > 0
	case l.Max != nil:
		return theirs.Mean < ours.Mean
	}
	return theirs.Mean > ours.Mean
}

// confess writes one sentence about a lost comparison.
func (r *Report) confess(b *strings.Builder, row *Row, l *Line, k int) {
	ours, theirs := &l.Cells[0], &l.Cells[k]
	all := true
	for i := range row.Lines {
		all = all && row.Lines[i].Cells[k].Pass
	}
	then := "and holds every limit of the scenario"
	if !all {
		then = "but does not hold every limit of the scenario"
	}
	fmt.Fprintf(b, "- %s (%s): `%s` has %s %.3g on average, `%s` %.3g, %s.\n",
		row.Scenario, row.Spec, r.Drivers[k], l.Metric, theirs.Sample.Mean, r.Drivers[0], ours.Sample.Mean, then)
}

// shares lists what the count of runs can show at most: Wilson's interval of
// each share. It names a scenario once of which all runs hold all such limits.
func (r *Report) shares(b *strings.Builder) {
	b.WriteString("\n## How sure\n\nRuns that hold a limit, with the 95 % interval of their true share (Wilson):\n\n")
	type group struct{ held, runs int }
	order := []group{}
	names := map[group][]string{}
	note := func(g group, name string) {
		if names[g] == nil {
			order = append(order, g)
		}
		names[g] = append(names[g], name)
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		whole := true
		for j := range row.Lines {
			whole = whole && (row.Lines[j].Waived || row.Lines[j].Over == "mean" || row.Lines[j].Cells[0].Held == row.Seeds)
		}
		for j := range row.Lines {
			switch l := &row.Lines[j]; {
			case l.Over == "mean", l.Waived:
			case whole:
				if g := (group{row.Seeds, row.Seeds}); !slices.Contains(names[g], row.Scenario) {
					note(g, row.Scenario)
				}
			default:
				note(group{l.Cells[0].Held, row.Seeds}, row.Scenario+" "+l.Metric)
			}
		}
	}
	for _, g := range order {
		low, high := Wilson(g.held, g.runs)
		fmt.Fprintf(b, "- %d of %d (%.2f..%.2f): %s.\n", g.held, g.runs, low, high, strings.Join(names[g], ", "))
	}
}

// meanings explains the metrics that occur.
func (r *Report) meanings(b *strings.Builder) {
	b.WriteString("\n## Metrics\n\n")
	for _, name := range scenarios.Metrics() {
		if slices.ContainsFunc(r.Rows, func(row Row) bool {
			return slices.ContainsFunc(row.Lines, func(l Line) bool { return l.Metric == name })
		}) {
			fmt.Fprintf(b, "- `%s`: %s.\n", name, scenarios.Meaning(name))
		}
	}
}

// sentence begins a word with a capital.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
