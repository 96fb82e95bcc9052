package guardbench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fieldbrain/daemon/guard"
	"fieldbrain/daemon/loop"
)

// Goal is the longest time that motors may run on, on a quiet machine: from death,
// or from the end of the silence that the guard allows.
const Goal = 20 * time.Millisecond

// A Row is the deaths of one kind.
type Row struct {
	Kind   string         `json:"kind"`
	What   string         `json:"what"`
	Deaths int            `json:"deaths"`
	Limit  time.Duration  `json:"limit_ns"` // the silence allowed first
	P50    time.Duration  `json:"p50_ns"`   // of Beyond, as all that follow
	P99    time.Duration  `json:"p99_ns"`
	P100   time.Duration  `json:"p100_ns"`
	Over   int            `json:"over"` // later than Goal
	By     map[string]int `json:"by"`   // who stopped the motors
	Spread []int          `json:"spread"`
}

// A Report is what all deaths say.
type Report struct {
	Goal   time.Duration   `json:"goal_ns"`
	Edges  []time.Duration `json:"edges_ns"` // brackets of Spread, the last above all
	Rows   []Row           `json:"rows"`
	Deaths []Death         `json:"deaths"`
}

// edges are the brackets of the histogram.
var edges = []time.Duration{
	500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond,
	5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
}

// Judge sorts deaths by kind.
func Judge(deaths []Death) Report {
	r := Report{Goal: Goal, Edges: edges, Deaths: deaths}
	for _, k := range Kinds() {
		row := Row{Kind: k.Name, What: k.What, Limit: time.Duration(k.limit()), By: map[string]int{}, Spread: make([]int, len(edges)+1)}
		var times []time.Duration
		for _, d := range deaths {
			if d.Kind != k.Name {
				continue
			}
			times = append(times, d.Beyond)
			row.By[d.By]++
			i, _ := slices.BinarySearch(edges, d.Beyond)
			row.Spread[i]++
			if d.Beyond > Goal {
				row.Over++
			}
		}
		if row.Deaths = len(times); row.Deaths == 0 {
			continue
		}
		slices.Sort(times)
		at := func(share float64) time.Duration { return times[int(share*float64(len(times)-1)+0.5)] }
		row.P50, row.P99, row.P100 = at(0.5), at(0.99), at(1)
		r.Rows = append(r.Rows, row)
	}
	return r
}

// Print writes the table and a histogram for each kind.
func (r Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "from death to zero duty; where nothing dies, from the end of %v of silence\n", guard.Limit)
	fmt.Fprintf(w, "%-9s %6s %10s %10s %10s %6s  %s\n", "kind", "deaths", "p50", "p99", "p100", "over", "stopped by")
	verdict := fmt.Sprintf("held: none over %v", Goal)
	for _, row := range r.Rows {
		fmt.Fprintf(w, "%-9s %6d %10s %10s %10s %6d  %s\n", row.Kind, row.Deaths,
			short(row.P50), short(row.P99), short(row.P100), row.Over, who(row.By))
		if row.Over > 0 {
			verdict = fmt.Sprintf("missed: some over %v", Goal)
		}
	}
	for _, row := range r.Rows {
		fmt.Fprintf(w, "%s: %s\n", row.Kind, row.What)
		most := max(1, slices.Max(row.Spread))
		for i, n := range row.Spread {
			label := "more"
			if i < len(r.Edges) {
				label = "<= " + r.Edges[i].String()
			}
			fmt.Fprintf(w, "%10s %6d %s\n", label, n, strings.Repeat("#", n*50/most))
		}
	}
	_, err := fmt.Fprintf(w, "verdict: %s\n", verdict)
	return err
}

// short writes a time, which may be negative: the driver can be first.
func short(d time.Duration) string {
	if d < 0 {
		return "-" + loop.Short(-d)
	}
	return loop.Short(d)
}

// who lists who stopped the motors how often.
func who(by map[string]int) string {
	var list []string
	for _, name := range []string{"guard", "driver"} {
		if n := by[name]; n > 0 {
			list = append(list, fmt.Sprintf("%s %d", name, n))
		}
	}
	return strings.Join(list, ", ")
}
