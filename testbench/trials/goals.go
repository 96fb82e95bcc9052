package trials

import (
	"fmt"
	"slices"

	"fieldbrain/testbench/plant"
)

// A Goal is a row of what the judged pilot must show.
type Goal struct {
	Profile plant.Profile `json:"profile"`
	Text    string        `json:"text"`
	Wanted  string        `json:"wanted"`
	Got     string        `json:"got"`
	Driven  bool          `json:"driven"` // the roster held what it asks for
	Pass    bool          `json:"pass"`
}

// Pilots that play a part of their own in the goals: the oracle is no rival, it
// knows the map, and noise looks at nothing.
const (
	Oracle = "oracle"
	Noise  = "noise"
	Vendor = "vendor"
)

// worldsOf is the number of worlds that a profile's goals were set for; allowances
// that are counts are taken in proportion.
const worldsOf = 200

// fewest is how many worlds two pilots must both have finished for their times to
// be compared.
const fewest = 6

// A judge collects the goals of one profile.
type judge struct {
	profile *Profile
	goals   []Goal
}

// judge holds the report against the goals.
func (r *Report) judge() {
	r.Pass = r.Drives > 0
	for i := range r.Profiles {
		j := &judge{profile: &r.Profiles[i]}
		if len(j.profile.Sums) == 0 || j.profile.Worlds == 0 {
			continue
		}
		j.safety()
		j.arrivals()
		j.times()
		j.coverage()
		j.waste()
		j.clutter()
		j.tables()
		j.open()
		j.scenes()
		r.Goals = append(r.Goals, j.goals...)
	}
	for _, g := range r.Goals {
		r.Pass = r.Pass && (g.Pass || !g.Driven)
	}
}

// add notes a goal.
func (j *judge) add(pass bool, text, wanted, got string) {
	j.goals = append(j.goals, Goal{j.profile.Name, text, wanted, got, true, pass})
}

// lacks notes a goal that the roster says nothing about: it is neither reached nor
// missed.
func (j *judge) lacks(text, wanted string) {
	j.goals = append(j.goals, Goal{Profile: j.profile.Name, Text: text, Wanted: wanted, Got: "not driven"})
}

// ours is the judged pilot's sum.
func (j *judge) ours() *Sum { return &j.profile.Sums[0] }

// one reports whether the car has one beam only.
func (j *judge) one() bool { return j.profile.Name == plant.P0 }

// rivals are the baselines: every pilot but the judged one, the oracle and noise.
func (j *judge) rivals() []*Sum {
	var all []*Sum
	for i := range j.profile.Sums[1:] {
		if s := &j.profile.Sums[i+1]; s.Pilot != Oracle && s.Pilot != Noise {
			all = append(all, s)
		}
	}
	return all
}

// best returns the rival that less puts first, nil without any.
func (j *judge) best(compare func(a, b *Sum) int) *Sum {
	rivals := j.rivals()
	if len(rivals) == 0 {
		return nil
	}
	return slices.MinFunc(rivals, compare)
}

// safety: contacts at most the best baseline's and 3 in 200; with one beam fewer
// than every baseline's.
func (j *judge) safety() {
	ours := j.ours().Contact
	got := ours.String()
	best := j.best(func(a, b *Sum) int { return a.Contact.Held - b.Contact.Held })
	const text = "drives with a contact"
	if best == nil {
		j.lacks(text+", against the best baseline", "a baseline")
	} else {
		got := fmt.Sprintf("%s; %s %s", got, best.Pilot, best.Contact)
		if j.one() {
			j.add(ours.Held < best.Contact.Held, text+", against the best baseline", "fewer", got)
		} else {
			j.add(ours.Held <= best.Contact.Held, text+", against the best baseline", "at most as many", got)
		}
	}
	if !j.one() {
		j.add(ours.Held*worldsOf <= 3*ours.Of, text, "at most 3 in 200", got)
	}
}

// arrivals: goals and exits relative to the oracle, which reaches all of them.
func (j *judge) arrivals() {
	share := 0.97
	if j.one() {
		share = 0.85
	}
	text, wanted := "goals and exits reached, of those the oracle can", fmt.Sprintf("at least %.0f %%", 100*share)
	if a := j.ours().Arrived; a.Of == 0 {
		j.lacks(text, wanted)
	} else {
		j.add(a.Value() >= share, text, wanted, a.String())
	}
}

