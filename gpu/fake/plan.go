package fake

import (
	"sync/atomic"

	"fieldbrain/gpu"
)

// plan takes a job and answers it at once: nothing would teach anything. With the
// order "slowplan served 5" the answer comes with the 5th step.
func (c *child) plan() {
	if c.page.Plan.Job.Sequence != 0 && !c.has("slowplan") {
		c.planned()
	}
}

// planned answers the job in the page, or lies about it.
func (c *child) planned() {
	job, a := &c.page.Plan.Job, &c.page.Plan.Answer
	a.Sequence = job.Sequence
	for i := range a.Fans[:job.NumFans] {
		rows := job.Fans[i].Count
		a.Fans[i] = gpu.PlanGain{Rows: rows, Visits: int64(rows) * gpu.PlanColumns}
	}
	if c.has("badplan") {
		a.Fans[0].Total++
	}
	atomic.StoreUint64(&c.page.Plan.Planned, job.Sequence)
}
