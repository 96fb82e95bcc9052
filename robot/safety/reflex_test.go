package safety_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"fieldbrain/robot"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench/tier"
)

func withCliffs(p *safety.Params) {
	p.Cliff.Enabled, p.Cliff.Careful = true, p.Cliff.Speed // TestCareful drives the rest
}

// TestReportedCauses puts every set of causes on an armed, rolling car: none
// finds a way to motion past a stop, and Hold never lets it forward.
func TestReportedCauses(t *testing.T) {
	g := newRig(t, nil)
	g.s.Now += g.p.Period
	g.want.At = g.s.Now
	for i := range tier.Count(t, "sets of causes", 1<<safety.NumCauses/16, 1<<safety.NumCauses/2, 1<<safety.NumCauses/2) {
		c := spread(2 * i) // bit 0 is Disarmed, the machine's own
		r := *g.r
		r.Report(c)
		out, held := r.Apply(&g.s, g.want)
		if held&^safety.Disarmed != c {
			t.Fatalf("reported %v, holds %v", c, held)
		}
		check(t, g.p, out, held)
		if c.Level() == safety.Normal && out.Speed != 0.2 {
			t.Fatalf("%v slows the car to %v", c, out.Speed)
		}
	}
}

func TestLimitedCauses(t *testing.T) {
	tests := []struct {
		cause            safety.Causes
		forward, reverse float32
	}{
		{safety.LinkDegraded, 0.175, -0.175},
		{safety.BatteryLow, 0.175, -0.175},
		{safety.BatteryUnknown, 0.175, -0.175},
		{safety.EngineFault, 0.175, -0.175},
		{safety.Overrun, 0.175, -0.175},
		{safety.RangeStale, 0.10, -0.35},
		{safety.FrozenSensor, 0.10, -0.35},
		{safety.Obstacle, 0, -0.35},
		{safety.Cliff, 0, -0.35},
	}
	for _, tt := range tests {
		t.Run(tt.cause.String(), func(t *testing.T) {
			g := newRig(t, nil)
			g.r.Report(tt.cause)
			g.want.Speed = 0.35
			g.run(1)
			if g.out.Speed > tt.forward {
				t.Errorf("forward at %v m/s in the first tick, want at most %v", g.out.Speed, tt.forward)
			}
			g.run(80)
			if g.out.Speed != tt.forward {
				t.Errorf("forward at %v m/s, want %v", g.out.Speed, tt.forward)
			}
			g.want.Speed = -0.35
			g.run(160)
			if g.out.Speed != tt.reverse {
				t.Errorf("back at %v m/s, want %v", g.out.Speed, tt.reverse)
			}
		})
	}
}

// TestSlew is R7: it limits the rates of the wanted command, none of the brake.
func TestSlew(t *testing.T) {
	g := newRig(t, nil)
	g.want.Speed, g.want.Steering = 0.35, -9
	before := g.out
	g.run(1)
	if got, want := g.out.Speed-before.Speed, float32(0.007); math.Abs(float64(got-want)) > 1e-6 {
		t.Errorf("speed rose by %v m/s in a tick, want %v", got, want)
	}
	if got, want := g.out.Steering, float32(-2*math.Pi/180); math.Abs(float64(got-want)) > 1e-6 {
		t.Errorf("steering at %v after a tick, want %v", got, want)
	}
	g.run(60)
	if g.out.Steering != -g.p.Limits.Steering {
		t.Errorf("steering ends at %v, want the limit", g.out.Steering)
	}
	g.want.Brake = true
	g.run(1)
	if g.out.Speed != 0 || !g.out.Brake {
		t.Errorf("braking leaves %v m/s", g.out.Speed)
	}
	if g.r.Status().Stats.Clamped == 0 {
		t.Error("a steering of -9 rad was not counted")
	}
}

func TestServosStartWhereTheyAre(t *testing.T) {
	g := idleRig(t, nil)
	g.s.CommandedSteering, g.s.Pan = 0.3, 0.2
	g.speechless = true
	g.run(100)
	if g.out.Steering != 0.3 || g.out.Pan != 0.2 || !g.c.Has(safety.CommandStale) {
		t.Errorf("a disarmed car moves its servos to %v, %v (%v)", g.out.Steering, g.out.Pan, g.c)
	}
}

func TestNegativeZero(t *testing.T) {
	g := newRig(t, nil)
	g.want.Speed = float32(math.Copysign(0, -1))
	g.run(100) // check looks at the sign
	if g.out.Speed != 0 {
		t.Errorf("%v m/s", g.out.Speed)
	}
}

