package picture

import (
	"fmt"
	"image/color"
	"math"

	"fieldbrain/testbench"
)

// title writes what ran above the plot.
func (c *canvas) title(r *testbench.Result) {
	verdict, shade := "failed", eventInk[testbench.Contact]
	if r.Pass {
		verdict, shade = "passed", goal
	}
	name := fmt.Sprintf("%s  seed %d  %.0f s", r.Scenario, r.Seed, r.Seconds)
	write(c.RGBA, side, 14, 3, name, ink)
	write(c.RGBA, side+textWidth(name+"  ", 3), 14, 3, verdict, shade)
	write(c.RGBA, side, 44, 2, fmt.Sprintf("%.1f m, %d collisions, nearest %.2f m, %d stops",
		r.Distance, r.Collisions, r.MinGap, r.Stops), note)
}

// legend writes the scale bar, the colours of the way and the events that
// occurred, with their counts, below the plot. It returns the row of pixels
// below the last line.
func (c *canvas) legend(r *testbench.Result, p Params) (end int) {
	y := c.bottom + 18
	c.scaleBar(y)
	c.colourBar(r.Track, p, y)

	var counts [testbench.NumEvents]int
	for _, e := range r.Track.Events {
		counts[e.Kind]++
	}
	const left = side + 12 // the middle of the first mark: a fault's ring is wide
	x, row := left, c.bottom+56
	end = row - 8
	for k := range testbench.NumEvents {
		if counts[k] == 0 {
			continue
		}
		text := fmt.Sprintf("%v %d", k, counts[k])
		if x+textWidth(text, 2)+20 > c.Rect.Max.X-side {
			x, row = left, row+28
		}
		c.mark(float64(x), float64(row)+6, k)
		write(c.RGBA, x+18, row, 2, text, ink)
		x += 18 + textWidth(text+"   ", 2)
		end = row + 30
	}
	return min(end, c.Rect.Max.Y)
}

// scaleBar draws a bar of a round length, about a fifth of the plot.
func (c *canvas) scaleBar(y int) {
	want := float64(c.Rect.Max.X-2*side) / 5 / c.scale // m
	length := math.Pow(10, math.Floor(math.Log10(want)))
	for _, k := range []float64{5, 2} {
		if k*length <= want {
			length *= k
			break
		}
	}
	width := int(length * c.scale)
	c.fill(side, y+4, side+width, y+7, ink)
	c.fill(side, y, side+2, y+11, ink)
	c.fill(side+width-2, y, side+width, y+11, ink)
	write(c.RGBA, side+width+10, y-1, 2, fmt.Sprintf("%g m", length), ink)
}

// colourBar explains the way's colours, right of the scale bar.
func (c *canvas) colourBar(t *testbench.Track, p Params, y int) {
	const width = 160
	x := c.Rect.Max.X/2 + 20
	top := topSpeed(t)
	low, high := fmt.Sprintf("%.2f", -top), fmt.Sprintf("%.2f m/s", top)
	shade := func(share float64) color.RGBA { return speedColour(2*share - 1) }
	if p.ByTime {
		low, high = "start", "end"
		shade = timeColour
	}
	write(c.RGBA, x-textWidth(low, 2)-8, y-1, 2, low, ink)
	for i := range width {
		c.fill(x+i, y, x+i+1, y+11, shade(float64(i)/(width-1)))
	}
	write(c.RGBA, x+width+8, y-1, 2, high, ink)
}
