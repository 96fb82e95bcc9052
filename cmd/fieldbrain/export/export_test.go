package export_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/export"
	"fieldbrain/daemon/recording"
)

// drive is a source: a car that drives a metre ahead in two seconds and hears a wall.
type drive struct {
	n   int
	end error
}

func (d *drive) Next(t *recording.Tick) error {
	if d.n == 400 {
		return d.end
	}
	*t = recording.Tick{}
	t.Input.Tick, t.Input.Now = uint64(d.n), time.Duration(d.n)*5*time.Millisecond
	t.Fix.X = float64(d.n) / 400
	r := &t.Input.State.Range[0]
	r.Value, r.OK, r.At = 2-float32(t.Fix.X), d.n%10 != 0, t.Input.Now
	t.Told.Speed, t.Told.Enable = 0.5, true
	d.n++
	return nil
}

// astray is the same drive, but for tick 300, whose place nobody can be at.
type astray struct {
	drive
	at float64
}

func (a *astray) Next(t *recording.Tick) error {
	err := a.drive.Next(t)
	if t.Input.Tick == 300 {
		t.Fix.Y = a.at
	}
	return err
}

// TestTable: a row for every tick in the columns that are named, empty where there was
// no reading; what can be read of a cut recording is in it.
func TestTable(t *testing.T) {
	for _, end := range []error{io.EOF, recording.ErrCut} {
		var b bytes.Buffer
		err := export.Table(&b, &drive{end: end})
		if whole := end == io.EOF; whole && err != nil || !whole && !errors.Is(err, end) {
			t.Errorf("%v gives %v", end, err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 401 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		at := func(row int, column string) string {
			for i, name := range rows[0] {
				if name == column {
					return rows[row][i]
				}
			}
			t.Fatalf("no column %s", column)
			return ""
		}
		if at(202, "tick") != "201" || at(202, "time_s") != "1.005000" || at(202, "x_m") != "0.502500" || at(202, "range_front_m") != "1.497500" ||
			at(202, "command_speed_mps") != "0.500000" || at(202, "command_enable") != "1" || at(201, "range_front_m") != "" {
			t.Errorf("row of tick 201: %v", rows[202])
		}
	}
}

// TestWhole: a file that is made anew has the ticks and the frozen brains of the one that was
// cut short, and says that it was.
func TestWhole(t *testing.T) {
	var b bytes.Buffer
	frozen := recording.Frozen{Tick: 200, At: time.Second, Data: pack(t, "a brain")}
	ticks, err := export.Whole(&b, &recording.Head{Setup: []byte("{}")}, &drive{end: recording.ErrCut}, func(to *recording.Writer) error {
		return to.Freeze(&frozen)
	})
	if ticks != 400 || !errors.Is(err, recording.ErrCut) {
		t.Errorf("%d ticks, %v", ticks, err)
	}
	found, err := recording.FindFrozen(bytes.NewReader(b.Bytes()), func(uint64, time.Duration) bool { return true })
	if err != nil || found == nil || found.Tick != 200 || found.At != time.Second || string(found.Data) != "a brain" {
		t.Errorf("%+v, %v", found, err)
	}
	r, err := recording.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var last recording.Tick
	for n := 0; ; n++ {
		if err = r.Next(&last); err != nil {
			if n != 400 || !errors.Is(err, io.EOF) {
				t.Errorf("%d ticks, %v", n, err)
			}
			break
		}
	}
	refusal := errors.New("no")
	if _, err := export.Whole(&b, &recording.Head{Setup: []byte("{}")}, &drive{end: io.EOF}, func(*recording.Writer) error { return refusal }); !errors.Is(err, refusal) {
		t.Errorf("frozen brains that cannot be read: %v", err)
	}
}

// holed is the same drive without ticks 100 to 104 and 200.
type holed struct{ drive }

func (h *holed) Next(t *recording.Tick) error {
	switch h.n {
	case 100:
		h.n = 105
	case 200:
		h.n = 201
	}
	return h.drive.Next(t)
}

// TestMissing: whoever takes what is not whole is told how much is missing, and gets the rest.
func TestMissing(t *testing.T) {
	var table, again bytes.Buffer
	_, drawn := export.Trace(&holed{drive{end: io.EOF}})
	ticks, joined := export.Whole(&again, &recording.Head{Setup: []byte("{}")}, &holed{drive{end: io.EOF}}, func(*recording.Writer) error { return nil })
	for name, err := range map[string]error{
		"table": export.Table(&table, &holed{drive{end: io.EOF}}), "pictures": drawn, "recording": joined,
	} {
		if !errors.Is(err, export.ErrMissing) || !strings.Contains(err.Error(), "6 of them, the first behind tick 99") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rows := strings.Count(table.String(), "\n"); rows != 395 || ticks != 394 {
		t.Errorf("%d rows and %d ticks", rows, ticks)
	}
	if err := export.Table(io.Discard, &holed{drive{end: recording.ErrCut}}); !errors.Is(err, export.ErrMissing) || !errors.Is(err, recording.ErrCut) {
		t.Errorf("holes, and cut short: %v", err)
	}
}

// joined is one drive behind another, or behind itself.
type joined struct {
	drive
	again bool
}

func (j *joined) Next(t *recording.Tick) error {
	if j.n == 400 && !j.again {
		j.n, j.again = 0, true
	}
	return j.drive.Next(t)
}

// TestOrder: two drives, or one twice, are not one whole recording, nor a table or a picture.
func TestOrder(t *testing.T) {
	_, drawn := export.Trace(&joined{drive: drive{end: io.EOF}})
	_, whole := export.Whole(io.Discard, &recording.Head{Setup: []byte("{}")}, &joined{drive: drive{end: io.EOF}}, func(*recording.Writer) error { return nil })
	for name, err := range map[string]error{
		"table": export.Table(io.Discard, &joined{drive: drive{end: io.EOF}}), "pictures": drawn, "recording": whole,
	} {
		if !errors.Is(err, export.ErrOrder) || !strings.Contains(err.Error(), "tick 0 follows tick 399") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// pack packs a brain as a recording has it.
func pack(t *testing.T, data string) []byte {
	t.Helper()
	p, err := recording.NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	return p.Pack([]byte(data))
}

// TestPictures: both pictures can be decoded, the way goes from left to right, and the
// moving one grows.
func TestPictures(t *testing.T) {
	w, err := export.Trace(&drive{end: io.EOF})
	if err != nil {
		t.Fatal(err)
	}
	var still, moving bytes.Buffer
	if err := errors.Join(w.PNG(&still), w.GIF(&moving)); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&still)
	if err != nil || img.Bounds().Dx() < 500 || img.Bounds().Dy() < 100 {
		t.Fatalf("%v, %v", img.Bounds(), err)
	}
	g, err := gif.DecodeAll(&moving)
	if err != nil || len(g.Image) < 30 {
		t.Fatalf("%d pictures, %v", len(g.Image), err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	var grown []int // pixels of the way on the screen, picture by picture
	for _, part := range g.Image {
		draw.Draw(screen, part.Rect, part, part.Rect.Min, draw.Over)
		n := 0
		for i := 0; i < len(screen.Pix); i += 4 {
			if screen.Pix[i] < 0x60 && screen.Pix[i+2] > 0xA0 {
				n++
			}
		}
		grown = append(grown, n)
	}
	if first, middle, last := grown[0], grown[len(grown)/2], grown[len(grown)-1]; !(first < middle && middle < last) {
		t.Errorf("the way has %d, %d and %d pixels", first, middle, last)
	}
	if img.Bounds() != screen.Rect {
		t.Errorf("the still picture is %v large, the moving one %v", img.Bounds(), screen.Rect)
	}
	for _, end := range []error{io.EOF, recording.ErrCut} {
		w, err := export.Trace(&drive{n: 400, end: end})
		if w != nil || !errors.Is(err, export.ErrEmpty) || errors.Is(err, recording.ErrCut) != (end != io.EOF) || strings.Contains(err.Error(), "%!") {
			t.Errorf("a recording without a tick, which ends with %v: %v", end, err)
		}
	}
	for _, at := range []float64{math.NaN(), math.Inf(1), -1e300} {
		w, err := export.Trace(&astray{drive{end: io.EOF}, at})
		if !errors.Is(err, recording.ErrDamaged) || w == nil || w.PNG(io.Discard) != nil {
			t.Errorf("a car that is at %v: %v", at, err)
		}
	}
}
