package train

import (
	"fmt"
	"io"
	"math"
	"strings"

	"fieldbrain/testbench/family"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/policy"
	"fieldbrain/verdict"
)

// A Heading tells the readers of a page how it was made.
type Heading struct {
	Command string // that makes the page
	Date    string // when it was made
	Machine string // on which
	Picture string // where the learning curve is, from the page
	Policy  string // where the policy is, from the page; empty for nowhere
	Pilot   string // the same from where the command was given
}

// Draw writes the learning curve as a picture, in one of picture.Formats.
func (c *Checkpoint) Draw(w io.Writer, format string) error {
	best, mean, held, sigma := c.columns()
	n := float64(max(len(c.Curve), 2))
	page := picture.Page{
		Title: fmt.Sprintf("Learning to drive: %s, %s", c.Options.Family, c.Options.Profile), Columns: 1, Width: 760, Height: 360,
		Panels: []picture.Panel{
			&picture.Chart{
				Title: "Cost of a drive: contacts, floor left out, standing, circling", Across: "generation", Up: "cost",
				From: 1, To: n, Caption: "0 is a drive that could not be better, 2 one that enters no new floor; a contact costs 1. The held-out worlds are in no generation.",
				Curves: []picture.Curve{
					{Name: "mean of the samples", Values: mean},
					{Name: "best sample", Values: best},
					{Name: "the distribution's mean in held-out worlds", Values: held, Dots: true},
				},
			},
			&picture.Chart{
				Title: "Step size", Across: "generation", Up: "sigma", From: 1, To: n, Log: true,
				Curves: []picture.Curve{{Values: sigma}},
			},
		},
	}
	return page.Write(w, format)
}

// columns returns the curve's values, NaN where nobody looked.
func (c *Checkpoint) columns() (best, mean, held, sigma []float64) {
	for _, p := range c.Curve {
		best, mean, sigma = append(best, p.Best), append(mean, p.Mean), append(sigma, p.Sigma)
		if p.Held != nil {
			held = append(held, *p.Held)
		} else {
			held = append(held, math.NaN())
		}
	}
	return best, mean, held, sigma
}

// Markdown writes a training and its exam as a page for docs.
func (c *Checkpoint) Markdown(w io.Writer, m *Marks, h Heading) error {
	p := &c.Options
	var b strings.Builder
	fmt.Fprintf(&b, "# A policy that learned to drive\n\nMade by `%s` on %s, %s. The same command gives the same policy and the same figures on any number of threads; what a policy is and how it learns: `go doc fieldbrain/testbench/policy`, `go doc fieldbrain/testbench/train`, `baselines.md` for the others.\n\n", h.Command, h.Date, h.Machine)
	fmt.Fprintf(&b, "A network of %d units and %d weights sees %s and drives in the family `%s` (%s). %d generations of %d samples, each judged by %d drives of %g s in worlds of the train set (the first %d generations by drives of a third of that; every other drive begins anywhere on the floor): %.1f hours of driving, %.2g steps of a car. It ended because: %s. Kept is the distribution's mean after generation %d, which was best in %d held-out worlds of the train set (cost %.3f).\n\n",
		p.Hidden, policy.Weights(p.Profile, p.Hidden), beams(len(p.Profile.Sectors())), p.Family, family.Title(p.Family),
		c.Search.Generation, p.Population, p.Worlds, p.Seconds, p.Warm, float64(c.Steps)/3.6e6,
		float64(c.Steps), c.Ended, c.At, heldWorlds, c.Cost)
	if h.Policy != "" {
		fmt.Fprintf(&b, "The policy is [`%s`](%s): `fieldbrain sim --family %s --test-set --pilot %s` lets it drive.\n\n", h.Policy, h.Policy, profileOf(p.Family, p.Profile), h.Pilot)
	}
	fmt.Fprintf(&b, "![learning curve](%s)\n", h.Picture)
	if m != nil {
		m.markdown(&b)
	}
	b.WriteString(differences)
	_, err := io.WriteString(w, b.String())
	return err
}

// beams says what a car hears.
func beams(n int) string {
	if n == 1 {
		return "the front sonar"
	}
	return fmt.Sprintf("%d beams", n)
}

// markdown writes the exam.
func (m *Marks) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## In the bench, on worlds nobody trained in\n\n%d worlds of the test set of `%s`, %s, each driven by every pilot, with bus, driver and HAT.\n\n", m.Worlds, m.Family, m.Profile)
	b.WriteString("| pilot | cost | touched something | of what the map allows | coverage | stood s | circled s | holds every condition |\n|---|---|---|---|---|---|---|---|\n")
	for i := range m.Lines {
		fmt.Fprintf(b, "| %s |\n", strings.Join(m.Lines[i].cells(), " | "))
	}
	fmt.Fprintf(b, "\n`%s` against the others, world by world; differences are its own minus theirs, with their 95 %% bootstrap interval:\n\n", m.Lines[0].Pilot)
	b.WriteString("| against | cost | only it touched / only the other (p) | of what the map allows | coverage | stood s | circled s | better |\n|---|---|---|---|---|---|---|---|\n")
	for i := range m.Pairs {
		p := &m.Pairs[i]
		fmt.Fprintf(b, "| %s | %s | %d / %d (%.2g) |", p.Pilot, gap(p.Cost), p.Contact.Ours, p.Contact.Theirs, p.Contact.P)
		for _, g := range []verdict.Gap{p.Share, p.Coverage, p.Standing, p.Circling} {
			fmt.Fprintf(b, " %s |", gap(g))
		}
		fmt.Fprintf(b, " %s |\n", p.better())
	}
}

// better says who is, by the cost.
func (p *Pair) better() string {
	switch {
	case p.Beats():
		return "the policy"
	case p.Cost.Low > 0:
		return p.Pilot
	}
	return "nobody, beyond the interval"
}

// gap writes a difference with its interval.
func gap(g verdict.Gap) string { return fmt.Sprintf("%+.3f (%+.3f..%+.3f)", g.Mean, g.Low, g.High) }

// differences is what the bench has and training has not.
const differences = `
Cost is min(contacts, 3) + 2 (1 - share of what the map allows) + share of the time that it stood or circled: 0 is a drive that could not be better. docs/worlds.md says what counts as standing and circling.

## What the bench has and the training has not

- A bus: a command reaches the pins up to a few milliseconds after its tick, the front sonar pings when the driver comes to it, and the HAT boots for a quarter of a second.
- Ticks of 5 ms; training ticks every 10 ms. The policy decides every 40 ms in both.
- Noise of the battery's measurement, faults, edges to fall off, a place to go to.

Everything else is one code: observation, network, reflexes, the driver's ramps, the judges of standing and circling.
`
