package config_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/daemon/config"
)

// TestADCGap: the pause of a conversion is read and bounded.
func TestADCGap(t *testing.T) {
	c, err := config.Parse("f.toml", []byte("[body]\nadc_gap = \"200us\"\n"))
	if err != nil || time.Duration(c.Body.ADCGap) != 200*time.Microsecond {
		t.Errorf("%v, %v", c.Body.ADCGap, err)
	}
	for _, gap := range []string{"-1us", "1001us"} {
		if _, err := config.Parse("f.toml", []byte("[body]\nadc_gap = \""+gap+"\"\n")); err == nil || !strings.Contains(err.Error(), "f.toml:2: body.adc_gap") {
			t.Errorf("%s: %v", gap, err)
		}
	}
}
