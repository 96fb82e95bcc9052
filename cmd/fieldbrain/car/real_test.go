package car_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon/config"
	"fieldbrain/robot/picarx"
)

// TestRealSonar: the real car gets the configuration's sonar settings, not the
// simulated one's, and the driver takes every setting that the configuration
// allows.
func TestRealSonar(t *testing.T) {
	for _, tt := range []struct {
		text   string
		period time.Duration
		median int
	}{
		{"", 60 * time.Millisecond, 3},
		{"[body]\nsonar_period = \"25ms\"\nsonar_median = 5\n", 25 * time.Millisecond, 5},
		{"[body]\nsonar_period = \"60ms\"\nsonar_median = 5\n", 60 * time.Millisecond, 5},
		{"[body]\nsonar_period = \"100ms\"\n", 100 * time.Millisecond, 3},
		{"[body]\nsonar_median = 1\nadc_gap = \"200us\"\n", 60 * time.Millisecond, 1},
	} {
		c, err := config.Parse("f.toml", []byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		p, against := car.DriverParams(c.Body)
		if len(against) != 0 {
			t.Fatal(against)
		}
		if p.Sonar.Period != tt.period || p.Sonar.Median != tt.median {
			t.Errorf("%q: a ping every %v, median of %d; want %v and %d", tt.text, p.Sonar.Period, p.Sonar.Median, tt.period, tt.median)
		}
		if gap := strings.Contains(tt.text, "adc_gap"); p.ADCGap > 0 != gap {
			t.Errorf("%q: a pause of %v", tt.text, p.ADCGap)
		}
		if p.Sonar.Temperature != picarx.Default().Sonar.Temperature {
			t.Errorf("%q: %v degrees", tt.text, p.Sonar.Temperature)
		}
	}
}
