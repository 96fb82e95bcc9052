package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"fieldbrain/verdict"
)

// turnRounds are the rounds of one program's turn. The best of them is its time:
// what other programs do to a round can only add to it.
const turnRounds = 10

// AgainstOptions say which two programs are compared and how long.
type AgainstOptions struct {
	Old, New string   // programs that know bench field --json
	ISAs     []string // instruction sets; none means what the programs take
	Threads  []int    // thread counts
	Rounds   int      // turns that each program takes
	Slack    float64  // by which the new one may be slower, 0.02 for 2 %
	Progress func(done, total int)
}

// A Pair is one engine in both programs.
type Pair struct {
	Engine    string  `json:"engine"`
	Old       float64 `json:"old_ms"`     // a tick at the best of a turn, median over the turns
	New       float64 `json:"new_ms"`     // the same
	SameField bool    `json:"same_field"` // after equal ticks both fields have one hash
	Unlike    bool    `json:"unlike"`     // the programs took unlike numbers of ticks, so that hashes say nothing

	verdict.Judgement
}

// A Comparison is one whole run of two programs. It holds when every engine
// computes the same field and is no slower.
type Comparison struct {
	Pairs []Pair  `json:"pairs"`
	Slack float64 `json:"slack"`
	Holds bool    `json:"holds"`
	Void  bool    `json:"void"`
}

// turn is what is read of a program's report: keys that no version may rename.
type turn struct {
	Rows []struct {
		Engine  string  `json:"engine"`
		ISA     string  `json:"isa"`
		Step    string  `json:"step"`
		Threads int     `json:"threads"`
		Tick    float64 `json:"best_ms"`
		Hash    string  `json:"field_hash"`
		Ticks   int     `json:"ticks"`
	} `json:"rows"`
}

// Against lets two programs take turns, old new, new old, on this machine, each
// turn a process of its own, and compares the times of a round.
func Against(ctx context.Context, o AgainstOptions) (*Comparison, error) {
	var olds, news []*turn
	for round := range o.Rounds {
		first, second := o.Old, o.New
		if round%2 == 1 {
			first, second = second, first
		}
		a, err := o.take(ctx, first)
		if err != nil {
			return nil, err
		}
		b, err := o.take(ctx, second)
		if err != nil {
			return nil, err
		}
		if round%2 == 1 {
			a, b = b, a
		}
		olds, news = append(olds, a), append(news, b)
		if o.Progress != nil {
			o.Progress(round+1, o.Rounds)
		}
	}
	return o.compare(olds, news)
}

// take lets a program take its turn. A void report is a report: its times are
// judged here.
func (o *AgainstOptions) take(ctx context.Context, program string) (*turn, error) {
	args := []string{"bench", "field", "--json", "--rounds", strconv.Itoa(turnRounds)}
	for _, isa := range o.ISAs {
		args = append(args, "--isa", isa)
	}
	for _, n := range o.Threads {
		args = append(args, "--threads", strconv.Itoa(n))
	}
	cmd := exec.CommandContext(ctx, program, args...)
	out, words := &bounded{most: reportBytes, strict: true}, &bounded{most: wordBytes}
	cmd.Stdout, cmd.Stderr = out, words
	cmd.WaitDelay = time.Second // what it started may hold a pipe open
	err := cmd.Run()
	t := new(turn)
	if !out.over && json.Unmarshal(out.text, t) == nil && len(t.Rows) > 0 {
		return t, nil
	}
	switch said := strings.TrimSpace(string(words.text)); {
	case out.over:
		err = fmt.Errorf("it printed more than %d bytes", reportBytes)
	case err == nil:
		err = errors.New("what it printed is none")
	case said != "":
		err = fmt.Errorf("%w: %q", err, said)
	}
	return nil, fmt.Errorf("bench: %s %s: no report: %w", program, strings.Join(args, " "), err)
}

// Bytes that are kept of another program's report, which has a few thousand, and of
// what it says besides.
const (
	reportBytes = 1 << 20
	wordBytes   = 1 << 10
)

// A bounded keeps the beginning of what a program prints.
type bounded struct {
	most   int
	strict bool // more breaks the program's pipe, which ends one that would print for ever
	text   []byte
	over   bool // there was more
}

// errFull is what breaks the pipe.
var errFull = errors.New("bench: no room")

// Write takes everything, or in strict use what fits.
func (b *bounded) Write(p []byte) (int, error) {
	room := min(b.most-len(b.text), len(p))
	b.text = append(b.text, p[:room]...)
	b.over = b.over || room < len(p)
	if b.over && b.strict {
		return room, errFull
	}
	return len(p), nil
}

// compare pairs the engines of all rounds.
func (o *AgainstOptions) compare(olds, news []*turn) (*Comparison, error) {
	c := &Comparison{Slack: o.Slack, Holds: true}
	if len(olds) == 0 {
		return nil, errors.New("bench: no rounds to compare")
	}
	for i := range news[0].Rows {
		p, err := o.pair(i, olds, news)
		if err != nil {
			return nil, err
		}
		c.Holds = c.Holds && p.Verdict == verdict.Held && p.sound()
		c.Void = c.Void || p.Verdict == verdict.Void
		c.Pairs = append(c.Pairs, p)
	}
	return c, nil
}

// pair compares the i-th engine of every turn.
func (o *AgainstOptions) pair(i int, olds, news []*turn) (p Pair, err error) {
	p = Pair{Engine: news[0].Rows[i].Engine, SameField: true}
	var before, after []float64
	for round := range olds {
		if i >= len(olds[round].Rows) || i >= len(news[round].Rows) {
			return p, fmt.Errorf("bench: the programs time unlike engines: %s is in one only", p.Engine)
		}
		a, b := olds[round].Rows[i], news[round].Rows[i]
		if a.ISA != b.ISA || a.Step != b.Step || a.Threads != b.Threads {
			return p, fmt.Errorf("bench: the programs time unlike engines: %s and %s", a.Engine, b.Engine)
		}
		p.Unlike = p.Unlike || a.Ticks != b.Ticks
		p.SameField = p.SameField && a.Hash == b.Hash
		before, after = append(before, a.Tick), append(after, b.Tick)
	}
	ratio, err := verdict.Pairs(after, before)
	if err != nil {
		return p, fmt.Errorf("bench: %s: %w", p.Engine, err)
	}
	p.Old, p.New = verdict.Median(before), verdict.Median(after)
	p.Judgement = verdict.Claim{
		Name: p.Engine + ", new over old", Direction: verdict.AtMost, Limit: 1 + o.Slack,
	}.Judge(ratio)
	return p, nil
}

// sound reports whether the fields are equal, as far as that can be told.
func (p *Pair) sound() bool { return p.SameField || p.Unlike }

// Print writes the comparison for people.
func (c *Comparison) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "engine\told ms\tnew ms\tnew over old\tfield\t")
	for _, p := range c.Pairs {
		field := map[bool]string{true: "equal", false: "DIFFERS"}[p.SameField]
		if p.Unlike {
			field = "unlike ticks"
		}
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f (%.3f-%.3f)\t%s\t\n", p.Engine, p.Old, p.New, p.Ratio, p.Low, p.High, field)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, p := range c.Pairs {
		fmt.Fprintf(w, "claim %v\n", p.Judgement)
	}
	return nil
}
