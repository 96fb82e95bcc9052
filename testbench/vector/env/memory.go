package env

import "fmt"

// A Memory is the caller's: Step reads the actions there and writes all else. Rows
// are cars.
type Memory struct {
	Actions      []float32 // cars x ActionSize
	Observations []float32 // cars x observations
	Rewards      []float32
	Terminated   []uint8 // 1 where the task ended the episode
	Truncated    []uint8 // 1 where time did

	// Of the episode under way, this step included; where an episode ends, of all of it.
	Returns []float32 // sum of the rewards
	Lengths []int32   // steps
	Causes  []uint8   // Cause
}

// NewMemory returns a memory for so many cars with so many observations each.
func NewMemory(cars, observations int) Memory {
	return Memory{
		Actions:      make([]float32, cars*ActionSize),
		Observations: make([]float32, cars*observations),
		Rewards:      make([]float32, cars),
		Terminated:   make([]uint8, cars),
		Truncated:    make([]uint8, cars),
		Returns:      make([]float32, cars),
		Lengths:      make([]int32, cars),
		Causes:       make([]uint8, cars),
	}
}

// fits complains where a part has not the length that it must have.
func (m *Memory) fits(cars, observations int) error {
	for _, part := range []struct {
		name       string
		have, want int
	}{
		{"actions", len(m.Actions), cars * ActionSize},
		{"observations", len(m.Observations), cars * observations},
		{"rewards", len(m.Rewards), cars},
		{"terminated", len(m.Terminated), cars},
		{"truncated", len(m.Truncated), cars},
		{"returns", len(m.Returns), cars},
		{"lengths", len(m.Lengths), cars},
		{"causes", len(m.Causes), cars},
	} {
		if part.have != part.want {
			return fmt.Errorf("env: memory for %s holds %d numbers; %d cars need %d", part.name, part.have, cars, part.want)
		}
	}
	return nil
}
