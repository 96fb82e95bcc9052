package brain

import "testing"

// TestRemembers: with one beam forgotten walls always count, and never for more; with five
// they do once the way is in doubt, and for more once the car is late.
func TestRemembers(t *testing.T) {
	for _, tt := range []struct {
		w           guideInput
		walls, late bool
	}{
		{guideInput{}, true, false},
		{guideInput{late: true}, true, false},
		{guideInput{sides: true}, false, false},
		{guideInput{sides: true, doubts: true}, true, false},
		{guideInput{sides: true, doubts: true, late: true}, true, true},
	} {
		if walls, late := tt.w.remembers(); walls != tt.walls || late != tt.late {
			t.Errorf("%+v: walls %v, late %v", tt.w, walls, late)
		}
	}
}
