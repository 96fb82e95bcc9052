package brain_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// tape is an engine that keeps the last input and computes nothing.
type tape struct {
	in  field.Input
	out field.Output
}

func (e *tape) Step(in *field.Input) (*field.Output, error) {
	e.in = *in
	e.out.Obstacle = new([field.Plane]float32)
	return &e.out, nil
}
func (e *tape) Read(field.Section, []float32)  {}
func (e *tape) Write(field.Section, []float32) {}
func (e *tape) Name() string                   { return "tape" }
func (e *tape) Close() error                   { return nil }

// feed runs n ticks over a tape and returns the last input.
func feed(t *testing.T, body *still, n int) *field.Input {
	t.Helper()
	return feedIn(t, body, n, brain.Default())
}

// feedIn is feed of a brain with other parameters.
func feedIn(t *testing.T, body *still, n int, p brain.Params) *field.Input {
	t.Helper()
	e := &tape{}
	b, err := brain.New(body, e, body, p)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		body.now += 5 * time.Millisecond
		b.Tick(body.now)
	}
	return &e.in
}

// TestOdometrySigns pins the directions every map and memory relies on: wheels
// forward move the body forward, wheels turned left turn it left.
func TestOdometrySigns(t *testing.T) {
	p := brain.Default()
	tests := []struct {
		name            string
		wheel, steering float32
		speed, yaw      robot.Reading
		forward, turn   float64 // per second
	}{
		{name: "straight", wheel: 0.2, forward: 0.2},
		{name: "reverse", wheel: -0.2, forward: -0.2},
		{name: "left", wheel: 0.2, steering: 0.3, forward: 0.2, turn: 0.2 * math.Tan(0.3) / float64(p.Wheelbase)},
		{name: "right", wheel: 0.2, steering: -0.3, forward: 0.2, turn: -0.2 * math.Tan(0.3) / float64(p.Wheelbase)},
		{name: "reverse left", wheel: -0.2, steering: 0.3, forward: -0.2, turn: -0.2 * math.Tan(0.3) / float64(p.Wheelbase)},
		{name: "wheels spin", wheel: 0.3, speed: robot.Reading{OK: true}},
		{name: "gyroscope", wheel: 0.2, yaw: robot.Reading{Value: -1, OK: true}, forward: 0.2, turn: -1},
		{name: "not a number", wheel: float32(math.NaN())},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := newStill()
			body.state.CommandedSpeed, body.state.CommandedSteering = tt.wheel, tt.steering
			body.state.Speed, body.state.Yaw = tt.speed, tt.yaw
			body.fresh = true
			in := feed(t, body, 400)
			if f, w := float64(in.Forward)*200, float64(in.Turn)*200; math.Abs(f-tt.forward) > 1e-3 || math.Abs(w-tt.turn) > 1e-3 {
				t.Errorf("reckoned %.3f m/s and %.3f rad/s, want %.3f and %.3f", f, w, tt.forward, tt.turn)
			}
		})
	}
}

// TestStaleOdometryIsNotUsed gives an hour-old gyroscope.
func TestStaleOdometryIsNotUsed(t *testing.T) {
	body := newStill()
	body.state.Yaw = robot.Reading{Value: 2, OK: true, At: time.Millisecond}
	if in := feed(t, body, 10); in.Turn != 0 {
		t.Errorf("a gyroscope's old reading turns the map by %v rad per tick", in.Turn)
	}
}

// TestStimuli checks which stimuli a scene makes, and where.
func TestStimuli(t *testing.T) {
	body := newStill()
	body.see(robot.Front, 0.5)
	body.see(robot.Left30, 0.3)
	in := feed(t, body, 3)
	if in.NumBeams != 2 || in.Beams[1].Bearing != robot.SectorBearing(robot.Left30) {
		t.Fatalf("%d beams %v, want the front one and one at 30 deg left", in.NumBeams, in.Beams[:in.NumBeams])
	}
	if got, want := float64(in.Beams[0].Range), 0.5+float64(brain.Default().SonarLead); math.Abs(got-want) > 0.01 {
		t.Errorf("front beam %.3f m from the reference point, want %.3f", got, want)
	}
	at := map[int][]field.Term{}
	for _, term := range in.Terms[:in.NumTerms] {
		at[term.Channel] = append(at[term.Channel], term)
	}
	for channel, n := range map[int]int{
		field.RangeSeen: 2, field.Ground: 3, field.Steer: 1, field.SpeedOwn: 1, field.GazeOwn: 1,
		field.Body: 1, field.Speed: 1, field.Gaze: 1, field.Line: 0, field.CliffEdge: 0, field.TargetSeen: 0,
	} {
		if len(at[channel]) != n {
			t.Errorf("channel %d has %d stimuli, want %d", channel, len(at[channel]), n)
		}
	}
	left := at[field.RangeSeen][1]
	if math.Abs(float64(left.Centre[0])-field.BearingBin(math.Pi/6)) > 0.01 || left.A != 6 {
		t.Errorf("left echo at bin %.2f amplitude %v, want %.2f and 6", left.Centre[0], left.A, field.BearingBin(math.Pi/6))
	}
}