// times: the median ratio to every baseline, over the worlds both finished.
func (j *judge) times() {
	if j.one() {
		return
	}
	const text, wanted = "median time over the best baseline's, where both arrive", "at most 1.15"
	worst := Comparison{}
	for _, c := range j.profile.Against {
		if c.Pilot != Oracle && c.Pilot != Noise && c.Time.Rounds >= fewest && c.Time.Ratio > worst.Time.Ratio {
			worst = c
		}
	}
	if worst.Time.Rounds == 0 {
		j.lacks(text, wanted)
		return
	}
	j.add(worst.Time.Ratio <= 1.15, text, wanted, fmt.Sprintf("%s against %s, %d worlds", worst.Time.Short(), worst.Pilot, worst.Time.Rounds))
}

// coverage: at least the best baseline's, in the worlds that may be explored.
func (j *judge) coverage() {
	const text, wanted = "coverage, against the best baseline", "at least as much"
	best := j.best(func(a, b *Sum) int {
		if a.Coverage > b.Coverage {
			return -1
		}
		return 1
	})
	if best == nil || j.ours().Explored == 0 {
		j.lacks(text, wanted)
		return
	}
	i := slices.IndexFunc(j.profile.Against, func(c Comparison) bool { return c.Pilot == best.Pilot })
	g := j.profile.Against[i].Coverage
	j.add(g.Mean >= 0, text, wanted, fmt.Sprintf("%.3f; %s %.3f; difference %+.3f (%+.3f..%+.3f)", j.ours().Coverage, best.Pilot, best.Coverage, g.Mean, g.Low, g.High))
}

// waste: no circling, no standing; smoothness within B12.
func (j *judge) waste() {
	s := j.ours()
	j.add(s.Idle.Held == 0, "drives with standing", "none", fmt.Sprintf("%s; %.1f s on average", s.Idle, s.Standing))
	j.add(s.Lost.Held == 0, "drives with circling", "none", fmt.Sprintf("%s; %.1f s on average", s.Lost, s.Circling))
	if !j.one() {
		j.add(s.Steering <= 25 && s.Reversals <= 0.7, "smoothness within B12", "at most 25 deg/s and 0.7 reversals/s", fmt.Sprintf("%.1f deg/s, %.2f reversals/s", s.Steering, s.Reversals))
	}
}

// clutter: the goals of BARN's family.
func (j *judge) clutter() {
	const (
		success = "cellular clutter: success"
		metric  = "cellular clutter: navigation metric"
		contact = "cellular clutter: drives with a contact"
	)
	share := 0.95
	if j.one() {
		share = 0.60
	}
	wanted := fmt.Sprintf("at least %.0f %%", 100*share)
	f := j.profile.has(clutter)
	if f == nil {
		j.lacks(success, wanted)
		return
	}
	s := f.Sums[0]
	j.add(s.Success.Value() >= share, success, wanted, s.Success.String())
	if !j.one() {
		j.add(s.BARN >= 0.35, metric, "at least 0.35", fmt.Sprintf("%.3f", s.BARN))
	}
	j.add(s.Contact.Value() <= 0.02, contact, "at most 2 %", s.Contact.String())
}

// tables: no wheel past the edge.
func (j *judge) tables() {
	const text, wanted = "tables: drives with a wheel past the edge", "none"
	f := j.profile.has(table)
	if f == nil {
		j.lacks(text, wanted)
		return
	}
	s := &f.Sums[0]
	j.add(s.Fell.Held == s.Hidden, text, wanted+" where geometry allows it", fmt.Sprintf("%s, %d of them past a side that no floor sensor could have shown", s.Fell, s.Hidden))
	j.add(s.Idle.Held == 0, "tables: drives with standing", "none", s.Idle.String())
}

// open: no standing where nothing is in reach, or where walls swallow the echo.
func (j *judge) open() {
	for _, name := range []string{"hall", "soft"} {
		text := name + ": drives with standing"
		if f := j.profile.has(name); f == nil {
			j.lacks(text, "none")
		} else {
			j.add(f.Sums[0].Idle.Held == 0, text, "none", f.Sums[0].Idle.String())
		}
	}
}

// String writes the share with its interval for a table.
func (s Share) String() string {
	if s.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.1f..%.1f %%)", s.Held, s.Of, 100*s.Low, 100*s.High)
}
