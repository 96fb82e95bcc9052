package picture

import (
	"cmp"
	"image"
	"image/color"
	"maps"
	"slices"
)

// Colours is how many colours a palette holds at most.
const Colours = 256

// Palette returns the most frequent colours of opaque pictures, at most n, the
// most frequent first. Drawings have few colours and the mixtures at their edges:
// of mixtures that look alike only the most frequent is in, unless there is room.
func Palette(n int, pictures ...*image.RGBA) color.Palette {
	count := map[color.RGBA]int{}
	for _, img := range pictures {
		for i := 0; i+3 < len(img.Pix); i += 4 {
			count[color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], 255}]++
		}
	}
	order := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(number(a), number(b)))
	})
	var p, spare color.Palette
	for _, c := range order {
		if len(order) > n && alike(p, c) {
			spare = append(spare, c)
			continue
		}
		p = append(p, c)
	}
	p = append(p, spare...)
	return p[:min(n, len(p))]
}

// alike reports whether a palette has a colour that the eye takes for c.
func alike(p color.Palette, c color.RGBA) bool {
	const near = 10 // of 256, as the crow flies
	return slices.ContainsFunc(p, func(other color.Color) bool {
		o := other.(color.RGBA)
		r, g, b := int(o.R)-int(c.R), int(o.G)-int(c.G), int(o.B)-int(c.B)
		return r*r+g*g+b*b < near*near
	})
}

// number orders equally frequent colours.
func number(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }

// Paint returns a picture in the colours of a palette.
func Paint(img *image.RGBA, p color.Palette) *image.Paletted {
	out := image.NewPaletted(img.Rect, p)
	known := map[color.RGBA]uint8{}
	for i := range out.Pix {
		c := color.RGBA{img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2], 255}
		index, has := known[c]
		if !has {
			index = uint8(p.Index(c))
			known[c] = index
		}
		out.Pix[i] = index
	}
	return out
}
