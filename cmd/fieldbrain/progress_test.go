package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestMeter: a bar says how far it is on a terminal and is wiped in the end; a
// pipe hears nothing.
func TestMeter(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var b bytes.Buffer
		m := newMeter(&b, terminal)
		m.runs(1, 4)
		m.time(3*time.Second, 12*time.Second)
		m.rounds(2, 2)
		m.end()
		m.end()
		if !terminal {
			if b.Len() != 0 {
				t.Errorf("a pipe hears %q", b.String())
			}
			continue
		}
		for _, want := range []string{"1 of 4 runs", "25%", "3 of 12 s", "round 2 of 2"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%q does not stand in %q", want, b.String())
			}
		}
		if last := strings.TrimRight(b.String(), "\r"); !strings.HasSuffix(last, " ") {
			t.Errorf("the bar is not wiped: %q", last)
		}
	}
}
