package scenarios

// What Measure.Fall says.
const (
	FallWheel = "wheel" // any of the four wheels past the edge
	FallAxle  = "axle"  // the middle of an axle: where no sensor can see a single wheel
)

// The conditions of every world: no wheel past the edge of a table, no more
// than a share of the run, or a few seconds of a short one, spent standing or
// going in circles, and where the run ends with an arrival, that there is one.
const (
	fallMetric     = "falls"
	standingMetric = "standing_s"
	circlingMetric = "circling_s"

	wasteShare = 0.10 // of the run
	wasteLeast = 5.0  // s, granted in any case
	wasteMost  = 0.5  // of a run of a few seconds: who wastes more of it shows nothing
)

// waivable lists the conditions that a file may leave out.
func waivable() []string {
	return []string{standingMetric, circlingMetric, Arrival("goal"), Arrival("exit")}
}

// Waste returns how much standing or circling a run of that many seconds may
// have, in s.
func Waste(seconds float64) float64 {
	return min(max(wasteLeast, float64(wasteShare*seconds)), float64(wasteMost*seconds))
}

// Wasted reports whether a metric is a time in which the car gets nowhere.
func Wasted(metric string) bool { return metric == standingMetric || metric == circlingMetric }

// Still reports whether a metric says how long the car stood.
func Still(metric string) bool { return metric == standingMetric }

// Conditions returns what a run must hold: the file's limits, and behind them
// those of every world. A limit of the file on the same metric stands for the
// latter, unless it would let a fall pass.
func (s *Scenario) Conditions() []Limit {
	all := append([]Limit(nil), s.Limits...)
	none, waste, length := 0.0, Waste(s.Duration), s.Duration
	every := []Limit{
		{Metric: fallMetric, Max: &none},
		{Metric: standingMetric, Max: &waste},
		{Metric: circlingMetric, Max: &waste},
	}
	if metric := Arrival(s.Stop); metric != "" {
		every = append(every, Limit{Metric: metric, Max: &length})
	}
	for _, l := range every {
		if s.covers(l) {
			continue
		}
		l.Everywhere, l.Waived = true, s.waives(l.Metric)
		all = append(all, l)
	}
	return all
}

// Arrival returns the metric that has a value where a run ended as Scenario.Stop says;
// nothing where only time ends it.
func Arrival(stop string) string {
	switch stop {
	case "goal":
		return "goal_s"
	case "exit":
		return "exit_s"
	}
	return ""
}

// AsksGoal reports whether the car is to drive to the goal. A goal that nobody asks
// for is measured, and ends nothing.
func (s *Scenario) AsksGoal() bool {
	return s.World.Goal != nil && (s.Stop == "goal" || s.Brain.Goal)
}

// AsksExit likewise reports whether it is to leave the region.
func (s *Scenario) AsksExit() bool { return s.Measure.Region != nil && s.Stop == "exit" }

// covers reports whether the file has a limit of its own for a condition.
func (s *Scenario) covers(c Limit) bool {
	for _, l := range s.Limits {
		if l.Metric == c.Metric && l.Max != nil && (c.Metric != fallMetric || *l.Max == 0 && l.Over != "mean" && l.Share == 0) {
			return true
		}
	}
	return false
}

// waives reports whether the file leaves a condition out.
func (s *Scenario) waives(metric string) bool {
	for _, name := range s.Measure.Without {
		if name == metric {
			return true
		}
	}
	return false
}
