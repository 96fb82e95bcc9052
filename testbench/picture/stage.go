package picture

import (
	"fmt"
	"image"
	"image/color"
	xdraw "image/draw"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/world"
)

// A stage holds the scenery, which does not move, and the places of the rest.
type stage struct {
	*Letters
	run     *testbench.Result
	moments []Moment
	still   *image.RGBA
	room    *plot.Plot // only for its axes
	area    vg.Rectangle
	curve   *plot.Plot
	heat    scale
}

func newStage(a Animation, r *testbench.Result, moments []Moment) *stage {
	s := &stage{Letters: NewLetters(), run: r, moments: moments, heat: newScale(0, 1, true, color.NRGBA{150, 50, 24, 255}, peakInk, paper)}
	low, high := r.Track.World.Min, r.Track.World.Max
	s.room = s.Plot("", "", "")
	s.room.X.Min, s.room.X.Max, s.room.Y.Min, s.room.Y.Max = low.X, high.X, low.Y, high.Y
	perMetre := math.Min(mapWide/(high.X-low.X), mapTall/(high.Y-low.Y))
	s.room.X.Tick.Marker, s.room.Y.Tick.Marker = metres(perMetre), metres(perMetre)
	size := vg.Point{X: vg.Length(perMetre * (high.X - low.X)), Y: vg.Length(perMetre * (high.Y - low.Y))}
	corner := vg.Point{X: mapLeft, Y: stageTall - mapTop - size.Y}
	s.area = vg.Rectangle{Min: corner, Max: corner.Add(size)}
	s.curve = s.Plot("", "", "activation")
	s.curve.X.Min, s.curve.X.Max, s.curve.Y.Min, s.curve.Y.Max = -180, 180, lowest, highest
	s.curve.X.Tick.Marker = plot.ConstantTicks{
		{Value: -180, Label: "behind"},
		{Value: -90, Label: "left"},
		{Value: 0, Label: "ahead"},
		{Value: 90, Label: "right"},
		{Value: 180, Label: "behind"},
	}
	s.curve.Y.Tick.Marker = ticks([]float64{-15, -10, -5, 0, 5, 10}, nil)
	s.still = bitmap(stageWide, stageTall, func(c draw.Canvas) { s.scenery(c, a.Title) })
	return s
}

// view returns the world on a canvas.
func (s *stage) view(c draw.Canvas) *view {
	return newView(draw.Canvas{Canvas: c.Canvas, Rectangle: s.area}, s.room)
}

// field returns where the curve stands on a canvas.
func (s *stage) field(c draw.Canvas) draw.Canvas {
	return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: fieldLeft, Y: stageTall - mapTop - curveTall},
		Max: vg.Point{X: fieldLeft + fieldWide, Y: stageTall - mapTop},
	}}
}

// scenery draws what does not move.
func (s *stage) scenery(c draw.Canvas, title string) {
	c.FillText(s.Bold(large-1, ink), vg.Point{X: mapLeft, Y: stageTall - 30}, title)
	c.FillText(s.Bold(medium, ink), vg.Point{X: fieldLeft, Y: stageTall - 30}, "The heading field: one cell per direction")
	v := s.view(c)
	v.floor(s.run.Track.World, s.room)
	v.obstacles(s.run.Track.World)
	if s.run.Track.World.HasGoal {
		mark(c, v.at(s.run.Track.World.Goal), testbench.Goal)
	}
	s.curve.Draw(s.field(c))
	inner := s.inner(c)
	zero := inner.Min.Y + inner.Size().Y*vg.Length(-lowest/(highest-lowest))
	c.StrokeLine2(draw.LineStyle{Color: grid, Width: 1}, inner.Min.X, zero, inner.Max.X, zero)
	fall := s.fall(c)
	c.SetLineStyle(draw.LineStyle{Color: note, Width: 0.8})
	c.Stroke(fall.Path())
	words := s.Text(small, note)
	words.XAlign = draw.XCenter
	c.FillText(words, vg.Point{X: (fall.Min.X + fall.Max.X) / 2, Y: fall.Min.Y - 15}, "its output, moment below moment: dark is a peak")
	s.key(c)
}

// key says below the map what moves in it.
func (s *stage) key(c draw.Canvas) {
	x, y := s.area.Min.X, s.area.Min.Y-18
	words := s.Text(small+1, note)
	for _, k := range []struct {
		shade color.NRGBA
		text  string
	}{{beamInk, "sonar beams"}, {peakInk, "where the peak points"}, {trailInk, "the way so far"}} {
		if k.shade == beamInk || k.shade == peakInk {
			k.shade.A = 130
		}
		c.StrokeLine2(draw.LineStyle{Color: k.shade, Width: 4}, x, y+4, x+20, y+4)
		c.FillText(words, vg.Point{X: x + 26, Y: y}, k.text)
		x += 26 + words.Width(k.text) + 22
	}
}

// inner is the curve's area without its axes.
func (s *stage) inner(c draw.Canvas) draw.Canvas { return s.curve.DataCanvas(s.field(c)) }

// fall is where the field's past stands, right below the curve.
func (s *stage) fall(c draw.Canvas) vg.Rectangle {
	inner := s.inner(c)
	return vg.Rectangle{
		Min: whole(vg.Point{X: inner.Min.X, Y: stageTall - fallTop - fallTall}),
		Max: whole(vg.Point{X: inner.Max.X, Y: stageTall - fallTop}),
	}
}

