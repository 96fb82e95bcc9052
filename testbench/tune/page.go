package tune

import (
	"fmt"
	"io"
	"strings"
)

// A Heading tells the readers of a page how it was made.
type Heading struct {
	Command string // that makes the page
	Date    string // when it was made
	Machine string // on which
	Engine  string // that stepped the field
	File    string // with the accepted numbers, empty where nothing was accepted
}

// small is how many evaluations a number are few for this optimiser.
const small = 100

// Markdown writes a search and its exam as a page for docs; marks are nil where the
// search found nothing better.
func (r *Report) Markdown(w io.Writer, m *Marks, h Heading) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# The driving law's numbers, tuned\n\nMade by `%s` on %s, %s, engine %s. The same command gives the same numbers and the same figures on any number of threads, however often it was interrupted.\n\n", h.Command, h.Date, h.Machine, h.Engine)
	fmt.Fprintf(&b, "**%s**\n\n", m.Verdict())
	fmt.Fprintf(&b, "## Search, in train worlds\n\n%d evaluations of a budget of %d (it ended because %s), each the mean cost of %d drives of %g s at most in worlds of the train set, %s: from %.3f with the numbers as they were to %.3f with the best ones found. Evaluations that were better than all before: %d. A cost in the worlds of the search flatters what was chosen by it; the exam below decides.",
		r.Done, r.Budget, r.Ended, len(r.Worlds), r.Seconds, r.Profile, r.Before, r.After, r.Improved)
	if r.Done < small*len(r.Knobs) {
		fmt.Fprintf(&b, " For %d numbers that is a small budget: a longer search may find better ones, or show that there are none.", len(r.Knobs))
	}
	b.WriteString("\n\n")
	b.WriteString("| number | before | after | limits |\n|---|---|---|---|\n")
	for _, k := range r.Knobs {
		fmt.Fprintf(&b, "| `%s` | %.4g | %.4g | %g .. %g |\n", k.Name, k.Start, k.Best, k.Low, k.High)
	}
	fmt.Fprintf(&b, "\nWorlds: %s.\n", strings.Join(r.Worlds, ", "))
	if m != nil {
		m.markdown(&b)
	}
	if h.File != "" {
		fmt.Fprintf(&b, "\nThe accepted numbers stand in `%s`, a configuration that `fieldbrain run --config` takes.\n", h.File)
	}
	b.WriteString(about)
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes the exam.
func (m *Marks) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Exam, in test worlds\n\n%d worlds of the test set (%s), %s, each driven to its end with the numbers before and after. Means over the worlds; differences are after minus before, world by world, with their 95 %% bootstrap interval.\n\n",
		m.Worlds, strings.Join(m.Families, ", "), m.Profile)
	b.WriteString("| figure of a drive | before | after | after - before |\n|---|---|---|---|\n")
	for _, f := range m.Metrics {
		fmt.Fprintf(b, "| %s | %.3f | %.3f | %s |\n", f.Name, f.Before, f.After, short(f.Gap))
	}
	fmt.Fprintf(b, "\nOnly the tuned numbers touched something in %d worlds, only those before in %d (exact test: p %.2g).\n", m.Contact.Ours, m.Contact.Theirs, m.Contact.P)
	fmt.Fprintf(b, "\nHash of the drives, from their worlds and trajectories in the order of the worlds: `%s` before, `%s` after. The file of the exam's drives beside the journal has each one's `trajectory_hash`.\n", m.Before, m.After)
}

// about is what every page says.
const about = `
## How it works

` + "`fieldbrain tune`" + ` lets the brain drive worlds of the train set, in the bench and with bus, driver and HAT, and turns the numbers that section ` + "`[law]`" + ` of the configuration documents, and ` + "`brain.cruise`" + ` (` + "`fieldbrain config doc`" + `); ` + "`--only`" + ` chooses some of them. The optimiser is CMA-ES, as for the rivals (` + "`go doc fieldbrain/testbench/tune`" + `). The cost of a drive is min(contacts, 3) + 3 falls + 2 (1 - worth) + share of the time that it stood or circled: 0 is a drive that could not be better. Worth is a half for the arrival and a half for the least possible time over the time it took, or the share of what the true map allows; ` + "`worlds.md`" + ` says what counts as standing and circling.

- Every evaluation is on the disk, in a journal beside ` + "`--out`" + ` or in ` + "`--resume FILE`" + `, before the next begins. The same command goes on after Ctrl-C, ` + "`kill -9`" + `, a power cut or a full disk, and comes to the same numbers, bit for bit. A larger ` + "`--budget`" + ` goes on from a finished search. A journal of other flags, settings or another program is refused with what differs; ` + "`--afresh`" + ` begins anew.
- ` + "`--patience`" + ` ends a search early; all processors drive unless ` + "`--workers`" + ` says otherwise.
- The exam drives worlds of the test set, of which the search has seen none. The numbers are accepted only where the 95 % interval of the cost's difference lies below zero and neither contacts nor falls became more; then ` + "`--out`" + ` is written, a configuration file. The command never changes a default: that takes a commit that shows such a report.
- The exam drives the same test worlds every time. Whoever searches until one search is accepted no longer has an interval of 95 %: the commit should say how many were tried.
`
