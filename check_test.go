package fieldbrain_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/brain"
	"fieldbrain/brain/steer"
	"fieldbrain/field"
	"fieldbrain/field/cpu"
)

// refused returns what New says of Default's options once they are spoiled.
func refused(t *testing.T, spoil func(*fieldbrain.Options)) string {
	t.Helper()
	o := fieldbrain.Default()
	spoil(&o)
	b, err := fieldbrain.New(&parked{}, o)
	if err == nil {
		t.Cleanup(func() { b.Close() })
		return ""
	}
	return err.Error()
}

// withoutFloor takes the floor sensors from a body.
func withoutFloor(o *fieldbrain.Options) {
	s := &o.Shape
	none := fieldbrain.Shape{}
	s.LineLight, s.LineDark, s.CliffDark, s.FloorAhead, s.FloorPitch = none.LineLight, none.LineDark, none.CliffDark, 0, 0
}

// TestFloorSensors: readings by which line, floor and edge do not differ are refused where the brain
// goes by them, each with its bound, and numbers that no bar has always.
func TestFloorSensors(t *testing.T) {
	edge := func(v float32) func(*fieldbrain.Options) {
		return func(o *fieldbrain.Options) { o.Task.Cliff, o.Shape.CliffDark[1] = true, v }
	}
	nan := float32(math.NaN())
	for _, tt := range []struct {
		want  string
		spoil func(*fieldbrain.Options)
	}{
		{"Shape.CliffDark [0.12210012 0 0.12210012] must each be above 0 and below [0.29", edge(0)},
		{"Shape.CliffDark [0.12210012 NaN 0.12210012] must each be above 0", edge(nan)},
		{"Shape.CliffDark [0.12210012 0.9 0.12210012] must each be above 0 and below [0.29", edge(0.9)},
		{"Shape.CliffDark [0.12210012 1 0.12210012] must each be above 0 and below [1 1 1]", func(o *fieldbrain.Options) {
			edge(1)(o)
			o.Shape.LineLight, o.Shape.LineDark = fieldbrain.Shape{}.LineLight, fieldbrain.Shape{}.LineDark
		}},
		{"", edge(0.2)},
		{"Shape.CliffDark [NaN 0.12210012 0.12210012] must each be within 0..1", func(o *fieldbrain.Options) { o.Shape.CliffDark[0] = nan }},
		{"", withoutFloor},
		{"Shape.LineLight and LineDark must be given where Task.FollowLine is set", func(o *fieldbrain.Options) {
			withoutFloor(o)
			o.Task.FollowLine = true
		}},
		{"Shape.FloorPitch 0 m must be within 0.015..0.025", func(o *fieldbrain.Options) {
			withoutFloor(o)
			o.Task.Cliff = true
		}},
		{"0] must each be at least 0.02 above LineDark [", func(o *fieldbrain.Options) { o.Shape.LineLight[2] = 0 }},
		{" NaN] must each be at least 0.02 above LineDark", func(o *fieldbrain.Options) { o.Shape.LineLight[2] = nan }},
		{"Shape.FloorAhead NaN m must be within 0..0.5", func(o *fieldbrain.Options) { o.Shape.FloorAhead = math.NaN() }},
		{"Shape.FloorPitch -5 m must be within 0..0.5", func(o *fieldbrain.Options) { o.Shape.FloorPitch = -5 }},
	} {
		if got := refused(t, tt.spoil); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("want %q, got %q", tt.want, got)
		}
	}
}

// TestNoLineWithoutSensors: a body that does not see lines drives, and refuses the order to follow one
// with what it lacks; another one takes it.
func TestNoLineWithoutSensors(t *testing.T) {
	for name, spoil := range map[string]func(*fieldbrain.Options){
		"has them":           nil,
		"none":               withoutFloor,
		"no readings":        func(o *fieldbrain.Options) { o.Shape.LineLight, o.Shape.LineDark = [3]float32{}, [3]float32{} },
		"somewhere else":     func(o *fieldbrain.Options) { o.Shape.FloorAhead = 0.2 },
		"at another pitch":   func(o *fieldbrain.Options) { o.Shape.FloorPitch = 0.05 },
		"nobody knows where": func(o *fieldbrain.Options) { o.Shape.FloorAhead, o.Shape.FloorPitch = 0, 0 },
	} {
		body, b := newFaulty(t, func(_ *faulty, o *fieldbrain.Options) {
			if spoil != nil {
				spoil(o)
			}
		})
		advance(t, b, 2*time.Second)
		if body.x < 0.1 {
			t.Errorf("%s: it drove %.2f m", name, body.x)
		}
		line := brain.Order{Do: brain.DoLine}
		for _, err := range []error{b.Core().Go(line), ticking(t, b, func() error { return b.Remote().Go(line) })} {
			if spoil == nil && err != nil || spoil != nil && (err == nil || !strings.Contains(err.Error(), "no floor sensors that see one")) {
				t.Errorf("%s: told to follow a line: %v", name, err)
			}
		}
		if err := errors.Join(b.Core().Go(brain.Order{Do: brain.DoExplore})); err != nil {
			t.Errorf("%s: told to explore: %v", name, err)
		}
	}
}

