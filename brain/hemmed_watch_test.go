package brain

import (
	"testing"

	"fieldbrain/brain/ground"
)

// TestHemmedPatience: strokes to and fro are no getting on, 0.1 m are; who may not drive, and who
// met no edge, is not hemmed in.
func TestHemmedPatience(t *testing.T) {
	var h hemmed
	goes := func(seconds float64, far float32, drives, edge bool) {
		for i := range int(seconds * 20) {
			h.watch(ground.Pose{X: far * float32(i%3) / 2, Y: 1}, 0.05, drives, edge)
		}
	}
	says := func(what string, stands, hopeless bool) {
		t.Helper()
		if h.stands() != stands || h.hopeless() != hopeless {
			t.Errorf("%s: stands %v, hopeless %v", what, h.stands(), h.hopeless())
		}
	}
	goes(50, 0.05, true, false)
	says("no edge", false, false)
	goes(1, 0.05, true, true)
	says("an edge, and now it matters", true, true)
	goes(0.2, 0.05, false, true)
	says("it may not drive", false, false)
	goes(9, 0.09, true, true)
	says("9 s", false, false)
	goes(3, 0.09, true, true)
	says("12 s", true, false)
	if why := h.excuse(NothingNew); why != HemmedIn {
		t.Errorf("given up after 12 s: %v", why)
	}
	if why := h.excuse(NoExcuse); why != NoExcuse {
		t.Errorf("given up after 12 s for no reason: %v", why)
	}
	goes(30, 0.09, true, true)
	says("42 s", true, true)
	if why := h.excuse(NoExcuse); why != HemmedIn {
		t.Errorf("after 42 s: %v", why)
	}
	goes(60, 0.25, true, true)
	says("it gets on", false, false)
}
