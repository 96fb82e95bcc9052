package behave

import "fieldbrain/testbench/suite"

// A Report holds the verdicts of the suite. Its JSON form is one object.
type Report struct {
	Engine     string      `json:"engine"`  // that stepped the field in every judged run
	Engines    []string    `json:"engines"` // whose runs were compared with it, bit for bit
	Workers    int         `json:"workers"`
	Runs       int         `json:"runs"` // drives and experiments, all told
	Behaviours []Behaviour `json:"behaviours"`
	Findings   []Finding   `json:"findings"`
	Passed     bool        `json:"passed"` // every behaviour does

	Pictures []Picture `json:"-"`
}

// A Behaviour is one row of part C, judged. Metric to Baseline are those of its
// first check that has a value, so that one line says the most important.
type Behaviour struct {
	ID        string              `json:"id"`
	Name      string              `json:"name"`
	Scene     string              `json:"scene"` // the stimulus or the world, and for how long
	Seeds     int                 `json:"seeds"`
	Passed    bool                `json:"passed"`
	Needs     []string            `json:"needs,omitempty"` // parts this build lacks
	Metric    string              `json:"metric"`
	Bound     string              `json:"bound"` // "<=" or ">="
	Threshold float64             `json:"threshold"`
	Value     *float64            `json:"value"`    // absent when it never happened
	Mean      *float64            `json:"mean"`     // of the runs; Value is the worst where each is judged
	Low       *float64            `json:"low"`      // 95 % interval of the mean
	High      *float64            `json:"high"`     //
	Baseline  *float64            `json:"baseline"` // the reactive driver's value; null where there is none
	Baselines map[string]*float64 `json:"baselines"`
	Checks    []Check             `json:"checks"`
	Same      *Same               `json:"same,omitempty"`
}

// A Check is one threshold of a behaviour.
type Check struct {
	Metric    string           `json:"metric"`
	Scenario  string           `json:"scenario,omitempty"`
	Bound     string           `json:"bound"`
	Threshold float64          `json:"threshold"`
	Over      string           `json:"over"`      // "mean", or "each" of the runs
	Share     float64          `json:"share"`     // of the runs that must hold it, 1 for all
	Value     *float64         `json:"value"`     // the mean, or the worst run's
	Sample    *suite.Sample    `json:"sample"`    // of the runs that have the metric
	Held      int              `json:"held"`      // runs that hold it
	Runs      int              `json:"runs"`      // of so many
	HeldLow   float64          `json:"held_low"`  // Wilson's interval of their share
	HeldHigh  float64          `json:"held_high"` //
	Passed    bool             `json:"passed"`
	Open      bool             `json:"open,omitempty"` // reported, not judged: the specification leaves it open
	Needs     string           `json:"needs,omitempty"`
	Note      string           `json:"note,omitempty"`
	Baselines map[string]Rival `json:"baselines,omitempty"`
	Gain      *Gain            `json:"gain,omitempty"`
}

// A Rival is a baseline's result for the same check.
type Rival struct {
	Value  *float64 `json:"value"`
	Held   int      `json:"held"`
	Runs   int      `json:"runs"`
	Passed bool     `json:"passed"`
}

// A Gain is brain minus reactive driver, over equal seeds that both have.
type Gain struct {
	suite.Sample
	Better string `json:"better"` // who is, beyond the interval: brain, reactive, or neither
}

// A Same says which engines did one run of a behaviour equally.
type Same struct {
	Hash    string   `json:"hash"` // of the way driven and of the field, or of all values
	Engines []string `json:"engines"`
	Differ  []string `json:"differ,omitempty"`
}

// A Finding is a behaviour that the field does not improve.
type Finding struct {
	Behaviour string `json:"behaviour"`
	Text      string `json:"text"`
}

// The names of the drivers in the report.
const (
	Brain     = "brain"
	Reactive  = "reactive"
	Vendor    = "vendor"
	Random    = "random"
	atMost    = "<="
	atLeast   = ">="
	overMean  = "mean"
	overEach  = "each"
	neither   = "neither"
	neverSeen = "never"
)

// rivals are the drivers beside ours, in the order of the tables.
func rivals() []string { return []string{Reactive, Vendor, Random} }
