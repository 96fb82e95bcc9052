package figures

import (
	"image/color"
	"math"
	"slices"
	"time"

	"fieldbrain/testbench/picture"
)

var (
	orange = color.NRGBA{224, 88, 10, 255}
	teal   = color.NRGBA{22, 128, 122, 255}
	grey   = color.NRGBA{120, 120, 130, 255}
)

// bearings are the marks of an axis of directions.
func bearings() []float64 { return []float64{-180, -90, 0, 90} }

// peak shows cells that hear a stimulus too weak, and one strong enough.
func peak() (*picture.Page, error) {
	page := &picture.Page{Title: "What a peak is", Columns: 2, Width: 410, Height: 290}
	for _, k := range []struct {
		a              float32
		title, caption string
		notes          []picture.Note
	}{
		{
			2.4, "A weak stimulus leaves no peak",
			"Each of the 32 cells stands for a direction and rests at -5. A stimulus of 2.4 lifts some, but their output stays next to nothing, so their neighbours hear nothing, and nothing happens.",
			[]picture.Note{{X: -110, Y: -4.4, Text: "resting level", Ink: grey}},
		},
		{
			6, "A stronger one: the cells lift each other",
			"A stimulus of 6 would bring the cells to 1 alone. But a cell with output lifts its neighbours, and they lift it: a peak. Every output also pushes the whole row down, so the others fall below their resting level.",
			[]picture.Note{{X: 0, Y: 10.6, Text: "peak", Ink: orange}, {X: -108, Y: -11.4, Text: "pushed down", Ink: orange}},
		},
	} {
		r := newRow("HYS1", 0, 1)
		all := r.show(time.Second, stimulus(k.a, 0))
		if err := r.close(); err != nil {
			return nil, err
		}
		page.Panels = append(page.Panels, &picture.Chart{
			Title: k.title, Caption: k.caption, Across: "direction (deg), 0 is straight ahead", Up: "activation",
			From: first, To: last, Low: -18, High: 14, Ticks: bearings(), Notes: k.notes,
			Curves: []picture.Curve{
				{Name: "without the others", Values: alone("HYS1", stimulus(k.a, 0)), Ink: teal, Dashed: true},
				{Name: "activation", Values: all[len(all)-1], Ink: orange, Fill: true},
			},
		})
	}
	return page, nil
}

// detection raises a stimulus slowly and lowers it again.
func detection() (*picture.Page, error) {
	const steps, most = 60, 6.0
	r := newRow("HYS1", 0, 1)
	up, down := make([]float64, steps+1), make([]float64, steps+1)
	for i := range up {
		up[i] = r.highest(float32(most * float64(i) / steps))
	}
	for i := range slices.Backward(down) {
		down[i] = r.highest(float32(most * float64(i) / steps))
	}
	if err := r.close(); err != nil {
		return nil, err
	}
	return &picture.Page{Title: "When a peak appears, and when it goes", Width: 820, Height: 290, Panels: []picture.Panel{&picture.Chart{
		Across: "strength of the stimulus", Up: "highest activation", To: most, Low: -6, High: 12,
		Caption: "A stimulus was raised in small steps, with 2 s for each, and lowered again. The activation jumps where the cells begin to lift each other, and it falls at a much weaker stimulus: between the two a peak that stands stays, and none appears by itself.",
		Curves:  []picture.Curve{{Name: "raised", Values: up, Ink: teal}, {Name: "lowered", Values: down, Ink: orange}},
		Notes:   []picture.Note{{X: 0.9, Y: 5.5, Text: "a standing peak stays", Ink: orange}, {X: 1.5, Y: -2, Text: "no peak yet", Ink: teal}},
	}}}, nil
}

// highest shows a stimulus for 2 s and returns the highest cell's activation.
func (r *row) highest(a float32) float64 {
	all := r.show(2*time.Second, stimulus(a, 0))
	if r.err != nil {
		return math.NaN()
	}
	return slices.Max(all[len(all)-1])
}
