package steer

import (
	"math"
	"testing"
)

// TestTurnsToNearGoals: a goal beside the car begins a manoeuvre where it is near, unless
// the car turns to it, has just turned, or is on a table, which has a way of its own.
func TestTurnsToNearGoals(t *testing.T) {
	near := Situation{AimWeight: 1, GoalRange: 0.4, Aim: 75 * deg, Heading: 40 * deg, Sides: true}
	for name, tt := range map[string]struct {
		change func(s *Situation, l *Law)
		want   bool
	}{
		"five beams":                 {func(*Situation, *Law) {}, true},
		"at the nose":                {func(s *Situation, _ *Law) { s.Aim = 50 * deg }, false},
		"far":                        {func(s *Situation, _ *Law) { s.GoalRange = 1.2 }, false},
		"no goal":                    {func(s *Situation, _ *Law) { s.GoalRange = 0 }, false},
		"faint":                      {func(s *Situation, _ *Law) { s.AimWeight = 0.5 }, false},
		"just turned":                {func(_ *Situation, l *Law) { l.since = 0.1 }, false},
		"nearer, just turned":        {func(s *Situation, l *Law) { s.GoalRange, l.since = 0.15, 0.1 }, true},
		"on a table":                 {func(s *Situation, _ *Law) { s.Carried = func(float32, float32) bool { return true } }, false},
		"one beam":                   {func(s *Situation, _ *Law) { s.Sides = false }, true},
		"one beam, 50 degrees":       {func(s *Situation, _ *Law) { s.Sides, s.Aim = false, 50*deg }, true},
		"one beam, at the nose":      {func(s *Situation, _ *Law) { s.Sides, s.Aim = false, 40*deg }, false},
		"one beam, and it turns":     {func(s *Situation, l *Law) { s.Sides, l.chosen.steering = false, 20*deg }, false},
		"one beam, the other way":    {func(s *Situation, _ *Law) { s.Sides, s.Heading = false, -40*deg }, true},
		"behind, far, and not to it": {func(s *Situation, _ *Law) { s.GoalRange, s.Aim, s.Heading = 3, 120*deg, 0 }, true},
	} {
		l, s := law(), near
		l.since, l.chosen.free = 0.5, 0.7
		tt.change(&s, l)
		if got := l.turnsAway(&s); got != tt.want {
			t.Errorf("%s: turns away %v, want %v", name, got, tt.want)
		}
	}
}

// TestGoalFromANode: a goal that is near lies elsewhere from every node; one that is not
// known lies where the aim does.
func TestGoalFromANode(t *testing.T) {
	var g goal
	if got := g.from(&node{x: 5, y: 5}, 0.3); got != 0.3 {
		t.Errorf("no place: %v, want the aim", got)
	}
	s := Situation{GoalRange: 0.4, AimWeight: 1}
	s.Pose.X, s.Pose.Y = 1, 2
	if g = s.goal(math.Pi / 2); g.known {
		t.Error("a car with one beam has a place")
	}
	s.Sides = true
	g = s.goal(math.Pi / 2)
	for _, tt := range []struct {
		x, y float32
		want float64
	}{{1, 2, math.Pi / 2}, {0.6, 2.4, 0}, {1, 2.8, -math.Pi / 2}, {1.4, 2.4, math.Pi}} {
		if got := g.from(&node{x: tt.x, y: tt.y}, 9); math.Abs(math.Mod(got-tt.want+3*math.Pi, 2*math.Pi)-math.Pi) > 1e-6 {
			t.Errorf("from %v, %v it lies at %.3f rad, want %.3f", tt.x, tt.y, got, tt.want)
		}
	}
}

// TestTurnsWhereShutIn: with one beam what is only hinted at behind the car begins a
// manoeuvre where no arc is long.
func TestTurnsWhereShutIn(t *testing.T) {
	shut := Situation{AimWeight: 0.4, Aim: 170 * deg}
	for name, tt := range map[string]struct {
		change func(s *Situation, l *Law)
		want   bool
	}{
		"shut in":      {func(*Situation, *Law) {}, true},
		"an open arc":  {func(_ *Situation, l *Law) { l.longest = 0.5 }, false},
		"ahead":        {func(s *Situation, _ *Law) { s.Aim = 60 * deg }, false},
		"no task":      {func(s *Situation, _ *Law) { s.AimWeight = 0.1 }, false},
		"five beams":   {func(s *Situation, _ *Law) { s.Sides = true }, false},
		"on a table":   {func(s *Situation, _ *Law) { s.Carried = func(float32, float32) bool { return true } }, false},
		"it draws":     {func(s *Situation, _ *Law) { s.AimWeight, s.Heading = 0.7, 60*deg }, false},
		"to the right": {func(s *Situation, _ *Law) { s.Aim = -170 * deg }, true},
	} {
		l, s := law(), shut
		l.longest, l.chosen.free = 0.2, 0.7
		tt.change(&s, l)
		if got := l.turnsAway(&s); got != tt.want {
			t.Errorf("%s: turns away %v, want %v", name, got, tt.want)
		}
	}
}

// TestTurnsBackBeforeTheEnd: in a corridor with an end ahead the car turns round at once
// where the way back is hinted at, with one beam; with nothing hinted it drives on.
func TestTurnsBackBeforeTheEnd(t *testing.T) {
	for _, tt := range []struct {
		name string
		urge float64
		want bool
	}{{"hinted", 0.4, true}, {"nothing", 0, false}} {
		g := floor(t, 0.6)
		for b := -80; b <= 80; b += 10 { // walls 0.35 m ahead and beside
			wall(g, float32(b)*deg, 0.25)
		}
		l, s := law(), here(g)
		s.Aim, s.AimWeight = 175*deg, tt.urge
		for range 130 { // 0.65 s, more than astrayTime
			l.Decide(s)
		}
		if l.longest <= least || l.longest >= shutWay {
			t.Fatalf("%s: the longest arc is %.2f m", tt.name, l.longest)
		}
		if l.Active() != tt.want {
			t.Errorf("%s: turns %v, want %v", tt.name, l.Active(), tt.want)
		}
	}
}
