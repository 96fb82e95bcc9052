package steer

import "testing"

// TestSteersToNoSideWhereSomebodyWasLost: for 0.30 m behind the moment in which the
// outermost beam loses who was heard to come beside the car, the car steers less to that
// side than the heading asks; not where nobody came, where he was far, where the range grows
// little, or where the car hardly moves.
func TestSteersToNoSideWhereSomebodyWasLost(t *testing.T) {
	for name, tt := range map[string]struct {
		side        int
		near, then  float64
		speed, sign float64
		about       int // beam
		want        bool
	}{
		"lost to the left":         {0, 0.12, 0, 0.3, 1, 1, true},
		"lost to the right":        {1, 0.12, 0, 0.3, -1, 4, true},
		"a wall far behind him":    {0, 0.12, 0.9, 0.3, 1, 3, true},
		"nobody came":              {0, 0.12, 0, 0.3, 1, 0, false},
		"on the other side":        {0, 0.12, 0, 0.3, 1, 2, false},
		"the other side":           {1, 0.12, 0, 0.3, 1, 4, false},
		"far away":                 {0, 0.40, 0, 0.3, 1, 1, false},
		"still there":              {0, 0.12, 0.14, 0.3, 1, 1, false},
		"the wall goes back a bit": {0, 0.12, 0.30, 0.3, 1, 1, false},
		"slowly":                   {0, 0.12, 0, 0.08, 1, 1, false},
	} {
		l := law()
		s := here(floor(t, 1.5))
		s.Sides, s.Speed = true, tt.speed
		s.Echoes[tt.about].About = true
		outer := &s.Echoes[3+tt.side]
		for range 100 {
			outer.Range = tt.near
			l.Decide(s)
		}
		s.Heading, outer.Range = 0.3*tt.sign, tt.then
		steer := func() float64 { l.Decide(s); return l.chosen.steering * tt.sign }
		if got := steer(); (got < 0.15) != tt.want {
			t.Errorf("%s: steers %.2f rad to the side where the heading is at 0.30", name, got)
		}
		for way := 0.0; way < lostWay+0.05; way += tt.speed * s.Dt {
			steer()
		}
		if got := steer(); got < 0.15 {
			t.Errorf("%s: steers %.2f rad to the side 0.35 m later, want it free again", name, got)
		}
	}
}

// TestLossIsForgotten: what was heard before the reflexes held the car is no loss after.
func TestLossIsForgotten(t *testing.T) {
	l := law()
	s := here(floor(t, 1.5))
	s.Sides, s.Speed = true, 0.3
	s.Echoes[3] = Echo{Range: 0.12, About: true}
	l.Decide(s)
	s.Driving = false
	l.Decide(s)
	s.Driving, s.Echoes[3].Range = true, 0
	l.Decide(s)
	if l.losses[0].left != 0 {
		t.Errorf("a loss for %.2f m after a hold", l.losses[0].left)
	}
}
