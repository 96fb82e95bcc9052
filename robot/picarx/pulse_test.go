package picarx_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fieldbrain/robot"
)

// TestReversePulse: Brake with a speed against the motion is reverse duty at
// once, in either direction; otherwise Brake is zero.
func TestReversePulse(t *testing.T) {
	turned := []string{
		"2D 00 00", "left true", "2D 09 E7", // zero, line, duty: a line turns at zero duty only
		"2C 00 00", "right false", "2C 09 E7",
	}
	back := []string{"2D 00 00", "left false", "2D 09 E7", "2C 00 00", "right true", "2C 09 E7"}
	zeros := []string{"2D 00 00", "2C 00 00", "2D 00 00", "2C 00 00"}
	tests := []struct {
		name, why    string
		rolls, brake float32 // m/s before, and with Brake
		want         []string
	}{
		{"against forward", "the cliff reflex", 0.2, -0.2, turned},
		{"against reverse", "the sign is the motion's", -0.2, 0.2, back},
		{"along", "no brake drives on", 0.2, 0.2, zeros},
		{"zero", "an ordinary brake", 0.2, 0, zeros},
		{"at rest", "a brake sets nothing in motion", 0, -0.2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.ready()
			r.obey(robot.Command{Speed: tt.rolls, Enable: true})
			r.run(500 * ms)
			start := r.clock.Now()
			r.log = nil
			r.obey(robot.Command{Speed: tt.brake, Brake: true, Enable: true})
			r.run(15 * ms)
			got := r.writes("2C", "2D", "left", "right")
			if diff := cmp.Diff(tt.want, whats(got)[:min(len(tt.want), len(got))], cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.why, diff)
			}
			if len(tt.want) == 6 && (len(got) < 6 || got[5].at-start > 4*ms) {
				t.Errorf("both motors reversed at %v, commanded at %v: want at once", got, start)
			}
			left, right := r.duties()
			if pulse := len(tt.want) == 6; (left != 0) != pulse || (right != 0) != pulse {
				t.Errorf("duties %d %d: %s", left, right, tt.why)
			}
		})
	}
}

// TestReversePulseEnds with its command: at zero on the next brake, on a
// disarm, and 150 ms after the brain died in the middle of it.
func TestReversePulseEnds(t *testing.T) {
	tests := []struct {
		name string
		next *robot.Command
		wait time.Duration
	}{
		{"brake", &robot.Command{Brake: true, Enable: true}, 5 * ms},
		{"disarm", &robot.Command{Speed: -0.2, Brake: true}, 5 * ms},
		{"silence", nil, 155 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.ready()
			r.obey(forward)
			r.run(500 * ms)
			r.obey(robot.Command{Speed: -0.2, Brake: true, Enable: true})
			r.run(80 * ms)
			if left, right := r.duties(); left != 2535 || right != 2535 || r.sense().CommandedSpeed != -0.2 {
				t.Fatalf("duties %d %d, wheels told %v in the pulse", left, right, r.sense().CommandedSpeed)
			}
			if r.brain = nil; tt.next != nil {
				r.obey(*tt.next)
			}
			r.run(tt.wait)
			if left, right := r.duties(); left != 0 || right != 0 {
				t.Errorf("duties %d %d %v later, want 0", left, right, tt.wait)
			}
		})
	}
}

// TestUnnoticedReset: the HAT forgets its timers between two transactions. With
// a period of 0 every duty is full power, so none goes out before the period.
func TestUnnoticedReset(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(500 * ms)
	for _, reg := range []byte{0x2c, 0x2d, 0x43, 0x47} {
		r.hat.regs[reg] = 0
	}
	for end := r.clock.Now() + 200*ms; r.clock.Now() < end; r.run(ms / 4) {
		left, right := r.duties()
		if left|right != 0 && r.hat.regs[0x47] == 0 {
			t.Fatalf("duties %d %d on a timer without a period", left, right)
		}
	}
	if left, right := r.duties(); left == 0 || right == 0 {
		t.Errorf("duties %d %d 200 ms later, want them back", left, right)
	}
}
