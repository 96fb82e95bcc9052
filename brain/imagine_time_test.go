package brain

import (
	"testing"
	"time"

	"fieldbrain/brain/belief"
	"fieldbrain/brain/plan"
)

// asked counts the ticks from every question of imagined drives to its answer.
func asked(t *testing.T, period time.Duration, share, answers int) (ticks []int) {
	t.Helper()
	p := Default()
	p.SetPeriod(period)
	p.Effort, p.Planner = plan.Full(), PlannerRollout
	e, err := newExplorer(&p)
	if err != nil {
		t.Fatal(err)
	}
	e.take(share, p.Effort)
	o := explorerInput{speed: 0.3, way: 0.4, left: 2}
	for n := 1; len(ticks) < answers; n++ {
		e.have = false
		e.pose = belief.Pose{X: float32(len(ticks)) * 0.1, Heading: float32(n) * 0.01}
		o.weight = float32(len(ticks) % 2)
		if e.imagine(&o); e.have {
			ticks, n = append(ticks, n), 0
		}
		if n > 1000 {
			t.Fatalf("period %v: no answer in %d ticks", period, n)
		}
	}
	return ticks
}

// TestAnswersKeepTheirTime: whatever is asked, the answer comes a tenth of a second after
// its question, to the tick; on a lower rung as many times that.
func TestAnswersKeepTheirTime(t *testing.T) {
	for _, period := range []time.Duration{2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond, 40 * time.Millisecond} {
		for _, share := range []int{1, 4, 10} {
			ticks := asked(t, period, share, 5)
			for _, n := range ticks {
				if want := int(imagineEvery/period) * share; n != want {
					t.Errorf("period %v, share 1/%d: answers after %v ticks, want %d", period, share, ticks, want)
					break
				}
			}
		}
	}
}

// TestForgets: what a plan was about is gone where the car is held, and time goes on for
// it where it is not.
func TestForgets(t *testing.T) {
	p := Default()
	p.Effort, p.Planner = plan.Full(), PlannerRollout
	e, err := newExplorer(&p)
	if err != nil {
		t.Fatal(err)
	}
	straight := e.imagined.planner.At(0)
	o := explorerInput{speed: 0.3, way: 1.2, left: 2, weight: 1}
	for !e.have {
		e.imagine(&o)
	}
	if got := e.imagined.planner.At(0); got == straight || got.Steering < 0.1 {
		t.Errorf("to a goal at the left the plan begins with %+v", got)
	}
	if e.imagined.since == 0 {
		t.Error("a plan takes no time")
	}
	e.imagined.forget()
	if got := e.imagined.planner.At(0); got != straight || e.imagined.since != 0 {
		t.Errorf("forgotten, the plan begins with %+v", got)
	}
	var none *imagination
	none.forget() // the other planner has nothing to forget
	none.reset()
}

// TestTheWayLeads: where nobody wants a goal, a plan goes the way to unseen floor; as far
// as it gets on, the free way says how fast, and a plan that backs says it itself.
func TestTheWayLeads(t *testing.T) {
	heading := func(known bool) (steering, speed float32) {
		p := Default()
		p.Effort, p.Planner = plan.Full(), PlannerRollout
		e, err := newExplorer(&p)
		if err != nil {
			t.Fatal(err)
		}
		o := explorerInput{speed: 0.3, way: 1.2, left: 2, known: known}
		for !e.have {
			e.imagine(&o)
		}
		if e.goal != 0 {
			t.Errorf("the way to unseen floor counts as a goal of weight %v", e.goal)
		}
		return e.imagined.planner.At(4).Steering, e.plan.Action.Speed
	}
	led, speed := heading(true)
	alone, _ := heading(false)
	if led < 0.1 || led < alone+0.1 || speed != 1 {
		t.Errorf("to a way at the left it steers %.2f rad at %.2f of cruise speed, without one %.2f rad", led, speed, alone)
	}
	for blended, want := range map[float32]float32{1: 1, 0.4: 1, 0: 0, -0.3: -0.3} {
		if got := throttle(blended); got != want {
			t.Errorf("a blended speed of %.1f asks for %.1f, want %.1f", blended, got, want)
		}
	}
}
