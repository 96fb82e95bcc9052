package brain_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/tier"
)

// A raised is a body whose floor sensors see nothing while somebody holds it.
type raised struct {
	robot.Body
	held bool
}

func (r *raised) Sense(s *robot.State) {
	r.Body.Sense(s)
	for i := range s.Floor {
		if r.held {
			s.Floor[i].Value *= 0.05 // with its noise
		}
	}
}

// raisedTrip is an armed car in an empty room that looks for edges and has driven towards a
// goal for some seconds.
func raisedTrip(t *testing.T, goal brain.Order) (*trip, *raised) {
	t.Helper()
	tier.Native(t, "equal bits carry its result over (.ci/run arm64 repeats whole drives)")
	sc, err := scenarios.Parse("trip.toml", []byte(empty))
	if err != nil {
		t.Fatal(err)
	}
	rig, err := testbench.NewRig(sc, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := cpu.New(field.Default(), cpu.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	p, body := brain.Default(), &raised{Body: rig.Body()}
	p.Safety.Cliff.Enabled = true
	b, err := brain.New(body, e, rig.Clock(), p)
	if err != nil {
		t.Fatal(err)
	}
	d := &trip{T: t, rig: rig, brain: b}
	rig.Drive(p.Period, func(now time.Duration) { b.Tick(now) })
	d.arm()
	if err := b.Go(goal); err != nil {
		t.Fatal(err)
	}
	d.wait(8)
	if f := b.Fix(); math.Hypot(f.X, f.Y) < 0.3 {
		t.Fatalf("it is at %+v", f)
	}
	return d, body
}

// rearm arms it again.
func (d *trip) rearm() {
	d.Helper()
	if err := d.brain.Arm(); err != nil {
		d.Fatal(err)
	}
	d.wait(0.1)
}

// TestLiftedBeginsAnew: who lifts an armed car has it disarmed, and takes its goal and its start
// away; who only disarms it and arms it again leaves it both. What is ordered while somebody
// carries a car, disarmed for long, counts from where it is armed.
func TestLiftedBeginsAnew(t *testing.T) {
	d, body := raisedTrip(t, brain.Order{Do: brain.DoGoal, X: 2, Y: 0})
	b := d.brain
	b.Disarm()
	d.wait(3)
	was := b.Fix()
	d.rearm()
	if now := b.Fix(); math.Hypot(now.X-was.X, now.Y-was.Y) > 0.05 {
		t.Errorf("disarmed and armed it was at %+v and is at %+v", was, now)
	}
	if e, _ := b.Missions(); e.Standing != brain.Underway {
		t.Fatalf("disarmed and armed: %v, %v", e.Standing, e.Why)
	}
	d.wait(1)
	body.held = true
	d.wait(5)
	if s := b.Safety(); s.Armed || !s.Tripped.Has(safety.Lifted) {
		t.Fatalf("in the hand: armed %v, tripped by %v, %v", s.Armed, s.Tripped, s.Causes)
	}
	if e, _ := b.Missions(); e.Standing != brain.GivenUp || e.Why != brain.CarriedOff {
		t.Errorf("in the hand: order %v, %v", e.Standing, e.Why)
	}
	body.held = false
	d.wait(1)
	d.rearm()
	if f := b.Fix(); math.Hypot(f.X, f.Y) > 0.01 || math.Abs(f.Heading) > 0.01 || f.Off > 0.01 {
		t.Errorf("armed again it is at %+v", f)
	}
	b.Disarm()
	d.wait(3)
	body.held = true
	d.wait(2)
	if err := b.Go(brain.Order{Do: brain.DoHome}); err != nil {
		t.Fatal(err)
	}
	d.wait(2)
	body.held = false
	d.wait(1)
	d.rearm()
	if e, _ := b.Missions(); e.Standing != brain.Reached {
		t.Errorf("home, ordered in the hand: %v, %v, %.2f m left", e.Standing, e.Why, e.Left)
	}
}
