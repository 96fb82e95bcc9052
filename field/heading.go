package field

import (
	"errors"
	"fmt"
	"math"
)

// HeadingParams are the amplitudes of the HEADING input (B.5.3).
type HeadingParams struct {
	Forward  float32 // A_fwd, pull ahead
	OnLine   float32 // A_fwd while a line is followed
	Goal     float32 // A_goal
	Line     float32 // A_line
	Memory   float32 // amplitude of the remembered escape side
	Recall   float32 // gain of recalled preferences, gated by free space
	Plan     float32 // gain of the plan, gated by free space
	Repel    float32 // gain of obstacles
	Revisit  float32 // gain of visited places
	Behind   float32 // constant inhibition beyond 100 deg
	Hazard   float32 // gain of remembered edges
	Ceiling  float32 // the positive terms together, and the whole, are clipped here
	Baseline float32 // share of the least blocked direction that is subtracted
}

// DefaultHeading returns the validated amplitudes.
func DefaultHeading() HeadingParams {
	return HeadingParams{
		Forward: 6, OnLine: 2, Goal: 5, Line: 7, Memory: 5, Recall: 8, Plan: 8,
		Repel: 8, Revisit: 1.5, Behind: 10, Hazard: 8, Ceiling: 7, Baseline: 0.9,
	}
}

func (h *HeadingParams) validate() error {
	var errs []error
	for _, q := range []struct {
		name       string
		value, max float32
	}{
		{"forward", h.Forward, 7},
		{"on line", h.OnLine, 7},
		{"goal", h.Goal, 7},
		{"line", h.Line, 7},
		{"memory", h.Memory, 7},
		{"recall", h.Recall, 10},
		{"plan", h.Plan, 10},
		{"repel", h.Repel, 20},
		{"revisit", h.Revisit, 20},
		{"behind", h.Behind, 20},
		{"hazard", h.Hazard, 20},
		{"ceiling", h.Ceiling, 7.5},
		{"baseline", h.Baseline, 1},
	} {
		if !(q.value >= 0 && q.value <= q.max) {
			errs = append(errs, fmt.Errorf("field: heading %s %v must be within 0..%v", q.name, q.value, q.max))
		}
	}
	return errors.Join(errs...)
}

// A Drive tells the heading what the behaviour wants in this tick.
type Drive struct {
	Goal       float32 // rad, bearing of the goal
	GoalWeight float32 // 0..1, how much there is a goal
	Line       float32 // rad, bearing of the line
	LineWeight float32 // 0..1
	OnLine     bool    // a line is being followed: slower pull ahead, faster field
	Side       float32 // +1 or -1, remembered escape side
	Memory     float32 // 0..1, strength of that memory
	Close      float32 // 0..1, share of the obstacles' push that is waived: the way leads closer by them
}

// bounded returns the drive with its weights within 0..1; a part that is not a
// number counts as absent, so that it cannot poison the activation.
func (d Drive) bounded() Drive {
	weight := func(w, angle float32) float32 {
		if angle-angle != 0 { // NaN or infinite
			return 0
		}
		return max(limited(w, 1), 0)
	}
	d.GoalWeight, d.LineWeight = weight(d.GoalWeight, d.Goal), weight(d.LineWeight, d.Line)
	d.Memory, d.Close = weight(d.Memory, d.Side), weight(d.Close, 0)
	if d.GoalWeight == 0 {
		d.Goal = 0
	}
	if d.LineWeight == 0 {
		d.Line = 0
	}
	return d
}

// wishes draw the heading: those of the behaviour, and the recalled and planned
// preferences of HEAD_PREF and PLAN_HEAD.
type wishes struct {
	Drive
	pref, plan Row
	goal, line *drawing
}

// input computes S of the HEADING channel from a glance at the maps and the wishes into out,
// and O(x) beside it. Preferences count only where the way is free.
func (t *headingTables) input(p *HeadingParams, g *Glance, d *wishes, out *Output) {
	s := &out.Heading
	blocked, visited := &g.Blocked, &g.Visited
	out.Blocked = g.Blocked
	least, fresh := float32(math.MaxFloat32), visited[0]
	for x := range Side {
		if t.central[x] {
			least = min(least, blocked[x])
		}
		fresh = min(fresh, visited[x])
	}
	goal, line := &d.goal.row, &d.line.row
	d.goal.draw(BearingBin(float64(d.Goal)), 2, true)
	d.line.draw(BearingBin(float64(d.Line)), 2, true)
	forward, side, repel := p.Forward, &t.left30, float32(p.Repel*(1-d.Close))
	if d.OnLine {
		forward = p.OnLine
	}
	if d.Side < 0 {
		side = &t.right30
	}
	for x := range Side {
		over := blocked[x] - float32(p.Baseline*least)
		free := min(max(1-over, 0), 1)
		pull := float32(forward * t.ahead[x])
		pull += float32(float32(p.Goal*d.GoalWeight) * goal[x])
		pull += float32(float32(p.Line*d.LineWeight) * line[x])
		pull += float32(float32(p.Memory*d.Memory) * side[x])
		pull += float32((float32(p.Recall*d.pref[x]) + float32(p.Plan*d.plan[x])) * free)
		push := float32(repel * over)
		push += float32(p.Revisit * (visited[x] - fresh))
		push += float32(p.Behind * t.behind[x])
		push += float32(p.Hazard * g.Hazard[x])
		s[x] = max(min(min(pull, p.Ceiling)-push, p.Ceiling), inputLow) // less blocked than the least is no pull
	}
}
