package picture

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	xdraw "image/draw"
	"io"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A Recorded is a drive as its recording tells it, seen from above in the frame of the
// start: where the brain believed to be, and where it heard something.
type Recorded struct {
	Body    plant.Params
	Samples []Sample // at least one
}

// A Sample is the car at an instant, as its brain believed.
type Sample struct {
	At     time.Duration
	Pose   plant.Pose  // of the rear axle's middle: x ahead at the start, y to the left
	Held   bool        // the reflexes held something against motion
	Echoes []world.Vec // heard since the sample before
}

// errNoSample refuses a drive without an instant.
var errNoSample = errors.New("picture: the recorded drive has no sample to draw")

// Bounds of the moving picture, and the longer side of the ground on both.
const (
	mostFrames  = 250
	frameDelay  = 80 * time.Millisecond
	framesHold  = 1500 * time.Millisecond
	groundLong  = 860 // points
	keyHigh     = 24
	echoRadius  = 1.2
	groundSpare = 0.2 // m around everything
)

// echoInk is the colour of what was heard.
var echoInk = color.NRGBA{130, 128, 122, 255}

// Write draws the whole drive in one of Formats.
func (r *Recorded) Write(w io.Writer, format string) error {
	if len(r.Samples) == 0 {
		return errNoSample
	}
	s := newSketch(r)
	return export(w, format, s.width, s.height, func(c draw.Canvas) {
		s.scenery(c)
		v := s.view(c)
		for i := range r.Samples {
			s.sample(v, i)
		}
		s.now(c, len(r.Samples)-1)
	})
}

// GIF draws the drive as it grows, in at most 250 pictures.
func (r *Recorded) GIF(w io.Writer) error {
	if len(r.Samples) == 0 {
		return errNoSample
	}
	s := newSketch(r)
	each := (len(r.Samples) + mostFrames - 1) / mostFrames
	n := (len(r.Samples) + each - 1) / each
	return GIF(w, n, frameDelay, framesHold, func(i int) *image.RGBA {
		return s.frame(min((i+1)*each, len(r.Samples)) - 1)
	})
}

// A sketch is a recorded drive, its axes and how much of it stands on the paper.
type sketch struct {
	*Letters
	drive         *Recorded
	plot          *plot.Plot
	width, height vg.Length
	paper         *vgimg.Canvas
	done          int       // samples on the paper
	way           []float64 // m driven up to each sample
}

func newSketch(r *Recorded) *sketch {
	s := &sketch{Letters: NewLetters(), drive: r}
	low, high := r.Samples[0].Pose.At, r.Samples[0].Pose.At
	far := 0.0
	for i := range r.Samples {
		at := r.Samples[i].Pose.At
		if i > 0 {
			step := at.Sub(r.Samples[i-1].Pose.At)
			far += math.Hypot(step.X, step.Y)
		}
		s.way = append(s.way, far)
		for _, p := range append([]world.Vec{at}, r.Samples[i].Echoes...) {
			low, high = world.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, world.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
		}
	}
	spare := world.Vec{X: groundSpare, Y: groundSpare}
	low, high = low.Sub(spare), high.Add(spare)
	size := high.Sub(low)
	perMetre := groundLong / max(size.X, size.Y)
	s.plot = s.Plot("", "ahead of the start (m)", "to its left (m)")
	s.plot.X.Min, s.plot.X.Max, s.plot.Y.Min, s.plot.Y.Max = low.X, high.X, low.Y, high.Y
	s.plot.X.Tick.Marker, s.plot.Y.Tick.Marker = metres(perMetre), metres(perMetre)
	wide, tall := framed(s.plot, vg.Length(size.X*perMetre), vg.Length(size.Y*perMetre))
	s.width, s.height = max(wide, narrow)+2*side, tall+above+keyHigh
	return s
}

// area is where the plot with its axes goes.
func (s *sketch) area(c draw.Canvas) draw.Canvas { return draw.Crop(c, side, -side, keyHigh, -above) }

// view returns the ground on a canvas.
func (s *sketch) view(c draw.Canvas) *view {
	return newView(s.plot.DataCanvas(s.area(c)), s.plot)
}

// scenery draws what does not move: axes, grid, and the words.
func (s *sketch) scenery(c draw.Canvas) {
	c.FillText(s.Bold(large, ink), vg.Point{X: side, Y: c.Max.Y - 26}, "What the brain believed")
	v := s.view(c)
	low, high := world.Vec{X: s.plot.X.Min, Y: s.plot.Y.Min}, world.Vec{X: s.plot.X.Max, Y: s.plot.Y.Max}
	v.floor(&world.World{Min: low, Max: high}, s.plot)
	s.plot.Draw(s.area(c))
	words, x, y := s.Text(medium, note), vg.Length(side), c.Min.Y+8
	for _, k := range []struct {
		shade color.NRGBA
		wide  vg.Length
		text  string
	}{{chassis, 2.4, "way"}, {fault, 2.4, "the reflexes held it back"}, {echoInk, 0, "echo"}} {
		if k.wide > 0 {
			c.StrokeLine2(draw.LineStyle{Color: k.shade, Width: k.wide}, x, y+4, x+20, y+4)
		} else {
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: k.shade, Radius: 2.5, Shape: draw.CircleGlyph{}}, vg.Point{X: x + 10, Y: y + 4})
		}
		c.FillText(words, vg.Point{X: x + 26, Y: y}, k.text)
		x += 26 + words.Width(k.text) + 22
	}
	begin(c, vg.Point{X: x + 10, Y: y + 4})
	c.FillText(words, vg.Point{X: x + 22, Y: y}, "start")
}

// sample draws the way up to a sample, and what was heard there.
func (s *sketch) sample(v *view, i int) {
	now := &s.drive.Samples[i]
	dot := draw.GlyphStyle{Color: echoInk, Radius: echoRadius, Shape: draw.CircleGlyph{}}
	for _, p := range now.Echoes {
		v.DrawGlyphNoClip(dot, v.at(p))
	}
	if i == 0 {
		begin(v.Canvas, v.at(now.Pose.At))
		return
	}
	shade := chassis
	if now.Held {
		shade = fault
	}
	v.stroke(v.through([]world.Vec{s.drive.Samples[i-1].Pose.At, now.Pose.At}), 2.4, shade)
}

// now draws the car where it is at a sample, and says how far it has come.
func (s *sketch) now(c draw.Canvas, i int) {
	at := &s.drive.Samples[i]
	s.view(c).car(at.Pose, 0, &s.drive.Body)
	since := at.At - s.drive.Samples[0].At
	c.FillText(s.Text(medium, note), vg.Point{X: side, Y: c.Max.Y - 46}, fmt.Sprintf("%.1f s, %.1f m driven by its own reckoning", since.Seconds(), s.way[i]))
}

// frame returns the picture of a sample. Whoever asks for one sample after the other
// has each drawn once.
func (s *sketch) frame(i int) *image.RGBA {
	if s.paper == nil || i < s.done-1 {
		s.paper, s.done = vgimg.NewWith(vgimg.UseWH(s.width, s.height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(paper)), 0
		s.scenery(draw.New(s.paper))
	}
	for v := s.view(draw.New(s.paper)); s.done <= i; s.done++ {
		s.sample(v, s.done)
	}
	still := s.paper.Image().(*image.RGBA)
	out := image.NewRGBA(still.Rect)
	copy(out.Pix, still.Pix)
	c := vgimg.NewWith(vgimg.UseWH(s.width, s.height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.Transparent))
	s.now(draw.New(c), i)
	xdraw.Draw(out, out.Rect, c.Image(), image.Point{}, xdraw.Over)
	return out
}
