package picture

import (
	"image/color"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
)

// shades is how many colours a scale has: neighbours cannot be told apart.
const shades = 64

// A scale gives the values from low to high their colours, even to the eye.
type scale struct {
	palette.ColorMap
	colours []color.Color
}

// newScale interpolates between colours that get brighter from one to the next,
// or, when reversed, darker.
func newScale(low, high float64, reversed bool, controls ...color.Color) scale {
	m, err := moreland.NewLuminance(controls)
	if err != nil {
		panic("picture: a scale of the program's own: " + err.Error())
	}
	if reversed {
		m = palette.Reverse(m)
	}
	m.SetMin(low)
	m.SetMax(high)
	return scale{m, m.Palette(shades).Colors()}
}

// count returns how many shades there are.
func (s *scale) count() int { return len(s.colours) }

// index returns which of the shades a value has; beyond the ends the end's.
func (s *scale) index(v float64) int {
	share := (v - s.Min()) / (s.Max() - s.Min())
	if !(share > 0) { // not a number, too
		return 0
	}
	return int(min(share*shades, shades-1))
}

// speeds goes from blue (standing) over green to yellow (fastest).
func speeds(top float64) scale {
	return newScale(0, top, false, color.NRGBA{54, 48, 168, 255}, color.NRGBA{24, 140, 128, 255}, color.NRGBA{236, 186, 30, 255})
}

// times goes from light blue (the start) to dark red (the end).
func times(end float64) scale {
	return newScale(0, end, true, color.NRGBA{120, 6, 40, 255}, color.NRGBA{190, 90, 120, 255}, color.NRGBA{130, 190, 245, 255})
}

// heats goes from white over orange to dark red, or back.
func heats(low, high float64, darkHigh bool) scale {
	return newScale(low, high, darkHigh, color.NRGBA{96, 8, 28, 255}, color.NRGBA{240, 130, 40, 255}, color.NRGBA{255, 253, 248, 255})
}
