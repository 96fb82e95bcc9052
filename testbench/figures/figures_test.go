package figures

import (
	"bytes"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"fieldbrain/testbench/picture"
)

// curve returns the values of curve i of a page's panel k.
func curve(t *testing.T, page *picture.Page, k, i int) []float64 {
	t.Helper()
	c, is := page.Panels[k].(*picture.Chart)
	if !is || len(c.Curves) <= i || len(c.Curves[i].Values) == 0 {
		t.Fatalf("panel %d has no curve %d", k, i)
	}
	return c.Curves[i].Values
}

// humps counts the stretches of a circle where values are positive.
func humps(u []float64) (n int) {
	for i, v := range u {
		if v > 0 && u[(i+len(u)-1)%len(u)] <= 0 {
			n++
		}
	}
	return n
}

// TestPeak: the weak stimulus leaves the cells where they would be alone, the
// strong one makes one peak far above that, and pushes the others down.
func TestPeak(t *testing.T) {
	page := drawn(t, peak)
	weak, strong := curve(t, page, 0, 1), curve(t, page, 1, 1)
	if top := slices.Max(weak); top > -2 || humps(weak) != 0 {
		t.Errorf("the weak stimulus lifts a cell to %.2f", top)
	}
	if top := slices.Max(strong); top < 3 || humps(strong) != 1 || slices.Min(strong) > -6 {
		t.Errorf("the strong stimulus: highest %.2f, lowest %.2f, %d peaks", top, slices.Min(strong), humps(strong))
	}
	if top := slices.Max(curve(t, page, 1, 0)); top < 0.9 || top > 1.1 {
		t.Errorf("alone the cells would rise to %.2f, want 6 - 5", top)
	}
}

// TestDetection: the peak appears at HYS1's threshold of B.4, 2.78, and goes at a
// much weaker stimulus.
func TestDetection(t *testing.T) {
	page := drawn(t, detection)
	at := func(i int) float64 { // where the curve crosses 0
		u := curve(t, page, 0, i)
		k := slices.IndexFunc(u, func(v float64) bool { return v > 0 })
		return 6 * float64(k) / float64(len(u)-1)
	}
	if up, down := at(0), at(1); up < 2.7 || up > 2.9 || down > 2 || down <= 0 {
		t.Errorf("the peak appears at %.2f and goes at %.2f", up, down)
	}
}

// TestSelection: one peak each, on different sides.
func TestSelection(t *testing.T) {
	page := drawn(t, selection)
	for side := range 2 {
		u := curve(t, page, 2+side, 1)
		top := slices.Index(u, slices.Max(u))
		if humps(u) != 1 || (top > 16) != (side == 1) {
			t.Errorf("side %d: %d peaks, the highest cell is %d", side, humps(u), top)
		}
		if s := page.Panels[side].(*picture.Strip); len(s.Values) != 240 {
			t.Errorf("side %d: %d moments", side, len(s.Values))
		}
	}
}

// TestMemory: the memory's peak stands 3 s after its stimulus, the selection's
// does not.
func TestMemory(t *testing.T) {
	page := drawn(t, memory)
	keeps, falls := curve(t, page, 2, 0), curve(t, page, 2, 1)
	if end := keeps[len(keeps)-1]; end < 3 {
		t.Errorf("the memory ends at %.2f", end)
	}
	if end, before := falls[len(falls)-1], falls[190]; end > -3 || before < 3 {
		t.Errorf("the selection is at %.2f with its stimulus and ends at %.2f", before, end)
	}
}

// TestAxes: the car has seen something, and decided.
func TestAxes(t *testing.T) {
	page := drawn(t, axes)
	if u := curve(t, page, 2, 0); humps(u) != 1 {
		t.Errorf("HEADING has %d peaks", humps(u))
	}
	known := 0
	for _, column := range page.Panels[1].(*picture.Strip).Values {
		for _, v := range column {
			if v >= 0.5 {
				known++
			}
		}
	}
	if known < 20 || known > 500 {
		t.Errorf("the map knows %d cells", known)
	}
}

// TestUnknown: a figure that there is not is refused by the names of those there
// are.
func TestUnknown(t *testing.T) {
	if err := Write(io.Discard, "png", "nothing"); err == nil || !strings.Contains(err.Error(), "peak, detection, selection, memory, axes") {
		t.Errorf("a figure that there is not: %v", err)
	}
}

// drawn makes a figure and draws it: the picture is small enough for a page, and
// the real field has left ink on it.
func drawn(t *testing.T, make func() (*picture.Page, error)) *picture.Page {
	t.Helper()
	page, err := make()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Write(&b, "png"); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 60_000 {
		t.Errorf("%d bytes, at most 60 kB", b.Len())
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	orange := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 > 0xb0 && g>>8 < 0xa0 && b>>8 < 0x60 {
				orange++
			}
		}
	}
	if orange < 300 {
		t.Errorf("%d pixels of a peak", orange)
	}
	return page
}
