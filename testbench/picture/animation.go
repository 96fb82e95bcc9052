package picture

import (
	"errors"
	"image/color"
	"io"
	"time"

	"fieldbrain/testbench"
)

// A Moment is the state of a brain at an instant of a run. Rows hold one value per
// bearing: the first is straight behind, the others follow counter-clockwise.
type Moment struct {
	At         time.Duration // since the run began
	Steering   float64       // rad, of the front wheels, positive to the left
	Beams      []Beam        // of the range sensors
	Input      []float64     // of the heading field
	Activation []float64     // of the heading field
	Output     []float64     // of the heading field, 0..1
	Peaks      []float64     // rad, bearings of the output's peaks
}

// A Beam is a range and the bearing it was measured at.
type Beam struct{ Bearing, Range float64 } // rad, m

// Animation says how a run is shown as a moving picture.
type Animation struct {
	Title string
	Delay time.Duration // each moment stays for
	Hold  time.Duration // the last one, in addition
}

// Measures of the animation in points.
const (
	stageWide, stageTall = 800, 428
	mapWide, mapTall     = 460, 345
	mapLeft, mapTop      = 14, 46
	fieldLeft, fieldWide = 496, 292
	curveTall            = 206
	fallTop, fallTall    = 274, 116
	lowest, highest      = -18.0, 12.0 // activation
)

var (
	peakInk  = color.NRGBA{224, 88, 10, 255}
	inputInk = color.NRGBA{22, 128, 122, 255}
	beamInk  = color.NRGBA{70, 130, 220, 70}
	trailInk = color.NRGBA{36, 98, 196, 130}
)

// Write draws the run as a GIF: the world from above, the heading field beside it,
// and below that the field's output from the start until now.
func (a Animation) Write(w io.Writer, r *testbench.Result, moments []Moment) error {
	if r.Track == nil || len(r.Track.Trail) == 0 {
		return errors.New("picture: the run has no track to draw")
	}
	if len(moments) == 0 {
		return errors.New("picture: nothing of the field was kept during the run")
	}
	s := newStage(a, r, moments)
	return GIF(w, len(moments), a.Delay, a.Hold, s.paint)
}
