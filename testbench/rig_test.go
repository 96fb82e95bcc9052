package testbench_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fieldbrain/field/exact"
	"fieldbrain/robot"
	"fieldbrain/testbench"
	"fieldbrain/testbench/plant"
	"fieldbrain/testbench/scenarios"
	"fieldbrain/testbench/world"
)

const ms = time.Millisecond

func load(t testing.TB, name string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func parse(t testing.TB, text string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Parse("test.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// hall is a wide empty room: 20 x 20 m, the car in its middle.
const hall = "duration_s = 60\n[start]\nx = 10\ny = 10\n[world]\nsize = [20, 20]\nwalled = true\n"

// drive advances the rig while giving the same command every 5 ms.
func drive(r *testbench.Rig, c robot.Command, d time.Duration) {
	for end := r.Clock().Now() + d; r.Clock().Now() < end; {
		c.At = r.Clock().Now()
		_ = r.Body().Act(c)
		r.AdvanceTo(r.Clock().Now() + 5*ms)
	}
}

// TestEveryCarBegins: with the limits of a scenario's car, each for itself, a drive
// begins, and the standing car's HAT runs.
func TestEveryCarBegins(t *testing.T) {
	base := parse(t, hall)
	boots := newRig(t, base).Board.Stats().Boots // by the driver
	type limit struct {
		key   string
		value float64
	}
	var all []limit
	base.Car.Limits(func(key string, _, low, high float64) { all = append(all, limit{key, low}, limit{key, high}) })
	for _, l := range all {
		extra := map[limit]string{
			{"wheelbase", 0.05}: "track = 0.09\n", {"track", 0.3}: "wheelbase = 0.2\n",
			{"open_volts", 5.5}: "idle_amps = 0\n", {"open_volts", 9}: "idle_amps = 3\n",
			{"sonar_ahead", 0.3}: "body_radius = 0.3\n", {"body_radius", 0.02}: "sonar_ahead = 0.06\n",
			{"body_ahead", -0.2}: "body_radius = 0.3\nsonar_ahead = 0.05\n",
		}[l]
		sc, err := scenarios.Check("test.toml", fmt.Appendf(nil, "%s[car]\n%s = %v\n%s", hall, l.key, l.value, extra))
		if err != nil {
			t.Errorf("%s = %v: %v", l.key, l.value, err)
			continue
		}
		r, err := testbench.NewRig(sc, 1, nil)
		if err != nil {
			t.Errorf("%s = %v: a scenario that is valid does not begin: %v", l.key, l.value, err)
			continue
		}
		r.AdvanceTo(time.Second)
		if r.Board.Stats().Boots != boots {
			t.Errorf("%s = %v: the standing car's HAT ran out of power", l.key, l.value)
		}
	}
}

func newRig(t testing.TB, sc *scenarios.Scenario) *testbench.Rig {
	t.Helper()
	r, err := testbench.NewRig(sc, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AdvanceTo(time.Second) // the driver brings the HAT up
	return r
}

// The whole chain, command to wheels: the driver's nominal calibration and the
// plant agree about turning, and about speed but for the wheels' slip.
func TestCommandReachesTheWheels(t *testing.T) {
	tests := []struct {
		name            string
		speed, steering float32
	}{
		{"cruise", 0.35, 0},
		{"slow", 0.10, 0},
		{"reverse", -0.20, 0},
		{"left", 0.30, 0.3},
		{"right", 0.30, -0.3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, parse(t, hall))
			drive(r, robot.Command{Enable: true, Speed: tt.speed, Steering: tt.steering}, 2*time.Second)
			r.Truth(func(c *plant.Car, _ *world.World) {
				if want := float64(tt.speed) * (1 - c.Params().Slip); math.Abs(c.Speed-want) > 0.03*math.Abs(want)+0.005 {
					t.Errorf("%.3f m/s, want %.3f", c.Speed, want)
				}
				if math.Abs(c.Steering-float64(tt.steering)) > 0.008 { // one servo count
					t.Errorf("wheels at %.3f rad, want %.3f", c.Steering, tt.steering)
				}
			})
		})
	}
}

func TestSenseFillsEveryChannel(t *testing.T) {
	sc := load(t, "goal")
	r := newRig(t, sc)
	var s robot.State
	for range 100 { // 2 % of the echoes are lost: look until all came
		r.AdvanceTo(r.Clock().Now() + 40*ms)
		r.Body().Sense(&s)
		all := s.Battery.OK && s.Target.Bearing.OK
		for _, sector := range plant.P1.Sectors() {
			all = all && s.Range[sector].OK
		}
		for _, f := range s.Floor {
			all = all && f.OK
		}
		if all {
			break
		}
	}
	r.Truth(func(c *plant.Car, _ *world.World) {
		for _, sector := range c.Sectors() {
			want := c.Hear(float64(robot.SectorBearing(sector)))
			if got := float64(s.Range[sector].Value); !s.Range[sector].OK || math.Abs(got-want) > 0.06*want {
				t.Errorf("sector %d: %+v, want about %v m", sector, s.Range[sector], want)
			}
		}
		if want, _ := c.Bearing(); !s.Target.Bearing.OK || math.Abs(exact.Wrap(float64(s.Target.Bearing.Value)-want)) > 0.15 {
			t.Errorf("bearing %+v, want about %v", s.Target.Bearing, want)
		}
	})
	for i, f := range s.Floor {
		if !f.OK || f.Value < 0.2 || f.Value > 0.5 {
			t.Errorf("floor %d: %+v, want about 1400/4095", i, f)
		}
	}
	if !s.Battery.OK || s.Battery.Value < 7.3 || s.Battery.Value > 7.8 {
		t.Errorf("battery %+v", s.Battery)
	}
	if s.Speed.OK || s.Yaw.OK || s.Range[robot.Rear].OK {
		t.Error("the kit has no odometry and no rear sonar")
	}
	if s.Link != robot.LinkUp {
		t.Errorf("link %v", s.Link)
	}
}

func TestSonarsOnTheHat(t *testing.T) {
	sc := parse(t, hall[:len("duration_s = 60\n")]+"[start]\nx = 2\ny = 1.5\n[world]\nsize = [4, 3]\nwalled = true\n[hat]\nbeams = true\n")
	r := newRig(t, sc)
	r.AdvanceTo(3 * time.Second)
	var s robot.State
	r.Body().Sense(&s)
	for _, sector := range plant.P1.Sectors() {
		if s.Range[sector].At == 0 {
			t.Errorf("sector %d never measured", sector)
		}
	}
}

// While a transaction hangs for 100 ms, ticks go on: virtual time has threads.
func TestTicksGoOnWhileTheBusHangs(t *testing.T) {
	sc := parse(t, hall+"[[fault]]\nkind = \"hang\"\nfrom_s = 2\nuntil_s = 2.3\n")
	r := newRig(t, sc)
	var last time.Duration
	n := 0
	r.Drive(5*ms, func(now time.Duration) {
		if last != 0 && now-last != 5*ms {
			t.Errorf("%v between two ticks at %v", now-last, now)
		}
		last = now
		n++
	})
	r.AdvanceTo(3*time.Second + ms) // the ticks began when a ping of the bring-up had ended
	if n != 400 {
		t.Errorf("%d ticks in 2 s, want 400", n)
	}
}

// A bus that hangs with the motors on must not drive the car into anything:
// the watchdog's reset line stops them, and they stay stopped.
func TestHungBusStopsTheCar(t *testing.T) {
	sc := parse(t, hall+"[[fault]]\nkind = \"hang\"\nfrom_s = 2\nuntil_s = 12\n")
	r := newRig(t, sc)
	drive(r, robot.Command{Enable: true, Speed: 0.35}, time.Second) // until the fault
	var before float64
	r.Truth(func(c *plant.Car, _ *world.World) { before = c.Odometer })
	drive(r, robot.Command{Enable: true, Speed: 0.35}, 5*time.Second)
	r.Truth(func(c *plant.Car, _ *world.World) {
		if way := c.Odometer - before; way > 0.08 || c.Speed > 1e-3 {
			t.Errorf("%.3f m after the bus hung, speed %.3f; want under 0.08 m and 0", way, c.Speed)
		}
	})
}

func TestHaltStopsTheCar(t *testing.T) {
	r := newRig(t, parse(t, hall))
	drive(r, robot.Command{Enable: true, Speed: 0.35}, 2*time.Second)
	for range 2 { // safe to repeat
		if err := r.Body().Halt(); err != nil {
			t.Fatal(err)
		}
	}
	r.AdvanceTo(r.Clock().Now() + time.Second)
	r.Truth(func(c *plant.Car, _ *world.World) {
		if c.Speed > 1e-3 {
			t.Errorf("still %v m/s", c.Speed)
		}
	})
}

// Nor does the driver, once the HAT is up.
func TestDriverAndBenchDoNotAllocate(t *testing.T) {
	r := newRig(t, load(t, "goal"))
	tick, err := testbench.Vendor(r.Vehicle(5 * ms))
	if err != nil {
		t.Fatal(err)
	}
	r.Drive(5*ms, tick)
	next := r.Clock().Now()
	n := testing.AllocsPerRun(10, func() {
		next += time.Second
		r.AdvanceTo(next)
	})
	if n != 0 {
		t.Errorf("%v allocations per virtual second of 200 ticks", n)
	}
}

// The bench's own part of 10^5 ticks is cheap; the ticks per second are the
// figure to read.
func BenchmarkTick(b *testing.B) {
	sc := load(b, "room")
	r, err := testbench.NewRig(sc, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	tick, err := testbench.Vendor(r.Vehicle(5 * ms))
	if err != nil {
		b.Fatal(err)
	}
	r.Drive(5*ms, tick)
	b.ReportAllocs()
	for b.Loop() {
		r.AdvanceTo(r.Clock().Now() + 5*ms)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ticks/s")
}

func TestRealTime(t *testing.T) {
	defer goleak.VerifyNone(t)
	r, err := testbench.NewRig(load(t, "room"), 1, robot.NewMonotonic())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	moved := func() (way float64) {
		r.Truth(func(c *plant.Car, _ *world.World) { way = c.Odometer })
		return way
	}
	for range 20000 { // a hundred seconds at most: a loaded machine may be slow
		now := r.Clock().Now()
		if err := r.Body().Act(robot.Command{At: now, SensedAt: now, Enable: true, Speed: 0.2}); err != nil {
			t.Fatal(err)
		}
		r.AdvanceTo(now + 5*ms)
		if moved() > 0.02 {
			break
		}
	}
	if moved() <= 0.02 {
		t.Error("the car did not move")
	}
	cancel()
	<-done // a loaded machine may have missed the stop's deadline; the line is low then
	r.AdvanceTo(r.Clock().Now() + time.Second)
	r.Truth(func(c *plant.Car, _ *world.World) {
		if math.Abs(c.Speed) > 0.01 {
			t.Errorf("%v m/s a second after the end", c.Speed)
		}
	})
	if res := r.Result(); res.Distance == 0 || res.Ticks == 0 {
		t.Errorf("no result of a real-time run: %+v", res)
	}
}
