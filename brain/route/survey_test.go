package route

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fieldbrain/brain/ground"
)

// lanes is a U of two lanes whose turn lies ahead: the window ends behind the car, before
// the lanes do.
func lanes(t testing.TB) *ground.Grid {
	row := func(middle string) string { return strings.Repeat(middle, 24) }
	shut, free, wall := row("#")+"#####???", row(".")+"....#???", row("#")+"....#???"
	unknown := strings.Repeat("?", 32)
	middle := []string{shut, free, free, free, wall, free, free, free, shut}
	return floor(t, 0.25, slices.Concat(slices.Repeat([]string{unknown}, 10), middle, slices.Repeat([]string{unknown}, 13))...)
}

// remember notes walls of the lanes that have left the window: 2 m more, and their end.
func remember(r *Finder) {
	for px := int32(-25); px < -16; px++ {
		for _, py := range []int32{-3, 1, 5} {
			r.places.count[r.places.index(px, py)] |= noticed | walled
		}
	}
	for py := int32(-3); py <= 5; py++ {
		r.places.count[r.places.index(-25, py)] |= noticed | walled
	}
}

// TestSurvey: a goal in the other lane that has left the window is not sought back where
// the car came from, through a wall that has left it, too.
func TestSurvey(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wide  bool
		knows bool
		goal  point
		ahead bool
	}{
		{"in the other lane", true, true, point{-4.8, 0.9}, true},
		{"in the other lane, never seen", true, false, point{-4.8, 0.9}, false},
		{"in this lane", true, true, point{-4.8, 0}, false},
		{"in the other lane, one beam", false, true, point{-4.8, 0.9}, false},
		{"beyond the ring", true, true, point{-40, 0.9}, false},
	} {
		g, r := lanes(t), New()
		r.Widen(tt.wide)
		r.Begin(Goal, tt.goal.x, tt.goal.y)
		r.Advance(g, ground.Pose{X: -0.05}, 0.005)
		if tt.knows {
			remember(r)
		}
		spread(r, g, ground.Pose{X: -0.05})
		spread(r, g, ground.Pose{X: -0.05})
		spread(r, g, ground.Pose{X: -0.05})
		if w := r.Toward(0, 0); !w.OK || math.Abs(float64(w.Bearing)) < 1 != tt.ahead {
			t.Errorf("%s: %+v, want a way ahead: %v", tt.name, w, tt.ahead)
		}
	}
}
