package picture

import (
	"image"
	"image/color"
	"math"

	"fieldbrain/testbench/world"
)

// A canvas is an image with the world's coordinates on it.
type canvas struct {
	*image.RGBA
	low    world.Vec // world point at the lower left corner of the plot
	left   int       // px, margin
	bottom int       // px, y of the lower edge of the plot
	scale  float64   // px per metre
}

// at returns the pixel of a world point, as real numbers.
func (c *canvas) at(p world.Vec) (x, y float64) {
	d := p.Sub(c.low)
	return float64(c.left) + d.X*c.scale, float64(c.bottom) - d.Y*c.scale
}

// blend paints a pixel with the given opacity 0..1.
func (c *canvas) blend(x, y int, ink color.RGBA, opacity float64) {
	if !(image.Point{x, y}).In(c.Rect) || opacity <= 0 {
		return
	}
	opacity = min(opacity, 1)
	old := c.RGBAAt(x, y)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*opacity + 0.5) }
	c.SetRGBA(x, y, color.RGBA{mix(old.R, ink.R), mix(old.G, ink.G), mix(old.B, ink.B), 255})
}

// disc fills a circle given in pixels, with soft edges.
func (c *canvas) disc(x, y, r float64, ink color.RGBA, opacity float64) {
	for py := int(y - r - 1); py <= int(y+r+1); py++ {
		for px := int(x - r - 1); px <= int(x+r+1); px++ {
			d := math.Hypot(float64(px)+0.5-x, float64(py)+0.5-y)
			c.blend(px, py, ink, opacity*min(max(r-d+0.5, 0), 1))
		}
	}
}

// ring draws a circle's outline, width pixels wide.
func (c *canvas) ring(x, y, r, width float64, ink color.RGBA) {
	for py := int(y - r - width); py <= int(y+r+width+1); py++ {
		for px := int(x - r - width); px <= int(x+r+width+1); px++ {
			d := math.Abs(math.Hypot(float64(px)+0.5-x, float64(py)+0.5-y) - r)
			c.blend(px, py, ink, min(max(width/2-d+0.5, 0), 1))
		}
	}
}

// stroke draws a line with round ends between two pixels.
func (c *canvas) stroke(x0, y0, x1, y1, width float64, ink color.RGBA, opacity float64) {
	half := width / 2
	s := world.Segment{A: world.Vec{X: x0, Y: y0}, B: world.Vec{X: x1, Y: y1}}
	for py := int(min(y0, y1) - half - 1); py <= int(max(y0, y1)+half+1); py++ {
		for px := int(min(x0, x1) - half - 1); px <= int(max(x0, x1)+half+1); px++ {
			d := s.Distance(world.Vec{X: float64(px) + 0.5, Y: float64(py) + 0.5})
			c.blend(px, py, ink, opacity*min(max(half-d+0.5, 0), 1))
		}
	}
}

// segment draws a line between two world points, width in pixels.
func (c *canvas) segment(a, b world.Vec, width float64, ink color.RGBA) {
	x0, y0 := c.at(a)
	x1, y1 := c.at(b)
	c.stroke(x0, y0, x1, y1, width, ink, 1)
}

// fill paints the rectangle [x0, x1) x [y0, y1).
func (c *canvas) fill(x0, y0, x1, y1 int, ink color.RGBA) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if (image.Point{x, y}).In(c.Rect) {
				c.SetRGBA(x, y, ink)
			}
		}
	}
}
