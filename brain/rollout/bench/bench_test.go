package bench

import (
	"fmt"
	"strings"
	"testing"

	"fieldbrain/brain/rollout"
)

func Example() {
	r, err := Run(Options{Rounds: 1, Trajectories: 32, Steps: 10})
	fmt.Println(err, len(r.Rows) == len(rollout.ISAs()))
	// Output: <nil> true
}

func TestRun(t *testing.T) {
	r, err := Run(Options{Rounds: 2, Trajectories: 100, Steps: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		if row.Rate <= 0 || row.Best > row.Median || row.Longest > 1e3*row.Median {
			t.Errorf("%+v", row)
		}
		if (row.OverPeer.Rounds == 2) != (r.Peer > 0) {
			t.Errorf("peer %v ms, %+v", r.Peer, row)
		}
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil || strings.Count(text.String(), "purego") != 1 {
		t.Errorf("%v: %s", err, text.String())
	}
}

// TestPeerPlans: the peer is no straw man: it steers to the side of its goal, and a few
// plans later around what stands in the way as ours does.
func TestPeerPlans(t *testing.T) {
	b, err := scene()
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range []float32{1, -1} {
		p := newPeer(2000, 56, layers(b))
		if p == nil {
			t.Skip("this build or machine has no peer")
		}
		angle := float32(0)
		for range 5 {
			angle = p.plan(0.3, 2.2, 2+1.2*side)
		}
		p.close()
		if angle*side < 0.1 {
			t.Errorf("goal on side %v: angle %v rad", side, angle)
		}
	}
}
