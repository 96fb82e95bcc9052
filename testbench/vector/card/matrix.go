//go:build cuda

package card

import (
	"fmt"

	"gorgonia.org/cu"
)

// A Matrix is one of doubles in the card's memory, row by row without gaps; a row is a car.
type Matrix struct {
	At            uint64 // a CUDA device pointer; 0 where the options did not ask for it
	Rows, Columns int
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

// Put writes a matrix from the host's memory and Get reads it into that, for whoever is
// not on the card. The steps that were started come before.
func (c *Card) Put(m Matrix, from []float64) error {
	return c.copied(m, len(from), func() error {
		if err := put(cu.DevicePtr(m.At), from); err != nil {
			return fmt.Errorf("card: copy a matrix to the device: %w", err)
		}
		return c.settle()
	})
}

// Get is Put's other direction.
func (c *Card) Get(to []float64, m Matrix) error {
	return c.copied(m, len(to), func() error {
		if err := get(to, cu.DevicePtr(m.At)); err != nil {
			return fmt.Errorf("card: copy a matrix from the device: %w", err)
		}
		return nil
	})
}

// copied complains about what is not there, waits for the steps and copies.
func (c *Card) copied(m Matrix, n int, copy func() error) error {
	if m.At == 0 {
		return fmt.Errorf("card: this matrix is not there: name it in Options")
	}
	if n != m.Rows*m.Columns {
		return fmt.Errorf("card: %d numbers for a matrix of %d by %d", n, m.Rows, m.Columns)
	}
	return c.within(func() error {
		if err := c.wait(); err != nil {
			return err
		}
		return copy()
	})
}
