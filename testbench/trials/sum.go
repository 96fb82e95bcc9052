package trials

import (
	"fieldbrain/verdict"
)

// A Share is a part of a number of drives, with the 95 % interval of the true one.
type Share struct {
	Held int     `json:"held"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// NewShare counts how many of the records that are asked hold something.
func NewShare(records []Record, asked, holds func(r *Record) bool) Share {
	s := Share{}
	for i := range records {
		if r := &records[i]; asked(r) {
			s.Of++
			if holds(r) {
				s.Held++
			}
		}
	}
	s.Low, s.High = verdict.Proportion(s.Held, s.Of)
	return s
}

// Value returns the share, 0 of none.
func (s Share) Value() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Held) / float64(s.Of)
}

// A Sum is what one pilot came to in the worlds of a profile or of a family.
type Sum struct {
	Pilot     string  `json:"pilot"`
	Drives    int     `json:"drives"`
	Pass      Share   `json:"pass"`     // hold every condition of their world
	Contact   Share   `json:"contact"`  // touched something
	Touches   int     `json:"contacts"` // in all
	Hardest   float64 `json:"hardest_mps"`
	Fell      Share   `json:"fell"`          // of the drives on tables
	Unwarned  int     `json:"fell_unwarned"` // of those that fell: no sensor was past the edge just before
	Hidden    int     `json:"fell_hidden"`   // of those: none had ever been past that side of the table, no sensor can have told
	Arrived   Share   `json:"arrived"`       // of the drives to a place, all of which the oracle can reach
	TimeRatio float64 `json:"time"`          // median of time taken over least time, of those that arrived; 0 for none
	Success   Share   `json:"success"`       // arrived and touched nothing, as BARN asks
	BARN      float64 `json:"barn"`          // mean navigation metric, 0 for failures
	Progress  float64 `json:"progress"`      // mean share of the way that was done
	PathShare float64 `json:"path"`          // mean of shortest way over way driven
	Explored  int     `json:"explored"`      // drives that may go anywhere
	Coverage  float64 `json:"coverage"`      // their mean
	Reach     float64 `json:"reachable"`     // their mean share of the cells that can be entered in that time
	Lines     int     `json:"lines"`         // drives along a line
	LineShare float64 `json:"line"`          // their mean share of the way over the line
	LineLost  float64 `json:"line_lost_s"`   // the longest of them
	Standing  float64 `json:"standing_s"`    // mean
	Idle      Share   `json:"idle"`          // stood too long
	Circling  float64 `json:"circling_s"`    // mean
	Lost      Share   `json:"lost"`          // circled too long
	Steering  float64 `json:"steering_dps"`
	Reversals float64 `json:"reversals_per_s"`
	Energy    float64 `json:"energy_jpm"` // J per m driven
}

// Whom a share asks.
func everyone(*Record) bool    { return true }
func aimed(r *Record) bool     { return r.Task == TaskArrive }
func exploring(r *Record) bool { return r.Task == TaskExplore }
func onTable(r *Record) bool   { return r.Table }

// What it asks.
func touched(r *Record) bool   { return r.Contacts > 0 }
func fell(r *Record) bool      { return r.Falls > 0 }
func succeeded(r *Record) bool { return r.Reached() && r.Safe() }

// NewSum sums up the drives of one pilot.
func NewSum(pilot string, records []Record) Sum {
	s := Sum{
		Pilot: pilot, Drives: len(records),
		Pass:    NewShare(records, everyone, func(r *Record) bool { return r.Pass }),
		Contact: NewShare(records, everyone, touched),
		Fell:    NewShare(records, onTable, fell),
		Arrived: NewShare(records, aimed, (*Record).Reached),
		Success: NewShare(records, aimed, succeeded),
		Idle:    NewShare(records, everyone, (*Record).Idle),
		Lost:    NewShare(records, everyone, (*Record).Lost),
	}
	var ratios []float64
	way, joules := 0.0, 0.0
	for i := range records {
		r := &records[i]
		s.Touches += r.Contacts
		if r.Unwarned {
			s.Unwarned++
		}
		if r.Hidden {
			s.Hidden++
		}
		s.Hardest = max(s.Hardest, r.Hardest)
		if ratio, is := r.ratio(); is {
			ratios = append(ratios, ratio)
		}
		if r.LineLost != nil {
			s.LineLost = max(s.LineLost, *r.LineLost)
		}
		way, joules = way+r.Distance, joules+r.Energy
	}
	s.TimeRatio = verdict.Median(ratios)
	s.Explored, s.Coverage = mean(records, exploring, func(r *Record) float64 { return r.Coverage })
	_, s.Reach = mean(records, exploring, func(r *Record) float64 { return r.Oracle })
	s.Lines, s.LineShare = mean(records, func(r *Record) bool { return r.Task == TaskLine }, func(r *Record) float64 { return r.Oracle })
	_, s.BARN = mean(records, aimed, func(r *Record) float64 { return value(r.BARN) })
	_, s.Progress = mean(records, aimed, func(r *Record) float64 { return value(r.Progress) })
	_, s.PathShare = mean(records, aimed, func(r *Record) float64 { return value(r.PathShare) })
	_, s.Standing = mean(records, everyone, func(r *Record) float64 { return r.Standing })
	_, s.Circling = mean(records, everyone, func(r *Record) float64 { return r.Circling })
	_, s.Steering = mean(records, everyone, func(r *Record) float64 { return r.Steering })
	_, s.Reversals = mean(records, everyone, func(r *Record) float64 { return r.Reversals })
	if way > 0 {
		s.Energy = joules / way
	}
	return s
}

// ratio is the time taken over the least time of a drive that arrived.
func (r *Record) ratio() (ratio float64, is bool) {
	if !r.Reached() || r.Least == nil || *r.Least <= 0 {
		return 0, false
	}
	return *r.Arrived / *r.Least, true
}

// value is 0 for a figure that a drive does not have.
func value(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// mean returns how many records are asked and the mean of what they say.
func mean(records []Record, asked func(r *Record) bool, of func(r *Record) float64) (n int, m float64) {
	sum := 0.0
	for i := range records {
		if r := &records[i]; asked(r) {
			n++
			sum += of(r)
		}
	}
	if n == 0 {
		return 0, 0
	}
	return n, sum / float64(n)
}
