package trials

import (
	"fmt"
	"io"
	"strings"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
)

// A Heading tells the readers of a page how it was made.
type Heading struct {
	Command string // that makes the page
	Date    string // when it was made
	Machine string // on which
	Engine  string // that stepped the field
}

// Markdown writes the report as a page for docs.
func (r *Report) Markdown(w io.Writer, h Heading) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Driving: generated worlds, every pilot in the same ones\n\nMade by `%s` on %s, %s, engine `%s`: %d drives in worlds of the %s set. ", h.Command, h.Date, h.Machine, h.Engine, r.Drives, r.Set)
	b.WriteString("The same program gives the same figures on every machine, every engine and with any number of workers; only the time differs. No pilot was tuned on the test set: its worlds and those of the train set have no member in common.\n\n")
	if older := r.older("`"); older != "" {
		b.WriteString(older + "\n")
	}
	fmt.Fprintf(&b, "`%s` is judged. All pilots have the same body. All but `vendor` (three rules on the front sonar, no reflexes) and `oracle` (which sees the true map) have the same sensors and reflexes.\n", r.Pilots[0])
	r.goals(&b)
	for i := range r.Profiles {
		p := &r.Profiles[i]
		fmt.Fprintf(&b, "\n## %s\n\n%d worlds.\n\n", profileTitle(p.Name), p.Worlds)
		writeSums(&b, p.Sums)
		p.pairs(&b, r.Pilots[0])
		for k := range p.Families {
			f := &p.Families[k]
			fmt.Fprintf(&b, "\n### %s, %s\n\n%s%d worlds.\n\n", f.Name, p.Name, lead(f.Name), f.Worlds)
			writeSums(&b, f.Sums)
		}
	}
	b.WriteString(legend)
	_, err := io.WriteString(w, b.String())
	return err
}

// legend explains the columns.
const legend = `
## Columns

- contact: drives that touched something; hardest: the speed at the hardest contact.
- fell: drives on a table in which one of the four wheels went past the edge, which ends the drive; unwarned: those in which no floor sensor had been past the edge in the second before. The sensors stand within 20 mm of the car's middle and its wheels 58 mm beside it, so at an edge met at more than 33 deg a front wheel comes first, and only a car that knows the edge already can keep it on the table. Hidden: those in which it came forwards and no sensor had ever been past that side of the table, so that nothing in the car can have known; all others geometry would have allowed it to avoid.
- arrived: at the goal or out of the region; the oracle can, in every world. time: median of the time taken over the least time that the true map allows at cruise speed.
- success: arrived without a contact. metric: BARN's navigation metric, least time over time taken, the latter from 2 to 8 least times, so at most 0.5, and 0 without success (Perille and others 2020, doi:10.1109/SSRR50563.2020.9292572).
- progress: share of the shortest way that was done at the end. path: shortest way over way driven, 0 without arrival.
- coverage: share of the 0.25 m cells entered, where the car may go anywhere. of reachable: the same over what can be entered in that time.
- line: way driven over the line, over cruise speed times time.
- stood, circled: drives that spent more than a tenth of their time, or 5 s, standing or going round and round; beside them the mean in s. docs/worlds.md says what counts.
- J/m: energy out of the pack per metre driven.

Counts in the goals have Clopper and Pearson's 95 % interval; p values are of the exact binomial test on the worlds in which two pilots differ; differences have a bootstrap interval over worlds, ratios of times a distribution-free one.
`

// goals writes what the judged pilot must show.
func (r *Report) goals(b *strings.Builder) {
	reached := 0
	for _, g := range r.Goals {
		if g.Pass {
			reached++
		}
	}
	fmt.Fprintf(b, "\n## Goals\n\n%d of %d reached.\n\n| profile | goal | wanted | got | reached |\n|---|---|---|---|---|\n", reached, len(r.Goals))
	for _, g := range r.Goals {
		word := "NO"
		switch {
		case g.Pass:
			word = "yes"
		case !g.Driven:
			word = "-"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", g.Profile, g.Text, g.Wanted, g.Got, word)
	}
}

// writeSums writes one line per pilot; it leaves out columns that nobody has.
func writeSums(b *strings.Builder, sums []Sum) {
	var kept []column
	for _, c := range columns() {
		for i := range sums {
			if c.of(&sums[i]) != "-" {
				kept = append(kept, c)
				break
			}
		}
	}
	b.WriteString("| pilot |")
	for _, c := range kept {
		fmt.Fprintf(b, " %s |", c.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(kept)) + "\n")
	for i := range sums {
		fmt.Fprintf(b, "| %s |", sums[i].Pilot)
		for _, c := range kept {
			fmt.Fprintf(b, " %s |", c.of(&sums[i]))
		}
		b.WriteString("\n")
	}
}

// pairs writes the judged pilot against every other one.
func (p *Profile) pairs(b *strings.Builder, judged string) {
	if len(p.Against) == 0 {
		return
	}
	fmt.Fprintf(b, "\n`%s` against the others in the same worlds:\n\n", judged)
	b.WriteString("| against | only it touched / only the other (p) | only it arrived / only the other (p) | time ratio, both arrived | coverage | of what the map allows | metric | stood s | circled s |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range p.Against {
		touched, arrived := &c.Contact, &c.Arrival
		fmt.Fprintf(b, "| %s | %d / %d (%.2g) | %d / %d (%.2g) | %s |", c.Pilot,
			touched.Ours, touched.Theirs, touched.P, arrived.Ours, arrived.Theirs, arrived.P, c.Time.Short())
		for _, g := range c.gaps() {
			if g.Pairs == 0 {
				b.WriteString(" - |")
				continue
			}
			fmt.Fprintf(b, " %+.3f (%+.3f..%+.3f) |", g.Mean, g.Low, g.High)
		}
		b.WriteString("\n")
	}
}

// profileTitle says what a car has.
func profileTitle(p plant.Profile) string {
	if p == plant.P0 {
		return "P0: the front sonar only, as the kit is sold"
	}
	return string(p) + ": beams at 0, +-30 and +-60 deg"
}

// lead begins a sentence with what a family is; a built-in scenario is none.
func lead(name string) string {
	if title := family.Title(name); title != "" {
		return title + ", "
	}
	return "As in docs/scenarios.md, "
}
