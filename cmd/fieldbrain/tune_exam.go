package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/files"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/trials"
	"fieldbrain/testbench/tune"
)

// best returns the values that a search found.
func best(r *tune.Report) []float64 {
	values := make([]float64, len(r.Knobs))
	for i, k := range r.Knobs {
		values[i] = k.Best
	}
	return values
}

// finish examines what the search found, writes what was asked for, and says what came
// out.
func (c tuneCmd) finish(ctx context.Context, e *env, settings config.Config, program string, found *tune.Report) error {
	after := turned(settings, found.Knobs, best(found))
	result := tunedBrain{Journal: c.journal(), Search: found}
	if found.Improved > 0 {
		marks, err := c.exam(ctx, e, settings, after, program)
		if err != nil {
			return err
		}
		result.Exam, result.Accepted = marks, marks.Accepted()
	}
	result.Verdict = result.Exam.Verdict()
	if result.Accepted {
		result.File = c.Out
		if err := c.write(after, result.Verdict); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if c.Report != "" {
		if err := c.page(settings, &result); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
	}
	return hand(e, &result, c.JSON, true)
}

// exam lets the numbers before and after drive test worlds. Its drives are kept beside
// the journal; those of another search's numbers are begun anew.
func (c tuneCmd) exam(ctx context.Context, e *env, before, after config.Config, program string) (*tune.Marks, error) {
	of, err := fingerprint(after, nil)
	if err != nil {
		return nil, err
	}
	journal, end, err := openResults(c.drives(), trials.Program{Sum: program + of}, trials.Resume)
	if errors.Is(err, trials.ErrOther) {
		if journal, end, err = c.anew(program + of); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("--resume: the exam's drives in %s: %w: remove that file, and they are driven again", c.drives(), err)
	}
	defer end()
	pilot := func(name string, settings config.Config) trials.Pilot {
		p := drive.Trial(settings, "brain", testbench.Options{Period: settings.Loop.Params().Period})
		p.Name = name
		return p
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	x := tune.Exam{
		Families: c.Families, Profile: plant.Profile(c.Profile), Worlds: c.Test, Before: pilot("before", before), After: pilot("after", after),
		Journal: journal, Workers: c.Workers, Progress: bar.runs,
	}
	if x.Workers == 0 {
		x.Workers = runtime.NumCPU()
	}
	marks, err := x.Run(ctx)
	bar.end()
	if err != nil && ctx.Err() != nil {
		return nil, errors.New("tune: interrupted in the exam; the search is over, and the same command goes on from there")
	}
	return marks, err
}

// anew begins the exam's file anew, if it is one.
func (c tuneCmd) anew(program string) (*trials.Journal, func(), error) {
	old, err := files.Reader{Max: maxResults}.Read(c.drives())
	if err == nil && !resultsBegin(old, trials.Program{Sum: program}) {
		err = config.Usagef("--resume: %s is where the exam's drives would be kept, and is something else: remove it, or name another journal", c.drives())
	}
	if err == nil {
		err = os.Remove(c.drives())
	}
	if err != nil {
		return nil, nil, err
	}
	return openResults(c.drives(), trials.Program{Sum: program}, trials.Resume)
}

// write writes the accepted configuration.
func (c tuneCmd) write(settings config.Config, verdict string) error {
	text, err := settings.Encode()
	if err != nil {
		return err
	}
	head := fmt.Sprintf("# Made by `%s` on %s.\n# %s\n\n", c.command(), orToday(c.Date), verdict)
	return files.Write(c.Out, append([]byte(head), text...))
}

// page writes the report.
func (c tuneCmd) page(settings config.Config, t *tunedBrain) error {
	h := tune.Heading{Command: c.command(), Date: orToday(c.Date), Machine: c.machine(), File: t.File}
	var err error
	if h.Engine, err = drivingEngine(settings); err != nil {
		return err
	}
	return whole(c.Report, func(w io.Writer) error { return t.Search.Markdown(w, t.Exam, h) })
}

// command spells the command that made the page.
func (c tuneCmd) command() string {
	return commandLine("fieldbrain tune", []spelt{
		{len(c.Only) > 0, " --only " + strings.Join(c.Only, ",")},
		{c.Profile != string(plant.P1), " --profile " + c.Profile},
		{len(c.Families) > 0, " --families " + strings.Join(c.Families, ",")},
		{c.Budget != 120, fmt.Sprintf(" --budget %d", c.Budget)},
		{c.Patience != 48, fmt.Sprintf(" --patience %d", c.Patience)},
		{c.Worlds != 16, fmt.Sprintf(" --worlds %d", c.Worlds)},
		{c.Seconds != 60, fmt.Sprintf(" --seconds %g", c.Seconds)},
		{c.Seed != 1, fmt.Sprintf(" --seed %d", c.Seed)},
		{c.Test != 96, fmt.Sprintf(" --test-worlds %d", c.Test)},
		{c.Config != "", " --config " + c.Config},
		{true, " --out " + c.Out},
		{c.Report != "", " --report " + c.Report},
	})
}

// tunedBrain is what a search and its exam came to.
type tunedBrain struct {
	File     string       `json:"file,omitempty"` // with the accepted numbers
	Journal  string       `json:"journal"`
	Search   *tune.Report `json:"search"`
	Exam     *tune.Marks  `json:"exam,omitempty"` // nothing better was found without
	Accepted bool         `json:"accepted"`
	Verdict  string       `json:"verdict"`
}

// Print writes it for a person.
func (t *tunedBrain) Print(w io.Writer) error {
	if err := printTuned(w, t.Search); err != nil {
		return err
	}
	if t.Exam != nil {
		if err := t.Exam.Print(w); err != nil {
			return err
		}
	}
	where := ""
	if t.File != "" {
		where = fmt.Sprintf("\n  fieldbrain run --config %s lets the car drive with them", t.File)
	}
	_, err := fmt.Fprintf(w, "%s%s\n", t.Verdict, where)
	return err
}
