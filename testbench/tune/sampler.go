package tune

import (
	"slices"

	"gonum.org/v1/gonum/optimize"

	"fieldbrain/testbench/noise"
)

// population of a generation: small, because budgets are.
const population = 6

// A sampler asks gonum's CMA-ES for a generation at a time. It draws the samples in
// their order whatever the order in which their costs are known, so who drives them
// side by side gets the same.
type sampler struct {
	operations chan optimize.Task // what the method asks for
	results    chan optimize.Task
	asked      []optimize.Task
}

// newSampler begins at a place.
func newSampler(start []float64, dice *noise.Stream) *sampler {
	s := &sampler{
		operations: make(chan optimize.Task, population+1), results: make(chan optimize.Task, population+1),
		asked: make([]optimize.Task, population),
	}
	method := &optimize.CmaEsChol{InitStepSize: 1, Population: population, Src: dice}
	tasks := make([]optimize.Task, method.Init(len(start), population))
	for i := range tasks {
		tasks[i] = optimize.Task{ID: i, Location: &optimize.Location{X: slices.Clone(start)}}
	}
	go method.Run(s.operations, s.results, tasks)
	return s
}

// ask returns the samples of the next generation.
func (s *sampler) ask() [][]float64 {
	samples := make([][]float64, len(s.asked))
	for i := range s.asked {
		s.asked[i] = <-s.operations
		samples[i] = slices.Clone(s.asked[i].X)
	}
	return samples
}

// tell says what the samples cost; it returns false where there is nothing left to find.
func (s *sampler) tell(costs []float64) bool {
	for i, t := range s.asked {
		t.F = costs[i]
		s.results <- t
	}
	next := <-s.operations
	if next.Op != optimize.MajorIteration {
		return false
	}
	s.results <- next
	return true
}

// end ends the method's goroutine.
func (s *sampler) end() {
	s.results <- optimize.Task{Op: optimize.PostIteration}
	close(s.results)
	for range s.operations {
	}
}
