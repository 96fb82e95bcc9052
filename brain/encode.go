package brain

import (
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
)

// encode turns the newest state into the field's input: stimuli of the
// perception channels (B.5.2), beams and edges for the maps, the motion since
// the last tick, and what the behaviour wants of the heading.
func (b *Brain) encode(now time.Duration) {
	b.state = b.raw
	discard(&b.state, &b.params.Safety)
	b.senses.update(&b.state, &b.params, now)
	in := &b.in
	in.Tick, in.NumTerms, in.NumBeams = b.tick-1, 0, 0
	in.Forward = float32(b.senses.speed * b.dt)
	in.Turn = float32(b.senses.yaw * b.dt)
	b.encodeRanges()
	b.encodeContact()
	b.encodeFloor(now)
	b.encodeTarget(now)
	b.encodeSelf()
	b.encodeMind()
	in.Edges = b.reflexes.Edges()
	for i, edge := range in.Edges {
		if edge {
			in.Add(field.At(field.CliffEdge, 8, floorBin(i), 1.5).From(field.SlotCliff + i))
		}
	}
	b.explore(now)
	b.senses.derive(&b.line, in.Edges, b.stall.suspected())
	in.Senses = b.senses.Senses
	in.Outcome = b.outcomes.judge(b, b.remote.told())
	in.Drive = field.Drive{
		Goal: within(b.goal.bearing, goalReach), GoalWeight: b.goal.weight,
		Line: b.line.bearing, LineWeight: b.line.weight, OnLine: b.line.following,
		Side: float32(b.escape.side), Memory: float32(b.escape.memory),
	}
}

// goalReach is how far to the side a goal pulls: one that lies behind pulls to
// the nearest side, because the field allows no heading beyond 100 deg.
const goalReach = 80 * deg

// within clips an angle to +-limit.
func within(a, limit float32) float32 { return min(max(a, -limit), limit) }

// floorBin is the bearing bin of floor sensor i: 18, 16, 14.
func floorBin(i int) float64 { return float64(field.Ahead + 2 - 2*i) }

// encodeRanges enters every fresh range as a peak of RANGE, its closing as one
// of LOOM, and as a beam of the obstacle map.
func (b *Brain) encodeRanges() {
	width := max(1.3, float64(b.params.Cone)/field.BinAngle)
	for i := range b.state.Range {
		if !b.senses.valid(i) {
			continue
		}
		r := reference(&b.params, i, b.state.Range[i].Value)
		psi := float64(robot.SectorBearing[i])
		x := field.BearingBin(psi)
		b.in.Add(field.Term{
			Channel: field.RangeSeen, A: 6,
			Centre: [3]float32{float32(x), float32(field.RangeBin(r))},
			Sigma:  [3]float32{float32(width), 1.5},
		}.From(field.SlotRange + i))
		if loom := clip(float64(b.senses.close[i])/r, 0, 1); loom > 0 {
			b.in.Add(field.At(loomChannel, float32(6*loom), x, 2).From(field.SlotRange + i))
		}
		b.in.Beams[b.in.NumBeams] = field.Beam{Bearing: float32(psi), Range: float32(r), HalfWidth: b.params.Cone}
		b.in.NumBeams++
	}
}

// encodeContact enters what a stall says: something that no beam sees holds the
// car, obliquely ahead on one side or the other.
func (b *Brain) encodeContact() {
	if b.stall.touch <= 0 {
		return
	}
	b.stall.touch -= b.dt
	for _, psi := range [2]float64{touchSide, -touchSide} {
		b.in.Add(field.At(field.Contact, touchInput, field.BearingBin(psi), 2))
		if b.in.NumBeams < field.MaxBeams {
			b.in.Beams[b.in.NumBeams] = field.Beam{Bearing: float32(psi), Range: touchRange, HalfWidth: float32(touchWidth)}
			b.in.NumBeams++
		}
	}
}

