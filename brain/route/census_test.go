package route

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbrain/brain/ground"
)

// TestNothingLeft: in a room whose floor and walls are known nothing is left; a door,
// or a corner not seen, is; and what was seen once and is forgotten is not.
func TestNothingLeft(t *testing.T) {
	room := []string{
		"????????????",
		"?##########?",
		"?#........#?",
		"?#........#?",
		"?#........#?",
		"?#........#?",
		"?#........#?",
		"?#........#?",
		"?##########?",
		"????????????",
	}
	with := func(line int, text string) []string {
		other := append([]string(nil), room...)
		other[line] = text
		return other
	}
	barren := func(r *Finder, g *ground.Grid) bool {
		for range 8 {
			spread(r, g, ground.Pose{X: -0.05})
		}
		b, known := r.Barren()
		if !known {
			t.Error("nobody has looked")
		}
		return b
	}
	for _, c := range []struct {
		name    string
		picture []string
		barren  bool
	}{
		{"known all over", room, true},
		{"a door", with(4, "?#.........?"), false},
		{"a part not seen", with(4, "?#....????#?"), false},
	} {
		r := New()
		r.Begin(Explore, 0, 0)
		if got := barren(r, floor(t, 0.25, c.picture...)); got != c.barren {
			t.Errorf("%s: nothing left is %v", c.name, got)
		}
	}
	r := New()
	r.Begin(Explore, 0, 0)
	barren(r, floor(t, 0.25, room...))
	if !barren(r, floor(t, 0.25, with(6, "?#..????..#?")...)) {
		t.Error("it looks for floor that it has seen and forgotten")
	}
	if !barren(r, floor(t, 0.25, with(4, "?#........??")...)) {
		t.Error("a wall that is forgotten is a door")
	}
}

// TestShun: a way leads around a place that is shunned where another is not much
// longer, and through it where there is no other.
func TestShun(t *testing.T) {
	open := []string{"........", "........", "........", "........", "........", "........", "........", "........"}
	r := New()
	g := floor(t, 0.5, open...)
	r.Begin(Goal, 1.5, 0)
	spread(r, g, ground.Pose{X: -0.05})
	before := r.Toward(0, 0).Distance
	r.Shun(0.7, 0, 0.3, 20)
	spread(r, g, ground.Pose{X: -0.05})
	spread(r, g, ground.Pose{X: -0.05})
	w := r.Toward(0, 0)
	if !w.OK || w.Bearing > -0.1 && w.Bearing < 0.1 || w.Distance < before {
		t.Errorf("%+v, straight it was %.2f m", w, before)
	}
	r.Shun(0.7, 0, 3, 255)
	spread(r, g, ground.Pose{X: -0.05})
	spread(r, g, ground.Pose{X: -0.05})
	if w := r.Toward(0, 0); !w.OK {
		t.Errorf("shunned all over: %+v", w)
	}
	if n := r.places.visits(placeOf(0.7), 0); n != mostOften {
		t.Errorf("%d visits, want %d at most", n, mostOften)
	}
}

