package behave

import (
	"bytes"
	"fmt"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

// A Picture belongs to the report.
type Picture struct {
	File    string // name, without a folder
	Caption string
	PNG     []byte
}

// A film keeps what a field shows by bearing during a drive.
type film struct {
	id, scenario string
	next         time.Duration
	begun, seen  time.Duration
	heading      [][]float64 // output of HEADING
	obstacles    [][]float64 // largest activation of OBST_MAP over all ranges
	sheet        []float32
}

const frameEvery = 200 * time.Millisecond // of a film

func newFilm(id string, sc *scenarios.Scenario) *film {
	return &film{id: id, scenario: sc.Name, sheet: make([]float32, field.Cells)}
}

// watch takes a frame now and then.
func (f *film) watch(now time.Duration, m *Mind, _ *brain.Trace) {
	if now < f.next {
		return
	}
	if f.next == 0 {
		f.begun = now
	}
	f.next, f.seen = now+frameEvery, now
	status := m.Brain.Remote().Status()
	heading, obstacles := make([]float64, field.Side), make([]float64, field.Side)
	m.Engine.Read(field.ObstMap, f.sheet)
	for x := range field.Side {
		heading[x] = float64(status.Heading[x]) / field.One
		for y := range field.Side {
			obstacles[x] = max(obstacles[x], float64(f.sheet[(x*field.Side+y)*field.Side]))
		}
	}
	f.heading, f.obstacles = append(f.heading, heading), append(f.obstacles, obstacles)
}

// pictures draws the film.
func (f *film) pictures() ([]Picture, error) {
	if len(f.heading) == 0 {
		return nil, fmt.Errorf("behave: %s %s: no frame of the field was taken", f.id, f.scenario)
	}
	strip := picture.Strip{Top: 1, Seconds: (f.seen - f.begun).Seconds(), Bottom: "-180 deg", Above: "+169 deg"}
	heading, obstacles := strip, strip
	heading.Title, heading.Values = "HEADING: output by bearing, left is up", f.heading
	obstacles.Title, obstacles.Values = "OBST MAP: largest over all ranges", f.obstacles
	var b bytes.Buffer
	if err := picture.Strips(&b, heading, obstacles); err != nil {
		return nil, fmt.Errorf("behave: %w", err)
	}
	return []Picture{{
		File: f.id + "-" + f.scenario + "-field.png", PNG: b.Bytes(),
		Caption: fmt.Sprintf("%s: the field during that drive: where it wants to go, and where something stands.", f.id),
	}}, nil
}

// curves draws mean error by frame with learning and without, and confidence.
func curves(id string, on, off habituation, n int) ([]Picture, error) {
	chart := picture.Chart{Title: id + ": mean error of the prediction", Across: float64(n), Unit: "frames", Log: true, Curves: []picture.Curve{
		{Name: "learning", Values: on.errors}, {Name: "learning switched off", Values: off.errors},
	}}
	var b bytes.Buffer
	if err := chart.Draw(&b); err != nil {
		return nil, fmt.Errorf("behave: %w", err)
	}
	return []Picture{{File: id + "-error.png", Caption: id + ": learning curve on the periodic stimulus.", PNG: b.Bytes()}}, nil
}

// arms draws the share of sessions that chose the arm that pays, trial by trial.
func arms(on, off []session) (Picture, error) {
	share := func(all []session) (v []float64) {
		for k := range trials {
			n := 0.0
			for i := range all {
				if k < len(all[i].arms) {
					n += yes(all[i].arms[k] == all[i].pays)
				}
			}
			v = append(v, n/float64(len(all)))
		}
		return v
	}
	chart := picture.Chart{Title: "B14: share of cars in the arm that pays", Across: trials, Unit: "trials", Curves: []picture.Curve{
		{Name: "recall on", Values: share(on), Dots: true}, {Name: "recall off", Values: share(off), Dots: true},
	}}
	if len(on) == 0 || len(on[0].arms) == 0 {
		chart.Curves = chart.Curves[1:]
	}
	var b bytes.Buffer
	if err := chart.Draw(&b); err != nil {
		return Picture{}, fmt.Errorf("behave: %w", err)
	}
	return Picture{File: "B14-arms.png", Caption: "B14: learning curve in the T-maze; the left arm pays for every second car, the right for the others.", PNG: b.Bytes()}, nil
}
