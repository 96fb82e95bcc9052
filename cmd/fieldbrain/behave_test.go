package main

import (
	"testing"
	"time"

	"fieldbrain/daemon/config"
	"fieldbrain/field/ablation"
	"fieldbrain/testbench/behave"
	"fieldbrain/testbench/tier"
)

// TestS3ImpossibleFrames: S3 of the behavioural suite holds in this build: a
// state full of NaN, infinities or values no sensor can give is worth as much as
// one without readings. Every command and the field end up the same, bit for bit,
// and the bad readings are counted.
func TestS3ImpossibleFrames(t *testing.T) {
	tier.Alone(t, "in virtual time one goroutine runs a car and its driver, and drives do not meet")
	tier.Compiled(t, "six drives of 12 s")
	settings := config.Default()
	o := behave.Options{
		Make: minds(settings, ablation.Neural), Field: bareField(settings.Engine), Parts: behaveParts(settings),
		Period: time.Duration(settings.Loop.Period), Only: []string{"S3"}, Workers: 2, Scratch: t.TempDir(),
	}
	o.Seeds = tier.Count(t, "seeds", 1, 2, 5)
	r, err := behave.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	for i := range r.Behaviours {
		for _, c := range r.Behaviours[i].Checks {
			if checks++; !c.Passed {
				t.Errorf("%s is %v, wanted %s %v (%d of %d runs hold it)", c.Metric, *c.Value, c.Bound, c.Threshold, c.Held, c.Runs)
			}
		}
	}
	if checks != 2 {
		t.Errorf("%d checks, want the commands' and the counter's", checks)
	}
}
