package fake

import (
	"fmt"
	"sync/atomic"

	"fieldbrain/brain/belief"
	"fieldbrain/gpu"
)

// lateBy is how many steps later the answer to a late plan comes.
const lateBy = 3

// plan takes a job and casts its fans, with a belief of its own; a job that scans, or
// moves, or whose fans are adaptive it refuses. The answer is there at once. With the
// order "slowplan served 5" it comes with the 5th step and no other answer ever does;
// with "lateplan served 5" that to a job behind the 5th step comes three steps later.
func (c *child) plan() error {
	job := &c.page.Plan.Job
	if job.Sequence == 0 {
		return nil
	}
	if err := c.look(job); err != nil {
		return err
	}
	switch {
	case c.has("slowplan"):
	case c.due("lateplan"):
		c.answers = c.steps + lateBy
	default:
		c.planned()
	}
	return nil
}

// look casts the job's fans into the answer.
func (c *child) look(job *gpu.PlanJob) error {
	if err := job.Validate(); err != nil {
		return err
	}
	if job.Parts&^(gpu.PlanTakesGrid|gpu.PlanTakesSeen) != 0 {
		return fmt.Errorf("fake: a plan of parts %#x: this child casts fans and nothing else", job.Parts)
	}
	if c.belief == nil {
		b, err := belief.New("auto")
		if err != nil {
			return err
		}
		c.belief = b
	}
	if job.Parts&gpu.PlanTakesGrid != 0 {
		c.belief.Load(&job.Grid)
	}
	var seen *belief.Seen
	if job.Parts&gpu.PlanTakesSeen != 0 {
		seen = (*belief.Seen)(&job.Seen)
	}
	for i, f := range job.Fans[:job.NumFans] {
		if f.Stride == 0 {
			return fmt.Errorf("fake: fan %d of a plan is adaptive: this child casts others only", i)
		}
		fan := belief.Fan{First: int(f.First), Row: int(f.Row), Stride: int(f.Stride), Count: int(f.Count)}
		c.belief.CastAt(f.Origin.At, f.Origin.Part, seen, &fan)
		g := gpu.PlanGain{Rows: f.Count, Visits: fan.Visits, Gain: fan.Gain}
		for _, gain := range fan.Gain {
			g.Total += int64(gain)
		}
		c.page.Plan.Answer.Fans[i] = g
	}
	return nil
}

// planned hands out the answer to the job in the page, or lies about it: so that it
// cannot be true, or with "wrongplan" so that only who casts the rays himself can tell.
func (c *child) planned() {
	job, a := &c.page.Plan.Job, &c.page.Plan.Answer
	a.Sequence = job.Sequence
	if c.has("badplan") {
		a.Fans[0].Total++
	}
	if c.has("wrongplan") {
		a.Fans[0].Total, a.Fans[0].Gain[5] = a.Fans[0].Total+1, a.Fans[0].Gain[5]+1
	}
	atomic.StoreUint64(&c.page.Plan.Planned, job.Sequence)
}