// TestForgottenWall: a wall that the map has forgotten is gone round all the same where
// another way is not much longer, and gone through where there is none; floor seen where
// it stood takes it back.
func TestForgottenWall(t *testing.T) {
	with := func(cell string) []string {
		return []string{
			"???????????",
			"?.........?",
			"?...." + cell + "....?",
			"?...." + cell + "....?",
			"?...." + cell + "....?",
			"?...." + cell + "....?",
			"?.........?",
			"???????????",
		}
	}
	r := New()
	r.Begin(Goal, 0.9, 0)
	r.CountForgottenWalls(true, false)
	way := func(cell string) Way {
		for range 2 {
			spread(r, floor(t, 0.25, with(cell)...), ground.Pose{X: -0.95})
		}
		return r.Toward(-0.9, 0)
	}
	unseen := way("?")
	around := way("#")
	if !unseen.OK || !around.OK || around.Distance < unseen.Distance+0.2 {
		t.Fatalf("%.2f m through what nobody knows, %.2f m around a wall", unseen.Distance, around.Distance)
	}
	if w := way("?"); !w.OK || w.Distance < unseen.Distance+0.1 || w.Bearing > -0.2 && w.Bearing < 0.2 {
		t.Errorf("%.2f m where the wall is forgotten, %.2f m where none was, around it %.2f m: %+v", w.Distance, unseen.Distance, around.Distance, w)
	}
	r.CountForgottenWalls(false, false)
	if w := way("?"); !w.OK || w.Distance > unseen.Distance+0.1 {
		t.Errorf("%.2f m for who does not remember, never seen %.2f m", w.Distance, unseen.Distance)
	}
	r.CountForgottenWalls(true, false)
	if w := way("."); !w.OK || w.Distance > unseen.Distance {
		t.Errorf("%.2f m over floor that was seen since", w.Distance)
	}
	if w := way("?"); !w.OK || w.Distance > unseen.Distance+0.1 {
		t.Errorf("%.2f m where floor was seen last and is forgotten, never seen %.2f m", w.Distance, unseen.Distance)
	}

	shut := New()
	shut.Begin(Goal, 0.9, 0)
	for _, cell := range []string{"#", "?"} {
		g := floor(t, 0.25, "#########", "#..."+cell+"...#", "#..."+cell+"...#", "#..."+cell+"...#", "#########")
		for range 2 {
			spread(shut, g, ground.Pose{X: -0.55})
		}
		if w := shut.Toward(-0.5, 0); w.OK != (cell == "?") {
			t.Errorf("across %q: %+v", cell, w)
		}
	}
}

// TestEveryVisitCosts: to explore, a place costs more with each visit, with beams to the
// sides a little where the visits were beside it, and a wall that was seen in it is none.
func TestEveryVisitCosts(t *testing.T) {
	r := New()
	r.Widen(true)
	const x, y = 4, 1
	r.places.follow(-placeSide/2, -placeSide/2)
	if got := r.price(x, y); got != 0 {
		t.Errorf("nobody was there: %.2f m", got)
	}
	r.places.judge(x, y, half, half)
	if got := r.price(x, y); got != 0 {
		t.Errorf("a place with a wall that nobody visited costs %.2f m", got)
	}
	last, lastBeside := float32(0), float32(0)
	for n := 1; n <= oftenest; n++ {
		r.places.add(x, y, 1)
		got, beside := r.price(x, y), r.price(x+1, y-1)
		if got <= last || beside <= lastBeside || beside >= got || r.price(x+2, y) != 0 {
			t.Errorf("%d visits: %.2f m, %.2f beside and %.2f two places on; one less %.2f and %.2f",
				n, got, beside, r.price(x+2, y), last, lastBeside)
		}
		last, lastBeside = got, beside
	}
	for i := range int32(9) {
		if i != 4 {
			r.places.add(x+i%3-1, y+i/3-1, oftenest)
		}
	}
	r.Widen(false)
	if got, want := r.price(x+2, y), float32(0); got != want {
		t.Errorf("one beam: %.2f m beside what was visited, want %.2f", got, want)
	}
	r.Widen(true)
	if got, want := r.price(x, y), float32(often+again*(oftenest-1)); math.Abs(float64(got-want)) > 1e-3 {
		t.Errorf("as often as all around it: %.2f m, want %.2f", got, want)
	}
}

// TestLate: a car that is late goes a longer way around a wall that the map has forgotten
// than one that is not.
func TestLate(t *testing.T) {
	with := func(cell string) *ground.Grid {
		line := "..........." + cell + "..........."
		free := strings.Repeat(".", len(line))
		return floor(t, 0.25, slices.Concat([]string{free, free, free}, slices.Repeat([]string{line}, 18), []string{free, free, free})...)
	}
	for _, late := range []bool{false, true} {
		r := New()
		r.Begin(Goal, 1, 0)
		r.CountForgottenWalls(true, late)
		at := ground.Pose{X: -1.05}
		for _, cell := range []string{"#", "#", "?", "?"} {
			spread(r, with(cell), at)
		}
		if w := r.Toward(-1, 0); !w.OK || math.Abs(float64(w.Bearing)) > 0.5 != late {
			t.Errorf("late: %v, %+v", late, w)
		}
	}
}
