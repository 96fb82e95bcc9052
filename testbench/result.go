package testbench

import (
	"fmt"
	"strings"
	"time"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A Result is what one run of a scenario came to. Its JSON form is one object;
// metrics that the scenario does not have, or that never happened, are absent.
type Result struct {
	Scenario string  `json:"scenario"`
	Spec     string  `json:"spec,omitempty"`
	Seed     uint64  `json:"seed"`
	Seconds  float64 `json:"sim_seconds"`
	Ticks    uint64  `json:"ticks"`
	Pass     bool    `json:"pass"`

	Notes []string `json:"notes,omitempty"` // what no limit judges: a task that was not done, a fault that struck nothing

	Collisions int     `json:"collisions"`      // contact onsets
	Distance   float64 `json:"distance_m"`      // driven, both ways
	Coverage   float64 `json:"coverage"`        // fraction of the 0.25 m cells visited
	MinGap     float64 `json:"min_clearance_m"` // body to the nearest surface; world.Reach where there is none
	Stuck      int     `json:"stuck"`           // 10 s without 0.15 m of progress
	Stops      int     `json:"stops"`           // standstills of 0.3 s after moving
	IdleStops  int     `json:"idle_stops"`      // standstills of 0.5 s with 0.5 m free ahead
	Steering   float64 `json:"steering_dps"`    // deg/s, total variation of the command
	Reversals  float64 `json:"reversals_per_s"` // of the steering command, above 4 deg
	Throttle   int     `json:"throttle_steps"`  // above 0.2 in 20 ms without a brake
	Resets     uint64  `json:"resets"`          // of the HAT's controller, by the driver
	BusErrors  uint64  `json:"bus_errors"`      // failed transactions
	Faults     uint64  `json:"faults"`          // injected events that struck, and conditions that began
	MinVolts   float64 `json:"min_volts"`       // at the pack

	Falls    int         `json:"falls"`                   // 1 when a wheel went past the table's edge, which ends the drive
	Unwarned bool        `json:"fell_unwarned,omitempty"` // no floor sensor had been past the edge in the second before, in time to stop
	Fall     *FallRecord `json:"fall,omitempty"`          // how
	Standing float64     `json:"standing_s"`              // stood for 2 s and more with something to do
	Circling float64     `json:"circling_s"`              // moved and got nowhere, see package gauge
	Energy   float64     `json:"energy_j"`                // out of the pack
	Hardest  float64     `json:"hardest_contact_mps"`     // speed at the hardest contact, 0 without one
	Impacts  []float64   `json:"contacts_mps,omitempty"`  // speeds at the first 64 contacts

	Oracle    *float64 `json:"oracle,omitempty"`     // share of what the true map allows, 0..1
	BARN      *float64 `json:"barn,omitempty"`       // navigation metric, 0..0.5, of a drive to a place
	Progress  *float64 `json:"progress,omitempty"`   // share of the way there that is behind it at the end
	PathShare *float64 `json:"path_share,omitempty"` // shortest way over the one driven, 0 when it never arrived
	Least     *float64 `json:"least_s,omitempty"`    // time that nobody undercuts there

	LateralRMS *float64 `json:"lateral_rms_m,omitempty"`
	LateralMax *float64 `json:"lateral_max_m,omitempty"`
	LineRMS    *float64 `json:"line_rms_m,omitempty"`
	LineMax    *float64 `json:"line_max_m,omitempty"`
	LineLost   *float64 `json:"line_lost_s,omitempty"` // longest
	Exit       *float64 `json:"exit_s,omitempty"`      // from the start
	Goal       *float64 `json:"goal_s,omitempty"`
	PathRatio  *float64 `json:"path_ratio,omitempty"` // driven to the goal over the straight line
	Crossings  *float64 `json:"edge_crossings,omitempty"`
	Latency    *float64 `json:"edge_latency_s,omitempty"` // sensor past the edge to motors stopped
	StopWay    *float64 `json:"edge_stop_m,omitempty"`    // sensor past the edge to standstill
	Leave      *float64 `json:"edge_leave_s,omitempty"`   // sensor past the edge to all back
	Wheels     *float64 `json:"wheels_past,omitempty"`    // ms with a bicycle wheel past the edge
	Corners    *float64 `json:"corner_wheels_past,omitempty"`
	Cut        *float64 `json:"cut_s,omitempty"`     // first fault's beginning to motors last driven
	Halt       *float64 `json:"halt_s,omitempty"`    // first fault's beginning to standstill
	Resumed    *float64 `json:"resumed_m,omitempty"` // driven after that standstill

	Trajectory string    `json:"trajectory_hash"` // of the poses every 10 ms
	Verdicts   []Verdict `json:"verdicts,omitempty"`

	// The caller's, who has the brain.
	Pilot     string       `json:"pilot,omitempty"`
	Engine    string       `json:"engine"`
	FieldHash string       `json:"field_hash"`
	TickMS    *Percentiles `json:"tick_ms,omitempty"`
	Allocs    *float64     `json:"allocs_per_tick,omitempty"`
	Orders    []Ordered    `json:"orders,omitempty"`
	Held      []Held       `json:"held,omitempty"` // what kept the car standing for long

	Track *Track `json:"-"` // for pictures

	share   float64 // of the scenario's duration that was asked for; 0 means all
	ordered bool    // somebody ordered the car to stand from its start
}

// A Held is a cause of the reflexes with which the car stood, and for how long in all;
// docs/faults.md has the cause.
type Held struct {
	Cause   string  `json:"cause"`
	Seconds float64 `json:"held_s"`
	Why     string  `json:"why"` // in words for a person
}

// An Ordered is an order that the pilot got on its way, and how it ended.
type Ordered struct {
	At       float64  `json:"at_s"` // from the start of the run
	Order    string   `json:"order"`
	Standing string   `json:"standing"`
	Why      string   `json:"why,omitempty"`
	Driving  float64  `json:"driving_s"`
	Way      float64  `json:"driven_m"`
	Off      *float64 `json:"off_m,omitempty"`  // a place that the car believes to have reached: how far from it the car truly is
	Told     *float64 `json:"told_m,omitempty"` // how far from the truth it said that it may be, one standard deviation
}

// Percentiles are times in milliseconds.
type Percentiles struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

// An EventKind says what happened at a place.
type EventKind uint8

// The events a run notes.
const (
	Contact EventKind = iota
	Stop
	Stuck
	Edge
	Goal
	Exit
	Fault
	Reset
	Fall
	NumEvents
)

var eventNames = [NumEvents]string{"contact", "stop", "stuck", "edge", "goal", "exit", "fault", "hat reset", "fall"}

// String returns the event's name.
func (k EventKind) String() string {
	if k < NumEvents {
		return eventNames[k]
	}
	return "unknown"
}

// An Event is something that happened, and where the body then was.
type Event struct {
	Kind  EventKind
	At    time.Duration
	Place world.Vec
}

// A Point is one pose of the trajectory.
type Point struct {
	At    time.Duration
	Pose  plant.Pose
	Speed float64 // m/s
}

// A Track holds the run for pictures and tables. It is the run's own: read only.
type Track struct {
	World  *world.World
	Body   plant.Params
	Trail  []Point // every 50 ms
	Rows   []Row   // every 50 ms, when the run was asked to keep them
	Events []Event
}

// Metric returns the value of one of scenarios.Metrics, and whether the run
// has it.
func (r *Result) Metric(name string) (float64, bool) {
	if p, ok := r.optional(name); ok {
		if p == nil {
			return 0, false
		}
		return *p, true
	}
	v, ok := map[string]float64{
		touched: float64(r.Collisions), "distance_m": r.Distance, "coverage": r.Coverage,
		"min_clearance_m": r.MinGap, "stuck": float64(r.Stuck), "stops": float64(r.Stops), "idle_stops": float64(r.IdleStops),
		"steering_dps": r.Steering, "reversals_per_s": r.Reversals, "throttle_steps": float64(r.Throttle),
		"resets": float64(r.Resets), "bus_errors": float64(r.BusErrors), "faults": float64(r.Faults),
		"falls": float64(r.Falls), "standing_s": r.Standing, "circling_s": r.Circling, "energy_j": r.Energy,
		"hardest_contact_mps": r.Hardest,
	}[name]
	return v, ok
}

// optional returns the field of a metric that may be absent.
func (r *Result) optional(name string) (*float64, bool) {
	p, ok := map[string]*float64{
		"lateral_rms_m": r.LateralRMS, "lateral_max_m": r.LateralMax,
		"line_rms_m": r.LineRMS, "line_max_m": r.LineMax, "line_lost_s": r.LineLost,
		"exit_s": r.Exit, "goal_s": r.Goal, "path_ratio": r.PathRatio,
		"edge_crossings": r.Crossings, "edge_latency_s": r.Latency, "edge_stop_m": r.StopWay,
		"edge_leave_s": r.Leave, "wheels_past": r.Wheels, "corner_wheels_past": r.Corners,
		"cut_s": r.Cut, "halt_s": r.Halt, "resumed_m": r.Resumed,
		"oracle": r.Oracle, "barn": r.BARN, "progress": r.Progress, "path_share": r.PathShare,
	}[name]
	return p, ok
}

// nearest says how near the car came to anything.
func (r *Result) nearest() string {
	if r.MinGap >= world.Reach {
		return fmt.Sprintf("no obstacle within %.0f m", world.Reach)
	}
	return fmt.Sprintf("closest obstacle %.3f m", r.MinGap)
}

// Summary returns the run as a few lines for a person.
func (r *Result) Summary() string {
	var b strings.Builder
	verdict := "FAILED"
	if r.Pass {
		verdict = "passed"
	}
	fmt.Fprintf(&b, "%s seed %d: %s after %.1f s (%d ticks)\n", r.Scenario, r.Seed, verdict, r.Seconds, r.Ticks)
	fmt.Fprintf(&b, "  drove %.2f m, covered %.0f %% of the floor, %d collisions, %s, %d stops, stuck %d times\n",
		r.Distance, 100*r.Coverage, r.Collisions, r.nearest(), r.Stops, r.Stuck)
	fmt.Fprintf(&b, "  stood %.1f s, circled %.1f s, fell %d times, hardest contact %.2f m/s, %.0f J%s\n",
		r.Standing, r.Circling, r.Falls, r.Hardest, r.Energy, r.shares())
	if r.Fall != nil {
		fmt.Fprintf(&b, "  fell %v\n", r.Fall)
	}
	fmt.Fprintf(&b, "  steering %.1f deg/s, %.2f reversals/s, %d throttle steps, %d idle stops\n",
		r.Steering, r.Reversals, r.Throttle, r.IdleStops)
	fmt.Fprintf(&b, "  HAT: %d failed transactions, %d resets, %d injected faults, battery down to %.2f V\n",
		r.BusErrors, r.Resets, r.Faults, r.MinVolts)
	for _, v := range r.Verdicts {
		fmt.Fprintf(&b, "  %v\n", v)
	}
	for _, text := range r.Notes {
		fmt.Fprintf(&b, "  note %s\n", text)
	}
	if r.Seconds <= bringUp.Seconds() {
		fmt.Fprintf(&b, "  note a run of %g s is over as soon as a car is ready (%g s): it shows little\n", r.Seconds, bringUp.Seconds())
	}
	if r.unbounded() {
		fmt.Fprintf(&b, "  note %-18s %d (the scenario has no limit on them)\n", touched, r.Collisions)
	}
	return b.String()
}

// touched is the metric that counts what the car touched.
const touched = "collisions"

// unbounded reports whether the car touched something and no limit judged how often.
func (r *Result) unbounded() bool {
	for _, v := range r.Verdicts {
		if v.Metric == touched && v.Max != nil {
			return false
		}
	}
	return r.Collisions > 0
}
