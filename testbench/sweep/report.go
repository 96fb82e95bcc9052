package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// A Report is what a sweep came to.
type Report struct {
	Sweep       string       `json:"sweep"` // its ID
	Title       string       `json:"title,omitempty"`
	Jobs        int          `json:"jobs"`
	Results     int          `json:"results"` // jobs that have one
	Failed      int          `json:"failed"`  // of them: no worker could drive
	First       string       `json:"first_failure,omitempty"`
	Unrecorded  int          `json:"unrecorded,omitempty"` // jobs whose recording could not be stored
	Lost        string       `json:"first_unrecorded,omitempty"`
	Handed      int          `json:"handed_out_again"` // jobs that a worker lost and another one finished
	Twice       Check        `json:"twice"`
	Engines     int          `json:"engines_compared"` // drives that two engines drove
	Differences []Difference `json:"differences,omitempty"`
	Machines    []string     `json:"machines"`
	Programs    []string     `json:"programs"` // versions that drove
	Groups      []*Group     `json:"groups"`
	Contrasts   []Contrast   `json:"contrasts,omitempty"`
	Unread      []Unread     `json:"unread,omitempty"` // parameters that made no difference
	Pass        bool         `json:"pass"`             // every job has a result, each could be driven, no recording is missing, and nothing differs
}

// Report says what the results come to so far.
func (t *Tally) Report() *Report {
	results := t.Results()
	r := &Report{Sweep: t.batch.ID, Title: t.batch.Title, Jobs: len(t.batch.Jobs), Results: len(results)}
	machines, programs := map[string]bool{}, map[string]bool{}
	for _, one := range results {
		machines[one.Machine+" ("+one.Platform+")"], programs[one.Version] = true, true
		if one.Deliveries > 1 {
			r.Handed++
		}
		if one.Unrecorded != "" {
			r.Unrecorded++
			if r.Lost == "" {
				r.Lost = one.Unrecorded
			}
		}
		if one.Drive == nil {
			r.Failed++
			if r.First == "" {
				r.First = fmt.Sprintf("%s seed %d, %s: %s", one.World, one.Seed, one.Pilot, one.Error)
			}
		}
	}
	r.Machines, r.Programs = sorted(machines), sorted(programs)
	r.Twice, r.Differences = t.check()
	var more []Difference
	r.Engines, more = t.engines()
	r.Differences = append(r.Differences, more...)
	r.Groups = groups(results)
	r.Contrasts = contrasts(r.Groups)
	r.Unread = unread(results)
	r.Pass = r.Results == r.Jobs && r.Failed == 0 && r.Unrecorded == 0 &&
		len(r.Differences) == 0 && r.Twice.Compared+r.Twice.Alone == r.Twice.Wanted
	return r
}

// sorted lists a set.
func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// mostShown is how many differences a person gets; the rest is in the JSON.
const mostShown = 10

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	r.head(&b)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "world\tpilot\tengine\tparameters\tdrives\tpassed\ttouched\tm driven\tcovered\tstood s\tcircled s")
	for _, g := range r.Groups {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%v\t%v\t%v\t%v\t%v\t%v\n", g.World, g.Pilot, g.Engine, g.Values, g.Drives,
			g.Pass, g.Contact, g.Distance, g.Coverage, g.Standing, g.Circling)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, c := range r.Contrasts {
		if c.Same {
			fmt.Fprintf(&b, "%s, engine %s: %s against %s, %d pairs: the same drives, bit for bit\n", c.World, c.Engine, c.Group, c.Against, c.Pass.Pairs)
			continue
		}
		fmt.Fprintf(&b, "%s, engine %s: %s against %s, %d pairs: only the one passed %d, only the other %d (p %.3g); %+.3f m (%+.3f..%+.3f), covered %+.4f (%+.4f..%+.4f)\n",
			c.World, c.Engine, c.Group, c.Against, c.Pass.Pairs, c.Pass.Ours, c.Pass.Theirs, c.Pass.P,
			c.Distance.Mean, c.Distance.Low, c.Distance.High, c.Coverage.Mean, c.Coverage.Low, c.Coverage.High)
	}
	for _, u := range r.Unread {
		fmt.Fprintln(&b, u)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON writes the report as one object.
func (r *Report) JSON(w io.Writer) error {
	to := json.NewEncoder(w)
	to.SetIndent("", "  ")
	return to.Encode(r)
}

// head writes what is no table.
func (r *Report) head(b *strings.Builder) {
	fmt.Fprintf(b, "sweep %s: %d of %d jobs have a result", r.Sweep, r.Results, r.Jobs)
	if r.Handed > 0 {
		fmt.Fprintf(b, ", %d of them after a worker was lost", r.Handed)
	}
	b.WriteString("\n")
	if r.Failed > 0 {
		fmt.Fprintf(b, "%d jobs could not be driven, the first: %s\n", r.Failed, r.First)
	}
	if r.Unrecorded > 0 {
		fmt.Fprintf(b, "%d recordings could not be stored, the first: %s; the same command drives these jobs anew\n", r.Unrecorded, r.Lost)
	}
	if c := r.Twice; c.Wanted > 0 {
		fmt.Fprintf(b, "driven twice: %d of %d on two workers", c.Compared, c.Wanted)
		if c.Alone > 0 {
			fmt.Fprintf(b, ", %d by one worker, there was no other", c.Alone)
		}
		fmt.Fprintf(b, "; %d equal bit for bit\n", c.Equal)
	}
	if r.Engines > 0 {
		fmt.Fprintf(b, "driven by two engines and compared: %d\n", r.Engines)
	}
	for i, d := range r.Differences {
		if i == mostShown {
			fmt.Fprintf(b, "and %d differences more\n", len(r.Differences)-i)
			break
		}
		fmt.Fprintf(b, "DIFFERENT, %s: %s seed %d, %s, job %s:\n  %s: %s\n  %s: %s\n", d.Why, d.Job.World, d.Job.Seed, d.Job.Pilot, d.Job.ID, d.One, d.Came, d.Two, d.To)
	}
	if len(r.Programs) > 1 {
		fmt.Fprintf(b, "%d programs drove: %s; start afresh to compare what one did\n", len(r.Programs), strings.Join(r.Programs, ", "))
	}
}

// String writes the share with its interval.
func (s Share) String() string {
	if s.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d (%.1f..%.1f %%)", s.Held, 100*s.Low, 100*s.High)
}

// String writes the mean with its interval.
func (m Mean) String() string {
	if m.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g (%.3g..%.3g)", m.Mean, m.Low, m.High)
}
