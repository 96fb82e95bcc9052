package ladder

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"fieldbrain/verdict"
)

// A Row is one rung's outcome. Every loss is a difference from full quality on
// the same recorded drive.
type Row struct {
	Name      string   `json:"name"`
	Busy      float64  `json:"busy_ms"`           // a tick: median over blocks of their mean
	Worst     float64  `json:"worst_ms"`          // the heaviest of eight ticks, median
	Field     float64  `json:"field_error"`       // |u - u full| / |u full|
	Deviation float64  `json:"command_deviation"` // worse of the next two in units of what B.11 allows
	Steering  float64  `json:"steering_rms_deg"`  // B.11: at most 2
	Throttle  float64  `json:"throttle_rms"`      // of full speed; B.11: at most 0.05
	Gaze      float64  `json:"pan_rms_deg"`       // B.11 sets no limit
	Peak      float64  `json:"same_peak"`         // share of ticks whose heading peak is within a bin; B.11: at least 0.97
	Score     *float64 `json:"behaviour_score"`   // share of the scenarios that hold all their limits; absent when none was driven
	Failed    []string `json:"failed,omitempty"`  // the others
	Update    string   `json:"updated_every"`     // ticks: perception, traces, associative
	Memory    float64  `json:"field_mb"`          // MB of activations and outputs on the processor, 0 on a card
	Emulated  bool     `json:"emulated"`          // on the processor, to tell the loss: the times mean nothing

	SpeedUp verdict.Interval `json:"speedup"` // full quality's turn over this one's
}

// A Report is one whole run.
type Report struct {
	Engine   string   `json:"engine"`
	Scenario string   `json:"scenario"`
	Ticks    int      `json:"ticks"` // of the drive
	Drives   []string `json:"drives"`
	Seeds    int      `json:"seeds"`
	Void     bool     `json:"void"` // a claim is
	Rungs    []Row    `json:"rungs"`
	Monotone bool     `json:"monotone"` // every rung is faster than the one above it
	Verdict  string   `json:"verdict"`

	Control verdict.Interval    `json:"control"` // full quality against itself, as a rung of its own: the cost of the place in the turn
	Claims  []verdict.Judgement `json:"claims"`  // one for each rung but the first: faster than the one above it

	Starts      []Row               `json:"starts"`       // the field with fewer planes or less precision from the start, the whole one first
	StartClaims []verdict.Judgement `json:"start_claims"` // fewer planes are faster
}

// The loss that B.11 allows a rung.
const (
	allowedSteering = 2.0  // deg, RMS
	allowedThrottle = 0.05 // of full speed, RMS
	allowedPeak     = 0.97 // of the ticks
)

// Judge says whether every rung is worth its loss, by its claims.
func (r *Report) Judge() {
	var idle, open, loses []string
	for _, of := range []struct {
		rows   []Row
		claims []verdict.Judgement
	}{{r.Rungs, r.Claims}, {r.Starts, r.StartClaims}} {
		for i, j := range of.claims {
			switch name := of.rows[i+1].Name; j.Verdict {
			case verdict.Missed:
				idle = append(idle, name)
			case verdict.Void:
				open = append(open, name)
			}
		}
	}
	for _, row := range slices.Concat(r.Rungs, r.Starts) {
		if row.Deviation > 1 || row.Peak < allowedPeak || len(row.Failed) > 0 {
			loses = append(loses, row.Name)
		}
	}
	r.Monotone, r.Void = len(idle)+len(open) == 0, len(open) > 0
	r.Verdict = "monotone: every rung is faster than the one above it"
	if !r.Monotone {
		r.Verdict = join("not monotone: slower than the rung above it: ", idle, "; ") +
			join("not decided: whether these are faster than the rung above them: ", open, "; ")
		r.Verdict = strings.TrimSuffix(r.Verdict, "; ")
	}
	r.Verdict += "; " + cmp.Or(join("lose more than B.11 allows: ", loses, ""), "none loses more than B.11 allows")
}

// join lists names after a head, or returns nothing where there are none.
func join(head string, names []string, tail string) string {
	if len(names) == 0 {
		return ""
	}
	return head + strings.Join(names, ", ") + tail
}

// Print writes the table.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d ticks of %s on %s, on every rung in turns; full quality against itself: %s\n", r.Ticks, r.Scenario, r.Engine, r.Control.Short())
	table(w, "rung", r.Rungs)
	if len(r.Starts) > 0 {
		fmt.Fprintln(w, "\nthe same at full quality, from a start with less of the field:")
		table(w, "start", r.Starts)
		fmt.Fprintln(w, "halves are emulated on the processor: what half precision on a card loses; its time there is bench gpu's, not measured here")
	}
	if r.Seeds > 0 {
		fmt.Fprintf(w, "behaviour: share of %s that hold all limits, seeds 1 to %d\n", strings.Join(r.Drives, ", "), r.Seeds)
	}
	fmt.Fprintf(w, "deviation 1 is what B.11 allows: %g deg or %g of full speed, RMS\n", allowedSteering, allowedThrottle)
	if err := verdict.Print(w, slices.Concat(r.Claims, r.StartClaims)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "verdict: %s\n", r.Verdict)
	return err
}

// table prints rows under a head.
func table(w io.Writer, of string, rows []Row) {
	fmt.Fprintf(w, "%10s %7s %9s %9s %16s %9s %11s %9s %9s %9s %9s %10s %9s\n", of, "every", "busy ms", "worst ms", "speed-up", "field MB",
		"field error", "deviation", "steer deg", "throttle", "pan deg", "same peak", "behaviour")
	for _, row := range rows {
		score, memory := "-", "-"
		if row.Score != nil {
			score = fmt.Sprintf("%.2f", *row.Score)
		}
		if row.Memory > 0 {
			memory = fmt.Sprintf("%.2f", row.Memory)
		}
		busy, worst, speed := fmt.Sprintf("%.4f", row.Busy), fmt.Sprintf("%.4f", row.Worst), row.SpeedUp.Short()
		if row.Emulated {
			busy, worst, speed = "-", "-", "-"
		}
		fmt.Fprintf(w, "%10s %7s %9s %9s %16s %9s %11.2e %9.3f %9.3f %9.4f %9.3f %9.1f%% %9s", row.Name, row.Update, busy, worst, speed, memory,
			row.Field, row.Deviation, row.Steering, row.Throttle, row.Gaze, 100*row.Peak, score)
		if len(row.Failed) > 0 {
			fmt.Fprintf(w, "  fails %s", strings.Join(row.Failed, ", "))
		}
		fmt.Fprintln(w)
	}
}
