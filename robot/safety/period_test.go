package safety_test

import (
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// TestEdgeWithinTheWay: at every legal period the car brakes within 20 ms of the first
// dark reading, or with that reading, and the way until it stands is no longer than
// the 10 mm of two readings 5 ms apart: it is slower where readings come later.
func TestEdgeWithinTheWay(t *testing.T) {
	for _, period := range periods {
		t.Run(period.String(), func(t *testing.T) {
			g := edgeRig(t, period)
			fast := g.out.Speed
			if period <= 5*ms && fast != g.p.Cliff.Speed {
				t.Errorf("drives %v m/s, want %v", fast, g.p.Cliff.Speed)
			}
			g.floor[robot.FloorLeft] = 0.05
			from := g.s.Now // the next reading comes at most a period later
			g.until(time.Second, func() bool { return g.out.Brake && g.out.Speed == -fast })
			if g.s.Now-from > max(2*10*ms, period) { // the rig's floor reads every 10 ms
				t.Errorf("brakes %v after the edge", g.s.Now-from)
			}
			noticed := 2 * period // 7 ms on the bus and the pulse take 40 ms more
			if period >= 20*ms {
				noticed = period
			}
			if way := float64(fast) * (noticed + 40*ms).Seconds(); way > 0.0101 {
				t.Errorf("at %v m/s %.1f mm until it stands, want 10", fast, 1e3*way)
			}
			g.until(period+20*ms, func() bool { return g.c.Has(safety.Cliff) })
			g.until(time.Second, func() bool { return g.out.Speed < 0 && !g.out.Brake }) // backs away
		})
	}
}

// TestOneDarkReading: where two readings take too long the first one brakes the car,
// but makes no edge: when the second one is bright it drives on, and has seen none.
func TestOneDarkReading(t *testing.T) {
	for _, period := range periods {
		t.Run(period.String(), func(t *testing.T) {
			g := edgeRig(t, period)
			for (g.s.Now+period)%(10*ms) != 0 {
				g.tick()
			}
			g.floor[robot.FloorLeft] = 0.05
			g.tick()
			if braked := g.out.Brake; braked != (period >= 20*ms) {
				t.Errorf("one dark reading: braked %v", braked)
			}
			g.floor[robot.FloorLeft] = 0.5
			for range int(500 * ms / period) {
				if g.tick(); g.c != 0 || g.r.Edges() != [robot.NumFloor]bool{} {
					t.Fatalf("one dark reading: %v, edges %v", g.c, g.r.Edges())
				}
			}
			if g.out.Speed <= 0.1 || g.out.Brake || g.r.Retreats() {
				t.Errorf("half a second later: %v m/s, brake %v", g.out.Speed, g.out.Brake)
			}
		})
	}
}
