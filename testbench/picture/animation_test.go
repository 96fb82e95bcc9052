package picture_test

import (
	"bytes"
	"image"
	"image/color"
	xdraw "image/draw"
	"image/gif"
	"math"
	"testing"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

// moments are what a brain might show whose peak wanders from the left to the
// right.
func moments(n int) (all []picture.Moment) {
	for i := range n {
		m := picture.Moment{At: time.Duration(i) * 100 * time.Millisecond, Beams: []picture.Beam{{Range: 0.5}}}
		peak := 1 - 2*float64(i)/float64(n-1) // rad
		for bin := range 32 {
			d := math.Remainder(float64(bin-16)*math.Pi/16-peak, 2*math.Pi)
			u := 14*math.Exp(-d*d/0.1) - 6
			m.Input, m.Activation = append(m.Input, u/2), append(m.Activation, u)
			m.Output = append(m.Output, min(max(u/6+0.5, 0), 1))
		}
		m.Peaks = []float64{peak}
		all = append(all, m)
	}
	return all
}

// drive returns two seconds of a run.
func drive(t *testing.T) *testbench.Result {
	t.Helper()
	sc, err := scenarios.Load("goal")
	if err != nil {
		t.Fatal(err)
	}
	r, err := testbench.Run(sc, 3, testbench.Vendor, testbench.Options{Length: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAnimation: the peak's colour wanders over the curve as the peak does, left
// is left, and the past below it grows.
func TestAnimation(t *testing.T) {
	var b bytes.Buffer
	a := picture.Animation{Title: "Test", Delay: 80 * time.Millisecond, Hold: time.Second}
	if err := a.Write(&b, drive(t), moments(20)); err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	if len(film.Image) != 20 || film.Delay[0] != 8 || film.Delay[19] != 108 || film.LoopCount != 0 {
		t.Fatalf("%d pictures, delays %v, loops %d", len(film.Image), film.Delay, film.LoopCount)
	}
	first, last := shown(film, 0), shown(film, 19)
	orange := func(img image.Image, area image.Rectangle) (x, n float64) {
		for py := area.Min.Y; py < area.Max.Y; py++ {
			for px := area.Min.X; px < area.Max.X; px++ {
				if r, g, b, _ := img.At(px, py).RGBA(); r > 0x8000 && g < 0x9000 && b < 0x6000 {
					x, n = x+float64(px), n+1
				}
			}
		}
		return x / n, n
	}
	curve, past := image.Rect(530, 80, 790, 150), image.Rect(530, 275, 790, 390)
	left, _ := orange(first, curve)
	right, _ := orange(last, curve)
	if right-left < 60 {
		t.Errorf("the peak goes from pixel %.0f to %.0f", left, right)
	}
	_, little := orange(first, past)
	_, much := orange(last, past)
	if little == 0 || much < 10*little {
		t.Errorf("%.0f pixels of the past at first, %.0f in the end", little, much)
	}
}

// shown returns picture i as a viewer shows it: each picture's part, drawn over
// the last.
func shown(film *gif.GIF, i int) image.Image {
	out := image.NewRGBA(film.Image[0].Rect)
	for _, part := range film.Image[:i+1] {
		xdraw.Draw(out, part.Rect, part, part.Rect.Min, xdraw.Over)
	}
	return out
}

// TestGIF: a viewer decodes the pictures that the bench drew, although each
// holds only its changes, and nothing where nothing changed.
func TestGIF(t *testing.T) {
	paint := func(i int) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 40, 30))
		xdraw.Draw(img, img.Rect, image.NewUniform(color.RGBA{250, 250, 250, 255}), image.Point{}, xdraw.Src)
		at := image.Rect(i/2*5, 10, i/2*5+4, 14) // two pictures each are equal
		xdraw.Draw(img, at, image.NewUniform(color.RGBA{200, 20, 20, 255}), image.Point{}, xdraw.Src)
		return img
	}
	var b bytes.Buffer
	if err := picture.GIF(&b, 8, 100*time.Millisecond, 0, paint); err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range film.Image {
		want, got := paint(i), shown(film, i)
		for y := range 30 {
			for x := range 40 {
				if want.RGBAAt(x, y) != color.RGBAModel.Convert(got.At(x, y)) {
					t.Fatalf("picture %d, pixel %d, %d: %v, want %v", i, x, y, got.At(x, y), want.RGBAAt(x, y))
				}
			}
		}
		if size := film.Image[i].Rect.Size(); i > 0 && size.X*size.Y > 60 {
			t.Errorf("picture %d holds %v pixels", i, size)
		}
	}
	if err := picture.GIF(&b, 0, 0, 0, paint); err == nil {
		t.Error("made an animation of nothing")
	}
}

func TestAnimationOfNothing(t *testing.T) {
	for name, r := range map[string]*testbench.Result{"no track": {}, "no moments": drive(t)} {
		if err := (picture.Animation{}).Write(new(bytes.Buffer), r, nil); err == nil {
			t.Errorf("%s: drawn", name)
		}
	}
}
