package testbench_test

import (
	"strings"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/testbench"
)

// TestSilence goes through the simulated HC-SR04's edges and the driver: what a
// sonar says of a free way, of a wall, of a wall that swallows sound, and what it
// says when it is dead. Sector -30 is a beam beside the HAT and says the same.
func TestSilence(t *testing.T) {
	const at = "duration_s = 10\nprofile = \"P1\"\n[start]\nx = %X\ny = 5\n[world]\nsize = [20, 10]\nwalled = true\n"
	tests := []struct {
		name, world, rest string
		ok, beyond        bool
		low, high         float32 // m
	}{
		{"free for 9 m", "11", "", true, true, 1.5, 1.5},
		{"a wall at 1 m", "18.89", "", true, false, 0.9, 1.1},
		{"a wall at 3 m", "16.89", "", true, false, 2.8, 3.2},
		{"cloth", "18.89", "[car]\ndrop_out = 1.0\n", true, true, 1.5, 1.5},
		{"the transmitter is dead", "18.89", "[[fault]]\nkind = \"echo-lost\"\nfrom_s = 0\n", false, false, 0, 0},
		{"dead in a hall", "11", "[[fault]]\nkind = \"echo-lost\"\nfrom_s = 0\n", false, false, 0, 0},
		{"the echo line is stuck", "11", "[[fault]]\nkind = \"echo-stuck\"\nfrom_s = 0\n", false, false, 0, 0},
		{"every other edge is lost", "18.89", "[[fault]]\nkind = \"edge-lost\"\nprobability = 0.5\nfrom_s = 0\n", false, false, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rig, err := testbench.NewRig(parse(t, strings.Replace(at, "%X", tt.world, 1)+tt.rest), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			ever := false
			var s robot.State
			for rig.Elapsed() < 4*time.Second {
				rig.AdvanceTo(rig.Clock().Now() + 5*time.Millisecond)
				rig.Body().Sense(&s)
				ever = ever || s.Range[robot.Front].OK && s.Range[robot.Front].AtLeast
			}
			front, side := s.Range[robot.Front], s.Range[robot.Right30]
			if ever != tt.beyond {
				t.Errorf("it ever heard nothing: %v, want %v", ever, tt.beyond)
			}
			if tt.name == "every other edge is lost" {
				return
			}
			if front.OK != tt.ok || front.AtLeast != tt.beyond || tt.ok && (front.Value < tt.low || front.Value > tt.high) {
				t.Errorf("front %+v, want ok %v, beyond %v, %v..%v m", front, tt.ok, tt.beyond, tt.low, tt.high)
			}
			if !side.OK || tt.ok && side.AtLeast != tt.beyond {
				t.Errorf("right %+v, want beyond %v", side, tt.beyond)
			}
		})
	}
}
