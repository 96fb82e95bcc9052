package behave

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
	Machine string // that it was made on, for S5 and O3
	Took    string // how long it took there
	Folder  string // where the pictures lie, seen from the page
}

// Markdown writes the report as a page for docs.
func (r *Report) Markdown(w io.Writer, h Heading) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Behaviours, beside drivers without a field\n\nMade by `%s` on %s with engine `%s`: %d runs in %s on a %s. ", h.Command, h.Date, r.Engine, r.Runs, h.Took, h.Machine)
	b.WriteString("The same command gives the same figures on every machine and every engine, but for S5 and O3, which time the machine, and S6, which kills by its clock.\n\n")
	b.WriteString("`brain` is judged. `reactive` steers by the sum of attraction and repulsion of what the beams see at this moment, under the same reflexes, with no field, map or memory; `vendor` is the three rules of the vendor's obstacle example; `random` drives white noise. All drive the same worlds with the same seeds.\n\n")
	b.WriteString("B1 to B15 are behaviours, S1 to S6 safety tests and O1 to O9 the tests of the program this one descends from, each by its number in the specification (`specification.md`, part C); what each of them drives stands below the table of all checks.\n\n")
	fmt.Fprintf(&b, "**%d of %d behaviours pass.**\n", r.passing(), len(r.Behaviours))
	r.failures(&b)
	r.found(&b)
	r.buys(&b)
	r.rows(&b)
	r.same(&b)
	r.gallery(&b, h.Folder)
	r.reading(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) passing() (n int) {
	for i := range r.Behaviours {
		if r.Behaviours[i].Passed {
			n++
		}
	}
	return n
}

// failures lists the behaviours that do not pass, and says why.
func (r *Report) failures(b *strings.Builder) {
	b.WriteString("\n## What fails\n\n")
	none := true
	for i := range r.Behaviours {
		row := &r.Behaviours[i]
		if row.Passed {
			continue
		}
		none = false
		fmt.Fprintf(b, "- %s, %s: %s.\n", row.ID, row.Name, strings.Join(row.reasons(), "; "))
	}
	if none {
		b.WriteString("Nothing.\n")
	}
	r.open(b)
}

// open lists the checks that would fail, were they judged.
func (r *Report) open(b *strings.Builder) {
	b.WriteString("\nReported and not judged, beyond its limit:\n\n")
	none := true
	for i := range r.Behaviours {
		for j := range r.Behaviours[i].Checks {
			if c := &r.Behaviours[i].Checks[j]; c.Open && !c.Passed {
				none = false
				fmt.Fprintf(b, "- %s, %s: %s is %s, wanted %s: %s.\n", r.Behaviours[i].ID, r.Behaviours[i].Name, c.title(), c.reading(), c.threshold(), c.Note)
			}
		}
	}
	if none {
		b.WriteString("- nothing.\n")
	}
}

// reasons says why a behaviour does not pass.
func (b *Behaviour) reasons() (list []string) {
	for _, part := range b.Needs {
		list = append(list, missing(part))
	}
	for i := range b.Checks {
		c := &b.Checks[i]
		if c.Passed || c.Open || c.Needs != "" {
			continue
		}
		text := fmt.Sprintf("%s is %s, wanted %s", c.title(), c.reading(), c.threshold())
		if c.Note != "" {
			text += " (" + c.Note + ")"
		}
		list = append(list, text)
	}
	if b.Same != nil && len(b.Same.Differ) > 0 {
		list = append(list, "other results on "+strings.Join(b.Same.Differ, ", "))
	}
	return list
}

// found lists where the field buys nothing.
func (r *Report) found(b *strings.Builder) {
	b.WriteString("\n## Findings: what the field does not improve\n\n")
	if len(r.Findings) == 0 {
		b.WriteString("None.\n")
	}
	for _, f := range r.Findings {
		fmt.Fprintf(b, "- %s, %s: %s.\n", f.Behaviour, r.name(f.Behaviour), f.Text)
	}
}

// name returns a behaviour's name in words.
func (r *Report) name(id string) string {
	i := slices.IndexFunc(r.Behaviours, func(b Behaviour) bool { return b.ID == id })
	if i < 0 {
		return id
	}
	return r.Behaviours[i].Name
}

// buys compares brain and reactive driver.
func (r *Report) buys(b *strings.Builder) {
	b.WriteString("\n## What the field buys\n\nThe difference is brain minus reactive on equal seeds, with its 95 % interval (Student). In brackets how many runs hold the limit.\n\n")
	b.WriteString("| behaviour | metric | wanted | brain | reactive | difference | better |\n|---|---|---|---|---|---|---|\n")
	for i := range r.Behaviours {
		row := &r.Behaviours[i]
		for j := range row.Checks {
			c := &row.Checks[j]
			rival, has := c.Baselines[Reactive]
			if !has {
				continue
			}
			difference, better := "-", neither
			if c.Gain != nil {
				difference = fmt.Sprintf("%+.3g (%+.3g..%+.3g)", c.Gain.Mean, c.Gain.Low, c.Gain.High)
				better = c.Gain.Better
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", row.ID, c.title(), c.threshold(),
				c.reading(), rival.reading(c), difference, better)
		}
	}
}

