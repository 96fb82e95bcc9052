package verdict

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Direction says on which side of its limit a claimed ratio lies.
type Direction string

// The directions.
const (
	AtMost  Direction = "at most"
	AtLeast Direction = "at least"
)

// A Claim is what a measured ratio shall be.
type Claim struct {
	Name      string    `json:"name"`
	Direction Direction `json:"direction"`
	Limit     float64   `json:"limit"` // a ratio
}

// A Verdict is what a run says about a claim.
type Verdict string

// The verdicts.
const (
	Held   Verdict = "held"   // the whole interval is on the claim's side
	Missed Verdict = "missed" // no part of it is
	Void   Verdict = "void"   // the limit lies within: too wide to tell
)

// Never is More's value where no affordable number of rounds would tell.
const Never = -1

// mostRounds bounds what a person may be told to run.
const mostRounds = 10_000_000

// A Judgement is a claim with the interval it was judged by.
type Judgement struct {
	Claim
	Interval
	Verdict Verdict `json:"verdict"`
	More    int     `json:"more_rounds"` // about so many further rounds would tell; 0 where this run does
}

// Judge says whether the interval holds the claim. An interval of fewer than
// Fewest rounds is never narrow enough.
func (c Claim) Judge(i Interval) Judgement {
	j := Judgement{Claim: c, Interval: i, Verdict: c.verdict(i)}
	if j.Verdict == Void {
		j.More = more(i, c.Limit)
	}
	return j
}

// verdict compares the interval with the limit.
func (c Claim) verdict(i Interval) Verdict {
	held, missed := i.High <= c.Limit, i.Low > c.Limit
	if c.Direction == AtLeast {
		held, missed = i.Low >= c.Limit, i.High < c.Limit
	}
	switch {
	case i.Level < Confidence:
		return Void
	case held:
		return Held
	case missed:
		return Missed
	}
	return Void
}

// more estimates how many further rounds would bring the interval clear of the
// limit: its width shrinks with the root of their number.
func more(i Interval, limit float64) int {
	reach, apart := i.High-i.Ratio, limit-i.Ratio
	if limit < i.Ratio {
		reach, apart = i.Ratio-i.Low, i.Ratio-limit
	}
	few := max(0, Fewest-i.Rounds)
	if apart == 0 {
		return Never
	}
	factor := reach / apart
	wanted := float64(i.Rounds) * factor * factor
	if wanted > mostRounds {
		return Never
	}
	return max(few, int(math.Round(wanted))-i.Rounds, 1)
}

// Share judges the claim that at most a share of n things goes wrong, of which
// bad did. The ratio is the share seen over the share allowed.
func Share(name string, bad, n int, allowed float64) (Judgement, error) {
	if n <= 0 || bad < 0 || bad > n || !(allowed > 0 && allowed < 1) {
		return Judgement{}, fmt.Errorf("verdict: %s: %d of %d with %v allowed: want a part of some and a share between 0 and 1", name, bad, n, allowed)
	}
	j := Claim{Name: name, Direction: AtMost, Limit: 1}.Judge(share(bad, n, allowed))
	if j.Verdict == Void {
		j.More = moreShare(float64(bad)/float64(n), n, allowed)
	}
	return j, nil
}

// share returns Clopper and Pearson's interval over the share allowed.
func share(bad, n int, allowed float64) Interval {
	const tail = (1 - Confidence) / 2
	k, all := float64(bad), float64(n)
	low, high := 0.0, 1.0
	if bad > 0 {
		low = distuv.Beta{Alpha: k, Beta: all - k + 1}.Quantile(tail)
	}
	if bad < n {
		high = distuv.Beta{Alpha: k + 1, Beta: all - k}.Quantile(1 - tail)
	}
	return Interval{Ratio: k / all / allowed, Low: low / allowed, High: high / allowed, Rounds: n, Level: Confidence}
}

// moreShare finds how many further ones would tell if the share stayed.
func moreShare(rate float64, n int, allowed float64) int {
	clear := func(n int) bool {
		i := share(int(math.Round(rate*float64(n))), n, allowed)
		return i.High <= 1 || i.Low > 1
	}
	enough := n
	for !clear(enough) {
		if enough *= 2; enough > mostRounds {
			return Never
		}
	}
	few := enough / 2
	for enough-few > 1 {
		if half := few + (enough-few)/2; clear(half) {
			enough = half
		} else {
			few = half
		}
	}
	return max(enough-n, 1)
}

// AnyVoid reports whether a run leaves a claim open.
func AnyVoid(all []Judgement) bool {
	return slices.ContainsFunc(all, func(j Judgement) bool { return j.Verdict == Void })
}

// String returns the judgement as one line for people.
func (j Judgement) String() string {
	text := fmt.Sprintf("%s: %.3f (%.3f to %.3f, %d rounds), %s %.3g: %s",
		j.Name, j.Ratio, j.Low, j.High, j.Rounds, j.Direction, j.Limit, j.Verdict)
	switch {
	case j.Verdict != Void:
		return text
	case j.More == Never:
		return text + ": the ratio is too near the limit for any number of rounds"
	}
	return fmt.Sprintf("%s: too wide to tell; about %d more rounds would", text, j.More)
}

// Print writes one line per judgement.
func Print(w io.Writer, all []Judgement) error {
	for _, j := range all {
		if _, err := fmt.Fprintf(w, "claim %v\n", j); err != nil {
			return err
		}
	}
	return nil
}
