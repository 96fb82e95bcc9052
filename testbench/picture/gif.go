package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"time"
)

// GIF writes n pictures of one size as an animation that runs for ever. Every
// picture stays for delay, the last for hold as well. All share one palette, and
// each holds only what changed: few pixels do, so the file is small.
func GIF(w io.Writer, n int, delay, hold time.Duration, paint func(i int) *image.RGBA) error {
	if n == 0 {
		return errors.New("picture: an animation without a picture")
	}
	const samples = 12
	var some []*image.RGBA
	for i := range min(samples, n) {
		some = append(some, paint(i*(n-1)/max(min(samples, n)-1, 1)))
	}
	shades := append(Palette(Colours-1, some...), color.RGBA{}) // the last one is see-through: as before
	film := gif.GIF{Config: image.Config{ColorModel: shades, Width: some[0].Rect.Dx(), Height: some[0].Rect.Dy()}}
	var before *image.Paletted
	for i := range n {
		img := Paint(paint(i), shades[:len(shades)-1])
		img.Palette = shades
		film.Image = append(film.Image, changed(before, img, uint8(len(shades)-1)))
		film.Delay = append(film.Delay, int(delay/(10*time.Millisecond)))
		film.Disposal = append(film.Disposal, gif.DisposalNone)
		before = img
	}
	film.Delay[n-1] += int(hold / (10 * time.Millisecond))
	if err := gif.EncodeAll(w, &film); err != nil {
		return fmt.Errorf("picture: write: %w", err)
	}
	return nil
}

// changed returns the smallest rectangle of a picture that holds every pixel which
// differs from the one before, with the others see-through.
func changed(before, now *image.Paletted, clear uint8) *image.Paletted {
	if before == nil {
		return now
	}
	var area image.Rectangle
	for y := range now.Rect.Dy() {
		row, old := now.Pix[y*now.Stride:(y+1)*now.Stride], before.Pix[y*now.Stride:(y+1)*now.Stride]
		if bytes.Equal(row, old) {
			continue
		}
		first, last := 0, len(row)-1
		for row[first] == old[first] {
			first++
		}
		for row[last] == old[last] {
			last--
		}
		area = area.Union(image.Rect(first, y, last+1, y+1))
	}
	if area.Empty() {
		area = image.Rect(0, 0, 1, 1)
	}
	out := image.NewPaletted(area, now.Palette)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			i := y*now.Stride + x
			if out.Pix[out.PixOffset(x, y)] = now.Pix[i]; now.Pix[i] == before.Pix[i] {
				out.Pix[out.PixOffset(x, y)] = clear
			}
		}
	}
	return out
}
