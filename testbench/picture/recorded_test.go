package picture_test

import (
	"bytes"
	"image"
	xdraw "image/draw"
	"image/png"
	"io"
	"math"
	"testing"
	"time"

	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// bend is a recorded drive of five seconds in a quarter of a circle, the last second
// of which something held back.
func bend() *picture.Recorded {
	r := &picture.Recorded{Body: plant.Default()}
	for i := range 100 {
		sin, cos := math.Sincos(float64(i) / 100 * math.Pi / 2)
		r.Samples = append(r.Samples, picture.Sample{
			At: time.Duration(i) * 50 * time.Millisecond, Pose: plant.Pose{At: world.Vec{X: sin, Y: 1 - cos}, Heading: math.Atan2(sin, cos)},
			Held: i >= 80, Echoes: []world.Vec{{X: 2, Y: float64(i) / 100}},
		})
	}
	return r
}

// TestRecorded: the way is blue, and red where something held the car back; what was
// heard is grey; frame by frame, in any order, there is more of the way, and the last
// frame is the still picture.
func TestRecorded(t *testing.T) {
	r := bend()
	var b bytes.Buffer
	if err := r.Write(&b, "png"); err != nil {
		t.Fatal(err)
	}
	still, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	frames := picture.Frames(r)
	last := frames(99)
	if still.Bounds() != last.Rect {
		t.Errorf("the still picture is %v large, the last frame %v", still.Bounds(), last.Rect)
	}
	blue := func(i int) int { return count(frames(i), func(r, _, b uint8) bool { return r < 60 && b > 180 }) }
	red := func(i int) int {
		return count(frames(i), func(r, g, b uint8) bool { return r > 180 && g < 80 && b < 80 })
	}
	grey := func(i int) int {
		return count(frames(i), func(r, g, b uint8) bool { return r == 130 && g == 128 && b == 122 })
	}
	if far, near := blue(70), blue(20); far <= near {
		t.Errorf("%d blue pixels after 70 samples, %d after 20", far, near)
	}
	if held, free := red(99), red(79); held <= free {
		t.Errorf("%d red pixels where it was held back, %d before", held, free)
	}
	if all, few := grey(99), grey(9); all < 5*few {
		t.Errorf("%d pixels of 100 echoes, %d of 10", all, few)
	}
	glass := func(img *image.RGBA) int {
		return count(img, func(r, g, b uint8) bool { return r == 190 && g == 215 && b == 248 })
	}
	rgba := image.NewRGBA(still.Bounds())
	xdraw.Draw(rgba, rgba.Rect, still, image.Point{}, xdraw.Src)
	for i, img := range []*image.RGBA{frames(20), frames(70), last, rgba} {
		if n := glass(img); n == 0 || n > 2*glass(last) {
			t.Errorf("picture %d: %d pixels of the car's window, %d in the last frame: no car, or several", i, n, glass(last))
		}
	}
	if again := frames(99); !bytes.Equal(again.Pix, last.Pix) {
		t.Error("the same frame differs from itself after others")
	}
	for _, write := range []func(*picture.Recorded) error{
		func(r *picture.Recorded) error { return r.Write(io.Discard, "png") },
		func(r *picture.Recorded) error { return r.GIF(io.Discard) },
	} {
		if err := write(&picture.Recorded{}); err == nil {
			t.Error("a drive without a sample was drawn")
		}
	}
}

// count counts pixels.
func count(img *image.RGBA, is func(r, g, b uint8) bool) (n int) {
	for i := 0; i < len(img.Pix); i += 4 {
		if is(img.Pix[i], img.Pix[i+1], img.Pix[i+2]) {
			n++
		}
	}
	return n
}
