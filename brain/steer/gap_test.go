package steer

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// TestCreepsThroughGaps: what the body fits through without its margin is crept through
// where beams look to the sides and something draws the car; a car that roams, but for
// somebody who is about, and one with one beam stop before it.
func TestCreepsThroughGaps(t *testing.T) {
	for _, c := range []struct {
		name                        string
		sides, drawn, about, passes bool
	}{
		{"five beams, drawn", true, true, false, true},
		{"five beams, somebody about", true, false, true, true},
		{"five beams, roaming", true, false, false, false},
		{"one beam", false, false, false, false},
	} {
		g := floor(t, 1.5)
		for y := float32(0.11); y < 1; y += 0.03 {
			g.Edge(ground.Pose{}, 0.4, y)
			g.Edge(ground.Pose{}, 0.4, -y)
		}
		l, s, fastest := law(), here(g), 0.0
		if s.Sides = c.sides; c.drawn {
			s.AimWeight = urgent
		}
		s.Echoes[1].About = c.about
		for range 2000 {
			o := l.Decide(s)
			if l.Active() {
				break
			}
			if s.Pose.X > 0.18 && s.Pose.X < 0.25 {
				fastest = max(fastest, o.Speed)
			}
			s.Wheels, s.Speed = o.Steering, o.Speed
			s.Pose.Heading += float32(o.Speed * s.Dt * math.Tan(o.Steering) / 0.094)
			s.Pose.X += float32(o.Speed * s.Dt * math.Cos(float64(s.Pose.Heading)))
			s.Pose.Y += float32(o.Speed * s.Dt * math.Sin(float64(s.Pose.Heading)))
		}
		if through := s.Pose.X > 0.5; through != c.passes {
			t.Errorf("%s: got to %.2f, %.2f m", c.name, s.Pose.X, s.Pose.Y)
		}
		if fastest > 0.2 {
			t.Errorf("%s: %.2f m/s into the gap", c.name, fastest)
		}
	}
}

// TestStandsAtNoShutArc: before a shut arc a car that stands steers to the open one beside
// it, however little they differ; a car that drives follows no ripple.
func TestStandsAtNoShutArc(t *testing.T) {
	open, shut := arc{steering: Lock, free: 0.3, tight: 0.3}, arc{steering: Lock - play/2, free: 0.3, tight: 0.05}
	for _, c := range []struct {
		name           string
		wheels, chosen arc
		speed          float64
		slack          float64
	}{
		{"stands before a shut arc", shut, open, 0, 0},
		{"stands, nothing is open", shut, shut, 0, play},
		{"drives", shut, open, 0.1, play},
		{"stands, all is open", open, open, 0, play},
	} {
		l, s := law(), here(floor(t, 1.5))
		l.wheels, l.chosen, s.Sides, s.Speed = c.wheels, c.chosen, true, c.speed
		if got := l.slack(s); got != c.slack {
			t.Errorf("%s: %.1f deg of play, want %.1f", c.name, got/deg, c.slack/deg)
		}
	}
}
