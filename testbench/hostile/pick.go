package hostile

import "fieldbrain/testbench/noise"

// A dice draws choices from a seed.
type dice struct{ noise.Stream }

// roll returns a dice of a seed.
func roll(seed uint64, name string) *dice { return &dice{noise.New(seed, name)} }

// below returns a whole number from 0 to n-1.
func (d *dice) below(n int) int { return int(d.Uint64() % uint64(n)) }

// one returns one of a list.
func one[T any](d *dice, list ...T) T { return list[d.below(len(list))] }

// bytes returns n bytes of any value.
func (d *dice) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(d.Uint64())
	}
	return b
}
