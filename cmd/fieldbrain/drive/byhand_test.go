package drive_test

import (
	"strings"
	"testing"

	"fieldbrain/cmd/fieldbrain/drive"
)

// TestParseByHand: what people do by hand is read, and mistakes are named.
func TestParseByHand(t *testing.T) {
	got, err := drive.ParseTimed("2s drive 0.5 -1 1500ms")
	if err != nil || got.Hand == nil || got.Hand.Throttle != 0.5 || got.Hand.Steering != -1 || got.Hand.For.Seconds() != 1.5 {
		t.Errorf("%+v, %v", got.Hand, err)
	}
	if got, err = drive.ParseTimed("3s bad"); err != nil || got.Hand == nil || got.Hand.Outcome != -1 {
		t.Errorf("%+v, %v", got.Hand, err)
	}
	for text, want := range map[string]string{
		"1s drive":            "THROTTLE STEERING LENGTH",
		"1s drive 1.5 0 1s":   `"1.5" is no share`,
		"1s drive NaN 0 1s":   `"NaN" is no share`,
		"1s drive 1 0 -1s":    `"-1s" is no length`,
		"1s drive 1 0 1s now": "THROTTLE STEERING LENGTH",
		"1s good very":        `"very" is too much`,
		"1s driev 1 0 1s":     "or drive THROTTLE STEERING LENGTH, set KEY VALUE, good or bad",
		"1s set":              "set KEY VALUE",
		"1s":                  "good or bad",
	} {
		if _, err := drive.ParseTimed(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
