package policy

import (
	"fmt"
	"math"
	"slices"

	"fieldbrain/testbench/plant"
)

// Limits of a policy's size.
const (
	MinHidden = 2
	MaxHidden = 32
)

// Back is the share of cruise that a policy may drive backwards with.
const Back = 0.6

// outputs of the network: turn and drive.
const outputs = 2

// A Policy is a network with its weights.
type Policy struct {
	profile plant.Profile
	hidden  int
	weights []float64 // by unit: inputs, memory; then by output: inputs, memory
	sectors []int
}

// New returns the policy of a profile with so many hidden units; the weights are
// copied.
func New(profile plant.Profile, hidden int, weights []float64) (*Policy, error) {
	sectors := profile.Sectors()
	switch {
	case len(sectors) == 0:
		return nil, fmt.Errorf("policy: unknown profile %.20q; known are P0 and P1", string(profile))
	case hidden < MinHidden || hidden > MaxHidden:
		return nil, fmt.Errorf("policy: %d hidden units: choose %d to %d", hidden, MinHidden, MaxHidden)
	case len(weights) != Weights(profile, hidden):
		return nil, fmt.Errorf("policy: %d weights: %s with %d hidden units has %d", len(weights), profile, hidden, Weights(profile, hidden))
	}
	for i, w := range weights {
		if math.IsNaN(w) || math.Abs(w) > 1e6 {
			return nil, fmt.Errorf("policy: weight %d is %v: want a number within 1e6 of 0", i, w)
		}
	}
	return &Policy{profile: profile, hidden: hidden, weights: slices.Clone(weights), sectors: sectors}, nil
}

// Inputs returns how many numbers a policy of a profile sees.
func Inputs(profile plant.Profile) int { return len(profile.Sectors()) + extra }

// Weights returns how many weights a policy has.
func Weights(profile plant.Profile, hidden int) int {
	return (hidden + outputs) * (Inputs(profile) + hidden)
}

// Novice returns weights that drive straight ahead: where training begins.
func Novice(profile plant.Profile, hidden int) []float64 {
	w := make([]float64, Weights(profile, hidden))
	w[(hidden+1)*(Inputs(profile)+hidden)+one] = 0.7 // drive, of the input that is 1
	return w
}

// Profile returns the sensors that the policy sees with.
func (p *Policy) Profile() plant.Profile { return p.profile }

// Hidden returns how many units its memory has.
func (p *Policy) Hidden() int { return p.hidden }

// Values returns a copy of the weights.
func (p *Policy) Values() []float64 { return slices.Clone(p.weights) }

// leak returns which share of its new value a unit takes over. Half of the units
// remember nothing, the others for 4, 8, 16 decisions, and so on.
func (p *Policy) leak(unit int) float64 {
	slow := unit - p.hidden/2
	if slow < 0 {
		return 1
	}
	return 1 / float64(uint64(4)<<min(slow, 6))
}

// think takes one decision: it brings the memory up to date and returns what the
// network says. next is as long as the memory.
func (p *Policy) think(x, memory, next []float64) (turn, drive float64) {
	row := len(x) + p.hidden
	for j := range p.hidden {
		z := product(p.weights[j*row:(j+1)*row], x, memory)
		next[j] = memory[j] + float64(p.leak(j)*(z/(1+math.Abs(z))-memory[j]))
	}
	copy(memory, next)
	turn = product(p.weights[p.hidden*row:(p.hidden+1)*row], x, memory)
	drive = product(p.weights[(p.hidden+1)*row:(p.hidden+2)*row], x, memory)
	return turn, drive
}

// product is the inner product of a row of weights with inputs and memory.
func product(row, x, memory []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(row[i] * v)
	}
	for i, v := range memory {
		sum += float64(row[len(x)+i] * v)
	}
	return sum
}
