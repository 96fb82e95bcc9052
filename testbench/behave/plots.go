package behave

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

// A Picture belongs to the report.
type Picture struct {
	File    string // name, without a folder
	Caption string // above it
	Alt     string // a sentence for who cannot see it
	PNG     []byte
}

// paint draws panels below each other, each so many points tall.
func paint(tall int, panels ...picture.Panel) ([]byte, error) {
	var b bytes.Buffer
	page := picture.Page{Width: 700, Height: tall, Panels: panels}
	if err := page.Write(&b, "png"); err != nil {
		return nil, fmt.Errorf("behave: %w", err)
	}
	return b.Bytes(), nil
}

// The strips keep what a field shows by bearing during a drive.
type strips struct {
	id, scenario string
	next         time.Duration
	begun, seen  time.Duration
	heading      [][]float64 // output of HEADING
	free         [][]float64 // m to the nearest obstacle that OBST_MAP holds
	cells        []float32
}

const frameEvery = 200 * time.Millisecond // of the strips

func newStrips(id string, sc *scenarios.Scenario) *strips {
	return &strips{id: id, scenario: sc.Name, cells: make([]float32, field.Cells)}
}

// watch takes a frame now and then.
func (f *strips) watch(now time.Duration, m *Mind, _ *brain.Trace) {
	if now < f.next {
		return
	}
	if f.next == 0 {
		f.begun = now
	}
	f.next, f.seen = now+frameEvery, now
	status := m.Brain.Remote().Status()
	heading, free := make([]float64, field.Side), make([]float64, field.Side)
	m.Engine.Read(field.ObstMap, f.cells)
	for x := range field.Side {
		heading[x] = float64(status.Heading[x]) / field.One
		free[x] = math.Inf(1)
		for y := range field.Side {
			if f.cells[(x*field.Side+y)*field.Side] >= 0.5 {
				free[x] = min(free[x], field.Range(float64(y)))
			}
		}
	}
	f.heading, f.free = append(f.heading, heading), append(f.free, free)
}

// pictures draws the strips.
func (f *strips) pictures() ([]Picture, error) {
	if len(f.heading) == 0 {
		return nil, fmt.Errorf("behave: %s %s: no frame of the field was taken", f.id, f.scenario)
	}
	edge := func(bin float64) float64 { return 180 / math.Pi * field.Bearing(bin-0.5) }
	strip := picture.Strip{
		Across: "time (s)", To: (f.seen - f.begun).Seconds(),
		Up: "bearing (deg), left is up", Bottom: edge(0), Top: edge(field.Side), Ticks: []float64{-180, -90, 0, 90},
	}
	heading, free := strip, strip
	heading.Title, heading.Values, heading.High, heading.Scale = "Where the car wants to go", f.heading, 1, "output"
	heading.Caption = "The output of the channel HEADING by bearing; 0 is straight ahead. One band is one decision, and a bend in it is a turn."
	free.Title, free.Values, free.High, free.Scale, free.Reversed = "How far the way is free, as the car remembers it", f.free, 2, "m", true
	free.Caption = "The range of the nearest obstacle in the channel OBST_MAP (activation of at least 0.5), by bearing: dark is near, white is 2 m or more."
	png, err := paint(190, &heading, &free)
	return []Picture{{
		File: f.id + "-" + f.scenario + "-field.png", PNG: png,
		Caption: fmt.Sprintf("%s: the field during that drive: where it wants to go, and where something stands.", f.id),
		Alt:     "Two strips over time and bearing: the output of the heading field, and the range of the nearest remembered obstacle.",
	}}, err
}

// curves draws mean error by frame with learning and without, and confidence.
func curves(id string, on, off habituation, n int) ([]Picture, error) {
	chart := picture.Chart{Title: "How well the next frame is predicted", Across: "frames", To: float64(n), Up: "mean error", Log: true, Curves: []picture.Curve{
		{Name: "learning", Values: on.errors}, {Name: "learning switched off", Values: off.errors},
	}}
	png, err := paint(250, &chart)
	return []Picture{{
		File: id + "-error.png", Caption: id + ": learning curve on the periodic stimulus.", PNG: png,
		Alt: "Two curves over the frames: with learning the mean error of the prediction falls, without it stays.",
	}}, err
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
	chart := picture.Chart{Title: "Cars that choose the arm that pays", Across: "trial", From: 1, To: trials, Up: "share of the cars", High: 1, Below: true, Curves: []picture.Curve{
		{Name: "recall on", Values: share(on), Dots: true}, {Name: "recall off", Values: share(off), Dots: true},
	}}
	if len(on) == 0 || len(on[0].arms) == 0 {
		chart.Curves = chart.Curves[1:]
	}
	png, err := paint(250, &chart)
	return Picture{
		File: "B14-arms.png", PNG: png,
		Caption: "B14: learning curve in the T-maze; the left arm pays for every second car, the right for the others.",
		Alt:     "The share of the cars that choose the arm that pays, trial by trial, with the pattern library and without it.",
	}, err
}
