package brain

import (
	"time"

	"fieldbrain/brain/line"
	"fieldbrain/field"
	"fieldbrain/field/exact"
	"fieldbrain/robot"
)

// An encoder turns readings into the field's input.
type encoder struct {
	senses senses        // new readings, odometry, sensory vector
	line   line.Follower // line under the floor bar
	goal   goal          // target, seen or remembered
}

// perceive takes the newest readings over: motion, line, goal and the sensory
// vector. Of the field's last output it asks where the goal is remembered; frozen says that
// the floor sensors repeat themselves.
func (e *encoder) perceive(st *robot.State, out *field.Output, p *Params, now time.Duration, frozen bool) {
	e.senses.update(st, p, now)
	floor := e.lineLook(st, p, now)
	floor.Frozen = frozen
	e.line.Update(&floor)
	e.goal.update(st, out, p, now)
}

// lineLook is what the line under the floor bar is judged by.
func (e *encoder) lineLook(st *robot.State, p *Params, now time.Duration) line.Look {
	k := line.Look{
		Light: p.LineLight, Dark: p.LineDark, Ledge: p.Safety.Cliff.Reference, Fresh: p.seesLine(),
		Edges: p.Safety.Cliff.Enabled, Wanted: p.FollowLine,
		Speed: e.senses.speed, Yaw: e.senses.yaw, Dt: p.Period.Seconds(),
	}
	for i := range st.Floor {
		k.Floor[i] = st.Floor[i].Value
		k.Fresh = k.Fresh && st.Floor[i].Fresh(now, floorAge)
	}
	return k
}

// stimulate shows the field the readings and the last decision: as stimuli of the
// perception channels (B.5.2), as beams for the maps, and as the sensory vector.
func (e *encoder) stimulate(in *field.Input, st *robot.State, last *decision, p *Params) {
	in.NumTerms, in.NumBeams = 0, 0
	in.Forward = float32(e.senses.speed * p.Period.Seconds())
	in.Turn = float32(e.senses.yaw * p.Period.Seconds())
	e.ranges(in, st, p)
	if last.contact {
		enterContact(in)
	}
	e.floor(in)
	e.target(in)
	e.self(in, st, p)
	e.decision(in, last, p)
	for i, edge := range in.Edges {
		if edge {
			in.Add(field.At(field.CliffEdge, 8, floorBin(i), 1.5).From(field.SlotCliff + i))
		}
	}
	e.senses.derive(e.line.Offset(), e.line.Confidence(), in.Edges, last.stalled)
	in.Senses = e.senses.Senses
}

// drive returns the behaviour's wishes for the heading.
func (e *encoder) drive(last *decision, g *guide) field.Drive {
	near := g.close
	if e.line.Leads() { // what stands beside a line slows the car down, and does not push it off
		near = 1
	}
	bearing, weight := e.line.Pull()
	return field.Drive{
		Goal: within(float32(g.bearing), goalReach), GoalWeight: g.weight,
		Line: bearing, LineWeight: weight, OnLine: e.line.Following(),
		Close: near,
	}
}

// goalReach is how far to the side a goal pulls: one that lies behind pulls to
// the nearest side, because the field allows no heading beyond 100 deg.
const goalReach = 80 * deg

// floorBin is the bearing bin of floor sensor i: 18, 16, 14.
func floorBin(i int) float64 { return float64(field.Ahead + 2 - 2*i) }

// clearing is the range in m of a beam that marks nothing and clears the obstacle
// map: just beyond the map's longest, 2.2 m. It clears 0.6 m less than that.
const clearing = 2.21

// ranges enters every fresh range as a peak of RANGE, its closing as one of LOOM,
// and as a beam of the obstacle map. Silence clears the map and is no peak.
func (e *encoder) ranges(in *field.Input, st *robot.State, p *Params) {
	width := max(1.3, float64(p.Cone)/field.BinAngle)
	for i := range st.Range {
		if !e.senses.valid(i) {
			continue
		}
		psi := float64(robot.SectorBearing(i))
		if st.Range[i].AtLeast {
			in.Beams[in.NumBeams] = field.Beam{Bearing: float32(psi), Range: clearing, HalfWidth: p.Cone}
			in.NumBeams++
			continue
		}
		r := reference(p, i, st.Range[i].Value)
		x := field.BearingBin(psi)
		in.Add(field.Term{
			Channel: field.RangeSeen, A: 6,
			Centre: [3]float32{float32(x), float32(field.RangeBin(r))},
			Sigma:  [3]float32{float32(width), 1.5},
		}.From(field.SlotRange + i))
		if loom := exact.Clip(float64(e.senses.close[i])/r, 0, 1); loom > 0 {
			in.Add(field.At(field.Loom, float32(6*loom), x, 2).From(field.SlotRange + i))
		}
		if p.Safety.Cliff.Enabled && r > tableView {
			continue
		}
		in.Beams[in.NumBeams] = field.Beam{Bearing: float32(psi), Range: float32(r), HalfWidth: p.Cone}
		in.NumBeams++
	}
}

