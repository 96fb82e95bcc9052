package worth

import (
	"fmt"
	"io"
	"strings"

	"fieldbrain/field/ablation"
	"fieldbrain/testbench/suite"
)

// Print writes the report for a terminal.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	for i := range r.Questions {
		q := &r.Questions[i]
		fmt.Fprintf(&b, "%s: %s (%d seeds)\n", q.ID, q.Scene, q.Seeds)
		for j := range q.Rows {
			row := &q.Rows[j]
			fmt.Fprintf(&b, "  %-17s neural %s", row.Measure, mean(row.Field))
			for k := range row.Others {
				o := &row.Others[k]
				fmt.Fprintf(&b, "   %s %s%s", o.Kind, mean(o.Sample), o.mark())
			}
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "+: the field is better, -: the other one, without a mark no difference shows (95 %%, seed by seed); %d runs\n", r.Runs)
	_, err := io.WriteString(w, b.String())
	return err
}

// mark stands behind a number.
func (o *Other) mark() string {
	switch o.Verdict() {
	case 1:
		return "+"
	case -1:
		return "-"
	}
	return ""
}

// mean prints a sample's mean.
func mean(s suite.Sample) string {
	if s.N == 0 {
		return "none"
	}
	return number(s.Mean)
}

// number prints three digits.
func number(x float64) string {
	if x == 0 {
		return "0"
	}
	return fmt.Sprintf("%.3g", x)
}

// A Heading tells the readers of a page how it was made.
type Heading struct {
	Command, Date, Machine, Took string
	Notes                        string // what else the reader should know, may be empty
}

// Markdown writes the report as a page for docs.
func (r *Report) Markdown(w io.Writer, h Heading) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# What the field itself is worth\n\nMade by `%s` on %s, %s, in %s: %d runs. The same command gives the same figures on every machine.\n\n", h.Command, h.Date, h.Machine, h.Took, r.Runs)
	b.WriteString("The same brain drives in the same scenes with the same seeds, and one part of its field is taken away (package `field/ablation`; `fieldbrain sim --field KIND` drives with it):\n\n" +
		"| kind | what decides, what remembers |\n|---|---|\n" +
		"| neural | the field: HEADING selects and holds a peak, GOAL_MEM holds the goal |\n" +
		"| attractor | one equation for the heading, attracted and repelled by the same input (Bicho, Mallet, Schöner 2000) |\n" +
		"| argmax | the bearing at which the input of HEADING is largest, at every tick anew |\n" +
		"| lowpass | the same behind a low pass with HEADING's time constant |\n" +
		"| point | the field decides; the goal is one point, moved by dead reckoning |\n" +
		"| forget | the field decides; goal, obstacles and edges are forgotten at once |\n\n")
	b.WriteString("Senses, maps, wishes, planner, library, motor gradients and reflexes are the same for all. A number is the mean over the seeds; **+** behind it says that the field is better by an interval that does not hold 0 (95 %, Student, over the differences seed by seed), **-** that the other one is, nothing that no difference shows. The interval stands in brackets: what the field is better by.\n")
	for i := range r.Questions {
		r.Questions[i].markdown(&b)
	}
	r.sums(&b)
	if h.Notes != "" {
		fmt.Fprintf(&b, "\n%s\n", h.Notes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes one question as a table.
func (q *Question) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s. %d seeds.\n\n| measure | better | neural |", q.ID, sentence(q.Scene), q.Seeds)
	for _, o := range q.Rows[0].Others {
		fmt.Fprintf(b, " %s |", o.Kind)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(q.Rows[0].Others)) + "\n")
	for i := range q.Rows {
		row := &q.Rows[i]
		better := "less"
		if row.More {
			better = "more"
		}
		fmt.Fprintf(b, "| %s: %s | %s | %s |", row.Measure, row.About, better, mean(row.Field))
		for k := range row.Others {
			o := &row.Others[k]
			fmt.Fprintf(b, " %s", mean(o.Sample))
			if m := o.mark(); m != "" {
				fmt.Fprintf(b, " **%s**", m)
			}
			if o.Gain.N > 1 {
				fmt.Fprintf(b, " (%s..%s)", number(o.Gain.Low), number(o.Gain.High))
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
}

// sentence begins with a capital.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// sums lists, by kind, what the field does better, and what it does worse: there it
// should not decide, or learn from what does.
func (r *Report) sums(b *strings.Builder) {
	b.WriteString("\n## In sum\n\n| instead of the field | measures | field better | no difference shows | field worse |\n|---|---|---|---|---|\n")
	worse := map[ablation.Kind][]string{}
	for _, k := range ablation.Kinds()[1:] {
		var n, better, same int
		for i := range r.Questions {
			q := &r.Questions[i]
			for j := range q.Rows {
				for _, o := range q.Rows[j].Others {
					if o.Kind != k {
						continue
					}
					n++
					switch o.Verdict() {
					case 1:
						better++
					case 0:
						same++
					default:
						worse[k] = append(worse[k], fmt.Sprintf("%s %s: %s, neural %s (by %s..%s)",
							q.ID, q.Rows[j].Measure, mean(o.Sample), mean(q.Rows[j].Field), number(-o.Gain.High), number(-o.Gain.Low)))
					}
				}
			}
		}
		if n > 0 {
			fmt.Fprintf(b, "| %s | %d | %d | %d | %d |\n", k, n, better, same, n-better-same)
		}
	}
	b.WriteString("\nWhere the field does worse:\n\n")
	none := true
	for _, k := range ablation.Kinds()[1:] {
		for _, line := range worse[k] {
			none = false
			fmt.Fprintf(b, "* `%s` is better in %s.\n", k, line)
		}
	}
	if none {
		b.WriteString("* nowhere that these seeds show.\n")
	}
}
