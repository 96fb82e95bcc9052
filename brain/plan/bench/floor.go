package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/route"
	"fieldbrain/field/exact"
	"fieldbrain/verdict"
)

// A Chore is one piece of a tick's work on the floor around the car, in us.
type Chore struct {
	Name   string  `json:"name"`
	Median float64 `json:"us"`
	Best   float64 `json:"best_us"`
	Tick   float64 `json:"per_tick"` // how often a tick of 5 ms does it at most
}

// Arcs is how many arcs a tick sweeps forward, and as many backward.
const Arcs = 15

// floor is a room of 3x3 m with posts, as a beam that turned in its middle saw it.
func floor() (*ground.Grid, error) {
	g, err := ground.New(ground.Default())
	if err != nil {
		return nil, err
	}
	for n := range 320 {
		at := ground.Pose{Heading: float32(n) * 0.02}
		side := float64(at.Heading)
		r := 1.5 / max(abs(exact.Cos(side)), abs(exact.Sin(side)))
		if n%40 < 4 {
			r = 0.6
		}
		for range 4 {
			g.Beam(at, ground.Beam{Range: float32(r) - 0.11, HalfWidth: 0.2, Lead: 0.11})
		}
	}
	g.Drive(ground.Pose{})
	return g, nil
}

func abs(v float64) float64 { return max(v, -v) }

// chores times the work of a tick on ground and route.
func chores(rounds int) ([]Chore, error) {
	g, err := floor()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	r := route.New()
	r.Begin(route.Explore, 0, 0)
	list := []struct {
		name string
		tick float64
		do   func()
	}{
		{"a cone of 1.9 m", 1, func() { g.Beam(ground.Pose{}, ground.Beam{Range: 1.9, HalfWidth: 0.2, Lead: 0.11}) }},
		{"15 arcs of 1 m, both ways", 1, func() {
			g.Drive(ground.Pose{}) // something changed, as in every tick
			for n := range Arcs {
				k := float32(n-Arcs/2) * 0.87
				_ = g.Sweep(ground.Pose{}, k, 1, false)
				_ = g.Sweep(ground.Pose{}, k, 1, true)
			}
		}},
		{"forgetting at 0.35 m/s", 1, func() { g.Forget(0.005, 0.00175, 0.005) }},
		{"a share of the wave", 1, func() { r.Advance(g, ground.Pose{}, 0.005) }},
		{"where the way begins", 1, func() { _ = r.Toward(0.05, 0) }},
	}
	times := make([][]float64, len(list))
	for range rounds {
		for i, c := range list {
			const burst = 70 // ticks: about one wave
			times[i] = append(times[i], 1000/burst*timed(func() {
				for range burst {
					c.do()
				}
			}))
		}
	}
	var out []Chore
	for i, c := range list {
		out = append(out, Chore{Name: c.name, Median: verdict.Median(times[i]), Best: slices.Min(times[i]), Tick: c.tick})
	}
	return out, nil
}

// printFloor writes what a tick's work on the floor costs.
func (r *Report) printFloor(w io.Writer) error {
	fmt.Fprintln(w, "the floor around the car, us each:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "work\tmedian\tbest\t")
	sum, best := 0.0, 0.0
	for _, c := range r.Floor {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t\n", c.Name, c.Median, c.Best)
		sum, best = sum+float64(c.Tick*c.Median), best+float64(c.Tick*c.Best)
	}
	fmt.Fprintf(t, "a tick with all of it\t%.2f\t%.2f\t\n", sum, best)
	return t.Flush()
}
