package response

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/robot/picarx"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/hat"
)

// Params say what to measure.
type Params struct {
	Scenario string        // where to drive
	Seed     uint64        // its seed
	Length   time.Duration // of each drive, in virtual time
	Tick     time.Duration // how long a tick takes
	Clocks   []int         // of the I2C bus, Hz
}

// Default returns the drive that docs/performance.md shows.
func Default() Params {
	return Params{
		Scenario: "room-p0", Seed: 7, Length: 30 * time.Second, Tick: 200 * time.Microsecond,
		Clocks: []int{100_000, 400_000},
	}
}

// A Schedule is how the bus chooses its instants.
type Schedule string

// Schedules.
const (
	Free  Schedule = "free"  // on a grid of its own, as before the driver knew the releases
	Paced Schedule = "paced" // towards the releases of the loop
)

// goal and limit are what a paced bus shall reach at 99 %.
const (
	goal       = 1.5                  // times the floor
	limit      = 5 * time.Millisecond // at limitClock
	limitClock = 100_000              // Hz
)

// A Row is one drive.
type Row struct {
	Clock    int           `json:"clock_hz"`
	Schedule Schedule      `json:"schedule"`
	Floor    time.Duration `json:"floor_ns"` // least response of the last actuator
	Whole    Quantiles     `json:"response"` // of all actuators
	Ratio    float64       `json:"p99_of_floor"`
	Met      bool          `json:"met"` // the goal

	Actuators [picarx.NumActuators]Part `json:"actuators"`
}

// A Part is one actuator's share of a Row.
type Part struct {
	Actuator string        `json:"actuator"`
	Floor    time.Duration `json:"floor_ns"`
	Quantiles
}

// Quantiles are exact: of every response, in order.
type Quantiles struct {
	Count int           `json:"count"`
	P50   time.Duration `json:"p50_ns"`
	P90   time.Duration `json:"p90_ns"`
	P99   time.Duration `json:"p99_ns"`
	P999  time.Duration `json:"p999_ns"`
	Max   time.Duration `json:"max_ns"`
}

// A Report is the table.
type Report struct {
	Scenario string        `json:"scenario"`
	Seed     uint64        `json:"seed"`
	Length   time.Duration `json:"length_ns"`
	Tick     time.Duration `json:"tick_ns"`
	Rows     []Row         `json:"rows"`
	Met      bool          `json:"met"` // every paced row's goal
}

// Measure drives once per clock and schedule.
func Measure(settings config.Config, p Params, progress func(done, total time.Duration)) (Report, error) {
	r := Report{Scenario: p.Scenario, Seed: p.Seed, Length: p.Length, Tick: p.Tick, Met: true}
	total := time.Duration(2*len(p.Clocks)) * p.Length
	for _, clock := range p.Clocks {
		for _, s := range []Schedule{Free, Paced} {
			before := time.Duration(len(r.Rows)) * p.Length
			row, err := p.row(settings, clock, s, func(done, _ time.Duration) {
				if progress != nil {
					progress(before+done, total)
				}
			})
			if err != nil {
				return r, err
			}
			r.Rows = append(r.Rows, row)
			r.Met = r.Met && (s == Free || row.Met)
		}
	}
	return r, nil
}

// row drives once.
func (p Params) row(settings config.Config, clock int, s Schedule, progress func(done, total time.Duration)) (Row, error) {
	sc, err := family.Open(p.Scenario)
	if err != nil {
		return Row{}, config.UsageError{Err: err}
	}
	sc.Hat.Clock, sc.Stop = clock, ""
	row := Row{Clock: clock, Schedule: s}
	var all []picarx.Response
	_, err = drive.New(settings).Virtual(sc, p.Seed, "brain", testbench.Options{
		Period: time.Duration(settings.Loop.Period), Length: p.Length, Tick: p.Tick, Unpaced: s == Free,
		Progress: progress, Respond: func(r picarx.Response) { all = append(all, r) },
	})
	if err != nil {
		return row, err
	}
	if len(all) == 0 {
		return row, errors.New("response: no command changed anything: let the car drive longer")
	}
	if i := slices.IndexFunc(all, func(r picarx.Response) bool { return r.Ready > r.Decided || r.Decided > r.Written }); i >= 0 {
		return row, fmt.Errorf("response: the driver's stamps run backwards: %+v", all[i])
	}
	row.fill(all, sc.HatParams(p.Seed), p.Tick)
	return row, nil
}

// fill computes the figures from the stamps.
func (row *Row) fill(all []picarx.Response, h hat.Params, tick time.Duration) {
	least := picarx.LeastResponse(h.WireTime(3, 0), h.WireTime(0, 1), picarx.Default().ADCGap)
	var took []time.Duration
	var parts [picarx.NumActuators][]time.Duration
	for _, r := range all {
		took = append(took, r.Took())
		parts[r.Actuator] = append(parts[r.Actuator], r.Took())
	}
	for i := range row.Actuators {
		row.Actuators[i] = Part{picarx.Actuator(i).String(), least[i] + tick, quantiles(parts[i])}
	}
	row.Floor, row.Whole = least[picarx.NumActuators-1]+tick, quantiles(took)
	row.Ratio = row.Whole.P99.Seconds() / row.Floor.Seconds()
	row.Met = row.Ratio <= goal && (row.Clock != limitClock || row.Whole.P99 <= limit)
}

// quantiles sorts the times and reads them off: the smallest that the given
// share does not exceed.
func quantiles(t []time.Duration) Quantiles {
	if len(t) == 0 {
		return Quantiles{}
	}
	slices.Sort(t)
	at := func(perMille int) time.Duration { return t[(len(t)*perMille+999)/1000-1] }
	return Quantiles{Count: len(t), P50: at(500), P90: at(900), P99: at(990), P999: at(999), Max: t[len(t)-1]}
}
