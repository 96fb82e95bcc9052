package main

import (
	"strings"
	"testing"
	"time"
)

// TestVigil: that a sweep waits for its server is said once, and once that it goes on.
func TestVigil(t *testing.T) {
	var said strings.Builder
	v := vigil{to: &said, store: "cruise.sweep/nats"}
	for _, away := range []time.Duration{0, time.Second, 0, silence, 11 * time.Second, 12 * time.Second, 0, 0, time.Second} {
		v.see(away)
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "cruise.sweep/nats) has not answered for 11 s") || !strings.Contains(lines[1], "goes on") {
		t.Errorf("%q", lines)
	}
}
