package brain

import (
	"math"
	"testing"
	"time"

	"fieldbrain/field"
	"fieldbrain/robot"
)

// TestSilence: nothing heard is no peak of RANGE and closes in on nobody; far
// enough it clears the obstacle map and is the far end of the sensory vector.
func TestSilence(t *testing.T) {
	const ms = time.Millisecond
	p := Default()
	var e encoder
	for i, tt := range []struct {
		r       robot.Reading
		terms   int     // of the front's range and its closing
		beams   int     // of the obstacle map
		sensed  float32 // of the sensory vector, 0 for nothing
		closing float32 // m/s
	}{
		{robot.Reading{Value: 0.52, OK: true}, 1, 1, 0.13, 0},
		{robot.Reading{Value: 0.50, OK: true}, 2, 1, 0.125, 0.5},
		{robot.Reading{Value: 0.52}, 0, 0, 0, 0.5},
		{robot.Reading{Value: 0.60, OK: true, AtLeast: true}, 0, 0, 0, 0},
		{robot.Reading{Value: 1.50, OK: true, AtLeast: true}, 0, 1, 1, 0},
		{robot.Reading{Value: 0.80, OK: true}, 1, 1, 0.2, 0}, // it came from the side, not out of the silence
		{robot.Reading{Value: 0.76, OK: true}, 2, 1, 0.19, 1},
	} {
		now := time.Second + time.Duration(i)*40*ms
		st := &robot.State{Now: now}
		if tt.r.At = now; !tt.r.OK {
			tt.r.At -= 40 * ms
		}
		st.Range[robot.Front] = tt.r
		e.senses.update(st, &p, now)
		var in field.Input
		e.ranges(&in, st, &p)
		if in.NumTerms != tt.terms || in.NumBeams != tt.beams {
			t.Errorf("%d, %+v: %d terms and %d beams, want %d and %d", i, tt.r, in.NumTerms, in.NumBeams, tt.terms, tt.beams)
		}
		if tt.r.AtLeast && in.NumBeams == 1 && !(in.Beams[0].Range > field.DefaultMap().MaxRange) {
			t.Errorf("silence marks the map at %v m", in.Beams[0].Range)
		}
		if got := e.senses.S[field.SlotRange]; e.senses.valid(field.SlotRange) != (tt.sensed > 0) || tt.sensed > 0 && math.Abs(float64(got-tt.sensed)) > 1e-6 {
			t.Errorf("%d, %+v: sensed %v (%v), want %v", i, tt.r, got, e.senses.valid(field.SlotRange), tt.sensed)
		}
		if got := e.senses.close[robot.Front]; math.Abs(float64(got-tt.closing)) > 0.01 {
			t.Errorf("%d, %+v: closes at %v m/s, want %v", i, tt.r, got, tt.closing)
		}
	}
}
