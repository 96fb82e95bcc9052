package export

import (
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
)

// The colours of a picture, by their place in the palette; they differ in brightness too.
const (
	paper = iota
	rule  // lines, one metre apart
	heard // echoes
	drove
	held // something held against motion
	car
)

func palette() color.Palette {
	return color.Palette{
		paper: color.Gray{255}, rule: color.Gray{225}, heard: color.Gray{150},
		drove: color.RGBA{0, 90, 200, 255}, held: color.RGBA{200, 60, 0, 255}, car: color.Gray{0},
	}
}

// Bounds of a picture in pixels.
const (
	widest = 900
	margin = 20
)

// A canvas is a picture of part of the floor.
type canvas struct {
	img   *image.Paletted
	low   point
	scale float64 // pixels per m
}

// newCanvas returns paper for a way, ruled in metres.
func newCanvas(w *Way) *canvas {
	wide, high := max(w.high.x-w.low.x, 0.5), max(w.high.y-w.low.y, 0.5)
	c := &canvas{low: w.low, scale: (widest - 2*margin) / max(wide, high)}
	c.img = image.NewPaletted(image.Rect(0, 0, int(wide*c.scale)+2*margin, int(high*c.scale)+2*margin), palette())
	for x := math.Ceil(w.low.x); x <= w.low.x+wide; x++ {
		c.line(point{x, w.low.y}, point{x, w.low.y + high}, rule)
	}
	for y := math.Ceil(w.low.y); y <= w.low.y+high; y++ {
		c.line(point{w.low.x, y}, point{w.low.x + wide, y}, rule)
	}
	return c
}

// pixel returns where a place is.
func (c *canvas) pixel(p point) (x, y float64) {
	return margin + (p.x-c.low.x)*c.scale, float64(c.img.Rect.Max.Y) - margin - (p.y-c.low.y)*c.scale
}

// dot draws a square of 2r+1 pixels.
func (c *canvas) dot(p point, r int, shade uint8) {
	x, y := c.pixel(p)
	for i := -r; i <= r; i++ {
		for j := -r; j <= r; j++ {
			c.img.SetColorIndex(int(x)+i, int(y)+j, shade) // outside is nothing
		}
	}
}

// line draws a line.
func (c *canvas) line(a, b point, shade uint8) {
	steps := math.Ceil(math.Hypot(b.x-a.x, b.y-a.y)*c.scale) + 1
	for i := 0.0; i <= steps; i++ {
		c.dot(point{a.x + (b.x-a.x)*i/steps, a.y + (b.y-a.y)*i/steps}, 0, shade)
	}
}

// sample draws the way up to a sample, and what was heard there.
func (c *canvas) sample(last, s *sample) {
	for _, p := range s.echoes {
		c.dot(p, 1, heard)
	}
	shade := uint8(drove)
	if s.held {
		shade = held
	}
	if last != nil {
		c.line(last.axle, s.axle, shade)
	}
	c.dot(s.axle, 1, shade)
}

// car draws the car as an arrow from its rear axle.
func (c *canvas) car(s *sample) {
	at := func(ahead, left float64) point {
		sin, cos := math.Sincos(s.heading)
		return point{s.axle.x + ahead*cos - left*sin, s.axle.y + ahead*sin + left*cos}
	}
	c.line(at(-0.05, -0.06), at(0.15, 0), car)
	c.line(at(0.15, 0), at(-0.05, 0.06), car)
	c.line(at(-0.05, 0.06), at(-0.05, -0.06), car)
}

// PNG draws the whole way.
func (w *Way) PNG(to io.Writer) error {
	c := newCanvas(w)
	var last *sample
	for i := range w.samples {
		c.sample(last, &w.samples[i])
		last = &w.samples[i]
	}
	c.car(last)
	return png.Encode(to, c.img)
}

// Bounds of a moving picture.
const (
	mostFrames = 250
	delay      = 8 // hundredths of a second
	hold       = 150
)

// GIF draws the way as it grows, in at most 250 pictures.
func (w *Way) GIF(to io.Writer) error {
	c := newCanvas(w)
	each := max(1, (len(w.samples)+mostFrames-1)/mostFrames)
	var g gif.GIF
	var last *sample
	var shown *image.Paletted
	for i := range w.samples {
		c.sample(last, &w.samples[i])
		last = &w.samples[i]
		if (i+1)%each != 0 && i != len(w.samples)-1 {
			continue
		}
		frame := *c
		frame.img = image.NewPaletted(c.img.Rect, c.img.Palette)
		copy(frame.img.Pix, c.img.Pix)
		frame.car(last)
		g.Image, g.Delay = append(g.Image, changed(shown, frame.img)), append(g.Delay, delay)
		shown = frame.img
	}
	g.Delay[len(g.Delay)-1] = hold
	return gif.EncodeAll(to, &g)
}

// changed returns the part of a picture that differs from the one shown before it, which
// stays where nothing is drawn over it.
func changed(shown, now *image.Paletted) *image.Paletted {
	if shown == nil {
		return now
	}
	var part image.Rectangle
	for y := range now.Rect.Dy() {
		for x := range now.Rect.Dx() {
			if i := y*now.Stride + x; now.Pix[i] != shown.Pix[i] {
				part = part.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if part.Empty() {
		part = image.Rect(0, 0, 1, 1)
	}
	return now.SubImage(part).(*image.Paletted)
}
