package route

import (
	"math"
	"testing"

	"fieldbrain/brain/ground"
)

// TestDamagedGoesOn: a finder that came out of a damaged frozen brain ends its tick,
// whatever its work says of itself, and finds ways again.
func TestDamagedGoesOn(t *testing.T) {
	g, err := ground.New(ground.Default())
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(f *Finder){
		"a phase that is none": func(f *Finder) { f.phase = 0x81 },
		"endless work":         func(f *Finder) { f.left = math.MaxInt - perTick },
		"cells that wait in no list": func(f *Finder) {
			f.phase, f.wave.waiting = spreading, 7
			for i := range f.wave.first {
				f.wave.first[i] = none
			}
		},
		"places far off": func(f *Finder) { f.places.west, f.places.south = math.MinInt32+9, math.MaxInt32-9 },
		"a survey from nowhere": func(f *Finder) {
			f.Begin(Goal, 9, 9)
			f.phase = surveying
			f.wave.begin(&f.spare.distance)
		},
		"a survey of nowhere": func(f *Finder) {
			f.Begin(Goal, 9, 9)
			f.phase, f.row, f.survey.west, f.survey.south = recalling, 3, math.MinInt32, math.MaxInt32
		},
		"a corner far off":   func(f *Finder) { f.phase, f.row, f.space.west = copying, 3, math.MaxInt32-60 },
		"a corner far south": func(f *Finder) { f.phase, f.row, f.space.south = copying, 3, math.MinInt32 },
	} {
		f := New()
		f.Begin(Explore, 0, 0)
		for range 5 {
			f.Advance(g, ground.Pose{}, 0.005)
		}
		damage(f)
		for range 5 {
			f.Advance(g, ground.Pose{}, 0.005)
		}
		f.Begin(Goal, 1.2, 0)
		for range 400 {
			f.Advance(g, ground.Pose{}, 0.005)
		}
		if w := f.Toward(0.05, 0); !w.OK {
			t.Errorf("%s: no way is found any more: %+v", name, w)
		}
	}
}
