package picture_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

func draw(t testing.TB, name string, p picture.Params) (image.Image, *testbench.Result) {
	t.Helper()
	sc, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := testbench.Run(sc, 3, testbench.Vendor, testbench.Options{Length: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := picture.PNG(&b, r, p); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("PICTURES"); dir != "" { // to look at them
		if err := os.WriteFile(dir+"/"+name+".png", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img, r
}

// Every scenario can be drawn, and the picture shows more than a few colours.
func TestEveryScenario(t *testing.T) {
	for _, name := range scenarios.Names() {
		p := picture.Default()
		p.Width = 250
		p.ByTime = name == "goal"
		img, _ := draw(t, name, p)
		colours := map[color.Color]bool{}
		b := img.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				colours[img.At(x, y)] = true
			}
		}
		if len(colours) < 20 || b.Dx() < 250 || b.Dy() < 120 {
			t.Errorf("%s: %v with %d colours", name, b, len(colours))
		}
	}
}

// The body's last place is drawn where the world says it is.
func TestThePlotIsToScale(t *testing.T) {
	p := picture.Params{Width: 800}
	img, r := draw(t, "room", p)
	last := r.Track.Trail[len(r.Track.Trail)-1].Pose
	const side, above = 24, 64
	scale := float64(p.Width) / 4 // px per metre of a room 4 m long
	x := side + int(last.At.X*scale)
	y := above + int(3*scale) + 1 - int(last.At.Y*scale)
	got := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
	if int(got.B)-int(got.R) < 60 { // the bar from axle to nose is blue
		t.Errorf("no car at the pixel %d, %d of its rear axle: %v", x, y, got)
	}
}

func TestNoTrack(t *testing.T) {
	if err := picture.PNG(&bytes.Buffer{}, &testbench.Result{}, picture.Default()); err == nil {
		t.Error("drew a run without a track")
	}
}

func Example() {
	sc, err := scenarios.Load("goal")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := testbench.Run(sc, 1, testbench.Vendor, testbench.Options{Length: 5 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	if err := picture.PNG(&b, r, picture.Default()); err != nil {
		fmt.Println(err)
		return
	}
	img, err := png.DecodeConfig(&b)
	fmt.Println(img.Width, img.Height, err)
	// Output: 1049 863 <nil>
}
