package picture

import (
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Formats lists what pictures can be written as, by the endings of files.
func Formats() []string { return []string{"png", "jpg", "jpeg", "svg"} }

// FormatOf returns the format that a file's ending asks for.
func FormatOf(path string) (string, error) {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if !slices.Contains(Formats(), format) {
		return "", fmt.Errorf("picture: %s: a picture's file ends in .%s", path, strings.Join(Formats(), ", ."))
	}
	return format, nil
}

// dpi makes one point one pixel.
const dpi = 72

// export draws on paper of the given size and writes it.
func export(w io.Writer, format string, width, height vg.Length, paint func(c draw.Canvas)) error {
	var err error
	switch format {
	case "png":
		img := bitmap(width, height, paint)
		err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, Paint(img, Palette(Colours, img)))
	case "jpg", "jpeg":
		err = jpeg.Encode(w, bitmap(width, height, paint), &jpeg.Options{Quality: 92})
	case "svg":
		c := vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(true))
		blank(draw.New(c), paint)
		_, err = c.WriteTo(w)
	default:
		return fmt.Errorf("picture: no format %q; there are %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("picture: write: %w", err)
	}
	return nil
}

// bitmap draws as pixels on white paper.
func bitmap(width, height vg.Length, paint func(c draw.Canvas)) *image.RGBA {
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(paper))
	paint(draw.New(c))
	return c.Image().(*image.RGBA)
}

// blank paints the paper white before anything else.
func blank(c draw.Canvas, paint func(c draw.Canvas)) {
	c.SetColor(paper)
	c.Fill(c.Rectangle.Path())
	paint(c)
}