func TestStaleState(t *testing.T) {
	tests := []struct {
		name, why string
		tick      func(*rig)
	}{
		{"copy stands still", "the body no longer copies", func(g *rig) {
			g.want.At += g.p.Period
			g.out, g.c = g.r.Apply(&g.s, g.want)
		}},
		{"copy's instant stands still", "its clock has stopped, whatever the readings say", func(g *rig) {
			g.want.At += g.p.Period
			g.s.Range[robot.Front].At = g.want.At
			g.out, g.c = g.r.Apply(&g.s, g.want)
		}},
		{"samplers stand still", "a new copy of old readings is old", func(g *rig) {
			g.s.Now += g.p.Period
			g.want.At = g.s.Now
			g.out, g.c = g.r.Apply(&g.s, g.want)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			g.want.Steering = 0.3
			g.run(40)
			ticks := 0
			for ; !g.c.Has(safety.StateStale) && ticks < 100; ticks++ {
				tt.tick(g)
			}
			if age := time.Duration(ticks) * g.p.Period; age < 190*ms || age > 215*ms {
				t.Errorf("noticed after %v, want 200 ms", age)
			}
			for range 60 {
				tt.tick(g)
			}
			if g.out.Speed != 0 || g.out.Steering != 0 {
				t.Errorf("speed %v, steering %v, want both 0", g.out.Speed, g.out.Steering)
			}
		})
	}
}

// TestPause: after a suspend, or a clock that runs backwards, somebody must arm
// again.
func TestPause(t *testing.T) {
	tests := []struct {
		name string
		jump time.Duration
		stop bool
	}{
		{"three seconds", 3 * time.Second, true},
		{"backwards", -time.Second, true},
		{"a hiccup", 100 * ms, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, nil)
			g.s.Now += tt.jump
			g.run(100)
			st := g.r.Status()
			if tt.stop == st.Armed || (st.Tripped&safety.Paused != 0) != tt.stop {
				t.Errorf("armed %v, tripped by %v", st.Armed, st.Tripped)
			}
			if err := g.r.Arm(); err != nil {
				t.Errorf("cannot arm again: %v", err)
			}
		})
	}
}

func TestPersonsStop(t *testing.T) {
	g := newRig(t, nil)
	g.r.Disarm()
	g.run(1)
	if g.out.Enable || g.out.Speed != 0 || g.r.Status().Tripped != 0 {
		t.Errorf("disarmed: %+v, tripped %v", g.out, g.r.Status().Tripped)
	}
	g = newRig(t, nil)
	g.r.EStop()
	g.run(1)
	if st := g.r.Status(); g.out.Enable || st.Level != safety.Latched || st.Stats.Trips[1] != 1 {
		t.Errorf("e-stop: %+v, %+v", g.out, st)
	}
	if err := g.r.Reset(); err != nil {
		t.Error(err)
	}
	g = newRig(t, nil)
	g.want.Enable = false
	g.run(1)
	if g.out.Enable || g.out.Speed != 0 || g.c != 0 {
		t.Errorf("not wanting power: %+v (%v)", g.out, g.c)
	}
}

func TestArmRefusals(t *testing.T) {
	tests := []struct {
		name  string
		why   string
		spoil func(*rig)
		cause safety.Causes
	}{
		{"no echo", "sensors must be fresh", func(g *rig) { g.mute = true }, safety.RangeLost},
		{"no floor", "sensors must be fresh", func(g *rig) { g.blind = true }, safety.FloorStale},
		{"edge", "it would run away from the edge when armed", func(g *rig) { g.floor[0] = 0.05 }, safety.Cliff},
		{"link", "motors must be in reach", func(g *rig) { g.s.Link = robot.LinkDown }, safety.LinkDown},
		{"late bus", "motors in reset", func(g *rig) { g.s.Link = robot.LinkLate }, safety.LinkLate},
		{"battery low", "it must last for the drive", func(g *rig) { g.volts = 6.5 }, safety.BatteryLow},
		{"battery empty", "the pack would open", func(g *rig) { g.volts = 6.1 }, safety.BatteryEmpty},
		{"usb power", "the HAT is not on its battery", func(g *rig) { g.volts = 4.9 }, safety.BatteryUnknown},
		{"no brain", "somebody must decide", func(g *rig) { g.speechless = true }, safety.CommandStale},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := idleRig(t, withCliffs)
			tt.spoil(g)
			g.run(60)
			var refused *safety.Refusal
			if err := g.r.Arm(); !errors.As(err, &refused) || !refused.Causes.Has(tt.cause) {
				t.Errorf("arming: %v, want refused for %v", err, tt.cause)
			}
		})
	}
}

func TestNothingAllocates(t *testing.T) {
	g := newRig(t, withCliffs)
	if n := testing.AllocsPerRun(1000, g.tick); n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
	g.floor[0] = 0.02
	if n := testing.AllocsPerRun(200, g.tick); n != 0 {
		t.Errorf("%v allocations per tick at a cliff", n)
	}
}

func BenchmarkApply(b *testing.B) {
	p := safety.Default()
	p.Cliff.Enabled = true
	r, err := safety.New(p)
	if err != nil {
		b.Fatal(err)
	}
	var s robot.State
	b.ReportAllocs()
	for b.Loop() {
		s.Now += p.Period
		r.Apply(&s, robot.Command{At: s.Now, Enable: true})
	}
}
