package loadbench

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"fieldbrain/verdict"
)

// What the loop may take, in times of cyclictest's.
const (
	GoalP999 = 1.5
	GoalMax  = 2.0
)

// A Lateness is how late one thread woke up.
type Lateness struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50_us"`
	P99   float64 `json:"p99_us"`
	P999  float64 `json:"p999_us"`
	Max   float64 `json:"max_us"`
}

// A Row is one run.
type Row struct {
	Without    string              `json:"without,omitempty"` // remedies left out
	Seconds    float64             `json:"seconds"`
	Hogs       int                 `json:"hogs"`
	Clients    int                 `json:"clients"`
	Loop       Lateness            `json:"loop"`
	Cyclictest Lateness            `json:"cyclictest"` // on the processors on which the loop ran
	P999Ratio  float64             `json:"p999_ratio"` // loop over cyclictest
	MaxRatio   float64             `json:"max_ratio"`
	Skipped    int                 `json:"skipped"` // periods without a tick
	Disarms    int                 `json:"disarms"`
	Driven     float64             `json:"armed_s"` // for which the car was armed
	Asked      Asked               `json:"status"`
	Claims     []verdict.Judgement `json:"claims"` // by rounds of at least a thousand wake-ups
	Kept       bool                `json:"kept"`   // the goal: both ratios of the whole run, and no disarming
}

// latenessOf returns the quantiles.
func latenessOf(late []time.Duration) Lateness {
	sorted := slices.Clone(late)
	slices.Sort(sorted)
	at := func(q float64) float64 {
		return us(sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)])
	}
	return Lateness{Count: len(sorted), P50: at(0.5), P99: at(0.99), P999: at(0.999), Max: at(1)}
}

func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// newRow puts a run together.
func newRow(o Options, wakes []Wake, y yard, asked Asked) (Row, error) {
	beside := y.beside(wakes)
	if len(beside) == 0 {
		return Row{}, errors.New("loadbench: no wake-up in the run")
	}
	late, skipped := lateness(wakes, o.Period)
	r := Row{
		Without: o.Without, Seconds: o.Length.Seconds(), Hogs: o.Hogs, Clients: o.Clients,
		Loop: latenessOf(late), Cyclictest: latenessOf(beside),
		Skipped: skipped, Disarms: disarms(wakes), Asked: asked,
	}
	for _, w := range wakes {
		if w.Armed {
			r.Driven += o.Period.Seconds()
		}
	}
	r.P999Ratio, r.MaxRatio = r.Loop.P999/r.Cyclictest.P999, r.Loop.Max/r.Cyclictest.Max
	r.Kept = r.P999Ratio <= GoalP999 && r.MaxRatio <= GoalMax && r.Disarms == 0
	var err error
	r.Claims, err = claims(late, beside)
	return r, err
}

// roundSize is the fewest wake-ups in which one in a thousand can be seen.
const roundSize = 1000

// claims judges the ratios round by round. A run shorter than two rounds makes none.
func claims(late, yard []time.Duration) ([]verdict.Judgement, error) {
	n := min(len(late), len(yard)) / roundSize
	if n < 2 {
		return nil, nil
	}
	of := func(all []time.Duration, i int) Lateness { return latenessOf(all[len(all)*i/n : len(all)*(i+1)/n]) }
	var loops, yards [2][]float64
	for i := range n {
		a, b := of(late, i), of(yard, i)
		loops[0], yards[0] = append(loops[0], a.P999), append(yards[0], b.P999)
		loops[1], yards[1] = append(loops[1], a.Max), append(yards[1], b.Max)
	}
	var list []verdict.Judgement
	for i, c := range []verdict.Claim{
		{Name: "p99.9 of a round over cyclictest's", Direction: verdict.AtMost, Limit: GoalP999},
		{Name: "maximum of a round over cyclictest's", Direction: verdict.AtMost, Limit: GoalMax},
	} {
		interval, err := verdict.Pairs(loops[i], yards[i])
		if err != nil {
			return nil, fmt.Errorf("loadbench: %w", err)
		}
		list = append(list, c.Judge(interval))
	}
	return list, nil
}

// Print writes the table of runs as docs have it.
func Print(w io.Writer, rows []Row) error {
	fmt.Fprintln(w, "| without | of | p50 us | p99 us | p99.9 us | max us | p99.9 / cyclictest's | max / cyclictest's | skipped | disarms | answers/s | kept |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		without := r.Without
		if without == "" {
			without = "nothing"
		}
		line := func(name, of string, l Lateness) {
			fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %.0f | %.0f |", name, of, l.P50, l.P99, l.P999, l.Max)
		}
		line(without, "loop", r.Loop)
		kept := "no"
		if r.Kept {
			kept = "yes"
		}
		fmt.Fprintf(w, " %.2f | %.2f | %d | %d | %.0f | %s |\n", r.P999Ratio, r.MaxRatio, r.Skipped, r.Disarms,
			float64(r.Asked.Answers)/r.Seconds, kept)
		line("", "cyclictest", r.Cyclictest)
		fmt.Fprintln(w, " | | | | | |")
	}
	for _, r := range rows {
		if err := verdict.Print(w, r.Claims); err != nil {
			return err
		}
	}
	return nil
}
