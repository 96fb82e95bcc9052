//go:build cuda

package worker

import "testing"

// TestBetter: a card that the kernels do not run on is no choice beside one that they do,
// however large.
func TestBetter(t *testing.T) {
	old, small, large := &Device{Major: 6, Minor: 1, Processors: 28}, &Device{Major: 8, Minor: 6, Processors: 20}, &Device{Major: 12, Processors: 170}
	for _, c := range []struct {
		name    string
		d, than *Device
		want    bool
	}{
		{"the first", old, nil, true},
		{"a smaller one with kernels", small, old, true},
		{"a larger one without", old, small, false},
		{"a larger one with", large, small, true},
		{"as large", small, small, false},
		{"the older of two without", &Device{Major: 7, Processors: 80}, old, true},
	} {
		if got := c.d.better(c.than); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