// paint draws one moment over the scenery.
func (s *stage) paint(i int) *image.RGBA {
	out := image.NewRGBA(s.still.Rect)
	copy(out.Pix, s.still.Pix)
	c := vgimg.NewWith(vgimg.UseWH(stageWide, stageTall), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.Transparent))
	canvas := draw.New(c)
	m := &s.moments[i]
	pose, speed := s.pose(m.At)
	s.past(out, canvas, i)
	s.drive(s.view(canvas), m, pose)
	s.decide(canvas, m)
	clock := s.Text(medium, note)
	clock.XAlign = draw.XRight
	canvas.FillText(clock, vg.Point{X: mapLeft + mapWide, Y: stageTall - 30}, fmt.Sprintf("%4.1f s   %.2f m/s", m.At.Seconds(), speed))
	xdraw.Draw(out, out.Rect, c.Image(), image.Point{}, xdraw.Over)
	return out
}

// pose returns where the car was at an instant, between two points of the trail.
func (s *stage) pose(at time.Duration) (plant.Pose, float64) {
	trail := s.run.Track.Trail
	i := 0
	for i+2 < len(trail) && trail[i+1].At <= at {
		i++
	}
	a := trail[i]
	if i+1 == len(trail) {
		return a.Pose, a.Speed
	}
	b := trail[i+1]
	k := min(max((at-a.At).Seconds()/(b.At-a.At).Seconds(), 0), 1)
	return plant.Pose{
		At:      a.Pose.At.Add(b.Pose.At.Sub(a.Pose.At).Scale(k)),
		Heading: a.Pose.Heading + k*math.Remainder(b.Pose.Heading-a.Pose.Heading, 2*math.Pi),
	}, a.Speed + k*(b.Speed-a.Speed)
}

// drive draws the way until now, the beams, where the peaks point, and the car.
func (s *stage) drive(v *view, m *Moment, pose plant.Pose) {
	track := s.run.Track
	var way []world.Vec
	for i := range track.Trail {
		if track.Trail[i].At <= m.At {
			way = append(way, middle(track, i))
		}
	}
	f := frame{pose.At, world.Unit(pose.Heading)}
	if len(way) > 0 {
		v.stroke(v.through(append(way, f.place(track.Body.BodyAhead, 0))), 2.4, trailInk)
	}
	eye := f.place(track.Body.SonarAhead, 0)
	for _, b := range m.Beams {
		end := eye.Add(world.Unit(pose.Heading + b.Bearing).Scale(b.Range))
		v.stroke(v.through([]world.Vec{eye, end}), 1.6, beamInk)
	}
	centre := f.place(track.Body.BodyAhead, 0)
	for _, p := range m.Peaks {
		v.fan(centre, pose.Heading+p)
	}
	v.car(pose, m.Steering, &track.Body)
}

// fan draws the direction of a peak around the car.
func (v *view) fan(centre world.Vec, direction float64) {
	const reach, half = 0.42, 0.26 // m, rad
	points := []world.Vec{centre}
	for i := range 9 {
		points = append(points, centre.Add(world.Unit(direction-half+half*float64(i)/4).Scale(reach)))
	}
	shade := peakInk
	shade.A = 90
	v.fill(v.polygon(points...), shade)
}

// decide draws the field's input, its activation and its peaks.
func (s *stage) decide(c draw.Canvas, m *Moment) {
	inner := s.inner(c)
	x, y := s.curve.Transforms(&inner)
	line := func(values []float64) (points []vg.Point) {
		n := len(values)
		for i := range n + 1 { // the circle ends where it began
			v := values[(n-i)%n]
			points = append(points, vg.Point{X: x(-180 + 360*float64(i)/float64(n)), Y: y(v)})
		}
		return points
	}
	curve := line(m.Activation)
	area := []vg.Point{{X: x(-180), Y: y(0)}}
	for _, p := range curve {
		area = append(area, vg.Point{X: p.X, Y: max(p.Y, y(0))})
	}
	shade := peakInk
	shade.A = 60
	c.FillPolygon(shade, append(area, vg.Point{X: x(180), Y: y(0)}))
	c.StrokeLines(draw.LineStyle{Color: inputInk, Width: 1.6}, inner.ClipLinesY(line(m.Input))...)
	c.StrokeLines(draw.LineStyle{Color: peakInk, Width: 2.6}, inner.ClipLinesY(curve)...)
	for _, p := range m.Peaks {
		style := s.Bold(small+1, peakInk)
		style.XAlign = draw.XCenter
		c.FillText(style, vg.Point{X: x(-p * 180 / math.Pi), Y: y(highest) - 8}, "peak")
	}
	c.FillText(s.Bold(small+1, peakInk), vg.Point{X: inner.Min.X + 8, Y: y(highest) - 14}, "activation")
	c.FillText(s.Bold(small+1, inputInk), vg.Point{X: inner.Min.X + 8, Y: y(highest) - 30}, "input")
}

// past paints the output of every moment until now, row by row.
func (s *stage) past(out *image.RGBA, c draw.Canvas, until int) {
	fall := s.fall(c)
	x0, y0 := int(fall.Min.X), stageTall-int(fall.Max.Y)
	wide, tall := int(fall.Size().X), int(fall.Size().Y)
	for i := 0; i <= until; i++ {
		row := s.moments[i].Output
		top, bottom := y0+tall*i/len(s.moments), y0+tall*(i+1)/len(s.moments)
		for px := 1; px < wide-1; px++ { // within the frame
			bin := (len(row) - int(math.Round(float64(px)*float64(len(row))/float64(wide)))) % len(row)
			shade := s.heat.colours[s.heat.index(row[bin])]
			for py := top; py < bottom; py++ {
				out.Set(x0+px, py, shade)
			}
		}
	}
}
