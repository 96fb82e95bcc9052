package steer

import (
	"math"
	"testing"

	"fieldbrain/field/exact"
)

// TestKeepsToTheHint: a manoeuvre of a car with one beam leads where the task hinted when it
// began, wherever it hints later and whether it does; with beams to the sides, on a table and
// to a goal it follows the task.
func TestKeepsToTheHint(t *testing.T) {
	for _, tt := range []struct {
		sides, table bool
		urge, later  float64
		kept         bool
	}{
		{urge: 0.35, later: 0.35, kept: true},
		{urge: 0.35, later: 0, kept: true},
		{sides: true, urge: 0.35, later: 0.35},
		{table: true, urge: 0.35, later: 0.35},
		{urge: 0.8, later: 0.8},
		{urge: 0.2, later: 0.35},
	} {
		s := here(floor(t, 1.5))
		s.Pose.Heading, s.Aim, s.Urge, s.Sides = 2.9, 150*deg, tt.urge, tt.sides
		if tt.table {
			s.Carried = func(float32, float32) bool { return true }
		}
		l := law()
		l.turn.begin(s)
		first := exact.Wrap(2.9 + s.Aim)
		s.Pose.Heading, s.Aim, s.Urge = 2, -40*deg, tt.later
		l.search.begin(s, &l.trail, &l.turn)
		want := exact.Wrap(2 + s.Aim)
		if tt.kept {
			want = first
		}
		if math.Abs(exact.Wrap(l.search.aim-want)) > 1e-6 || !l.search.drawn || l.search.hinted != tt.kept {
			t.Errorf("%+v: aims at %.2f rad, hinted %v, want %.2f", tt, l.search.aim, l.search.hinted, want)
		}
	}
}

// TestHeedsTheHintLess: the longer the way is that is known where the car drives off, the
// less it costs to leave a hint aside; of another aim it costs the same everywhere.
func TestHeedsTheHintLess(t *testing.T) {
	heed := func(reach float32, hinted bool) float64 {
		g := floor(t, reach)
		q := search{hinted: hinted}
		return q.heed(g, &node{}, 0)
	}
	near, far, farther := heed(0.3, true), heed(0.6, true), heed(1.5, true)
	if !(near == 1 && far < near && far > farther && farther == 0) {
		t.Errorf("with 0.3, 0.6 and 1.5 m known %.2f, %.2f and %.2f of the cost count, want all, some and none", near, far, farther)
	}
	if got := heed(1.5, false); got != 1 {
		t.Errorf("without a hint %.2f of the cost count, want all", got)
	}
}
