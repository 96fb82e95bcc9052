package fieldbrain_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/brain"
	"fieldbrain/brain/ground"
	"fieldbrain/brain/plan"
	"fieldbrain/brain/rollout"
	"fieldbrain/brain/steer"
	"fieldbrain/robot"
	"fieldbrain/robot/kit"
	"fieldbrain/robot/safety"
	"fieldbrain/testbench"
)

// TestUsualShape: what the law takes for granted is the kit's, and the kit's shape tells a
// brain nothing that it does not begin with, to the bit.
func TestUsualShape(t *testing.T) {
	car, kept := kit.PiCarX(), ground.Default()
	if float32(car.Radius) != kept.Radius || float32(car.Ahead) != kept.Ahead {
		t.Errorf("the kit's disc is %v m at %v m, the law keeps %v at %v", car.Radius, car.Ahead, kept.Radius, kept.Ahead)
	}
	if p, q := plan.Default(), rollout.Default(); float32(car.ServoRate) != p.ServoRate || float32(car.ServoRate) != q.ServoRate ||
		car.Lag != p.Lag || car.Lag != q.Lag || p.Lock != float32(steer.Lock) || q.Lock != p.Lock {
		t.Errorf("planners have %v and %v rad/s, the kit %v", p.ServoRate, q.ServoRate, car.ServoRate)
	}
	o := fieldbrain.Default()
	got, want := o.Params(), brain.Default()
	got.Quality = want.Quality
	if got.SonarLead = want.SonarLead; got != want { // 0.11 - 0.05 is not 0.06 to the last bit
		t.Errorf("told\n%+v, want\n%+v", got, want)
	}
	o.Shape.Lag, o.Shape.ServoRate, o.Shape.Cone = 0, 0, 0
	if got = o.Params(); got.Lag != want.Lag || got.ServoRate != want.ServoRate || got.Cone != want.Cone || got.Safety != want.Safety {
		t.Errorf("of what is not given it takes %v, %v rad/s, %v rad", got.Lag, got.ServoRate, got.Cone)
	}
}

// TestReflexesHaveTheShape: the floor that has carried the car is as wide and as long as its
// wheels stand apart, and backwards a long body goes farther on a bend before a wheel leaves it.
func TestReflexesHaveTheShape(t *testing.T) {
	drive := func(track, wheelbase float64) (wide, long, bent float32) {
		o := fieldbrain.Default()
		o.Task.Cliff, o.Shape.Track, o.Shape.Wheelbase = true, track, wheelbase
		r, err := safety.New(o.Params().Safety)
		if err != nil {
			t.Fatal(err)
		}
		var s robot.State
		tick := func(speed, steering float32) robot.Command {
			s.Now += o.Period
			for i := range s.Floor {
				s.Floor[i] = robot.Reading{Value: 0.5 + float32(s.Now%(17*o.Period))*1e-12, At: s.Now, OK: true}
			}
			s.Range[robot.Front] = robot.Reading{Value: 2 - float32(s.Now.Seconds()/100), At: s.Now, OK: true}
			s.Battery = robot.Reading{Value: 7.6, At: s.Now, OK: true}
			out, causes := r.Apply(&s, robot.Command{At: s.Now, Speed: speed, Steering: steering, Enable: true})
			if s.CommandedSpeed, s.CommandedSteering = out.Speed, out.Steering; causes.Level() >= safety.Stopped && s.Now > time.Second {
				t.Fatalf("stands: %v", causes)
			}
			return out
		}
		for range 40 {
			tick(0, 0)
		}
		if err := r.Arm(); err != nil {
			t.Fatal(err)
		}
		for range 800 { // straight ahead
			tick(0.12, 0)
		}
		for wide = 0; r.Carried(0, wide); wide += 0.001 {
		}
		for long = 0; r.Carried(long, 0); long += 0.001 {
		}
		for range 400 { // and back, to the left
			if out := tick(-0.12, 0.3); out.Speed < 0 && out.Steering > 0.2 {
				bent -= float32(out.Speed * float32(o.Period.Seconds()))
			}
		}
		return wide, long, bent
	}
	kitWide, kitLong, kitBent := drive(0.117, 0.094)
	wide, long, bent := drive(0.25, 0.2)
	t.Logf("a PiCar-X: floor %.3f m to the side and %.3f m ahead, %.3f m back on a bend; a wide body: %.3f m, %.3f m, %.3f m",
		kitWide, kitLong, kitBent, wide, long, bent)
	if got, want := wide-kitWide, float32(0.25-0.117)/2; math.Abs(float64(got-want)) > 0.002 {
		t.Errorf("floor carries %.3f m farther to the side, want %.3f", got, want)
	}
	if got, want := long-kitLong, float32(0.2-0.094); math.Abs(float64(got-want)) > 0.002 {
		t.Errorf("floor carries %.3f m farther ahead, want %.3f", got, want)
	}
	if math.Abs(float64(kitBent-0.089)) > 0.01 || math.Abs(float64(bent-0.133)) > 0.01 {
		t.Errorf("they let a PiCar-X back %.3f m on a bend and a wide body %.3f m, want 0.089 and 0.133", kitBent, bent)
	}
}

