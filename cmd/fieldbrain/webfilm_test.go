package main

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"sort"
	"testing"
	"time"
)

// A movie is a moving picture of the page: at a desk, so many pictures, one every so long.
type movie struct {
	width, height int // CSS pixels
	pictures      int
	every         time.Duration
	before        func() // in a window of that size
}

// film writes what the page looks like over a while, if somebody wants pictures.
func (b *browser) film(name string, f movie) {
	b.t.Helper()
	folder := os.Getenv("FIELDBRAIN_PICTURES")
	if folder == "" {
		return
	}
	b.devtools("Emulation.setDeviceMetricsOverride", map[string]any{"width": f.width, "height": f.height, "deviceScaleFactor": 1, "mobile": false})
	f.before()
	b.run("scrollTo(0, 0)")
	time.Sleep(time.Second) // the page finds its new form
	var frames []image.Image
	next := time.Now()
	for range f.pictures {
		v := b.devtools("Page.captureScreenshot", map[string]any{"format": "png"})
		data, err := base64.StdEncoding.DecodeString(v.(map[string]any)["data"].(string))
		if err != nil {
			b.t.Fatal(err)
		}
		frame, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			b.t.Fatal(err)
		}
		frames = append(frames, frame)
		next = next.Add(f.every)
		time.Sleep(time.Until(next))
	}
	b.devtools("Emulation.clearDeviceMetricsOverride", map[string]any{})
	var file bytes.Buffer
	err := gif.EncodeAll(&file, animate(frames, f.every))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".gif"), file.Bytes(), 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// animate makes one moving picture of many pictures of a size. Behind the first each
// holds only what differs from the one before.
func animate(frames []image.Image, every time.Duration) *gif.GIF {
	shades, nearest := shadesOf(frames)
	g := &gif.GIF{}
	var before *image.Paletted
	for _, frame := range frames {
		whole := image.NewPaletted(frame.Bounds(), shades)
		for y := whole.Rect.Min.Y; y < whole.Rect.Max.Y; y++ {
			for x := whole.Rect.Min.X; x < whole.Rect.Max.X; x++ {
				whole.SetColorIndex(x, y, nearest(frame.At(x, y)))
			}
		}
		g.Image = append(g.Image, changed(before, whole))
		g.Delay = append(g.Delay, int(every/(10*time.Millisecond)))
		g.Disposal = append(g.Disposal, gif.DisposalNone)
		before = whole
	}
	g.Delay[len(g.Delay)-1] = 200 // the end stays a little
	return g
}

// changed returns the part of a picture in which it differs from the one before, with
// what is the same in it left transparent; index 0 is that.
func changed(before, now *image.Paletted) *image.Paletted {
	if before == nil {
		return now
	}
	box := image.Rectangle{}
	for y := now.Rect.Min.Y; y < now.Rect.Max.Y; y++ {
		for x := now.Rect.Min.X; x < now.Rect.Max.X; x++ {
			if now.ColorIndexAt(x, y) != before.ColorIndexAt(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	part := image.NewPaletted(box, now.Palette)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if i := now.ColorIndexAt(x, y); i != before.ColorIndexAt(x, y) {
				part.SetColorIndex(x, y, i)
			}
		}
	}
	return part
}

// shadesOf returns the colours that the pictures have most of, behind the transparent one,
// and which of them is nearest to a colour.
func shadesOf(frames []image.Image) (color.Palette, func(color.Color) uint8) {
	const bits = 5 // of each of red, green and blue
	bin := func(c color.Color) int {
		r, g, b, _ := c.RGBA()
		return int(r>>(16-bits))<<(2*bits) | int(g>>(16-bits))<<bits | int(b>>(16-bits))
	}
	type shade struct{ n, r, g, b int }
	all := make([]shade, 1<<(3*bits))
	for _, frame := range frames {
		size := frame.Bounds()
		for y := size.Min.Y; y < size.Max.Y; y++ {
			for x := size.Min.X; x < size.Max.X; x++ {
				c := frame.At(x, y)
				r, g, b, _ := c.RGBA()
				s := &all[bin(c)]
				s.n, s.r, s.g, s.b = s.n+1, s.r+int(r>>8), s.g+int(g>>8), s.b+int(b>>8)
			}
		}
	}
	most := append([]shade(nil), all...)
	sort.SliceStable(most, func(i, j int) bool { return most[i].n > most[j].n })
	shades := color.Palette{color.Transparent}
	for _, s := range most[:255] {
		if s.n > 0 {
			shades = append(shades, color.RGBA{uint8(s.r / s.n), uint8(s.g / s.n), uint8(s.b / s.n), 255})
		}
	}
	known := map[int]uint8{}
	return shades, func(c color.Color) uint8 {
		at := bin(c)
		if i, is := known[at]; is {
			return i
		}
		best, least := 1, math.MaxInt
		s := all[at]
		for i, p := range shades[1:] {
			q := p.(color.RGBA)
			dr, dg, db := s.r/s.n-int(q.R), s.g/s.n-int(q.G), s.b/s.n-int(q.B)
			if d := dr*dr + dg*dg + db*db; d < least {
				best, least = i+1, d
			}
		}
		known[at] = uint8(best)
		return uint8(best)
	}
}

// TestAnimate: each picture of a moving one is what it was, whatever it leaves out.
func TestAnimate(t *testing.T) {
	var frames []image.Image
	for i := range 3 {
		frame := image.NewRGBA(image.Rect(0, 0, 40, 30))
		for y := range 30 {
			for x := range 40 {
				frame.Set(x, y, color.RGBA{255, 255, 255, 255})
			}
		}
		frame.Set(5+i, 7, color.RGBA{200, 0, 0, 255})
		frames = append(frames, frame)
	}
	g := animate(frames, 100*time.Millisecond)
	shown := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i, part := range g.Image {
		for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
			for x := part.Rect.Min.X; x < part.Rect.Max.X; x++ {
				if part.ColorIndexAt(x, y) != 0 {
					shown.Set(x, y, part.At(x, y))
				}
			}
		}
		if !bytes.Equal(shown.Pix, frames[i].(*image.RGBA).Pix) {
			t.Errorf("picture %d differs", i)
		}
		if i > 0 && part.Rect.Dx()*part.Rect.Dy() > 2 {
			t.Errorf("picture %d holds %v, though two cells changed", i, part.Rect)
		}
	}
}
