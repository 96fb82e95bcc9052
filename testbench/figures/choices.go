package figures

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fieldbrain/field"
	"fieldbrain/testbench/picture"
)

// apart is how far the two stimuli stand from the middle: 12 bins lie between.
const apart = 6 * 360.0 / field.Side

// over draws activation over time and direction.
func over(title, caption string, length time.Duration, all [][]float64) *picture.Strip {
	return &picture.Strip{
		Title: title, Caption: caption, Across: "time (s)", To: length.Seconds(), Up: "direction (deg)",
		Bottom: firstEdge, Top: lastEdge, Ticks: bearings(), Values: all, Low: -10, High: 10, Scale: "activation",
	}
}

// selection shows two equal stimuli to the same field with two draws of noise that
// end differently.
func selection() (*picture.Page, error) {
	page := &picture.Page{Title: "Why it decides", Columns: 2, Width: 410, Height: 250}
	const length = 1200 * time.Millisecond
	both := []field.Term{stimulus(6, -apart), stimulus(6, apart)}
	titles := [2]string{"Two equal stimuli: the right one won", "The same again: the left one won"}
	var ends [2][]float64 // the activation in the end, by the side that won
	page.Panels = make([]picture.Panel, 4)
	for key := uint32(1); ends[0] == nil || ends[1] == nil; key++ {
		r := newRow("HYS1", 0.25, key)
		all := r.show(length, both...)
		if err := r.close(); err != nil {
			return nil, err
		}
		end := all[len(all)-1]
		side := 0
		if slices.Index(end, slices.Max(end)) > field.Side/2 {
			side = 1
		}
		if key > 64 {
			return nil, fmt.Errorf("one side won %d times in a row", key)
		}
		if ends[side] != nil {
			continue
		}
		ends[side] = end
		page.Panels[side] = over(titles[side], "Both begin to rise. Each pushes the other down, noise tips the balance, and one is left.", length, all)
		page.Panels[2+side] = &picture.Chart{
			Across: "direction (deg), positive is left", Up: "activation", From: first, To: last, Low: -18, High: 14, Ticks: bearings(),
			Caption: "In the end: not a peak in the middle, and not two, but one.",
			Curves: []picture.Curve{
				{Name: "without the others", Values: alone("HYS1", both...), Ink: teal, Dashed: true},
				{Name: "activation", Values: end, Ink: orange, Fill: true},
			},
		}
	}
	return page, nil
}

// memory takes the stimulus away: a memory keeps its peak, a strict decision does
// not.
func memory() (*picture.Page, error) {
	page := &picture.Page{Title: "How it remembers", Columns: 1, Width: 820, Height: 180}
	const shown, length = time.Second, 4 * time.Second
	var curves []picture.Curve
	for _, k := range []struct {
		regime, title, caption string
		ink                    picture.Curve
	}{
		{"MEM1", "More excitation: it remembers", "The stimulus at 40 degrees ends after 1 s. With the constants of a memory (MEM1) the cells lift each other enough without it: the peak stays until something erases it.", picture.Curve{Name: "memory (MEM1)", Ink: orange}},
		{"SEL1", "Less: it follows what is there", "With the constants of a strict selection (SEL1) the peak falls as soon as its stimulus ends.", picture.Curve{Name: "selection (SEL1)", Ink: teal}},
	} {
		r := newRow(k.regime, 0.25, 1)
		all := append(r.show(shown, stimulus(7, 40)), r.show(length-shown)...)
		if err := r.close(); err != nil {
			return nil, err
		}
		page.Panels = append(page.Panels, over(k.title, k.caption, length, all))
		for _, u := range all {
			k.ink.Values = append(k.ink.Values, slices.Max(u))
		}
		curves = append(curves, k.ink)
	}
	stimulated := make([]float64, len(curves[0].Values))
	for i := range stimulated {
		if stimulated[i] = math.NaN(); i < int(shown/period) {
			stimulated[i] = -8
		}
	}
	curves = append(curves, picture.Curve{Name: "stimulus is shown", Ink: grey, Values: stimulated})
	page.Panels = append(page.Panels, &picture.Chart{
		Across: "time (s)", Up: "highest activation", To: length.Seconds(), Low: -10, High: 20, Curves: curves,
	})
	return page, nil
}
