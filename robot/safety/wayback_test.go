package safety_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/robot/safety"
)

// TestWayBack: with cliff detection on the car backs away as far as it came
// forwards since it was armed, whatever it has seen, and on the same arcs; without,
// as far as the brain wants.
func TestWayBack(t *testing.T) {
	tests := []struct {
		name, why string
		cliffs    bool
		forward   time.Duration // at 0.2 m/s, after the way back was used up
		back      float32       // m
		stuck     bool
	}{
		{"as far as it came", "the wheels drove there", true, 1500 * ms, 0.30, true},
		{"not at all", "what the owner vouched for is used up", true, 0, 0, true},
		{"no edges", "a room has none", false, 0, 0.39, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, func(p *safety.Params) { withCliffs(p); p.Cliff.Enabled = tt.cliffs })
			way := float32(0)
			drive := func(v, steering float32, d time.Duration) {
				g.want.Speed, g.want.Steering, way = v, steering, 0
				for range int(d / g.p.Period) {
					g.tick()
					way += float32(g.out.Speed * float32(g.p.Period.Seconds()))
				}
			}
			drive(-0.2, 0, 5*time.Second)
			drive(0.2, 0.3, tt.forward)
			drive(0, 0.3, 500*ms)
			drive(-0.2, 0.3, 2*time.Second)
			if got := -way; got < tt.back-0.012 || got > tt.back+0.012 {
				t.Errorf("backs away %.3f m, want %.3f: %s", got, tt.back, tt.why)
			}
			if got := g.c.Has(safety.NoWayBack); got != tt.stuck {
				t.Errorf("%v at the end of it, want the word that there is no way back: %v", g.c, tt.stuck)
			}
			if g.want.Speed = 0.2; tt.stuck {
				if g.run(60); g.c != 0 || g.out.Speed != 0.2 {
					t.Errorf("then forward at %v m/s with %v: a car with no way back has a way ahead", g.out.Speed, g.c)
				}
			}
		})
	}
}

// TestWayBackIsTheWay: backwards the rear wheels stay on floor that has been under the
// car, whatever the brain wants: with its steering where that holds, else on the way
// that the car came.
func TestWayBackIsTheWay(t *testing.T) {
	const wheelbase, half = 0.094, 0.0585
	for _, wish := range []float32{-0.5, 0, 0.5} {
		g := newRig(t, withCliffs)
		g.want.Speed = 0
		g.run(100)
		type pose struct{ x, y, turn float64 }
		var at pose
		move := func() {
			g.tick()
			way := float64(g.out.Speed) * g.p.Period.Seconds()
			at.turn += way * math.Tan(float64(g.out.Steering)) / wheelbase
			at.x += way * math.Cos(at.turn)
			at.y += way * math.Sin(at.turn)
		}
		var trail []pose
		for i := range 1000 { // 0.95 m of curves
			g.want.Speed, g.want.Steering = 0.2, float32(0.5*math.Sin(float64(i)/100))
			move()
			trail = append(trail, at)
		}
		worst, back := 0.0, 0.0
		for range 2000 {
			g.want.Speed, g.want.Steering = -0.2, wish
			was := at
			move()
			back += math.Hypot(at.x-was.x, at.y-was.y)
			for _, side := range [2]float64{half, -half} {
				x, y := at.x-side*math.Sin(at.turn), at.y+side*math.Cos(at.turn)
				off := math.Inf(1) // how far outside of all the floor that was under the car
				for _, p := range trail {
					dx, dy := x-p.x, y-p.y
					along, across := dx*math.Cos(p.turn)+dy*math.Sin(p.turn), dy*math.Cos(p.turn)-dx*math.Sin(p.turn)
					off = min(off, max(-along, along-wheelbase, math.Abs(across)-half))
				}
				worst = max(worst, off)
			}
		}
		if worst > 0.02 || back < 0.05 {
			t.Errorf("wish %v: %.2f m back, a rear wheel up to %.0f mm beside the floor that carried the car", wish, back, 1000*worst)
		}
	}
}

// TestCarriedAway: whoever disarms the car may carry it: what it drove before says
// nothing of the floor behind it now.
func TestCarriedAway(t *testing.T) {
	g := newRig(t, withCliffs)
	g.run(400)
	g.r.Disarm()
	g.want.Speed = 0
	g.run(20)
	if err := g.r.Arm(); err != nil {
		t.Fatal(err)
	}
	g.want.Speed, g.want.Steering = -0.2, 0.5
	way := float32(0)
	for range 300 {
		g.tick()
		way -= float32(g.out.Speed * float32(g.p.Period.Seconds()))
		if g.out.Speed < 0 && g.out.Steering > 0.001 {
			t.Fatalf("backs away with the wheels at %v rad, want straight", g.out.Steering)
		}
	}
	if way < 0.09 || way > 0.12 {
		t.Errorf("backs away %.3f m, want the 0.10 m that its owner vouches for", way)
	}
}

// TestCareful: until it has driven far without an edge the car goes slower, and so
// it does after each.
func TestCareful(t *testing.T) {
	g := idleRig(t, func(p *safety.Params) { p.Cliff.Enabled = true })
	g.run(20)
	if err := g.r.Arm(); err != nil {
		t.Fatal(err)
	}
	g.want.Speed = 0.3
	proves := func(when string) {
		way := float32(0)
		for g.out.Speed <= g.p.Cliff.Careful {
			if g.tick(); way > 5 || g.c != 0 {
				t.Fatalf("%s: %v m/s after %.2f m, %v", when, g.out.Speed, way, g.c)
			}
			way += float32(g.out.Speed * float32(g.p.Period.Seconds()))
		}
		if way < 3.9 || way > 4.1 {
			t.Errorf("%s it drives faster after %.2f m, want 4", when, way)
		}
		if g.run(100); g.out.Speed != g.p.Cliff.Speed {
			t.Errorf("%s: then %v m/s, want %v", when, g.out.Speed, g.p.Cliff.Speed)
		}
	}
	proves("armed")
	g.floor[1] = 0.05
	g.run(10)
	g.floor[1] = 0.5
	g.run(500)
	proves("after an edge")
}

// TestSlowMotors: a car whose motors are slower has come less far in the same time: less
// floor behind it has carried it.
func TestSlowMotors(t *testing.T) {
	var came [2]float32
	for i, lag := range [...]time.Duration{120 * ms, 400 * ms} {
		g := idleRig(t, func(p *safety.Params) { withCliffs(p); p.Cliff.Lag = lag })
		g.run(20)
		if err := g.r.Arm(); err != nil {
			t.Fatal(err)
		}
		g.want.Speed = 0.12
		g.run(400)
		for came[i] = 0; g.r.Carried(-came[i], 0); came[i] += 0.001 {
		}
	}
	if d := came[0] - came[1]; d < 0.02 || d > 0.04 { // 0.12 m/s for 0.28 s
		t.Errorf("reckoned %.3f m and %.3f m of way", came[0], came[1])
	}
}
