package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/daemon/config"
)

// TestParameters: what people may set while the car drives are keys of the configuration with
// the same limits.
func TestParameters(t *testing.T) {
	for _, d := range brain.Parameters() {
		section, key, _ := strings.Cut(d.Key(), ".")
		file := func(v float32) []byte {
			value := fmt.Sprint(v)
			switch {
			case d.Words() != nil && v >= 0 && int(v) < len(d.Words()):
				value = fmt.Sprintf("%q", d.Words()[int(v)])
			case d.Unit() == "s":
				value = fmt.Sprintf("%q", time.Duration(float64(v)*1e9).Round(time.Millisecond))
			}
			return fmt.Appendf(nil, "[%s]\n%s = %s\n", section, key, value)
		}
		low, high := d.Limits(brain.Default().Top)
		beyond := float32(0.01)
		if d.Words() != nil {
			beyond = 1 // a number is no word
		}
		for v, legal := range map[float32]bool{low: true, high: true, low - beyond: false, high + beyond: false} {
			_, err := config.Parse("f.toml", file(v))
			var wrong config.Complaints
			switch {
			case legal && err != nil:
				t.Errorf("%s: %v", d.Key(), err)
			case !legal && (!errors.As(err, &wrong) || wrong[0].Key != d.Key()):
				t.Errorf("%s = %v: %v, want a complaint about the key", d.Key(), v, err)
			}
		}
	}
}
