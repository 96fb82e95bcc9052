package brain_test

import (
	"math"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/field"
	"fieldbrain/robot"
)

// TestSensoryVector checks every slot the brain knows something of against the
// table of B.5.0, and that no other holds a value.
func TestSensoryVector(t *testing.T) {
	const deg = math.Pi / 180
	p := brain.Default()
	body := newStill()
	body.see(robot.Front, 1)
	body.see(robot.Rear, 0.5)
	body.state.CommandedSpeed, body.state.CommandedSteering = 0.175, 15*deg
	body.state.Pan, body.state.Tilt = 45*deg, 15*deg
	body.state.Target = robot.Target{
		Bearing:    robot.Reading{Value: -30 * deg, At: time.Hour, OK: true},
		Size:       robot.Reading{Value: 0.25, OK: true},
		Confidence: robot.Reading{Value: 0.75, OK: true},
	}
	in := feed(t, body, 400)
	skew := 0.117 * math.Tan(15*deg) / (2 * float64(p.Wheelbase))
	want := map[int]float64{
		field.SlotRange: 0.25, field.SlotRange + 7: 0.125,
		field.SlotFloor: 0.3, field.SlotFloor + 1: 0.3, field.SlotFloor + 2: 0.3, field.SlotLineTrust: 0,
		field.SlotCliff: 0, field.SlotCliff + 1: 0, field.SlotCliff + 2: 0,
		field.SlotSteering: 0.75, field.SlotSpeed: 0.75,
		field.SlotDuty: 0.5 + 0.25*(1-skew), field.SlotDuty + 1: 0.5 + 0.25*(1+skew),
		field.SlotPan: 0.75, field.SlotTilt: 0.5, field.SlotBattery: 1.6 / 2.4,
		field.SlotYaw:      0.5 + 0.175*math.Tan(15*deg)/float64(p.Wheelbase)/8,
		field.SlotOwnSpeed: 0.75, field.SlotContact: 0,
		field.SlotTarget: 0.25, field.SlotSize: 0.25, field.SlotTargetSure: 0.75,
	}
	for slot := range field.NumSenses {
		v, known := want[slot]
		if valid := in.Senses.Valid>>slot&1 == 1; valid != known {
			t.Errorf("slot %d is valid: %v, want %v", slot, valid, known)
		} else if got := float64(in.Senses.S[slot]); known && math.Abs(got-v) > 1e-3 {
			t.Errorf("slot %d is %.4f, want %.4f", slot, got, v)
		}
	}
}

// TestDutySlots: the duties of the wheels are those of a body with this track and this
// top speed.
func TestDutySlots(t *testing.T) {
	p := brain.Default()
	p.Track, p.Top, p.Cruise = 0.2, 1, 1
	body := newStill()
	body.see(robot.Front, 1)
	body.state.CommandedSpeed, body.state.CommandedSteering = 0.5, math.Pi/12
	in := feedIn(t, body, 3, p)
	skew := 0.2 * math.Tan(math.Pi/12) / (2 * float64(p.Wheelbase))
	for wheel, want := range []float64{0.5 + 0.25*(1-skew), 0.5 + 0.25*(1+skew)} {
		if got := float64(in.Senses.S[field.SlotDuty+wheel]); math.Abs(got-want) > 1e-6 {
			t.Errorf("duty of wheel %d is %v, want %v", wheel, got, want)
		}
	}
}

// TestLineSlot: the offset has a value only where a line is seen.
func TestLineSlot(t *testing.T) {
	body := newStill()
	body.state.Floor[robot.FloorLeft].Value = 0.09 // dark
	in := feed(t, body, 3)
	if s := &in.Senses; s.Valid>>field.SlotLine&1 == 0 || math.Abs(float64(s.S[field.SlotLine])-1) > 0.1 || s.S[field.SlotLineTrust] != 1 {
		t.Errorf("line to the left: offset slot %v, confidence %v, valid %#x", s.S[field.SlotLine], s.S[field.SlotLineTrust], s.Valid)
	}
}

// TestStimuliNameTheirSlots: a surprising slot can make only its own stimuli
// stronger.
func TestStimuliNameTheirSlots(t *testing.T) {
	body := newStill()
	body.see(robot.Front, 0.5)
	body.see(robot.Left30, 0.3)
	in := feed(t, body, 3)
	of := map[int][]int{}
	for _, term := range in.Terms[:in.NumTerms] {
		of[term.Channel] = append(of[term.Channel], int(term.Of)-1)
	}
	for channel, want := range map[int]int{
		field.Ground: field.SlotFloor, field.Steer: field.SlotSteering, field.SpeedOwn: field.SlotSpeed,
		field.GazeOwn: field.SlotPan, field.Body: field.SlotBattery, field.Speed: -1, field.Gaze: -1,
	} {
		if len(of[channel]) == 0 || of[channel][0] != want {
			t.Errorf("channel %d shows slots %v, want %d first", channel, of[channel], want)
		}
	}
	if got := of[field.RangeSeen]; len(got) != 2 || got[0] != 0 || got[1] != 1 {
		t.Errorf("RANGE shows slots %v, want 0 and 1", got)
	}
}

// TestFrames: a frame is a tick with something new, at most every 20 ms, and one
// comes every 100 ms even when all is silent.
func TestFrames(t *testing.T) {
	silent := newStill()
	for i := range silent.state.Floor {
		silent.state.Floor[i].OK = false
	}
	silent.state.Battery.OK = false
	for _, tt := range []struct {
		name  string
		body  *still
		every int // ticks of 5 ms
	}{{"news in every tick", newStill(), 4}, {"silence", silent, 20}} {
		t.Run(tt.name, func(t *testing.T) {
			e := &tape{}
			b, err := brain.New(tt.body, e, tt.body, brain.Default())
			if err != nil {
				t.Fatal(err)
			}
			for tick := range 100 {
				tt.body.now += 5 * time.Millisecond
				b.Tick(tt.body.now)
				if want := tick%tt.every == 0; e.in.Senses.Frame != want {
					t.Errorf("tick %d is a frame: %v, want one every %d", tick, e.in.Senses.Frame, tt.every)
				}
			}
		})
	}
}
