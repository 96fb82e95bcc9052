package picture_test

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"testing"

	"fieldbrain/testbench/picture"
)

// page draws panels, each 400 x 200 points, and decodes what came out.
func page(t *testing.T, columns int, panels ...picture.Panel) image.Image {
	t.Helper()
	var b bytes.Buffer
	p := picture.Page{Title: "Test", Columns: columns, Width: 400, Height: 200, Panels: panels}
	if err := p.Write(&b, "png"); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// share returns which share of a rectangle, given in shares of the picture, has
// the colour.
func share(img image.Image, area [4]float64, is func(r, g, b uint32) bool) float64 {
	size := img.Bounds().Size()
	n, hits := 0, 0
	for y := int(area[1] * float64(size.Y)); y < int(area[3]*float64(size.Y)); y++ {
		for x := int(area[0] * float64(size.X)); x < int(area[2]*float64(size.X)); x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			n++
			if is(r>>8, g>>8, b>>8) {
				hits++
			}
		}
	}
	return float64(hits) / float64(n)
}

// TestStrip: the last place is up, and a high value is dark, or a low one where
// the scale is reversed.
func TestStrip(t *testing.T) {
	values := make([][]float64, 50)
	for i := range values {
		values[i] = []float64{0, 0, math.NaN(), math.Inf(1)}
	}
	dark := func(r, _, _ uint32) bool { return r < 0x90 }
	for _, reversed := range []bool{false, true} {
		s := &picture.Strip{
			Title: "TEST", Values: values, High: 1, To: 10, Top: 4, Scale: "output", Across: "time (s)", Up: "place", Reversed: reversed,
		}
		img := page(t, 1, s)
		top, bottom := share(img, [4]float64{0.3, 0.3, 0.6, 0.33}, dark), share(img, [4]float64{0.3, 0.68, 0.6, 0.7}, dark)
		if (top == 1) == reversed || (bottom == 1) != reversed {
			t.Errorf("reversed %v: %.2f of the last place is dark, %.2f of the first", reversed, top, bottom)
		}
	}
}

// TestChart: the page draws curves with gaps, zeros and infinities where they
// are numbers.
func TestChart(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := &picture.Chart{Title: "TEST", Across: "trial", To: 3, Up: "error", Log: log, Curves: []picture.Curve{
			{Name: "a", Values: []float64{1, 0.1, 0, 0.001}, Fill: !log},
			{Name: "b", Values: []float64{math.NaN(), math.Inf(1), 1, 1}, Dots: true},
			{Values: []float64{0.5, 0.5}, Dashed: true},
		}, Notes: []picture.Note{{X: 1, Y: 0.5, Text: "here"}}}
		blue := share(page(t, 1, c), [4]float64{0.1, 0.1, 0.9, 0.9}, func(r, _, b uint32) bool { return b > 0xa0 && r < 0x60 })
		if blue < 0.002 || blue > 0.1 {
			t.Errorf("log %v: a share of %.4f is the first curve", log, blue)
		}
	}
}

// TestEmptyChart: a chart without a value has axes all the same.
func TestEmptyChart(t *testing.T) {
	for _, log := range []bool{false, true} {
		img := page(t, 1, &picture.Chart{Title: "NOTHING", To: 1, Log: log})
		if ink := share(img, [4]float64{0, 0, 1, 1}, func(r, _, _ uint32) bool { return r < 0x80 }); ink < 0.003 {
			t.Errorf("log %v: a share of %.4f is ink", log, ink)
		}
	}
}

// TestPage: panels stand in rows, and words below a panel make its row higher.
func TestPage(t *testing.T) {
	chart := &picture.Chart{To: 1}
	long := &picture.Chart{To: 1, Caption: "A caption that is much too long for one line of four hundred points, and therefore goes on below."}
	one, two := page(t, 2, chart, chart).Bounds().Size(), page(t, 2, chart, long, chart).Bounds().Size()
	if one.X != two.X || one.X < 800 || two.Y < 2*one.Y-60 || two.Y < one.Y+200+32 {
		t.Errorf("a row is %v, a row and a half with a caption %v", one, two)
	}
}

// TestScales: from one shade to the next a scale changes little: none of them
// left the range of a screen and came out as another colour.
func TestScales(t *testing.T) {
	for name, colours := range picture.Scales() {
		for i := 1; i < len(colours); i++ {
			r, g, b, _ := colours[i].RGBA()
			r0, g0, b0, _ := colours[i-1].RGBA()
			d := func(a, b uint32) int { return max(int(a>>8)-int(b>>8), int(b>>8)-int(a>>8)) }
			if d(r, r0) > 20 || d(g, g0) > 20 || d(b, b0) > 20 {
				t.Errorf("%s: shade %d is %v, the next %v", name, i-1, colours[i-1], colours[i])
			}
		}
	}
}
