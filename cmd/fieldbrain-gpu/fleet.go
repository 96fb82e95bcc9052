//go:build cuda

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	gpubench "fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/bench"
	"fieldbrain/testbench/vector/card"
)

// sizes reads the numbers of cars.
func (m *measure) sizes() (list []int, err error) {
	if m.cars == "" {
		return bench.CardSizes(), nil
	}
	for word := range strings.SplitSeq(m.cars, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > vector.MaxCars {
			return nil, fmt.Errorf("--cars %s: choose numbers from 1 to %d with commas between", m.cars, vector.MaxCars)
		}
		list = append(list, n)
	}
	return list, nil
}

// runFleet times simulated cars on the card.
func (m *measure) runFleet() error {
	sizes, err := m.sizes()
	if err != nil {
		return err
	}
	name := ""
	r, err := bench.RunCard(bench.Options{Rounds: m.rounds, Cars: sizes, Progress: progress()}, func(f *vector.Fleet) (bench.Engine, error) {
		c, err := card.Open(f, card.Options{Image: kernels.Fatbin()})
		if err != nil {
			return nil, err
		}
		name = c.Device.Name
		return c, nil
	})
	if err != nil {
		return err
	}
	r.Card, r.Software = name, strings.Contains(strings.ToLower(name), gpubench.Software)
	return json.NewEncoder(os.Stdout).Encode(r)
}
