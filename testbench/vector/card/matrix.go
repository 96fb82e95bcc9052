//go:build cuda

package card

import (
	"fmt"

	"gorgonia.org/cu"
)

// A Kind is what the numbers of a matrix are.
type Kind uint8

// The kinds.
const (
	Float64 Kind = iota
	Float32
	Uint64
	Int32
	Uint8
)

// String returns Go's name.
func (k Kind) String() string {
	return [...]string{"float64", "float32", "uint64", "int32", "uint8"}[k]
}

// Bytes returns the size of a number.
func (k Kind) Bytes() int { return [...]int{8, 4, 8, 4, 1}[k] }

// A Number is one of a matrix.
type Number interface {
	float64 | float32 | uint64 | int32 | uint8
}

// kind returns what T is.
func kind[T Number]() Kind {
	switch any(*new(T)).(type) {
	case float32:
		return Float32
	case uint64:
		return Uint64
	case int32:
		return Int32
	case uint8:
		return Uint8
	}
	return Float64
}

// A Matrix lies in the card's memory, row by row without gaps; a row is a car.
type Matrix struct {
	At            uint64 // a CUDA device pointer; 0 where there is none
	Rows, Columns int
	Kind          Kind
}

// Actions returns the matrix that cars take their actions from: duties of the left and
// right motor, -1 .. 1, and the servo's pulse in s. They are bounded as Fleet.Act does.
func (c *Card) Actions() Matrix { return c.actions }

// Readings returns what sensors say: five ranges in m, -1 for no echo or no sonar, and
// three counts of the floor.
func (c *Card) Readings() Matrix { return c.readings }

// States returns what cars do: x and y in m, heading in rad, speed in m/s, steering in
// rad, yaw in rad/s, contacts so far, and metres driven.
func (c *Card) States() Matrix { return c.states }

// Seeds returns the matrix of the seeds that Restart takes, a number a car.
func (c *Card) Seeds() Matrix { return c.seeds }

// Mask returns that of the cars that Restart takes: those with a number that is not 0.
func (c *Card) Mask() Matrix { return c.mask }

// Put writes a matrix from the host's memory and Get reads one into that, for whoever is
// not on the card. The steps that were started come before.
func Put[T Number](c *Card, m Matrix, from []T) error {
	return c.copied(m, len(from), kind[T](), func() error {
		if err := put(cu.DevicePtr(m.At), from); err != nil {
			return fmt.Errorf("card: copy a matrix to the device: %w", err)
		}
		return c.settle()
	})
}

// Get is Put's other direction.
func Get[T Number](c *Card, to []T, m Matrix) error {
	return c.copied(m, len(to), kind[T](), func() error {
		if err := get(to, cu.DevicePtr(m.At)); err != nil {
			return fmt.Errorf("card: copy a matrix from the device: %w", err)
		}
		return nil
	})
}

// copied complains about what is not there, waits for the steps and copies.
func (c *Card) copied(m Matrix, n int, k Kind, copy func() error) error {
	switch {
	case m.At == 0:
		return fmt.Errorf("card: this matrix is not there: name it in Options")
	case n != m.Rows*m.Columns:
		return fmt.Errorf("card: %d numbers for a matrix of %d by %d", n, m.Rows, m.Columns)
	case k != m.Kind:
		return fmt.Errorf("card: numbers %v for a matrix of %v", k, m.Kind)
	}
	return c.within(func() error {
		if err := c.wait(); err != nil {
			return err
		}
		return copy()
	})
}
