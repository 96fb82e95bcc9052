package recording

import (
	"fmt"
	"math"
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// illustrateEvery is how much of the body's time lies between two poses and two scans.
const illustrateEvery = 100 * time.Millisecond

// A gist is what the log says when it changes.
type gist struct {
	causes safety.Causes
	rung   int
	lost   uint64
	failed bool
}

// illustrate writes poses, scans, pictures of the field and lines of the log.
func (w *Writer) illustrate(e *Entry) error {
	at := e.At()
	if err := w.tell(e); err != nil {
		return err
	}
	if e.Drawn {
		if err := w.picture(e); err != nil {
			return err
		}
	}
	if w.begun && at-w.drawn < illustrateEvery {
		return nil
	}
	w.drawn, w.begun = at, true
	now := stamp(w.epoch + at)
	half := e.Fix.Heading / 2
	p := poseInFrame{Timestamp: now, FrameId: "start", Pose: pose{
		Position: vector3{X: e.Fix.X, Y: e.Fix.Y}, Orientation: quaternion{Z: math.Sin(half), W: math.Cos(half)},
	}}
	if err := w.put(poseChannel, at, &p); err != nil {
		return err
	}
	scan := laser(e)
	scan.Timestamp = now
	return w.put(rangeChannel, at, scan)
}

// laser returns the ranges as a scan from 90 degrees right over the front to straight
// behind, in steps of 30. A bearing without a sensor or an echo has no end.
func laser(e *Entry) *laserScan {
	const step = math.Pi / 6
	s := &laserScan{
		FrameId: "start", StartAngle: -3 * step, EndAngle: 6 * step, Ranges: make([]float64, 10),
		Pose: pose{
			Position:    vector3{X: e.Fix.X, Y: e.Fix.Y},
			Orientation: quaternion{Z: math.Sin(e.Fix.Heading / 2), W: math.Cos(e.Fix.Heading / 2)},
		},
	}
	for i := range s.Ranges {
		s.Ranges[i] = math.Inf(1)
	}
	for i := range robot.NumSectors {
		at := int(math.Round((float64(robot.SectorBearing(i)) - s.StartAngle) / step))
		if r := &e.Input.State.Range[i]; r.OK && !r.AtLeast && at >= 0 && at < len(s.Ranges) {
			s.Ranges[at] = float64(r.Value)
		}
	}
	return s
}

// picture writes the field's slices as images.
func (w *Writer) picture(e *Entry) error {
	at := e.At()
	img := rawImage{
		Timestamp: stamp(w.epoch + at), FrameId: "field", Width: field.Side, Height: field.Channels,
		Encoding: "mono8", Step: field.Side, Data: make([]byte, 0, field.Channels*field.Side),
	}
	for c := range e.Picture.Rows {
		img.Data = append(img.Data, e.Picture.Rows[c][:]...)
	}
	if err := w.put(fieldChannel, at, &img); err != nil {
		return err
	}
	img.Height, img.Data = field.Side, e.Picture.Obstacle[:]
	return w.put(obstacleChannel, at, &img)
}

// tell writes a line of the log for everything that people would want to know.
func (w *Writer) tell(e *Entry) error {
	now := gist{e.Causes, e.Rung, e.Lost, e.Failed}
	was := w.last
	first, h := !w.begun, &e.Input
	w.last = now
	if !first && now == was && h.Asked == 0 && !h.Stop && h.Outcome == 0 {
		return nil
	}
	for _, n := range []struct {
		is    bool
		level uint32
		text  string
	}{
		{now.lost != was.lost, 3, fmt.Sprintf("%d ticks were lost before this one: the disk was slow, full or gone", now.lost-was.lost)},
		{first || now.causes != was.causes, 2, "holds against motion: " + now.causes.String()},
		{first || now.rung != was.rung, 2, fmt.Sprintf("rung %d of the quality ladder", now.rung)},
		{now.failed && !was.failed, 4, "the engine or the body refuses"},
		{h.Asked != 0, 2, "asked: " + h.Asked.String() + " " + h.Order.String()},
		{h.Stop, 3, "emergency stop"},
		{h.Outcome != 0, 2, fmt.Sprintf("outcome %g", h.Outcome)},
	} {
		if !n.is {
			continue
		}
		line := logLine{Timestamp: stamp(w.epoch + e.At()), Level: n.level, Message: n.text, Name: "fieldbrain"}
		if err := w.put(logChannel, e.At(), &line); err != nil {
			return err
		}
	}
	return nil
}
