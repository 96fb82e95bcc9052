package config

import "time"

// Telemetry is section [telemetry].
type Telemetry struct {
	Length Duration `toml:"length" comment:"of the flight ring, which keeps every tick beside the control socket, 1s .. 1h, 138 kB per second at 5ms; 0s keeps none"`
}

// DefaultTelemetry returns ten minutes of ticks.
func DefaultTelemetry() Telemetry { return Telemetry{Length: Duration(10 * time.Minute)} }

// check checks section [telemetry].
func (c Telemetry) check(k *checker) {
	k.span("telemetry.length", c.Length, time.Second, time.Hour, "no ring")
}
