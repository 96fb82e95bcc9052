package steer

import "testing"

// TestRepeats: a car before whose goal a wall stands, and that comes no farther than to
// it and back, looks for a longer exit the second time, and so does one in a corner that
// nothing draws; where it has come away it does not.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		urge, far, since float64
		sides            bool
		want             float64
	}{
		{1, 3, 0.1, true, exitAgain},
		{1, 3, 0.3, true, exitLeast},
		{1, 0.5, 0.1, true, exitLeast},
		{0, 0, 0.1, true, exitAgain},
		{0, 0, 0.3, true, exitLeast},
		{1, 3, 0.1, false, exitLeast},
	} {
		s := here(floor(t, 1))
		s.AimWeight, s.GoalRange, s.Sides, s.Aim = c.urge, c.far, c.sides, -90*deg
		l := law()
		l.turn.begin(s)
		l.turn.end()
		l.since = c.since
		again := l.vainly(s)
		l.turn.begin(s)
		l.turn.again = again
		l.search.begin(s, &l.trail, &l.turn)
		if got := l.search.exitFrom(); got != c.want {
			t.Errorf("%+v: an exit takes %.2f m", c, got)
		}
		l.search.daring = 1 // after a search in vain
		if got := l.search.exitFrom(); got != exitLeast {
			t.Errorf("%+v: after a search in vain an exit takes %.2f m", c, got)
		}
	}
}
