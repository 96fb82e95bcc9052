package safety_test

import (
	"fmt"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
)

// sweep lets the floor sensors report n more times.
func (g *rig) sweep(n int) { g.run(n * int(10*ms/g.p.Period)) }

func TestCliffCounts(t *testing.T) {
	const ref = 500.0 / 4095
	tests := []struct {
		name, why string
		readings  []float32 // of the right sensor; the others see floor
		want      bool
	}{
		{"one dark reading", "one bad sample is no edge", []float32{0.05, 0.5}, false},
		{"two", "two in a row are", []float32{0.05, 0.05}, true},
		{"at the reference", "at or below", []float32{ref, ref}, true},
		{"just above", "the reference is the edge", []float32{ref * 1.01, ref * 1.01}, false},
		{"dark, bright, dark", "in a row", []float32{0.05, 0.5, 0.05, 0.5}, false},
		{"dark, garbage, dark", "an impossible reading is none", []float32{0.05, -4, 7, 0.05}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, withCliffs)
			for i, v := range tt.readings {
				g.blind = true
				g.s.Now += g.p.Period - g.s.Now%(10*ms)
				for c := range g.s.Floor {
					g.s.Floor[c] = robot.Reading{Value: 0.5 + float32(i)/100, At: g.s.Now, OK: true}
				}
				g.s.Floor[robot.FloorRight].Value = v
				g.run(2) // the second tick sees the same readings: not new
			}
			if got := g.c.Has(safety.Cliff); got != tt.want {
				t.Errorf("cliff %v (%v), want %v", got, g.c, tt.want)
			}
		})
	}
}

func TestCliffOnlyWhenEnabled(t *testing.T) {
	g := newRig(t, nil)
	g.floor = [robot.NumFloor]float32{}
	g.run(50)
	g.blind = true
	g.want.Speed = 0.3
	g.run(100)
	if g.c != 0 || g.out.Speed != 0.3 || g.r.Edges() != [robot.NumFloor]bool{} {
		t.Errorf("with detection off: %v m/s, %v, edges %v", g.out.Speed, g.c, g.r.Edges())
	}
	g = newRig(t, withCliffs)
	g.want.Speed = 0.3
	g.run(100)
	if g.out.Speed != 0.2 {
		t.Errorf("with detection on: %v m/s, want the cap 0.2", g.out.Speed)
	}
}

// TestCliffManoeuvre is B.7's R1 in the order it names: reverse 80 ms, stop,
// reverse 2 s at 40 %, held until five clear sweeps.
func TestCliffManoeuvre(t *testing.T) {
	g := newRig(t, withCliffs)
	g.want.Steering = 0.2
	g.run(300)
	g.floor[robot.FloorLeft] = 0.05
	g.until(25*ms, func() bool { return g.c.Has(safety.Cliff) })
	if want := [robot.NumFloor]bool{true}; g.r.Edges() != want {
		t.Errorf("edges %v, want %v", g.r.Edges(), want)
	}
	g.want.Steering = -0.4
	var log []string
	from, last := g.s.Now, ""
	for g.s.Now-from < 2500*time.Millisecond {
		if g.s.Now-from == 300*ms {
			g.floor[robot.FloorLeft] = 0.5
		}
		if now := fmt.Sprintf("%.3f %v", g.out.Speed, g.out.Brake); now != last && (g.out.Brake || g.out.Speed == -0.14) {
			log, last = append(log, fmt.Sprintf("%v: %s", g.s.Now-from, now)), now
		}
		if g.out.Speed < 0 && g.out.Steering != 0.2 {
			t.Fatalf("steering %v during the manoeuvre, want the arc it came on", g.out.Steering)
		}
		g.tick()
	}
	want := []string{"0s: -0.200 true", "80ms: 0.000 true", "275ms: -0.140 false", "2.18s: 0.000 true"}
	if fmt.Sprint(log) != fmt.Sprint(want) {
		t.Errorf("manoeuvre %q, want %q", log, want)
	}
	if g.c != 0 || g.out.Speed <= 0 {
		t.Errorf("after it: %v m/s, %v", g.out.Speed, g.c)
	}
}

// TestCliffRetreatsOnce: the first retreat belongs to the manoeuvre even when
// the floor is back at once, and there is no pulse against a car at rest.
func TestCliffRetreatsOnce(t *testing.T) {
	tests := []struct {
		name   string
		braked bool    // by the brain, on the first dark reading
		wheel  float32 // m/s the wheels are told at the second
		pulse  float32
	}{
		{"at speed", false, 0.2, -0.2},
		{"the brain has just stopped it", true, 0, 0},
		{"the body's own ramp still rolls", true, 0.15, -0.15},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, withCliffs)
			dark := func() {
				for i := range g.s.Floor {
					g.s.Floor[i] = robot.Reading{Value: 0.05, At: g.s.Now, OK: true}
				}
				g.tick()
			}
			g.blind = true // for the rig's own readings
			g.run(2)
			dark()
			g.want.Brake = tt.braked
			g.run(1)
			g.s.CommandedSpeed = tt.wheel
			dark()
			if !g.c.Has(safety.Cliff) || g.out.Speed != tt.pulse {
				t.Errorf("%v: pulse of %v m/s, want %v", g.c, g.out.Speed, tt.pulse)
			}
			g.blind, g.want.Brake = false, false
			back := false
			for range 60 {
				g.tick()
				back = back || g.out.Speed < 0 && !g.out.Brake
			}
			if !back {
				t.Error("did not retreat")
			}
		})
	}
}

