package picarx_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

// forward is a command to drive straight ahead at half the speed limit.
var forward = robot.Command{Speed: 0.2, Enable: true}

func TestMotorsFollow(t *testing.T) {
	tests := []struct {
		name        string
		why         string
		change      func(*picarx.Params)
		cmd         robot.Command
		left, right uint16 // compare values of P13 and P12
		low, high   bool   // levels of D4 and D5
	}{
		{
			name: "forward", why: "left low, right high",
			cmd: forward, left: 2535, right: 2535, low: false, high: true,
		},
		{
			name: "backward", why: "left high, right low",
			cmd: robot.Command{Speed: -0.2, Enable: true}, left: 2535, right: 2535, low: true, high: false,
		},
		{
			name: "disabled", why: "Enable=false keeps the motors inert whatever Speed says",
			cmd: robot.Command{Speed: 0.2}, low: false, high: true,
		},
		{
			name: "limit", why: "no command exceeds the body's limits",
			cmd: robot.Command{Speed: 9, Enable: true}, left: 3055, right: 3055, low: false, high: true,
		},
		{
			name: "slow", why: "below the smallest speed the motors only whine",
			cmd: robot.Command{Speed: 0.015, Enable: true}, low: false, high: true,
		},
		{
			name: "reversed", why: "calibration flips one motor's polarity",
			change: func(p *picarx.Params) { p.Cal.Motors.Left.Reversed = true },
			cmd:    forward, left: 2535, right: 2535, low: true, high: true,
		},
		{
			name: "trim", why: "gain and dead band are per motor and direction",
			change: func(p *picarx.Params) {
				p.Cal.Motors.Left.Forward = picarx.Gain{Gain: 1.2, DeadBand: 0.5}
				p.Cal.Motors.Left.Backward = picarx.Gain{Gain: 0.5, DeadBand: 0.1}
			},
			cmd: forward, left: 2803, right: 2535, low: false, high: true,
		},
		{
			name: "swapped", why: "the left motor sits on the right plug",
			change: func(p *picarx.Params) {
				p.Cal.Motors.Swapped = true
				p.Cal.Motors.Left.Forward.DeadBand = 0.5
			},
			cmd: forward, left: 2535, right: 2677, low: true, high: false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.change)
			r.ready()
			r.obey(tt.cmd)
			r.run(500 * ms)
			left, right := r.duties()
			if left != tt.left || right != tt.right || r.left.high != tt.low || r.right.high != tt.high {
				t.Errorf("duties %d %d, lines %v %v, want %d %d, %v %v: %s", left, right,
					r.left.high, r.right.high, tt.left, tt.right, tt.low, tt.high, tt.why)
			}
		})
	}
}

