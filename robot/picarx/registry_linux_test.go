package picarx_test

import (
	"strings"
	"testing"

	"fieldbrain/robot/picarx"
)

// TestBusNames asks periph's drivers, which are there on every machine even
// when no bus is.
func TestBusNames(t *testing.T) {
	buses, err := picarx.Buses()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"I2C993", "993", "no such link"} {
		path, err := picarx.Registered(name)
		if err == nil {
			t.Errorf("bus %s of %q resolved to %s", name, buses, path)
		} else if !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "body.bus") {
			t.Errorf("error %q names neither %s nor the remedy", err, name)
		}
	}
	if _, err := picarx.Registered(""); err == nil {
		t.Error("the lowest bus was taken for one that was not named")
	}
	for _, line := range buses {
		name, _, _ := strings.Cut(line, " = ")
		if path, err := picarx.Registered(name); err != nil || !strings.HasPrefix(path, "/dev/i2c-") {
			t.Errorf("known bus %s resolves to %q, %v", name, path, err)
		}
	}
}