// rows writes every check.
func (r *Report) rows(b *strings.Builder) {
	b.WriteString("\n## All checks\n\n")
	b.WriteString("| id | metric | wanted | runs | brain | mean, 95 % | reactive | vendor | random | pass |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range r.Behaviours {
		row := &r.Behaviours[i]
		for j := range row.Checks {
			c := &row.Checks[j]
			fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %s |", row.ID, c.title(), c.threshold(), max(c.Runs, row.Seeds), c.reading(), c.interval())
			for _, name := range rivals() {
				text := "-"
				if rival, has := c.Baselines[name]; has {
					text = rival.reading(c)
				}
				fmt.Fprintf(b, " %s |", text)
			}
			fmt.Fprintf(b, " %s |\n", c.verdict())
		}
	}
	b.WriteString("\n")
	for i := range r.Behaviours {
		row := &r.Behaviours[i]
		fmt.Fprintf(b, "- %s, %s: %s.", row.ID, row.Name, row.Scene)
		for j := range row.Checks {
			if c := &row.Checks[j]; c.Note != "" && c.Passed {
				fmt.Fprintf(b, " %s: %s.", c.title(), c.Note)
			}
		}
		b.WriteString("\n")
	}
}

// title names a check.
func (c *Check) title() string {
	if c.Scenario == "" {
		return c.Metric
	}
	return c.Metric + " (" + c.Scenario + ")"
}

// threshold writes the limit.
func (c *Check) threshold() string {
	text := fmt.Sprintf("%s %.4g", c.Bound, c.Threshold)
	switch {
	case c.Over == overMean:
		text += " mean"
	case c.Share < 1:
		text += fmt.Sprintf(" in %.0f %%", 100*c.Share)
	}
	return text
}

// reading writes the judged value and how many runs hold it.
func (c *Check) reading() string {
	if c.Needs != "" {
		return missing(c.Needs)
	}
	return (&Rival{Value: c.Value, Held: c.Held, Runs: c.Runs}).reading(c)
}

func (r *Rival) reading(c *Check) string {
	if c.Over == overMean || r.Runs < 2 {
		return figure(r.Value)
	}
	return fmt.Sprintf("%s (%d/%d)", figure(r.Value), r.Held, r.Runs)
}

// interval writes the mean and its interval; the one of a share where every run
// is a yes or a no.
func (c *Check) interval() string {
	switch {
	case c.Sample == nil || c.Sample.N < 2:
		return "-"
	case c.Over == overEach && c.Held == c.Runs && c.Sample.Std == 0 && c.Threshold == 1:
		return fmt.Sprintf("share %.2f..%.2f", c.HeldLow, c.HeldHigh)
	}
	return fmt.Sprintf("%.3g (%.3g..%.3g)", c.Sample.Mean, c.Sample.Low, c.Sample.High)
}

func (c *Check) verdict() string {
	switch {
	case c.Needs != "":
		return "missing"
	case c.Passed:
		return "ok"
	case c.Open:
		return "open"
	}
	return "FAIL"
}

// same says on which engines the suite compared the runs.
func (r *Report) same(b *strings.Builder) {
	b.WriteString("\n## Engines\n\n")
	var equal, none []string
	for i := range r.Behaviours {
		row := &r.Behaviours[i]
		switch {
		case row.Same == nil:
			none = append(none, row.ID)
		case len(row.Same.Differ) == 0:
			equal = append(equal, row.ID)
		}
	}
	fmt.Fprintf(b, "One run of each behaviour was driven on every engine of this machine (%s), and compared: way driven and field, or all results, bit for bit. Equal hashes carry all other runs over.\n\n", strings.Join(r.Engines, ", "))
	fmt.Fprintf(b, "- equal on all: %s.\n", join(equal))
	for i := range r.Behaviours {
		if row := &r.Behaviours[i]; row.Same != nil && len(row.Same.Differ) > 0 {
			fmt.Fprintf(b, "- %s differs on %s.\n", row.ID, strings.Join(row.Same.Differ, ", "))
		}
	}
	fmt.Fprintf(b, "- not compared, because no engine is asked, another behaviour's runs are looked at, or the build lacks a part: %s.\n", join(none))
}

func join(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (r *Report) gallery(b *strings.Builder, folder string) {
	if len(r.Pictures) == 0 {
		return
	}
	b.WriteString("\n## Pictures\n")
	for _, p := range r.Pictures {
		fmt.Fprintf(b, "\n%s\n\n![%s](%s/%s)\n", p.Caption, p.Alt, folder, p.File)
	}
}

// reading explains the columns and the metrics of scenarios.
func (r *Report) reading(b *strings.Builder) {
	b.WriteString("\n## How to read it\n\nWanted on the mean: the value is the mean. Otherwise it is the worst run's, and in brackets stands how many runs hold the limit. Intervals of means are Student's, of shares Wilson's. `open` is reported and not judged, because the specification leaves it open. A behaviour passes when all its checks do.\n\n")
	seen := map[string]bool{}
	for i := range r.Behaviours {
		for _, c := range r.Behaviours[i].Checks {
			if meaning := scenarios.Meaning(c.Metric); meaning != "" && !seen[c.Metric] {
				seen[c.Metric] = true
				fmt.Fprintf(b, "- `%s`: %s.\n", c.Metric, meaning)
			}
		}
	}
}
