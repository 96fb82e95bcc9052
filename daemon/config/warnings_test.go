package config_test

import (
	"testing"

	"fieldbrain/daemon/config"
)

// A calibration that the chosen car does not read is worth a word, and no mistake.
func TestWarnsOfUnreadCalibration(t *testing.T) {
	c := config.Default()
	for _, body := range []string{"sim", "picarx"} {
		c.Body.Kind, c.Body.Calibration = body, "car.toml"
		found := c.Warnings()
		if body == "picarx" && len(found) > 0 {
			t.Errorf("the real car reads it: %v", found)
		}
		if body == "sim" && (len(found) != 1 || found[0].Key != "body.calibration" || found[0].Remedy == "") {
			t.Errorf("the simulated car does not read it: %v", found)
		}
	}
}
