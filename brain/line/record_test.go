package line_test

import (
	"math"
	"testing"

	"fieldbrain/brain/line"
	"fieldbrain/robot"
)

// follows returns a follower that has driven along a bent line and into a gap of it.
func follows() *line.Follower {
	k := line.Look{Fresh: true, Wanted: true, Speed: 0.2, Yaw: 0.4, Dt: 0.005}
	for i := range robot.NumFloor {
		k.Light[i], k.Dark[i], k.Floor[i] = 0.29, 0.1, 0.3
	}
	l := new(line.Follower)
	for tick := range 600 {
		if k.Floor[robot.FloorMiddle] = 0.09; tick >= 500 {
			k.Floor[robot.FloorMiddle] = 0.3
		}
		l.Update(&k)
	}
	return l
}

// TestRecord: a follower goes on from what it saved, and forgets it.
func TestRecord(t *testing.T) {
	var r, again line.Record
	follows().Save(&r)
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	var l line.Follower
	l.Resume(&r)
	if l.Save(&again); again != r || r.Course == (line.Course{}) || r.Gap == 0 {
		t.Errorf("saved %+v, and again %+v", r, again)
	}
	l.Forget()
	if l.Save(&again); l.Bend() != 0 || again.Found {
		t.Errorf("forgotten, and still %+v", again)
	}
}

// TestImpossibleRecords: no follower resumes what none can have.
func TestImpossibleRecords(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := line.Record{
		Offset: -1, Lost: 3, Gap: -0.1, Met: 1,
		Course:   line.Course{Aside: 0.01, Slant: -0.2, Bend: 2},
		Crossing: line.Crossing{Out: 0.1, Vain: 1, Bend: -2, Back: true},
		Detour:   line.Detour{Off: true, Away: 2, Draws: 3, Far: 1},
		Corner:   line.Corner{Left: line.Leg{Both: 0.02}, Round: -1, On: 0.05},
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(r *line.Record){
		"offset":             func(r *line.Record) { r.Offset = 1.1 },
		"search":             func(r *line.Record) { r.Lost = -1 },
		"gap":                func(r *line.Record) { r.Gap = nan },
		"way behind a gap":   func(r *line.Record) { r.Met = 1.1 },
		"course NaN":         func(r *line.Record) { r.Course.Aside = nan },
		"course aside":       func(r *line.Record) { r.Course.Aside = 3 },
		"course slant":       func(r *line.Record) { r.Course.Slant = 1.5 },
		"course bend":        func(r *line.Record) { r.Course.Bend = inf },
		"course bend back":   func(r *line.Record) { r.Course.Bend = -9 },
		"crossing out":       func(r *line.Record) { r.Crossing.Out = nan },
		"crossing on":        func(r *line.Record) { r.Crossing.On = -1 },
		"crossing still":     func(r *line.Record) { r.Crossing.Still = inf },
		"crossing bend":      func(r *line.Record) { r.Crossing.Bend = 9 },
		"crossing ways":      func(r *line.Record) { r.Crossing.Vain = 4 },
		"crossing no ways":   func(r *line.Record) { r.Crossing.Vain = -1 },
		"detour stood":       func(r *line.Record) { r.Detour.Stood = nan },
		"detour away":        func(r *line.Record) { r.Detour.Away = -1 },
		"detour draws":       func(r *line.Record) { r.Detour.Draws = 99 },
		"detour far":         func(r *line.Record) { r.Detour.Far = inf },
		"detour from":        func(r *line.Record) { r.Detour.From.X = float32(nan) },
		"detour heading":     func(r *line.Record) { r.Detour.From.Heading = 7 },
		"corner round":       func(r *line.Record) { r.Corner.Round = 2 },
		"corner on":          func(r *line.Record) { r.Corner.On = -1 },
		"corner left rise":   func(r *line.Record) { r.Corner.Left.Rise = nan },
		"corner right since": func(r *line.Record) { r.Corner.Right.Since = 2 },
	} {
		bad := good
		if spoil(&bad); bad.Check() == nil {
			t.Errorf("%s: %+v is taken", name, bad)
		}
	}
}