// The channels the encoding alone addresses.
const (
	loomChannel     = 1
	speedOwnChannel = field.Speeding
)

// encodeFloor enters the reflectances and the line.
func (b *Brain) encodeFloor(now time.Duration) {
	for i := range b.state.Floor {
		slot := field.SlotFloor + i
		if !b.senses.valid(slot) {
			continue
		}
		b.in.Add(field.Term{
			Channel: field.Ground, A: 5,
			Centre: [3]float32{float32(floorBin(i)), 0, float32(field.FeatureBin(float64(b.senses.S[slot])))},
			Sigma:  [3]float32{1.2, 0, 1.2},
		}.From(slot))
	}
	b.line.update(&b.state, &b.params, now, b.dt)
	if b.line.confidence > 0 {
		psi := float64(b.line.offset) * lineGain
		b.in.Add(field.At(field.Line, 7*float32(b.line.confidence), field.BearingBin(psi), 2).From(field.SlotLine))
	}
	if b.line.forget {
		b.in.Add(field.Term{Channel: field.LineMem, A: -3})
	}
}

// encodeTarget enters the goal where it is seen.
func (b *Brain) encodeTarget(now time.Duration) {
	b.goal.update(&b.state, b.out, &b.params, now)
	if !b.goal.seen {
		return
	}
	b.in.Add(field.Term{
		Channel: field.TargetSeen, A: 6 * float32(b.goal.confidence),
		Centre: [3]float32{
			float32(field.BearingBin(float64(b.goal.sight))),
			float32(field.RangeBin(b.goal.distance)), field.Side / 2,
		},
		Sigma: [3]float32{2, 2, 2},
	}.From(field.SlotTarget))
}

// encodeSelf enters what the body does: steering, speed, gaze, battery.
func (b *Brain) encodeSelf() {
	st := &b.state
	b.in.Add(field.At(field.Steer, 1, field.BearingBin(float64(st.Steering)), 1.5).From(field.SlotSteering))
	throttle := clip(float64(st.Wheel)/float64(b.params.Top), -1, 1)
	b.in.Add(field.Term{
		Channel: speedOwnChannel, A: 1,
		Centre: [3]float32{0, float32(field.ThrottleBin(throttle))}, Sigma: [3]float32{0, 1.5},
	}.From(field.SlotSpeed))
	b.in.Add(field.Term{
		Channel: field.Looking, A: 1,
		Centre: [3]float32{float32(field.BearingBin(float64(st.Pan))), float32(field.RangeBin(1))},
		Sigma:  [3]float32{1.5, 1.5},
	}.From(field.SlotPan))
	if b.senses.valid(field.SlotBattery) {
		b.in.Add(field.Term{
			Channel: field.Body, A: 1,
			Centre: [3]float32{0, 0, float32(field.FeatureBin(float64(b.senses.S[field.SlotBattery])))}, Sigma: [3]float32{0, 0, 1.5},
		}.From(field.SlotBattery))
	}
}

// encodeMind enters what the last tick decided: the wanted speed, where to
// look, the escape side and the mirrors of the behaviour.
func (b *Brain) encodeMind() {
	b.in.Add(field.Term{
		Channel: field.Speed, A: 6,
		Centre: [3]float32{0, float32(field.ThrottleBin(b.points.desired / float64(b.params.Top)))},
		Sigma:  [3]float32{0, 2},
	})
	b.in.Add(field.Term{
		Channel: field.Gaze, A: 2,
		Centre: [3]float32{float32(field.BearingBin(b.points.heading)), float32(field.RangeBin(1))},
		Sigma:  [3]float32{2, 2},
	})
	if b.escape.memory > 0.25 {
		b.in.Add(field.At(field.EscapeSide, 6, field.BearingBin(b.escape.side*70*deg), 2))
	}
	b.in.Add(field.Term{Channel: field.Mode + int(b.mode()), A: 1})
}
