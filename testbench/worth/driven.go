package worth

import (
	"errors"
	"math"
	"time"

	"fieldbrain/field/ablation"
	"fieldbrain/testbench"
	"fieldbrain/testbench/behave"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
)

// A course says which world a seed drives in.
type course func(seed uint64) (*scenarios.Scenario, error)

// built is a scenario that is part of the program; blind gives it the front beam only.
func built(name string, blind bool) course {
	return func(uint64) (*scenarios.Scenario, error) {
		sc, err := scenarios.Load(name)
		if err == nil && blind {
			sc.Profile, sc.Duration = plant.P0, 120
		}
		return sc, err
	}
}

// made is a member of a family's test set: nothing was tuned on it.
func made(name string) course {
	return func(seed uint64) (*scenarios.Scenario, error) { return family.Make(name, family.Test, seed) }
}

// along drives a course and returns some metrics.
func along(c course, metrics []measure) func(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
	return func(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
		sc, err := c(seed)
		if err != nil {
			return nil, err
		}
		var m *behave.Mind
		pilot := func(s testbench.Vehicle) (tick func(time.Duration), err error) {
			if m, err = o.Make(s, behave.Variant{Field: k, Planner: sc.Brain.Explore}); err != nil {
				return nil, err
			}
			armed := false
			return func(now time.Duration) {
				m.Brain.Tick(now)
				armed = armed || m.Brain.Arm() == nil
			}, nil
		}
		r, err := testbench.Run(sc, seed, pilot, testbench.Options{Period: o.Period})
		if m != nil {
			err = errors.Join(err, m.Close())
		}
		if err != nil {
			return nil, err
		}
		numbers := make([]float64, len(metrics))
		for i, want := range metrics {
			numbers[i] = figure(r, sc, want.name)
		}
		return numbers, nil
	}
}

// figure returns a metric. A place that was not reached took as long as there was; that
// it was reached at all is a figure of its own, reached.
func figure(r *testbench.Result, sc *scenarios.Scenario, name string) float64 {
	switch name {
	case "reached":
		if r.Goal != nil || r.Exit != nil {
			return 1
		}
		return 0
	case "goal_s", "exit_s":
		if v, ok := r.Metric(name); ok {
			return v
		}
		return sc.Duration
	}
	if v, ok := r.Metric(name); ok {
		return v
	}
	return math.NaN()
}

// driven are the questions with a car.
func driven() []question {
	const seeds, worlds = 12, 48 // of one scene, and of a family, whose members differ
	smooth := []measure{
		{"steering_dps", false, "movement of the steering"},
		{"reversals_per_s", false, "changes of the steering's side"},
		{"distance_m", true, "way"},
		{"collisions", false, "contacts"},
	}
	to := []measure{
		{"goal_s", false, "until the goal, or all the time"},
		{"reached", true, "goals reached"},
		{"collisions", false, "contacts"},
		{"steering_dps", false, "movement of the steering"},
	}
	out := []measure{
		{"exit_s", false, "until it is out, or all the time"},
		{"reached", true, "got out"},
		{"collisions", false, "contacts"},
	}
	list := []struct {
		id, scene string
		seeds     int
		kinds     []ablation.Kind
		at        course
		measures  []measure
	}{
		{"smooth", "room of B1, five beams", seeds, deciders(), built("smooth", false), smooth},
		{"smooth-p0", "the same, front beam only", seeds, deciders(), built("room-p0", false), smooth},
		{"corridor", "corridor of B3, five beams", seeds, deciders(), built("corridor", false), append(smooth[:2:2], measure{"lateral_rms_m", false, "off the middle"})},
		{"line", "line of B5", seeds, deciders(), built("line", false), []measure{{"line_rms_m", false, "off the line"}, {"line_lost_s", false, "without it"}}},
		{"goal", "beacon behind discs, five beams", seeds, append(deciders(), keepers()...), built("goal", false), to},
		{"goal-p0", "the same, front beam only", seeds, append(deciders(), keepers()...), built("goal-p0", false), to},
		{"deadend", "dead end of B6, five beams", seeds, deciders(), built("deadend", false), out},
		{"deadend-p0", "the same, front beam only, 120 s", seeds, deciders(), built("deadend", true), out},
		{"clutter", "family clutter, test set, five beams", worlds, deciders(), made("clutter"), to},
		{"clutter-p0", "the same, front beam only", worlds, deciders(), made("clutter-p0"), to},
		{"movers", "family crossing, test set, five beams", worlds, deciders(), made("crossing"), to},
	}
	var all []question
	for _, q := range list {
		all = append(all, question{q.id, q.scene, q.seeds, q.kinds, q.measures, along(q.at, q.measures)})
	}
	return all
}

// taught is the question with a teacher.
func taught() []question {
	return []question{{"learning", "T-maze of B14: 12 trials, one arm pays", 6, append(deciders(), ablation.Forget), []measure{
		{"rewarded_share", true, "of trials 5 to 12 that go to the arm that pays"},
		{"chosen_share", true, "of all trials that reach an arm in time"},
	}, func(o *Options, k ablation.Kind, seed uint64) ([]float64, error) {
		late, any, err := behave.Lesson(behave.Options{
			Make: o.Make, Parts: behave.Parts{Outcome: o.Outcome}, Period: o.Period,
		}, seed, behave.Variant{Field: k})
		return []float64{late, any}, err
	}}}
}