// TestBodiesThatItCannotDrive: a body for which the brain does not keep the way free is refused, with
// the number, its bound and what to do.
func TestBodiesThatItCannotDrive(t *testing.T) {
	for want, spoil := range map[string]func(*fieldbrain.Options){
		"Shape.Radius 0.15 m around Shape.Ahead 0.05 m is 60 mm too large: the law keeps a disc of 0.09 m free": func(o *fieldbrain.Options) { o.Shape.Radius = 0.15 },
		"Shape.Radius 0.09 m around Shape.Ahead 0.08 m is 30 mm too large":                                      func(o *fieldbrain.Options) { o.Shape.Ahead = 0.08 },
		"Shape.Radius 0 m must be given": func(o *fieldbrain.Options) { o.Shape.Radius = 0 },
		"Shape.Radius NaN m must":        func(o *fieldbrain.Options) { o.Shape.Radius = math.NaN() },
		"Shape.Ahead NaN m must":         func(o *fieldbrain.Options) { o.Shape.Ahead = math.NaN() },
		"a track of 0.25 m put a rear wheel 0.135 m from Shape.Ahead 0.05 m, outside of Shape.Radius 0.09 m": func(o *fieldbrain.Options) { o.Shape.Track = 0.25 },
		"put a front wheel 0.161 m from": func(o *fieldbrain.Options) { o.Shape.Wheelbase = 0.2 },
		"Shape.FloorAhead 0.2 m must be within 0.110..0.130": func(o *fieldbrain.Options) {
			o.Task.Cliff, o.Shape.FloorAhead = true, 0.2
		},
		"Shape.FloorPitch 0 m must be within 0.015..0.025": func(o *fieldbrain.Options) {
			o.Task.FollowLine, o.Shape.FloorPitch = true, 0
		},
		"Shape.FloorAhead 0.12 m must be at least 0.01 m more than Shape.Wheelbase 0.115 m": func(o *fieldbrain.Options) {
			o.Task.Cliff, o.Shape.Wheelbase = true, 0.115
		},
		"Shape.Limits.Steering: 0.01 rad must be at least 0.349": func(o *fieldbrain.Options) { o.Shape.Limits.Steering = 0.01 },
		"Shape.ServoRate -1 rad/s must be within 0.1..100":       func(o *fieldbrain.Options) { o.Shape.ServoRate = -1 },
		"Shape.Lag 2s must be within 0..1s":                      func(o *fieldbrain.Options) { o.Shape.Lag = 2 * time.Second },
		"Shape.Cone 2 rad must":                                  func(o *fieldbrain.Options) { o.Shape.Cone = 2 },
	} {
		o := fieldbrain.Default()
		spoil(&o)
		if b, err := fieldbrain.New(&parked{}, o); err == nil || b != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	small := fieldbrain.Default()
	small.Shape.Radius, small.Shape.Ahead, small.Shape.Track = 0.08, 0.045, 0.1
	b, err := fieldbrain.New(&parked{}, small)
	if err = errors.Join(err, close(b)); err != nil {
		t.Errorf("a smaller body: %v", err)
	}
}

func close(b *fieldbrain.Brain) error {
	if b == nil {
		return nil
	}
	return b.Close()
}

// TestSlowBody: what motors and servo of a body are like goes to dead reckoning and reflexes; these stop
// as much sooner as the motors are slower.
func TestSlowBody(t *testing.T) {
	o := fieldbrain.Default()
	usual := o.Params()
	o.Shape.Lag, o.Shape.ServoRate, o.Shape.Cone = 300*time.Millisecond, 2, 0.3
	p := o.Params()
	if p.Lag != o.Shape.Lag || p.ServoRate != 2 || p.Cone != 0.3 || p.Safety.Cliff.Lag != o.Shape.Lag || p.Safety.Cliff.ServoRate != 2 {
		t.Errorf("told %v, %v rad/s, %v rad, the reflexes %v and %v rad/s", p.Lag, p.ServoRate, p.Cone, p.Safety.Cliff.Lag, p.Safety.Cliff.ServoRate)
	}
	if got, want := p.Safety.Range.Reaction-usual.Safety.Range.Reaction, 180*time.Millisecond; got != want {
		t.Errorf("they reckon with %v more until it stops, want %v", got, want)
	}
}

// A ram drives on a straight line to a wall at x = 3 m, with motors that lag.
type ram struct {
	clock fieldbrain.Clock
	shape fieldbrain.Shape
	last  time.Duration
	x, v  float64
	least float64 // m, from its nose to the wall
	told  fieldbrain.Command
}

func (r *ram) Sense(s *fieldbrain.State) {
	const dt = time.Millisecond
	for now := r.clock.Now(); r.last < now; r.last += dt {
		want := float64(r.told.Speed)
		if r.told.Brake {
			r.v -= math.Copysign(min(math.Abs(r.v), 1.5*dt.Seconds()), r.v)
		} else {
			r.v += (want - r.v) * dt.Seconds() / 0.12
		}
		r.x += r.v * dt.Seconds()
	}
	left := 3 - r.x
	r.least = min(r.least, left-r.shape.Ahead-r.shape.Radius)
	noise := 0.002 * math.Sin(1000*r.last.Seconds())
	*s = fieldbrain.State{Now: r.last, CommandedSpeed: r.told.Speed, CommandedSteering: r.told.Steering}
	s.Battery = fieldbrain.Reading{Value: float32(7.6 + noise), At: r.last, OK: true}
	fieldbrain.Echo(s, 0, left-r.shape.SonarAhead+noise, r.last)
}

func (r *ram) Act(c fieldbrain.Command) error { r.told = c; return nil }
func (r *ram) Halt() error                    { return nil }

// TestSonarBehindTheNose: a person drives at a wall at full speed, and the reflexes stop the nose, not the
// range sensor, before it, wherever that is mounted.
func TestSonarBehindTheNose(t *testing.T) {
	for _, top := range []float64{0.2, 0.35, 1} {
		for _, ahead := range []float64{0.05, 0.08, 0.11, 0.14} {
			clock := &testbench.Virtual{}
			o := fieldbrain.Default()
			o.Clock, o.Arm, o.Shape.SonarAhead = clock, true, ahead
			o.Shape.TopSpeed, o.Shape.Limits.Speed, o.Shape.Limits.SpeedRate = top, float32(top), float32(4*top)
			o.Task.Cruise, o.Task.Manual = top, brain.ManualParams{Speed: float32(top), Deadman: 200 * time.Millisecond}
			body := &ram{clock: clock, shape: o.Shape, least: 9}
			b, err := fieldbrain.New(body, o)
			if err != nil {
				t.Fatal(err)
			}
			fastest := 0.0
			for range 20 * time.Second / o.Period {
				b.Remote().Steer(brain.ManualInput{Driver: brain.DriverPerson, Throttle: 1})
				advance(t, b, o.Period)
				fastest = max(fastest, body.v)
			}
			if body.least < 0.005 || body.least > 0.2 || fastest < 0.9*top {
				t.Errorf("sonar at %v m, %.2f m/s: the nose came within %.3f m of the wall", ahead, fastest, body.least)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for ahead, want := range map[float64]string{0.04: "Shape.SonarAhead 0.04 m must be within 0.05..0.14 m", 0.35: "Shape.SonarAhead 0.35 m must be within 0.05..0.14 m"} {
		if got := refused(t, func(o *fieldbrain.Options) { o.Shape.SonarAhead = ahead }); !strings.Contains(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
