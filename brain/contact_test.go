package brain

import (
	"testing"
	"time"

	"fieldbrain/brain/ground"
	"fieldbrain/brain/stall"
	"fieldbrain/brain/steer"
	"fieldbrain/robot"
)

// touching is a brain whose car, at 0.3 m/s, was just found to be held by something ahead.
func touching(t *testing.T) (*Brain, func(speed float64, at ground.Pose)) {
	t.Helper()
	p := Default()
	land, err := newTerrain()
	if err != nil {
		t.Fatal(err)
	}
	b := &Brain{params: p, dt: p.Period.Seconds(), decoder: newDecoder(&p), terrain: land}
	now := time.Duration(0)
	look := func(speed float64, at ground.Pose) {
		now += p.Period
		b.stall.Update(&stall.Look{
			Front: robot.Reading{Value: 0.4, At: now, OK: true}, Ranging: true, Speed: speed, Dt: b.dt, At: at,
		})
	}
	for x := float32(0); !b.stall.Held() && x < 1; x += 0.001 {
		look(0.3, ground.Pose{X: x})
	}
	b.law.Decide(&steer.Situation{Ground: b.terrain.grid, Speed: 0.3, Dt: b.dt, Driving: true, Stuck: true})
	b.stall.TakenBack()
	return b, look
}

// TestRecoilMapsOneContact: what the map is told of a contact stays while the car backs off from
// it, also where the first of that is in vain.
func TestRecoilMapsOneContact(t *testing.T) {
	b, look := touching(t)
	was := b.groundInput(time.Second)
	if !was.contact || was.behind {
		t.Fatalf("contact %v, behind %v, want one ahead", was.contact, was.behind)
	}
	for i := range 120 {
		look(-0.2, ground.Pose{X: 1 + float32(i)})
	}
	if _, lost := b.stall.From(); lost >= 0 {
		t.Fatalf("%.2f m in vain, want some back", lost)
	}
	if is := b.groundInput(time.Second); is.touch != was.touch || is.behind {
		t.Errorf("the contact at %v is now at %v, behind %v", was.touch, is.touch, is.behind)
	}
}
