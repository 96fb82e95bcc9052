package drive_test

import (
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/tier"
)

// TestFastLine: closed lines at 0.30 m/s are never lost, and never farther away
// than half the tape and a little.
func TestFastLine(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	for seed := range uint64(tier.Count(t, "seeds", 1, 3, 20)) {
		sc, err := family.Make("line-fast", family.Train, seed+1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := drive.New(config.Default()).Virtual(sc, seed+1, "brain", testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if *r.LineLost != 0 || *r.LineMax > 0.02 || r.Distance < 14 {
			t.Errorf("seed %d: lost for %.2f s, %.0f mm away, drove %.1f m in a minute", seed+1, *r.LineLost, 1000**r.LineMax, r.Distance)
		}
	}
}

// TestLineOverGaps: gaps of up to 0.2 m, also in curves, are driven across, with one beam and
// with five, and walls around do not slow the car down from afar. Its limits are the
// family's.
func TestLineOverGaps(t *testing.T) {
	tier.Compiled(t, "equal hashes carry its result over")
	tier.Alone(t, "in virtual time one goroutine runs the car and its driver")
	members := [...]struct {
		family string
		seed   uint64
	}{{"line-gaps", 2}, {"line-gaps-p0", 4}, {"line-tight-p0", 2}, {"line-gaps", 12}, {"line-gaps-p0", 12}, {"line-gaps", 8}}
	for _, m := range members[:tier.Count(t, "members", 3, 4, len(members))] {
		sc, err := family.Make(m.family, family.Train, m.seed)
		if err != nil {
			t.Fatal(err)
		}
		r, err := drive.New(config.Default()).Virtual(sc, m.seed, "brain", testbench.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Pass {
			t.Errorf("%s/%d: lost for %.2f s, %.0f mm away, drove %.1f m in a minute", m.family, m.seed, *r.LineLost, 1000**r.LineRMS, r.Distance)
		}
	}
}
