package gpu

import (
	"errors"
	"math"
	"sync/atomic"
	"time"
)

// ErrBusy is returned by Plan while the job before is under way.
var ErrBusy = errors.New("gpu: a plan is under way; ask Planned until it is done, or try in a later tick")

// A planning is the client's side of the plans.
type planning struct {
	given, taken uint64 // numbers of the newest job and of the newest answer taken
	fans         int32  // of the newest job
	parts        uint32
	refused      atomic.Uint64
}

// Plan hands a job to the child and returns; ticks go on meanwhile. It waits for
// the end of the order before, as a Step does, and never for a job: while one is
// under way it returns ErrBusy. Any other error is that of a job that cannot be
// carried out, or why the engine is dead: the job is then lost and nothing else.
// It writes job.Sequence. While the card is behind it is busy as well.
func (e *Engine) Plan(job *PlanJob) error {
	if e.err != nil {
		return e.err
	}
	if err := job.Validate(); err != nil {
		return err
	}
	p, room := &e.plans, &e.page.Plan
	if e.lag.open || p.given != p.taken && atomic.LoadUint64(&room.Planned) != p.given {
		p.refused.Add(1)
		return ErrBusy
	}
	switch err := e.free(nil, OrderPlan, 0, time.Now(), e.deadline); {
	case errors.Is(err, ErrBehind):
		p.refused.Add(1)
		return ErrBusy
	case err != nil:
		return err
	}
	p.given++
	job.Sequence, p.fans, p.parts = p.given, job.NumFans, job.Parts
	room.Job.Copy(job)
	e.caller.give(OrderPlan, 0)
	return nil
}

// Planned copies the answer to the newest job, once, and reports whether it did:
// false while the job is under way, and for ever if the engine died of something
// meanwhile. An answer that cannot be true ends the engine; the next Step says so.
func (e *Engine) Planned(a *PlanAnswer) bool {
	p := &e.plans
	if e.err != nil || p.taken == p.given || atomic.LoadUint64(&e.page.Plan.Planned) != p.given {
		return false
	}
	p.taken = p.given
	a.Copy(&e.page.Plan.Answer, p.parts)
	if f, ok := p.check(a); !ok {
		e.lie(f, OrderPlan, 0, time.Now())
		return false
	}
	return true
}

// AwaitPlan is Planned for who has time: it waits, at most for limit, and neither for a
// child that is dead nor for one that copies, whose answer comes with a later order.
func (e *Engine) AwaitPlan(a *PlanAnswer, limit time.Duration) bool {
	const look = 50 * time.Microsecond
	for began := time.Now(); !e.Planned(a); time.Sleep(look) {
		if e.err != nil || e.copies || e.caller.dead.Load() || time.Since(began) >= limit {
			return false
		}
	}
	return true
}

// PlansRefused returns how many jobs came while one was under way. Any goroutine
// may call it.
func (e *Engine) PlansRefused() uint64 { return e.plans.refused.Load() }

// check looks for values in a copied answer that cannot be true.
func (p *planning) check(a *PlanAnswer) (flaw, bool) {
	if a.Sequence != p.given {
		return flaw{"plan", 0, int64(a.Sequence), int64(p.given)}, false
	}
	for i := range a.Fans[:p.fans] {
		if f, ok := a.Fans[i].check(i); !ok {
			return f, false
		}
	}
	if p.parts&PlanTakesMotion != 0 && !a.Paths.finite() {
		return flaw{"path that is not a number, of plan", 0, int64(p.given), 0}, false
	}
	if p.parts&PlanGivesGrid != 0 {
		for i, v := range a.Grid {
			if v != PlanBorder && (v < -PlanLimit || v > PlanLimit) {
				return flaw{"log-odds of cell", i, int64(v), PlanLimit}, false
			}
		}
	}
	return flaw{}, true
}

// check holds a fan's sums against each other and against the length of its rays.
func (g *PlanGain) check(fan int) (flaw, bool) {
	most := int64(g.Rows) * PlanColumns * planLong
	if g.Rows < 0 || g.Rows > PlanRows || g.Visits < int64(g.Rows)*PlanColumns || g.Visits > most {
		return flaw{"cells looked at by fan", fan, g.Visits, most}, false
	}
	sum := int64(0)
	for c, gain := range g.Gain {
		if gain < 0 || int64(gain) > int64(g.Rows)*planLong*planOne {
			return flaw{"gain at azimuth", c, int64(gain), 0}, false
		}
		sum += int64(gain)
	}
	return flaw{"gain of fan", fan, g.Total, sum}, sum == g.Total
}

// finite reports whether every number of the paths is one.
func (p *PlanPaths) finite() bool {
	for i := range p.End {
		s := &p.End[i]
		if sum := s.X + s.Y + s.Heading + s.Speed + s.Steering; sum-sum != 0 {
			return false
		}
		for n := range p.X {
			if v := math.Abs(float64(p.X[n][i])) + math.Abs(float64(p.Y[n][i])); v-v != 0 {
				return false
			}
		}
	}
	return true
}
