package main

import (
	"os"
	"path/filepath"
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
	tier.Heavy(t, "drives of 12 s, three a seed")
	tier.Compiled(t, "drives of 12 s, three a seed")
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

// A new report removes the pictures of the one before, and no others.
func TestReportLeavesOtherPictures(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "page")
	c := benchBehaveCmd{Report: folder + ".md"}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"B1-room.png", "B2-room.png", "holiday.png"} {
		write(filepath.Join(folder, name), name)
	}
	if err := c.removeOld(folder, nil); err != nil {
		t.Errorf("without an earlier page: %v", err)
	}
	write(c.Report, "![a](page/B1-room.png) ![b](page/B2-room.png) ![c](other/holiday.png)")
	if err := c.removeOld(folder, map[string]bool{"B1-room.png": true}); err != nil {
		t.Error(err)
	}
	for name, stays := range map[string]bool{"B1-room.png": true, "B2-room.png": false, "holiday.png": true} {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != stays {
			t.Errorf("%s: stays %v, want %v", name, err == nil, stays)
		}
	}
}
