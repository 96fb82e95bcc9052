package trials

import (
	"context"
	"fmt"
	"sync"

	"fieldbrain/testbench/suite"
)

// A job is the drives that one world lacks.
type job struct {
	world  World
	pilots []Pilot
}

// Run drives what the journal does not hold yet and reports on the whole roster.
func Run(ctx context.Context, p *Roster, j *Journal) (*Report, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	jobs, total := p.missing(j)
	count := counter{total: total, show: p.Progress}
	err := suite.Each(ctx, p.Workers, len(jobs), nil, func(i int) error {
		return drive(ctx, &jobs[i], j, &count)
	})
	if err != nil {
		return nil, err
	}
	return NewReport(p, j), nil
}

// missing lists what is not driven yet.
func (p *Roster) missing(j *Journal) (jobs []job, drives int) {
	for _, w := range p.List() {
		one := job{world: w}
		for _, pilot := range p.drivers(w) {
			if _, done := j.Record(w, pilot.Name); !done {
				one.pilots = append(one.pilots, pilot)
			}
		}
		if len(one.pilots) > 0 {
			jobs = append(jobs, one)
			drives += len(one.pilots)
		}
	}
	return jobs, drives
}

// drive makes a world once and lets its pilots drive it one after the other.
func drive(ctx context.Context, one *job, j *Journal, count *counter) error {
	sc, m, err := one.world.Make()
	if err != nil {
		return err
	}
	for _, pilot := range one.pilots {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := pilot.Drive(sc, one.world.Seed, m)
		if err != nil {
			return fmt.Errorf("trials: %v, %s: %w", one.world, pilot.Name, err)
		}
		if err := j.add(NewRecord(one.world, pilot.Name, sc, r)); err != nil {
			return err
		}
		count.up()
	}
	return nil
}

// A counter counts drives.
type counter struct {
	mu          sync.Mutex
	done, total int
	show        func(done, total int)
}

func (c *counter) up() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if c.show != nil {
		c.show(c.done, c.total)
	}
}
