package trials

import (
	"fmt"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// A scene is a built-in scenario that the judged pilot alone drives, because a
// goal names it.
type scene struct {
	name     string // in place of a family's
	scenario string
	profile  plant.Profile
	seeds    int
	change   func(sc *scenarios.Scenario)
	judge    func(j *judge, f *Family)
}

// scenes lists them.
func scenes() []scene {
	return []scene{
		{
			name: "scenario room", scenario: "room", profile: plant.P1, seeds: 10,
			judge: func(j *judge, f *Family) {
				s := &f.Sums[0]
				_, way := mean(f.records[s.Pilot], everyone, func(r *Record) float64 { return r.Distance })
				_, cover := mean(f.records[s.Pilot], everyone, func(r *Record) float64 { return r.Coverage })
				j.add(way >= 33 && cover >= 0.40 && s.Contact.Held == 0, "the built-in room: way, coverage, contacts",
					"at least 33 m and 0.40 on average, no contact", fmt.Sprintf("%.1f m, %.2f, %s", way, cover, s.Contact))
			},
		},
		{
			name: "scenario deadend", scenario: "deadend", profile: plant.P0, seeds: 10,
			change: func(sc *scenarios.Scenario) { sc.Profile, sc.Duration = plant.P0, 120 },
			judge: func(j *judge, f *Family) {
				quick := NewShare(f.records[f.Sums[0].Pilot], everyone, func(r *Record) bool { return r.Reached() && *r.Arrived <= 12 })
				j.add(quick.Held == quick.Of, "the built-in dead end: out within 12 s", "all", quick.String())
			},
		},
		{
			name: "scenario line at 0.30 m/s", scenario: "line", profile: plant.P1, seeds: 10,
			change: func(sc *scenarios.Scenario) { sc.Brain.Cruise = 0.30 },
			judge: func(j *judge, f *Family) {
				kept := NewShare(
					f.records[f.Sums[0].Pilot], everyone,
					func(r *Record) bool { return r.LineLost != nil && *r.LineLost == 0 },
				)
				j.add(kept.Held == kept.Of, "the built-in line at 0.30 m/s: never lost", "all", fmt.Sprintf("%s, longest %.2f s", kept, f.Sums[0].LineLost))
			},
		},
	}
}

// find returns the scene of a name.
func find(name string) (scene, bool) {
	for _, s := range scenes() {
		if s.name == name {
			return s, true
		}
	}
	return scene{}, false
}

// make opens the scenario.
func (s scene) make() (*scenarios.Scenario, error) {
	sc, err := scenarios.Load(s.scenario)
	if err == nil && s.change != nil {
		s.change(sc)
	}
	return sc, err
}

// scenes judges the built-in scenarios.
func (j *judge) scenes() {
	for _, s := range scenes() {
		if f := j.profile.has(s.name); s.profile == j.profile.Name && f != nil {
			s.judge(j, f)
		}
	}
}
