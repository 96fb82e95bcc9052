package quality_test

import (
	"testing"

	"fieldbrain/brain/quality"
	"fieldbrain/field"
)

// TestEveryRungRuns: each rung's quality is one that exists, and no two are the
// same.
func TestEveryRungRuns(t *testing.T) {
	seen := map[quality.Rung]bool{}
	for _, r := range quality.Ladder() {
		if !r.Field.Valid() {
			t.Errorf("%s: %+v is no quality", r.Name, r.Field)
		}
		key := quality.Rung{Field: r.Field}
		if seen[key] {
			t.Errorf("%s does what another rung does", r.Name)
		}
		seen[key] = true
	}
	if r := quality.Ladder()[0]; r.Field != field.Full() {
		t.Errorf("the first rung %s degrades something: %+v", r.Name, r.Field)
	}
}

// TestNoRungTouchesWhatMustNotDegrade holds B.11's list against the channels:
// decisions, maps, memories of where things are, and mirrors run every tick.
func TestNoRungTouchesWhatMustNotDegrade(t *testing.T) {
	for _, r := range quality.Ladder() {
		for c := range field.Channels {
			every := r.Field.Every(c)
			never := c >= field.ObstMap && c < 45 || c >= field.Heading && c < 59 && c != field.Novelty
			if never && every != 1 {
				t.Errorf("%s: channel %d runs every %d ticks", r.Name, c, every)
			}
		}
	}
}