// tableView is how far in m an obstacle turns a car that looks for edges. A wall
// beyond a table bends its way from afar, and it would meet the edge aslant, where
// a wheel passes before any sensor (docs/robot.md); straight on it meets most edges
// well enough. At 0.2 m/s 0.6 m are 3 s.
const tableView = 0.6

// A contact stands obliquely ahead on one side or the other; it is entered on
// both.
const (
	touchInput = 9   // of CONTACT: above 0 within the 50 ms for which package stall says so
	touchRange = 0.1 // m from the reference point
	touchSide  = 52.5 * deg
	touchWidth = 19 * deg // half: marks 25..80 deg
)

// enterContact enters a stall: something that no beam sees holds the car.
func enterContact(in *field.Input) {
	for _, psi := range [2]float64{touchSide, -touchSide} {
		in.Add(field.At(field.Contact, touchInput, field.BearingBin(psi), 2))
		if in.NumBeams < field.MaxBeams {
			in.Beams[in.NumBeams] = field.Beam{Bearing: float32(psi), Range: touchRange, HalfWidth: float32(touchWidth)}
			in.NumBeams++
		}
	}
}

// floor enters the reflectances and the line.
func (e *encoder) floor(in *field.Input) {
	for i := range robot.NumFloor {
		slot := field.SlotFloor + i
		if !e.senses.valid(slot) {
			continue
		}
		in.Add(field.Term{
			Channel: field.Ground, A: 5,
			Centre: [3]float32{float32(floorBin(i)), 0, float32(field.FeatureBin(float64(e.senses.S[slot])))},
			Sigma:  [3]float32{1.2, 0, 1.2},
		}.From(slot))
	}
	if sure := e.line.Confidence(); sure > 0 {
		in.Add(field.At(field.Line, 7*float32(sure), field.BearingBin(e.line.Bearing()), 2).From(field.SlotLine))
	}
	if e.line.Forgotten() {
		in.Add(field.Term{Channel: field.LineMem, A: -3})
	}
}

// target enters the goal where it is seen.
func (e *encoder) target(in *field.Input) {
	if !e.goal.seen {
		return
	}
	in.Add(field.Term{
		Channel: field.TargetSeen, A: 6 * float32(e.goal.confidence),
		Centre: [3]float32{
			float32(field.BearingBin(float64(e.goal.sight))),
			float32(field.RangeBin(e.goal.distance)), field.Side / 2,
		},
		Sigma: [3]float32{2, 2, 2},
	}.From(field.SlotTarget))
}

// self enters the body's own steering, speed, gaze and battery.
func (e *encoder) self(in *field.Input, st *robot.State, p *Params) {
	in.Add(field.At(field.Steer, 1, field.BearingBin(float64(st.CommandedSteering)), 1.5).From(field.SlotSteering))
	throttle := exact.Clip(float64(st.CommandedSpeed)/float64(p.Top), -1, 1)
	in.Add(field.Term{
		Channel: field.SpeedOwn, A: 1,
		Centre: [3]float32{0, float32(field.ThrottleBin(throttle))}, Sigma: [3]float32{0, 1.5},
	}.From(field.SlotSpeed))
	in.Add(field.Term{
		Channel: field.GazeOwn, A: 1,
		Centre: [3]float32{float32(field.BearingBin(float64(st.Pan))), float32(field.RangeBin(1))},
		Sigma:  [3]float32{1.5, 1.5},
	}.From(field.SlotPan))
	if e.senses.valid(field.SlotBattery) {
		in.Add(field.Term{
			Channel: field.Body, A: 1,
			Centre: [3]float32{0, 0, float32(field.FeatureBin(float64(e.senses.S[field.SlotBattery])))}, Sigma: [3]float32{0, 0, 1.5},
		}.From(field.SlotBattery))
	}
}

// decision enters the last tick's decision: the wanted speed, the gaze, the escape
// side and the mirror of the mode.
func (e *encoder) decision(in *field.Input, last *decision, p *Params) {
	in.Add(field.Term{
		Channel: field.Speed, A: 6,
		Centre: [3]float32{0, float32(field.ThrottleBin(last.desired / float64(p.Top)))},
		Sigma:  [3]float32{0, 2},
	})
	in.Add(field.Term{
		Channel: field.Gaze, A: 2,
		Centre: [3]float32{float32(field.BearingBin(last.heading)), float32(field.RangeBin(1))},
		Sigma:  [3]float32{2, 2},
	})
	if last.side != 0 {
		in.Add(field.At(field.EscapeSide, 6, field.BearingBin(last.side*70*deg), 2))
	}
	in.Add(field.Term{Channel: field.Mode + int(modeOf(last, e.line.Following(), e.goal.weight)), A: 1})
}