func TestCliffHysteresis(t *testing.T) {
	g := newRig(t, withCliffs)
	g.floor[1] = 0.05
	g.run(20)
	g.floor[1] = 500.0 / 4095 * 1.1 // above the reference, below 1.2 of it
	g.run(1000)
	if !g.c.Has(safety.Cliff) {
		t.Error("cleared between the reference and 1.2 of it")
	}
	for range 3 { // four clear sweeps, again and again, are not five in a row
		g.floor[1] = 0.5
		g.sweep(4)
		if !g.c.Has(safety.Cliff) {
			t.Fatal("cleared after four sweeps")
		}
		g.floor[1] = 500.0 / 4095 * 1.1
		g.sweep(1)
	}
	g.floor[1] = 0.5
	g.sweep(4)
	if !g.c.Has(safety.Cliff) {
		t.Error("cleared after four sweeps in a row and some before")
	}
	g.sweep(1)
	if g.c.Has(safety.Cliff) {
		t.Error("not cleared after five sweeps")
	}
}

// TestCliffRetreatsEnd: on a floor that stays dark the car backs away at most
// three times and then leaves reversing to the brain.
func TestCliffRetreatsEnd(t *testing.T) {
	g := newRig(t, withCliffs)
	g.run(1200)
	g.floor[1] = 0.05
	back, backing := 0, false
	for range 1700 {
		g.tick()
		now := g.out.Speed < 0 && !g.out.Brake
		if now && !backing {
			back++
		}
		backing = now
	}
	if back != 3 || g.out.Speed != 0 || !g.c.Has(safety.Cliff) {
		t.Errorf("%d retreats, then %v m/s, %v", back, g.out.Speed, g.c)
	}
	g.want.Speed = -0.2
	g.run(60)
	if g.out.Speed != -0.2 {
		t.Errorf("the brain backs away at %v, want -0.2", g.out.Speed)
	}
}

func TestCliffStartsNoMotion(t *testing.T) {
	tests := []struct {
		name, why string
		prepare   func(*rig)
	}{
		{"standing", "somebody put it there", func(g *rig) { g.want.Speed = 0; g.run(200) }},
		{"disarmed", "inert is inert", func(g *rig) { g.r.Disarm(); g.run(1) }},
		{"stopped", "and armed again it has not moved", func(g *rig) {
			g.r.EStop()
			g.floor[0] = 0.05
			g.run(5)
			g.floor[0] = 0.5
			g.run(20)
			if err := g.r.Reset(); err != nil {
				t.Fatal(err)
			}
			if err := g.r.Arm(); err != nil {
				t.Fatal(err)
			}
			g.want.Speed = 0
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, withCliffs)
			tt.prepare(g)
			g.floor[0] = 0.05
			for range 200 {
				if g.tick(); g.out.Speed != 0 {
					t.Fatalf("moves at %v m/s", g.out.Speed)
				}
			}
		})
	}
}

// TestFloorStale: blind to edges is as good as at one, but does not send the
// car backwards.
func TestFloorStale(t *testing.T) {
	g := newRig(t, withCliffs)
	g.blind = true
	took := g.until(120*ms, func() bool { return g.c.Has(safety.FloorStale) })
	if took < 90*ms {
		t.Errorf("stale after %v", took)
	}
	for range 300 {
		g.tick()
		if g.out.Speed < 0 && !g.out.Brake {
			t.Fatal("retreats without having seen an edge")
		}
	}
	if g.out.Speed != 0 {
		t.Errorf("%v m/s while blind", g.out.Speed)
	}
	g.blind = false
	g.sweep(4)
	if !g.c.Has(safety.FloorStale) {
		t.Error("trusts the floor after four sweeps")
	}
	g.sweep(2)
	if g.c != 0 {
		t.Errorf("still %v after six sweeps", g.c)
	}
}

// TestCliffStopPath drives a car with the plant of C.1 (motor lag 0.12 s) at
// an edge: B4 allows a stop path of 30 mm and a latency of 25 ms. A body may
// take Brake as reverse power or as no more than zero duty; both must do.
func TestCliffStopPath(t *testing.T) {
	tests := []struct {
		name  string
		brake func(speed float32) float32 // m/s the plant follows while braking
		limit float32                     // m
	}{
		{"reverse power", func(speed float32) float32 { return speed }, 0.015},
		{"zero duty", func(float32) float32 { return 0 }, 0.030},
	}
	for _, tt := range tests {
		for offset := range 8 { // phases of the tick against the sweep
			g := newRig(t, withCliffs)
			g.run(offset)
			v, path, deepest := float32(0.2), float32(0), float32(0)
			var latency time.Duration
			start := g.s.Now
			for g.s.Now-start < 3*time.Second {
				g.floor[robot.FloorMiddle] = 0.03
				if path < 0 {
					g.floor[robot.FloorMiddle] = 0.5
				}
				g.tick()
				if latency == 0 && g.c.Has(safety.Cliff) {
					latency = g.s.Now - start
				}
				told := g.out.Speed
				if g.out.Brake {
					told = tt.brake(told)
				}
				for range 5 { // plant in 1 ms steps
					v += (told - v) * 0.001 / 0.12
					path += v * 0.001
				}
				deepest = max(deepest, path)
			}
			if latency > 25*ms || deepest > tt.limit {
				t.Errorf("%s, offset %d: latency %v, stop path %.1f mm; want at most 25 ms and %.0f mm",
					tt.name, offset, latency, 1000*deepest, 1000*tt.limit)
			}
		}
	}
}
