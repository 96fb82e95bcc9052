package family

import (
	"strings"
	"testing"
)

// A family whose worlds have no way to the goal is refused after a bounded number of
// draws, with the reason; one that has a way now and then is drawn until it has.
func TestDrawnAgain(t *testing.T) {
	draws := 0
	walled := func(open int) *kind {
		return &kind{name: "test", draw: func(d *draft) {
			draws++
			d.size(4, 3)
			d.start(0.6, 1.5, 0, anywhere)
			d.goal(3.4, 1.5)
			if draws != open {
				d.wall(2, 0, 2, 3)
			}
		}}
	}
	if sc, err := walled(7).member("test/1", Train, 1); err != nil || draws != 7 || len(sc.World.Walls) > 0 {
		t.Errorf("the seventh draw can be driven: drew %d, %v", draws, err)
	}
	draws = 0
	_, err := walled(0).member("test/1", Train, 1)
	if err == nil || draws != tries || !strings.Contains(err.Error(), "no way from") {
		t.Errorf("after %d draws: %v", draws, err)
	}
	crowded := &kind{name: "test", draw: func(d *draft) {
		d.size(1, 0.5)
		d.start(0.4, 0.13, 0, 0)
	}}
	if _, err := crowded.member("test/1", Train, 1); err == nil || !strings.Contains(err.Error(), "from an obstacle") {
		t.Errorf("0.05 m of air are not there: %v", err)
	}
}
