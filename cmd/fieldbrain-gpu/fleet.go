//go:build cuda

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	gpubench "fieldbrain/gpu/bench"
	"fieldbrain/gpu/kernels"
	"fieldbrain/testbench/vector"
	"fieldbrain/testbench/vector/bench"
	"fieldbrain/testbench/vector/card"
	"fieldbrain/testbench/vector/env"
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
	options := bench.Options{Rounds: m.rounds, Cars: sizes, Progress: progress()}
	r, err := bench.RunCard(options, func(f *vector.Fleet) (bench.Engine, error) {
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

// runTasks times the environments on the card, after it has shown that they are those of
// the processor.
func (m *measure) runTasks() error {
	sizes, err := m.sizes()
	if err != nil {
		return err
	}
	if m.cars == "" {
		sizes = []int{tasksCars}
	}
	if err := card.Prove(kernels.Fatbin()); err != nil {
		return err
	}
	tasks := make([]string, 0, len(env.Tasks()))
	for _, t := range env.Tasks() {
		tasks = append(tasks, string(t))
	}
	name := ""
	rows, err := bench.TimeTasks(bench.Options{Rounds: m.rounds, Cars: sizes}, tasks, func(task string, cars int) (bench.Learner, error) {
		host, err := env.New(env.Options{Task: env.Task(task), Cars: cars, Worlds: 4, Hold: bench.TaskHold})
		if err != nil {
			return nil, err
		}
		e, err := card.OpenEnv(host, 1, kernels.Fatbin())
		if err != nil {
			return nil, err
		}
		name = e.Device.Name
		if err := card.Put(e.Card, e.Orders, slices.Repeat([]float32{0.2, 0}, cars)); err != nil {
			return nil, errors.Join(err, e.Close())
		}
		return e, nil
	})
	if err != nil {
		return err
	}
	r := bench.Report{Tasks: rows, Card: name, Software: strings.Contains(strings.ToLower(name), gpubench.Software)}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// tasksCars is how many cars learn where nobody says.
const tasksCars = 65536
