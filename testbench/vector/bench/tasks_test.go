package bench_test

import (
	"errors"
	"strings"
	"testing"

	"fieldbrain/testbench/vector/bench"
)

// A class counts what is asked of environments on a card.
type class struct {
	steps, open int
	broken      error
}

func (c *class) Step(n int) error { c.steps += n; return nil }
func (c *class) Wait() error      { return c.broken }
func (c *class) Close() error     { c.open--; return nil }

// TestTimeTasks: every task is timed with every number of cars and closed, also where it
// fails.
func TestTimeTasks(t *testing.T) {
	c := new(class)
	open := func(string, int) (bench.Learner, error) { c.open++; return c, nil }
	rows, err := bench.TimeTasks(bench.Options{Rounds: 2, Cars: []int{3, 40}}, []string{"goal", "line"}, open)
	if err != nil || len(rows) != 4 || rows[3].Task != "line" || rows[3].Cars != 40 || rows[3].Rate <= 0 || c.open != 0 || c.steps != 4*3*10 {
		t.Errorf("%v, %+v, %+v", err, rows, c)
	}
	c.broken = errors.New("fell off the bus")
	if _, err := bench.TimeTasks(bench.Options{Rounds: 1, Cars: []int{3}}, []string{"goal"}, open); !errors.Is(err, c.broken) || c.open != 0 {
		t.Errorf("%v, %d open", err, c.open)
	}
	var said strings.Builder
	r := &bench.Report{Card: "a board", Tasks: rows}
	if err := r.Print(&said); err != nil || !strings.Contains(said.String(), "task line with its rewards, ends and resets, 40 cars") {
		t.Errorf("%v: %s", err, said.String())
	}
}
