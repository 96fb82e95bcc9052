package testbench

import (
	"fmt"
	"strings"
	"time"

	"fieldbrain/testbench/gauge"
	"fieldbrain/testbench/oracle"
)

// Compare holds the run against the true map of the same scenario and seed from
// now on: its results then have the shares of what the map allows. Nil leaves
// them out.
func (r *Rig) Compare(m *oracle.Map) { r.charted = m }

// allow fills in the shares of what the true map allows:
//
//	to a goal or out of a region   least time / time taken, 0 without arrival
//	along a line                   way driven over the line / (cruise time)
//	anywhere else                  cells entered / cells that can be in that time
//
// An arrival that nobody asked for is nothing to measure a drive by.
//
// A car that fell is held against the whole time it was given: who falls off has not
// done all there was to do.
//
// The least time is the shortest way's at cruise speed, the bring-up included as
// the car spends it.
func (r *Rig) allow(res *Result) {
	m := &r.recorder
	if r.charted == nil {
		return
	}
	aimed := r.Scenario.AsksGoal() || r.Scenario.AsksExit()
	way, err := r.charted.Way()
	if aimed && err != nil {
		r.shut(res, err)
		return // nobody could arrive
	}
	share, given := 0.0, res.Seconds
	if res.Falls > 0 {
		part := r.share
		if part == 0 {
			part = 1
		}
		given = max(given, float64(part*r.Scenario.Duration))
	}
	switch cruise := r.Scenario.Brain.Cruise; {
	case aimed:
		share = r.arrival(res, way)
	case r.Scenario.Brain.FollowLine && len(r.world.Floor.Lines) > 0:
		if most := float64(cruise * given); most > 0 {
			share = m.onLine / most
		}
	default:
		if most := r.charted.Coverage(time.Duration(given * float64(time.Second))); most > 0 {
			share = res.Coverage / most
		}
	}
	share = min(max(share, 0), 1)
	res.Oracle = &share
}

// shut notes that the true map has no way. It ends where the world does: out of a region
// that reaches as far, and where no walls are, there may be one.
func (r *Rig) shut(res *Result, err error) {
	m, w := &r.recorder, &r.Scenario.World
	if m.goalAt == never && m.exitAt == never && (w.Goal != nil || w.Walled) {
		res.Notes = append(res.Notes, "nobody could arrive: the true map has "+strings.TrimPrefix(err.Error(), "oracle: "))
	}
}

// arrival fills in the measures of a drive to a place and returns its share. A
// contact or a fall makes BARN's metric 0, as in the challenge.
func (r *Rig) arrival(res *Result, way oracle.Way) (share float64) {
	m := &r.recorder
	barn, path := 0.0, 0.0
	progress := r.charted.Progress(r.car.Body().Centre)
	taken, driven := m.exitAt, m.exitWay
	if m.goalAt != never && r.Scenario.AsksGoal() {
		taken, driven = m.goalAt, m.goalWay
	}
	least := way.Time
	if taken != never {
		progress = 1
		took := taken - r.start
		share, path = 1, 1 // of a car that was there as it began: there was nothing to do
		if least > 0 {
			share = least / took.Seconds()
		}
		if longest := max(driven, way.Length); longest > 0 {
			path = way.Length / longest
		}
		clean := res.Collisions == 0 && res.Falls == 0
		barn = gauge.Navigation(clean, time.Duration(least*float64(time.Second)), took)
	}
	res.BARN, res.Progress, res.PathShare, res.Least = &barn, &progress, &path, &least
	return share
}

// shares writes the shares of the true map for a person, nothing without them.
func (r *Result) shares() string {
	text := ""
	if r.Oracle != nil {
		text = fmt.Sprintf("; %.2f of what the map allows", *r.Oracle)
	}
	if r.BARN != nil {
		text += fmt.Sprintf(", navigation %.3f of 0.5", *r.BARN)
	}
	return text
}
