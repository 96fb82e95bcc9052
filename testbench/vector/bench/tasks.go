package bench

import (
	"errors"
	"fmt"
	"time"
)

// A TaskRow is an environment on a card: its cars' steps with rewards, ends of episodes
// and resets.
type TaskRow struct {
	Task string  `json:"task"`
	Cars int     `json:"cars"`
	Rate float64 `json:"steps_per_s"`
}

// A Learner is an environment on a card, as testbench/vector/card has it.
type Learner interface {
	Step(n int) error // starts n steps of TaskHold ms
	Wait() error      // returns when they are taken
	Close() error
}

// TaskHold is how long an action lasts, in steps of a car.
const TaskHold = 40

// TimeTasks times tasks with so many cars, the best of the rounds. Cars drive ahead.
func TimeTasks(o Options, tasks []string, open func(task string, cars int) (Learner, error)) (rows []TaskRow, err error) {
	for _, task := range tasks {
		for _, cars := range o.Cars {
			row := TaskRow{Task: task, Cars: cars}
			if row.Rate, err = learning(o.Rounds, task, cars, open); err != nil {
				return nil, fmt.Errorf("bench: task %s, %d cars: %w", task, cars, err)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// learning times one row.
func learning(rounds int, task string, cars int, open func(string, int) (Learner, error)) (top float64, err error) {
	l, err := open(task, cars)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	const steps = 10       // 0.4 s of every car
	for range rounds + 1 { // the first warms up
		from := time.Now()
		if err := errors.Join(l.Step(steps), l.Wait()); err != nil {
			return 0, err
		}
		top = max(top, float64(steps*TaskHold*cars)/time.Since(from).Seconds())
	}
	return top, nil
}
