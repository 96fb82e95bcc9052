package trials

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/scenarios"
)

// The tasks that a world can set.
const (
	TaskArrive  = "arrive"  // at a goal, or out of a region
	TaskLine    = "line"    // along a line
	TaskExplore = "explore" // anywhere
)

// A Record is one drive: the figures of its result that reports are made of.
type Record struct {
	World
	Pilot string `json:"pilot"`
	Task  string `json:"task"`
	Pass  bool   `json:"pass"` // every condition of the world holds

	Length    float64  `json:"length_s"` // that the drive may take
	Seconds   float64  `json:"seconds"`  // that it took
	Arrived   *float64 `json:"arrived_s,omitempty"`
	Least     *float64 `json:"least_s,omitempty"`
	Contacts  int      `json:"contacts"`
	Hardest   float64  `json:"hardest_mps"`
	Falls     int      `json:"falls"`
	Unwarned  bool     `json:"fell_unwarned,omitempty"` // before any floor sensor was past the edge
	Hidden    bool     `json:"fell_hidden,omitempty"`   // forwards, past a side that no floor sensor had been past before
	Table     bool     `json:"table,omitempty"`         // there is an edge to fall off
	Distance  float64  `json:"distance_m"`
	Coverage  float64  `json:"coverage"`
	Oracle    float64  `json:"oracle"`
	BARN      *float64 `json:"barn,omitempty"`
	Progress  *float64 `json:"progress,omitempty"`
	PathShare *float64 `json:"path_share,omitempty"`
	Standing  float64  `json:"standing_s"`
	Circling  float64  `json:"circling_s"`
	Steering  float64  `json:"steering_dps"`
	Reversals float64  `json:"reversals_per_s"`
	LineLost  *float64 `json:"line_lost_s,omitempty"`
	LineRMS   *float64 `json:"line_rms_m,omitempty"`
	Energy    float64  `json:"energy_j"`
	Way       string   `json:"trajectory_hash"`
}

// NewRecord takes the figures of a drive that was held against the true map.
func NewRecord(w World, pilot string, sc *scenarios.Scenario, r *testbench.Result) Record {
	rec := Record{
		World: w, Pilot: pilot, Task: TaskExplore, Pass: r.Pass, Length: sc.Duration, Seconds: r.Seconds,
		Contacts: r.Collisions, Hardest: r.Hardest, Falls: r.Falls, Unwarned: r.Unwarned, Table: len(sc.World.Floor.Table) > 0,
		Distance: r.Distance, Coverage: r.Coverage, BARN: r.BARN, Progress: r.Progress, PathShare: r.PathShare, Least: r.Least,
		Standing: r.Standing, Circling: r.Circling, Steering: r.Steering, Reversals: r.Reversals,
		LineLost: r.LineLost, LineRMS: r.LineRMS, Energy: r.Energy, Way: r.Trajectory,
	}
	if r.Fall != nil {
		rec.Hidden = r.Fall.Hidden
	}
	if r.Oracle != nil {
		rec.Oracle = *r.Oracle
	}
	switch {
	case r.Least != nil:
		rec.Task, rec.Arrived = TaskArrive, r.Goal
		if r.Goal == nil {
			rec.Arrived = r.Exit
		}
	case sc.Brain.FollowLine:
		rec.Task = TaskLine
	}
	return rec
}

// Safe reports whether the drive touched nothing and fell nowhere.
func (r *Record) Safe() bool { return r.Contacts == 0 && r.Falls == 0 }

// Reached reports whether the drive came where it was asked to.
func (r *Record) Reached() bool { return r.Arrived != nil && r.Falls == 0 }

// Idle reports whether it stood longer than the conditions of every world allow.
func (r *Record) Idle() bool { return r.Standing > scenarios.Waste(r.Length) }

// Lost reports whether it circled longer than the conditions of every world allow.
func (r *Record) Lost() bool { return r.Circling > scenarios.Waste(r.Length) }

// parse reads a record's line and refuses one that no drive can have left.
func (r *Record) parse(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	var got, want map[string]json.RawMessage
	if err := errors.Join(d.Decode(r), json.Unmarshal(line, &got)); err != nil {
		return err
	}
	whole, err := json.Marshal(r)
	if err := errors.Join(err, json.Unmarshal(whole, &want)); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, is := got[name]; !is {
			return fmt.Errorf("%s is missing", name) // and would be 0
		}
	}
	return errors.Join(r.check(), r.span())
}

// check refuses a drive of nothing, by nobody or with no end.
func (r *Record) check() error {
	for _, c := range []struct {
		name  string
		value any
		good  bool
	}{
		{"family", r.Family, r.Family != ""},
		{"profile", r.Profile, r.Profile.Sectors() != nil},
		{"set", r.Set, slices.Contains([]string{family.Train.String(), family.Test.String(), builtIn}, r.Set)},
		{"seed", r.Seed, r.Seed > 0},
		{"pilot", r.Pilot, r.Pilot != ""},
		{"task", r.Task, slices.Contains([]string{TaskArrive, TaskLine, TaskExplore}, r.Task)},
		{"length_s", r.Length, r.Length > 0},
		{"arrived_s", "of a drive to nowhere", r.Arrived == nil || r.Task == TaskArrive},
	} {
		if !c.good {
			return fmt.Errorf("%s %.100q is no drive's", c.name, fmt.Sprint(c.value))
		}
	}
	return nil
}

// span refuses figures below 0, and above what they can be.
func (r *Record) span() error {
	const endless = math.MaxFloat64
	for _, c := range []struct {
		name        string
		value, most float64
	}{
		{"seconds", r.Seconds, r.Length + 1},
		{"standing_s", r.Standing, r.Length + 1},
		{"circling_s", r.Circling, r.Length + 1},
		{"arrived_s", value(r.Arrived), endless},
		{"least_s", value(r.Least), endless},
		{"contacts", float64(r.Contacts), endless},
		{"hardest_mps", r.Hardest, endless},
		{"falls", float64(r.Falls), 1},
		{"distance_m", r.Distance, endless},
		{"coverage", r.Coverage, 1},
		{"oracle", r.Oracle, 1},
		{"barn", value(r.BARN), gauge.BestNavigation},
		{"path_share", value(r.PathShare), endless},
		{"steering_dps", r.Steering, endless},
		{"reversals_per_s", r.Reversals, endless},
		{"line_lost_s", value(r.LineLost), endless},
		{"line_rms_m", value(r.LineRMS), endless},
		{"energy_j", r.Energy, endless},
	} {
		switch {
		case c.value < 0:
			return fmt.Errorf("%s %g is below 0", c.name, c.value)
		case c.value > c.most:
			return fmt.Errorf("%s %g is above %g", c.name, c.value, c.most)
		}
	}
	return nil
}