func TestServoSigns(t *testing.T) {
	const deg = math.Pi / 180
	tests := []struct {
		name string
		cmd  robot.Command
		want [3]uint16 // P2 steering, P0 pan, P1 tilt
	}{
		{"centre", robot.Command{}, [3]uint16{307, 307, 307}},
		{"left", robot.Command{Steering: 20 * deg, Pan: 20 * deg}, [3]uint16{261, 352, 307}},
		{"right", robot.Command{Steering: -20 * deg, Pan: -20 * deg}, [3]uint16{352, 261, 307}},
		{"up", robot.Command{Tilt: 65.001 * deg}, [3]uint16{307, 307, 159}},
		{"beyond", robot.Command{Steering: -2, Pan: 3, Tilt: -3}, [3]uint16{375, 511, 386}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.ready()
			r.obey(tt.cmd)
			r.run(600 * ms)
			got := [3]uint16{r.hat.regs[0x22], r.hat.regs[0x20], r.hat.regs[0x21]}
			if got != tt.want {
				t.Errorf("counts %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSoftLimitIncludesTrim(t *testing.T) {
	r := newRig(t, func(p *picarx.Params) { p.Cal.Steering.Offset = 10 })
	r.ready()
	if got := r.hat.regs[0x22]; got != 329 {
		t.Errorf("centre is count %d, want 329 (10 degrees)", got)
	}
	r.obey(robot.Command{Steering: -0.5})
	r.run(600 * ms)
	if got := r.hat.regs[0x22]; got > 375 || got < 374 {
		t.Errorf("full right is count %d, want 375 (30 degrees with the trim)", got)
	}
	if s := r.sense(); math.Abs(float64(s.CommandedSteering)+20*math.Pi/180) > 1e-3 {
		t.Errorf("steering reported as %v rad, want -20 degrees: what the trim leaves", s.CommandedSteering)
	}
}

// TestAckermann: the wheels' speeds are in the ratio (R - T/2) / (R + T/2).
func TestAckermann(t *testing.T) {
	tests := []struct {
		name     string
		steering float64
		speed    float32
	}{
		{"left", 0.4, 0.2},
		{"right", -0.4, 0.2},
		{"left backwards", 0.4, -0.2},
		{"full left", math.Pi / 6, 0.3},
		{"slight", 0.05, 0.3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.ready()
			r.obey(robot.Command{Speed: tt.speed, Steering: float32(tt.steering), Enable: true})
			r.run(time.Second)
			cal := picarx.DefaultCalibration()
			speed := func(count uint16) float64 {
				return (float64(count)/4095 - 0.45) / 0.55 * cal.Body.TopSpeed
			}
			left, right := r.duties()
			inner, outer := speed(left), speed(right)
			if tt.steering < 0 {
				inner, outer = outer, inner
			}
			radius := cal.Body.Wheelbase / math.Tan(math.Abs(tt.steering))
			want := (radius - cal.Body.Track/2) / (radius + cal.Body.Track/2)
			if got := inner / outer; math.Abs(got-want) > 0.01 {
				t.Errorf("inner/outer %.3f, want %.3f", got, want)
			}
			if mean := (inner + outer) / 2; math.Abs(mean-math.Abs(float64(tt.speed))) > 0.002 {
				t.Errorf("mean speed %.3f m/s, want %.3f", mean, tt.speed)
			}
		})
	}
}

func TestOuterWheelKeepsRatio(t *testing.T) {
	r := newRig(t, func(p *picarx.Params) { p.Cal.Body.TopSpeed = 0.36 })
	r.ready()
	r.obey(robot.Command{Speed: 0.35, Steering: 0.5, Enable: true})
	r.run(time.Second)
	left, right := r.duties()
	if right != 4095 || left >= 3400 {
		t.Errorf("duties %d %d, want the outer at 4095 and the inner slowed with it", left, right)
	}
}

// TestReversal: down to zero, 50 ms of rest, lines turned at zero duty, up.
func TestReversal(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(500 * ms)
	r.log = nil
	r.obey(robot.Command{Speed: -0.2, Enable: true})
	r.run(800 * ms)
	var zero, turned, moved time.Duration
	for _, e := range r.writes("2C", "2D", "left", "right") {
		isZero := strings.HasSuffix(e.what, "00 00")
		switch {
		case isZero && moved == 0:
			if zero == 0 || turned == 0 && e.what[:2] == "2D" && e.at-zero < ms {
				zero = e.at
			}
		case strings.HasPrefix(e.what, "left"), strings.HasPrefix(e.what, "right"):
			turned = e.at
			for _, reg := range []byte{0x2c, 0x2d} {
				if zero == 0 || (reg == 0x2d && r.hat.regs[reg] == 0) {
					t.Errorf("line turned at %v before any zero", e.at)
				}
			}
		case zero != 0 && moved == 0:
			moved = e.at
		}
	}
	if zero == 0 || turned == 0 || moved-zero < 50*ms || moved-zero > 80*ms || turned < zero {
		t.Errorf("zero at %v, lines turned at %v, moving again at %v: want a rest of 50 to 80 ms", zero, turned, moved)
	}
	if s := r.sense(); s.CommandedSpeed != -0.2 {
		t.Errorf("wheel speed told %v, want -0.2", s.CommandedSpeed)
	}
}

func TestBrakeSkipsTheRamp(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(500 * ms)
	r.log = nil
	start := r.clock.Now()
	r.obey(robot.Command{Speed: 0.2, Enable: true, Brake: true})
	r.run(20 * ms)
	zeros := r.writes("2C 00 00", "2D 00 00")
	if len(zeros) != 4 {
		t.Fatalf("zeros %v, want each motor twice", zeros)
	}
	if d := zeros[1].at - start; d > 2*ms {
		t.Errorf("both motors at zero after %v, want within 2 ms", d)
	}
	if d := zeros[2].at - zeros[0].at; d < 2*ms {
		t.Errorf("second zero %v after the first, want at least 2 ms", d)
	}
	if len(r.writes("2C", "2D")) != 4 {
		t.Errorf("other duties in between: %v", r.writes("2C", "2D"))
	}
}

// TestLease: no fresh command for 150 ms, then 100 ms to zero, wheels straight.
func TestLease(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(robot.Command{Speed: 0.35, Steering: 0.4, Enable: true})
	r.run(600 * ms)
	full, _ := r.duties()
	r.brain = nil
	last := r.clock.Now()
	r.run(140 * ms)
	if left, _ := r.duties(); left != full {
		t.Errorf("duty %d inside the lease, want %d", left, full)
	}
	r.run(70 * ms)
	if left, _ := r.duties(); left == 0 || left >= full {
		t.Errorf("duty %d %v after the last command, want a ramp in progress", left, r.clock.Now()-last)
	}
	r.run(50 * ms)
	if left, right := r.duties(); left != 0 || right != 0 {
		t.Errorf("duties %d %d %v after the last command, want 0", left, right, r.clock.Now()-last)
	}
	if got := r.hat.regs[0x22]; got != 307 {
		t.Errorf("steering count %d, want 307: straight", got)
	}
	r.obey(forward) // a fresh command drives again
	r.run(300 * ms)
	if left, _ := r.duties(); left == 0 {
		t.Error("a fresh command after the lease does not drive")
	}
}

func TestRepeatedOldCommandAgesOut(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	old := forward
	old.At = r.clock.Now()
	r.brain = func(time.Duration) (robot.Command, bool) { return old, true } // a stuck brain
	r.run(400 * ms)
	if left, right := r.duties(); left != 0 || right != 0 {
		t.Errorf("duties %d %d from a command decided 400 ms ago, want 0", left, right)
	}
	future := forward
	future.At = time.Hour
	r.brain = nil
	if err := r.car.Act(future); err != nil {
		t.Fatal(err)
	}
	r.run(100 * ms)
	if left, _ := r.duties(); left == 0 {
		t.Error("a command from the future counts as now and drives")
	}
	r.run(300 * ms)
	if left, _ := r.duties(); left != 0 {
		t.Error("a command from the future has an endless lease")
	}
}

func TestActRefusesNaN(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.obey(forward)
	r.run(300 * ms)
	r.brain = nil
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		cmd := forward
		cmd.At, cmd.Steering = r.clock.Now(), float32(x)
		if err := r.car.Act(cmd); err != picarx.ErrNotFinite {
			t.Errorf("Act(steering %v) = %v, want ErrNotFinite", x, err)
		}
	}
	r.run(400 * ms)
	if left, _ := r.duties(); left != 0 {
		t.Error("refused commands kept the old one alive")
	}
}

// TestDutyProperty: whatever the brain commands, duties stay in range, turned
// lines only meet zero duty, and silence always ends in zero.
func TestDutyProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, nil)
		for _, l := range []*line{&r.left, &r.right} {
			reg := map[*line]byte{&r.left: 0x2d, &r.right: 0x2c}[l]
			l.then = func(bool) {
				if r.hat.regs[reg] != 0 {
					rt.Fatalf("line turned at duty %d", r.hat.regs[reg])
				}
			}
		}
		r.run(300 * ms)
		r.brain = func(now time.Duration) (robot.Command, bool) {
			return robot.Command{
				At: now, Speed: rapid.Float32Range(-1, 1).Draw(rt, "speed"),
				Steering: rapid.Float32Range(-1, 1).Draw(rt, "steering"),
				Brake:    rapid.IntRange(0, 9).Draw(rt, "brake") == 0,
				Enable:   rapid.IntRange(0, 9).Draw(rt, "enable") > 0,
			}, rapid.IntRange(0, 3).Draw(rt, "any") > 0
		}
		r.run(150 * ms)
		for _, e := range r.writes("2C", "2D") {
			if e.what[3] != '0' {
				rt.Fatalf("duty beyond 4095: %s", e.what)
			}
		}
		r.brain = nil
		r.run(300 * ms)
		if left, right := r.duties(); left != 0 || right != 0 {
			rt.Fatalf("duties %d %d after 300 ms of silence", left, right)
		}
	})
}

