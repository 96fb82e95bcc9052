package fieldbrain_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain"
	"fieldbrain/brain"
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
		{"Shape.CliffDark[1] 0 must be above 0 and below 0.29", edge(0)},
		{"Shape.CliffDark[1] NaN must be above 0", edge(nan)},
		{"Shape.CliffDark[1] 0.9 must be above 0 and below 0.29", edge(0.9)},
		{"Shape.CliffDark[1] 1 must be above 0 and below 1", func(o *fieldbrain.Options) {
			edge(1)(o)
			o.Shape.LineLight, o.Shape.LineDark = fieldbrain.Shape{}.LineLight, fieldbrain.Shape{}.LineDark
		}},
		{"", edge(0.2)},
		{"Shape.CliffDark[0] NaN must be within 0..1", func(o *fieldbrain.Options) { o.Shape.CliffDark[0] = nan }},
		{"", withoutFloor},
		{"Shape.LineLight and LineDark must be given where Task.FollowLine is set", func(o *fieldbrain.Options) {
			withoutFloor(o)
			o.Task.FollowLine = true
		}},
		{"Shape.FloorPitch 0 m must be within 0.015..0.025", func(o *fieldbrain.Options) {
			withoutFloor(o)
			o.Task.Cliff = true
		}},
		{"Shape.LineLight[2] 0 must be at least 0.02 above LineDark[2]", func(o *fieldbrain.Options) { o.Shape.LineLight[2] = 0 }},
		{"Shape.LineLight[2] NaN must be", func(o *fieldbrain.Options) { o.Shape.LineLight[2] = nan }},
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
