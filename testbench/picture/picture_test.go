package picture_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbrain/testbench"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
	"fieldbrain/testbench/world"
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
	tier.Native(t, "the logic is the same everywhere, and equal hashes carry the field over")
	names := scenarios.Names()
	i := slices.Index(names, "goal")
	names[0], names[i] = names[i], names[0]
	for _, name := range names[:tier.Count(t, "scenarios", 6, len(names), len(names))] {
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

// TestThePlotIsToScale: the picture shows the car where the world says it is,
// and one metre is as long across as it is up.
func TestThePlotIsToScale(t *testing.T) {
	p := picture.Params{Width: 800}
	img, r := draw(t, "room", p)
	last := r.Track.Trail[len(r.Track.Trail)-1].Pose
	x, y := picture.Pixel(r, p, last.At.Add(world.Unit(last.Heading).Scale(0.01)))
	got := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
	if int(got.B)-int(got.R) < 60 { // the chassis is blue
		t.Errorf("no car at the pixel %d, %d of its rear axle: %v", x, y, got)
	}
	x0, y0 := picture.Pixel(r, p, world.Vec{})
	x1, y1 := picture.Pixel(r, p, world.Vec{X: 4, Y: 3})
	if d := x1 - x0; d < 799 || d > 801 || (y0-y1)*4-d*3 > 4 || d*3-(y0-y1)*4 > 4 {
		t.Errorf("a room of 4 m x 3 m is %d x %d pixels, want 800 x 600", d, y0-y1)
	}
	if r, _, _, _ := img.At(x1, (y0+y1)/2).RGBA(); r > 0x6000 {
		t.Error("no wall at x = 4 m")
	}
}

// TestFormats: every format begins as such files do, and another is refused by
// the names of those there are.
func TestFormats(t *testing.T) {
	_, r := draw(t, "goal", picture.Params{Width: 200})
	begins := map[string]string{"png": "\x89PNG", "jpg": "\xff\xd8", "jpeg": "\xff\xd8", "svg": "<?xml"}
	for _, format := range picture.Formats() {
		var b bytes.Buffer
		if err := picture.Write(&b, format, r, picture.Params{Width: 200}); err != nil {
			t.Fatal(err)
		}
		if want := begins[format]; want == "" || !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s begins with %q, want %q", format, b.String()[:5], want)
		}
	}
	if err := picture.Write(io.Discard, "bmp", r, picture.Default()); err == nil || !strings.Contains(err.Error(), "png, jpg") {
		t.Errorf("bmp: %v", err)
	}
}

func TestFormatOf(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"a.png", "png"}, {"a.b/run.JPG", "jpg"}, {"x.svg", "svg"}, {"x.bmp", ""}, {"png", ""}, {"a.png/run", ""},
	} {
		got, err := picture.FormatOf(tt.path)
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v; want %q", tt.path, got, err, tt.want)
		}
	}
}

// TestSamePicture: equal runs give equal files, on every machine.
func TestSamePicture(t *testing.T) {
	_, r := draw(t, "goal", picture.Params{Width: 300})
	var b bytes.Buffer
	if err := picture.PNG(&b, r, picture.Params{Width: 300}); err != nil {
		t.Fatal(err)
	}
	const want = "1b5ce8dea4a62b88"
	if got := fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))[:16]; got != want {
		t.Errorf("the picture's hash is %s, want %s", got, want)
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
	// Output: 1073 931 <nil>
}