// TestGivenEngine: an engine that is closed, or steps at another pace, is refused before anything
// drives with it.
func TestGivenEngine(t *testing.T) {
	o := fieldbrain.Default()
	e, err := o.Processor()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	o.Engine, o.Period = e, 20*time.Millisecond
	if b, err := fieldbrain.New(&parked{}, o); b != nil || err == nil || !strings.Contains(err.Error(), "made for a period of 5ms, Options.Period is 20ms") {
		t.Errorf("another pace: %v", err)
	}
	o.Period = 5 * time.Millisecond
	if b, err := fieldbrain.New(&parked{}, o); err != nil || b.Close() != nil {
		t.Errorf("the same: %v", err)
	}
	if _, err := e.Step(&field.Input{Quality: field.Full()}); err != nil {
		t.Errorf("its brain has closed it: %v", err)
	}
	e.Close()
	if b, err := fieldbrain.New(&parked{}, o); b != nil || !errors.Is(err, cpu.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestComplaintsComeAtOnce: whatever is wrong is said at once, each mistake once, under its own name
// and with its bounds, and no engine is made for it.
func TestComplaintsComeAtOnce(t *testing.T) {
	made := 0
	said := refused(t, func(o *fieldbrain.Options) {
		o.OnThread, o.Threads = func() { made++ }, 17
		o.Period, o.Planes, o.Quality, o.Budget = time.Second, 7, "superb", -1
		o.Task.Cruise, o.Task.Arrival, o.Task.Planner = math.Inf(1), 5, "oracle"
		o.Task.Law = steer.Default()
		o.Task.Law.Comfort = 9
		o.Task.Manual = brain.ManualParams{Speed: 9, Deadman: 200 * time.Millisecond}
		s := &o.Shape
		s.Wheelbase, s.Track, s.Lag, s.ServoRate, s.Cone = 1e9, -1, math.MaxInt64, math.NaN(), -1
		s.CliffDark[0], s.Limits.Pan, s.Battery.Recover = 2, -1, -1
	})
	for _, want := range []string{
		"Options.Threads 17 must be within 1..16", "Options.Period 1s must be within 2.5ms..40ms", "Options.Planes 7 must be 0 or one of [32 16 8]",
		"Options.Quality: ", "Task.Cruise +Inf m/s must be above 0 and at most Shape.TopSpeed, 0.35 m/s", "Task.Arrival 5 m must be within 0.01..1",
		"Task.Planner: \"oracle\"", "Task.Law: comfort 9 m must", "Task.Manual: speed 9 m/s must be above 0 and at most the top speed 0.35", "Shape.Wheelbase 1e+09 m must be within 0.05..0.5",
		"Shape.Track -1 m must be within 0.05..0.5", "Shape.Lag 2562047h47m16.854775807s must be within 0..1s", "Shape.ServoRate NaN rad/s must be",
		"Shape.Cone -1 rad must be", "Shape.CliffDark [2 0.12210012 0.12210012] must each be within 0..1", "Shape.Limits.Pan is -1, must be 0 to ", "Shape.Battery.Recover is -1, must be",
	} {
		if strings.Count(said, want) != 1 {
			t.Errorf("want once %q", want)
		}
	}
	if got := strings.Count(said, "\n") + 1; got != 17 || made != 0 {
		t.Errorf("%d complaints of 17 mistakes, %d threads:\n%s", got, made, said)
	}
}

// TestBoundsHold: what lies on a bound drives, what lies beyond it is refused by its own name.
func TestBoundsHold(t *testing.T) {
	for _, tt := range []struct {
		want string
		set  func(o *fieldbrain.Options, sign float64)
	}{
		{"Shape.Track ", func(o *fieldbrain.Options, v float64) { o.Shape.Track = 0.05 - v }},
		{"Shape.TopSpeed ", func(o *fieldbrain.Options, v float64) {
			o.Shape.TopSpeed = 0.05 - v
			o.Task.Cruise, o.Shape.Limits.Speed = o.Shape.TopSpeed, float32(o.Shape.TopSpeed)
		}},
		{"Shape.Wheelbase ", func(o *fieldbrain.Options, v float64) { o.Shape.Wheelbase = 0.05 - v }},
		{"Shape.Lag ", func(o *fieldbrain.Options, v float64) { o.Shape.Lag = time.Second + time.Duration(v*1e9) }},
		{"Shape.Radius 0.091 m around Shape.Ahead 0.05 m is 1 mm too large", func(o *fieldbrain.Options, v float64) { o.Shape.Radius = 0.09 + v }},
		{"Task.Cruise ", func(o *fieldbrain.Options, v float64) { o.Task.Cruise = 0.35 + v }},
	} {
		if said := refused(t, func(o *fieldbrain.Options) { tt.set(o, 0) }); said != "" {
			t.Errorf("%son its bound: %s", tt.want, said)
		}
		if said := refused(t, func(o *fieldbrain.Options) { tt.set(o, 0.001) }); !strings.HasPrefix(said, "fieldbrain: "+tt.want) || strings.Contains(said, "\n") {
			t.Errorf("%sbeyond: %q", tt.want, said)
		}
	}
	if said := refused(t, func(o *fieldbrain.Options) { o.Shape.Radius = 0.09001 }); !strings.Contains(said, "is 0.01 mm too large") {
		t.Errorf("a hundredth of a millimetre: %s", said)
	}
}

// TestSeeds: every bit of a seed counts, and a small one is the key itself.
func TestSeeds(t *testing.T) {
	key := func(seed uint64) uint32 {
		o := fieldbrain.Default()
		o.Seed = seed
		if f, p := o.Field(), o.Params(); f.Key != p.Key {
			t.Errorf("seed %d: the field has %d, the brain %d", seed, f.Key, p.Key)
		}
		return o.Params().Key
	}
	for _, small := range []uint64{0, 1, 7, math.MaxUint32} {
		if got := key(small); uint64(got) != small {
			t.Errorf("seed %d is %d", small, got)
		}
	}
	for bit := 32; bit < 64; bit++ {
		if key(3|1<<bit) == key(3) {
			t.Errorf("bit %d of a seed does not count", bit)
		}
	}
}
