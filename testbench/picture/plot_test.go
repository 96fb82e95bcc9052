package picture_test

import (
	"bytes"
	"image/png"
	"math"
	"testing"

	"fieldbrain/testbench/picture"
)

// TestStrips: the last place is up, and a high value is dark.
func TestStrips(t *testing.T) {
	values := make([][]float64, 50)
	for i := range values {
		values[i] = []float64{0, 0, 0, 1}
	}
	var b bytes.Buffer
	if err := picture.Strips(&b, picture.Strip{Title: "TEST", Values: values, Top: 1, Seconds: 10, Bottom: "low", Above: "high"}); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	dark := func(y int) bool { r, _, _, _ := img.At(200, y).RGBA(); return r < 0x9000 }
	if !dark(30) || dark(100) {
		t.Errorf("the last place is dark: %v, the first: %v; want true and false", dark(30), dark(100))
	}
}

// TestChart: curves with gaps, zeros and infinities are drawn where they are
// numbers.
func TestChart(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := picture.Chart{Title: "TEST", Across: 4, Unit: "trials", Log: log, Curves: []picture.Curve{
			{Name: "a", Values: []float64{1, 0.1, 0, 0.001}},
			{Name: "b", Values: []float64{math.NaN(), math.Inf(1), 1, 1}, Dots: true},
		}}
		var b bytes.Buffer
		if err := c.Draw(&b); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		blue := 0
		for y := 34; y < 184; y++ {
			for x := 60; x < 620; x++ {
				if r, _, bl, _ := img.At(x, y).RGBA(); bl > 0xa000 && r < 0x6000 {
					blue++
				}
			}
		}
		if blue < 100 {
			t.Errorf("log %v: %d pixels of the first curve", log, blue)
		}
	}
}

func TestEmptyChart(t *testing.T) {
	c := picture.Chart{Title: "NOTHING", Across: 1}
	if err := c.Draw(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}
