package forensics

import (
	"slices"
	"time"

	"fieldbrain/brain"
)

// A Miss is the costliest of the missed ticks between two looks, and where its time went.
type Miss struct {
	Worst   Tick          `json:"worst"`
	Usual   Tick          `json:"usual"`       // medians of the punctual ticks around it
	Cost    time.Duration `json:"cost_ns"`     // what it exceeds the usual by
	Late    time.Duration `json:"late_ns"`     // of which before the tick
	Busy    time.Duration `json:"busy_ns"`     // and within it
	Ran     time.Duration `json:"ran_ns"`      // processor time of the thread, beyond the usual
	System  time.Duration `json:"system_ns"`   // of Ran, what the kernel took, roughly
	Waited  time.Duration `json:"waited_ns"`   // it was ready and got no processor, beyond the usual
	Between time.Duration `json:"between_ns"`  // of Ran, what was outside the tick
	Minor   int           `json:"minor"`       // page faults beyond the usual
	Major   int           `json:"major"`       // of which a disk had to be read for
	Slept   int           `json:"slept"`       // waits beyond the usual
	From    time.Duration `json:"from_ns"`     // the tick before it ended
	Ticks   int           `json:"ticks"`       // that missed their deadline between the looks
	All     time.Duration `json:"all_cost_ns"` // of all of them

	Stages [brain.NumStages]time.Duration `json:"stages_ns"` // beyond the usual
}

// Evidence is everything that speaks for or against a cause.
type Evidence struct {
	Period    time.Duration `json:"period_ns"`
	Miss      Miss          `json:"miss"`
	Grew      Counters      `json:"grew"`          // between the looks around the miss; At is the time between them
	Beyond    Counters      `json:"beyond"`        // of that, what the second before does not lead one to expect
	FaultCost time.Duration `json:"fault_cost_ns"` // of a page touched for the first time
	Policy    string        `json:"policy"`        // scheduling class of the loop's thread: fifo, rr or other
	Priority  int           `json:"priority"`      // in it
	Rivals    []Rival       `json:"rivals"`        // real-time threads of others that may run first, the busiest first
	Engine    string        `json:"engine"`        // its name
	Machine   Machine       `json:"machine"`       //
	Off       bool          `json:"collector_off"` // the collector was
	Armed     bool          `json:"armed"`         // the car was
	Bus       Bus           `json:"bus"`           // as it stands
}

// A Rival is a thread of another process that the kernel lets run before the loop's.
type Rival struct {
	PID      int           `json:"pid"`
	TID      int           `json:"tid"`
	Name     string        `json:"name"`
	Policy   string        `json:"policy"`
	Priority int           `json:"priority"`
	Ran      time.Duration `json:"ran_ns"`  // since somebody looked before
	Over     time.Duration `json:"over_ns"` // the time between
}

// A Machine is how warm and fast the computer was; what is not known is 0.
type Machine struct {
	Temperature float64 `json:"temperature_C"`
	Limit       float64 `json:"limit_C"`
	Sensor      string  `json:"sensor"`
	Clock       float64 `json:"clock_Hz"`
	Fastest     float64 `json:"fastest_Hz"`
	Load        float64 `json:"load"`
	Share       float64 `json:"share"` // of one processor that the program took
	Power       string  `json:"power"`
}

// A Bus is how the way to the HAT stood.
type Bus struct {
	Link         string `json:"link"`
	Transactions uint64 `json:"transactions"`
	Errors       uint64 `json:"errors"`
	Retries      uint64 `json:"retries"`
	Stalls       uint64 `json:"stalls"`
	Lates        uint64 `json:"lates"`
	Resets       uint64 `json:"resets"`
	LastError    string `json:"last_error,omitempty"`
}

// missIn finds the costliest of the missed ticks that ended after one look and up to
// another.
func missIn(ticks []Tick, period, after, upTo time.Duration) (m Miss) {
	m.Usual = usual(ticks, period)
	for i := range ticks {
		t := &ticks[i]
		if !t.Missed(period) || t.End <= after || t.End > upTo {
			continue
		}
		late, busy := max(0, t.Late()-m.Usual.Late()), max(0, t.Busy()-m.Usual.Busy())
		m.Ticks++
		m.All += late + busy
		if m.Ticks > 1 && late+busy <= m.Cost {
			continue
		}
		m.Worst, m.Cost, m.Late, m.Busy, m.From = *t, late+busy, late, busy, 0
		if i > 0 {
			m.From = ticks[i-1].End
		}
	}
	if m.Ticks > 0 {
		m.compare()
	}
	return m
}

// compare takes the usual off the worst.
func (m *Miss) compare() {
	t, u := &m.Worst, &m.Usual
	m.Ran, m.Waited = max(0, t.Ran-u.Ran), max(0, t.Waited-u.Waited)
	m.System = min(m.Ran, max(0, t.System-u.System))
	m.Between = max(0, min(m.Late, m.Ran-m.Busy))
	m.Minor, m.Major = max(0, int(t.Minor)-int(u.Minor)), int(t.Major)
	m.Slept = max(0, int(t.Slept)-int(u.Slept))
	for s := range t.Laps {
		m.Stages[s] = max(0, t.Laps[s]-u.Laps[s])
	}
}

// Outside returns how much longer than usual the tick was outside its stages.
func (m *Miss) Outside() time.Duration {
	rest := m.Busy
	for _, d := range m.Stages {
		rest -= d
	}
	return max(0, rest)
}

// usual returns the medians of the ticks that missed nothing.
func usual(ticks []Tick, period time.Duration) (u Tick) {
	values := make([]time.Duration, 0, len(ticks)) // beside an armed car nobody collects what is thrown away
	of := func(value func(t *Tick) time.Duration) time.Duration {
		values = values[:0]
		for i := range ticks {
			if t := &ticks[i]; t.Warm && !t.Missed(period) {
				values = append(values, value(t))
			}
		}
		return median(values)
	}
	u.Start = of((*Tick).Late)
	u.End = u.Start + of((*Tick).Busy)
	u.Ran = of(func(t *Tick) time.Duration { return t.Ran })
	u.System = of(func(t *Tick) time.Duration { return t.System })
	u.Waited = of(func(t *Tick) time.Duration { return t.Waited })
	u.Doorbell = of(func(t *Tick) time.Duration { return t.Doorbell })
	u.Evolve = of(func(t *Tick) time.Duration { return t.Evolve })
	u.Match = of(func(t *Tick) time.Duration { return t.Match })
	u.Minor = uint32(of(func(t *Tick) time.Duration { return time.Duration(t.Minor) }))
	u.Slept = uint32(of(func(t *Tick) time.Duration { return time.Duration(t.Slept) }))
	for s := range u.Laps {
		u.Laps[s] = of(func(t *Tick) time.Duration { return t.Laps[s] })
	}
	return u
}

// median returns the one in the middle; it sorts the values.
func median(values []time.Duration) time.Duration {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