func TestResponses(t *testing.T) {
	r := newRig(t, nil)
	r.ready()
	r.brain = func(now time.Duration) (robot.Command, bool) {
		c := forward
		c.At, c.SensedAt = now, now-3*ms
		c.Steering = 0.1
		return c, true
	}
	r.run(100 * ms)
	buf := make([]picarx.Response, 256)
	n := r.car.Responses(buf)
	if n < 3 {
		t.Fatalf("%d samples from a changing command, want at least one per actuator", n)
	}
	for _, r := range buf[:n] {
		d := r.Took()
		if d < 3*ms+380*time.Microsecond || d > 10*ms {
			t.Errorf("response %v: want data age 3 ms plus at least one write, below 10 ms", d)
		}
	}
	if again := r.car.Responses(buf); again != 0 {
		t.Errorf("%d samples after draining, want 0", again)
	}
	r.run(500 * ms)
	r.car.Responses(buf)
	r.brain = nil
	r.run(500 * ms) // the lease ends the motion: no reading behind that
	if n := r.car.Responses(buf); n != 0 {
		t.Errorf("%d samples from the driver's own stop, want 0: %v", n, buf[:n])
	}
	if diff := cmp.Diff(r.car.Stats().Dropped, uint64(0)); diff != "" {
		t.Error(diff)
	}
}
