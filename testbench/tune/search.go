package tune

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/suite"
)

// firstSeed of the train worlds of seed 1: those before it are free for looking at.
// Another seed begins seedWorlds further on.
const (
	firstSeed  = 2001
	seedWorlds = 1000
)

// A search is one Run under way.
type search struct {
	job      Job
	worlds   []*scenarios.Scenario
	maps     []*oracle.Map // of the worlds, to hold drives against
	done     int           // evaluations
	last     int           // that was better than all before
	improved int           // how many were, but for the first
	before   float64       // cost of the first
	best     float64
	values   []float64 // of best
	ended    string

	mu    sync.Mutex
	shown int // evaluations that Progress has heard of
	least float64
}

// prepare draws the worlds.
func (s *search) prepare(ctx context.Context) error {
	if s.job.Workers == 0 {
		s.job.Workers = runtime.NumCPU()
	}
	if s.job.Seed == 0 {
		s.job.Seed = 1
	}
	if s.job.Families == nil {
		s.job.Families = Families()
	}
	n, first := s.job.Worlds, firstSeed+(s.job.Seed-1)*seedWorlds
	s.worlds, s.maps, s.least = make([]*scenarios.Scenario, n), make([]*oracle.Map, n), s.best
	return suite.Each(ctx, s.job.Workers, n, nil, func(i int) (err error) {
		name := s.job.Families[i%len(s.job.Families)]
		if s.job.Profile == plant.P0 {
			name += "-p0"
		}
		if s.worlds[i], err = family.Make(name, family.Train, first+uint64(i)); err == nil {
			s.maps[i], err = oracle.Survey(s.worlds[i], 1)
		}
		return err
	})
}

// run evaluates generation by generation: first the numbers as they are, alone.
func (s *search) run(ctx context.Context) error {
	start := make([]float64, len(s.job.Knobs))
	costs, err := s.evaluate(ctx, [][]float64{start})
	if err != nil {
		return err
	}
	s.before = costs[0]
	if s.over() {
		return nil
	}
	dice := noise.New(s.job.Seed, "tune "+s.job.Pilot)
	source := newSampler(start, &dice)
	defer source.end()
	for {
		samples := source.ask()
		costs, err := s.evaluate(ctx, samples[:min(len(samples), s.job.Budget-s.done)])
		switch {
		case err != nil:
			return err
		case s.over():
			return nil
		case !source.tell(costs):
			s.ended = "the search has converged"
			return nil
		}
	}
}

// over reports whether the search has ended, and notes why.
func (s *search) over() bool {
	switch p := s.job.Patience; {
	case s.done >= s.job.Budget:
		s.ended = "its budget is spent"
	case p > 0 && s.done-1-s.last >= p:
		s.ended = fmt.Sprintf("no better numbers in %d evaluations", s.done-1-s.last)
	}
	return s.ended != ""
}

// A point is an evaluation under way.
type point struct {
	number  int // 0 is of the numbers as they are
	values  []float64
	outside float64
	cost    float64
	costs   []float64 // of its worlds
	left    int       // drives to go
}

// evaluate returns the costs of samples, those of the journal without a drive. Drives of
// one sample go on beside those of the next.
func (s *search) evaluate(ctx context.Context, samples [][]float64) ([]float64, error) {
	points, drives := make([]point, len(samples)), []*point{}
	for i, x := range samples {
		p := &points[i]
		p.number, p.left, p.costs = s.done+i, len(s.worlds), make([]float64, len(s.worlds))
		p.values, p.outside = s.job.values(x)
		noted, is, err := s.job.Journal.find(p.number, p.values)
		switch {
		case err != nil:
			return nil, err
		case is:
			p.cost = noted
			s.show(noted)
		default:
			drives = append(drives, p)
		}
	}
	n := len(s.worlds)
	err := suite.Each(ctx, s.job.Workers, n*len(drives), nil, func(i int) error {
		return s.drive(ctx, drives[i/n], i%n)
	})
	if err != nil {
		return nil, err
	}
	costs := make([]float64, len(points))
	for i := range points {
		p := &points[i]
		costs[i] = p.cost + float64(0.5*p.outside)
		if p.cost < s.best {
			s.best, s.values, s.last = p.cost, slices.Clone(p.values), p.number
			s.improved += min(p.number, 1)
		}
	}
	s.done += len(points)
	return costs, nil
}

// drive drives a point's world; the last of its drives notes what the point costs.
func (s *search) drive(ctx context.Context, p *point, i int) error {
	sc := s.worlds[i]
	length := min(s.job.Seconds, sc.Duration)
	r, err := s.job.Drive(p.values, sc, testbench.Options{
		Length: time.Duration(length * float64(time.Second)), Map: s.maps[i],
	})
	if err != nil {
		return errors.Join(ctx.Err(), err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p.costs[i] = Cost(r, length)
	if p.left--; p.left > 0 {
		return nil
	}
	for _, c := range p.costs {
		p.cost += c
	}
	p.cost /= float64(len(p.costs))
	if err := s.job.Journal.add(p.number, p.values, p.cost); err != nil {
		return err
	}
	s.tell(p.cost)
	return nil
}

// show tells Progress about an evaluation.
func (s *search) show(cost float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell(cost)
}

// tell is show for who holds the lock.
func (s *search) tell(cost float64) {
	s.shown++
	s.least = min(s.least, cost)
	if s.job.Progress != nil {
		s.job.Progress(s.shown, s.job.Budget, s.least)
	}
}
