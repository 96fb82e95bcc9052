package behave

import (
	"fmt"
	"strings"
)

// findings lists the behaviours that the reactive driver does as well or better.
func findings(all []Behaviour) (list []Finding) {
	for i := range all {
		if text := all[i].finding(); text != "" {
			list = append(list, Finding{Behaviour: all[i].ID, Text: text})
		}
	}
	return list
}

// finding says in one sentence where the reactive driver is as good; nothing where
// the brain is better, or where no reactive driver drove.
func (b *Behaviour) finding() string {
	ours, theirs, compared := true, true, false
	var behind []string
	for i := range b.Checks {
		c := &b.Checks[i]
		r, has := c.Baselines[Reactive]
		if !has || c.Open {
			continue
		}
		compared = true
		ours, theirs = ours && c.Passed, theirs && r.Passed
		if c.Gain != nil && c.Gain.Better == Reactive {
			behind = append(behind, fmt.Sprintf("%s (%s of the brain, %s of the reactive driver, mean difference %.3g)",
				c.Metric, figure(c.Value), figure(r.Value), c.Gain.Mean))
		}
	}
	if !compared {
		return ""
	}
	return sentence(ours, theirs, behind)
}

// sentence says who holds every limit, and in which figures the brain is
// behind.
func sentence(ours, theirs bool, behind []string) string {
	var parts []string
	switch {
	case theirs && ours:
		parts = append(parts, "the reactive driver holds every limit, too")
	case theirs:
		parts = append(parts, "the reactive driver holds every limit, the brain does not")
	case ours && len(behind) > 0:
		parts = append(parts, "the brain holds every limit and the reactive driver does not")
	}
	if len(behind) > 0 {
		parts = append(parts, "the brain is behind in "+strings.Join(behind, ", "))
	}
	return strings.Join(parts, "; ")
}

// figure writes a value for a person.
func figure(v *float64) string {
	if v == nil {
		return neverSeen
	}
	return fmt.Sprintf("%.3g", *v)
}
