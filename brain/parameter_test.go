package brain

import (
	"errors"
	"strings"
	"testing"
)

// TestParseSetting: what people write is read, limits included, and every mistake is
// named with its key and what may be chosen.
func TestParseSetting(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  Setting
		wrong string // part of the complaint
	}{
		{"brain.cruise 0.2", Setting{ParameterCruise, 0.2}, ""},
		{" brain.cruise  0.05 ", Setting{ParameterCruise, 0.05}, ""},
		{"brain.cruise 0.35", Setting{ParameterCruise, 0.35}, ""},
		{"brain.arrival 0.5", Setting{ParameterArrival, 0.5}, ""},
		{"engine.quality auto", Setting{ParameterQuality, 0}, ""},
		{"engine.quality survival", Setting{ParameterQuality, 4}, ""},
		{"manual.speed 0.1", Setting{ParameterManualSpeed, 0.1}, ""},
		{"manual.deadman 0.5", Setting{ParameterDeadman, 0.5}, ""},
		{"manual.deadman 300ms", Setting{ParameterDeadman, 0.3}, ""},
		{"", Setting{}, "a key is missing"},
		{"brain.cruise", Setting{}, "brain.cruise: the value is missing: choose 0.05 .. 0.35 m/s"},
		{"brain.cruise 0.2 m/s", Setting{}, `brain.cruise: "m/s" is too much`},
		{"brain.cruise fast", Setting{}, `brain.cruise: "fast" is no number: choose 0.05 .. 0.35 m/s`},
		{"brain.cruise 0.2s", Setting{}, "is no number"},
		{"brain.cruise 0.36", Setting{}, "brain.cruise: 0.36 m/s is out of range: choose 0.05 .. 0.35 m/s"},
		{"brain.cruise 0.049", Setting{}, "out of range"},
		{"brain.cruise -0.2", Setting{}, "out of range"},
		{"brain.cruise NaN", Setting{}, "out of range"},
		{"brain.cruise 1e99", Setting{}, "out of range"},
		{"manual.deadman 0.6s", Setting{}, "manual.deadman: 0.6 s is out of range: choose 0.05 .. 0.5 s"},
		{"engine.quality best", Setting{}, `engine.quality: "best" is not known: choose one of auto, full`},
		{"engine.quality 2", Setting{}, "is not known"},
		{"loop.period 5", Setting{}, `"loop.period" is not to be set while the car drives: choose one of brain.cruise, brain.arrival`},
	} {
		got, err := ParseSetting(tt.words, 0.35)
		switch {
		case tt.wrong == "":
			if err != nil || got != tt.want {
				t.Errorf("%q: %+v, %v, want %+v", tt.words, got, err, tt.want)
			}
			if again, err := ParseSetting(got.String(), 0.35); again != got || err != nil {
				t.Errorf("%q prints as %q, which means %+v, %v", tt.words, got, again, err)
			}
		case err == nil || !strings.Contains(err.Error(), tt.wrong) || !errors.Is(err, ErrSetting):
			t.Errorf("%q: %v, want a complaint with %q", tt.words, err, tt.wrong)
		case strings.Contains(err.Error(), ErrSetting.Error()) != strings.Contains(tt.wrong, ErrSetting.Error()):
			t.Errorf("%q: %v; only what is no dial cannot be set while the car drives", tt.words, err)
		}
	}
}

// TestParameters: every parameter has a key, limits within which the values may begin, and a
// value at the start that is the parameters' own.
func TestParameters(t *testing.T) {
	p := Default()
	start := p.settings()
	for _, d := range Parameters() {
		low, high := d.Limits(p.Top)
		if d.Key() == "" || d.About() == "" || !(low < high) || start[d] < low || start[d] > high || (d.Unit() == "") != (d.Words() != nil) {
			t.Errorf("dial %d: key %q, %v .. %v %q, %v at the start", d, d.Key(), low, high, d.Unit(), start[d])
		}
		for _, v := range []float32{low, high} {
			q := p
			q.turn(Setting{d, v})
			if err := q.Validate(); err != nil {
				t.Errorf("%s at %v: %v", d.Key(), v, err)
			}
			if got := q.settings()[d]; d != ParameterQuality && got != v {
				t.Errorf("%s at %v reads as %v", d.Key(), v, got)
			}
		}
	}
	var r Remote
	r.top, r.spans = 0.3, spans(0.3)
	for s, want := range map[Setting]bool{
		{ParameterCruise, 0.3}: true, {ParameterCruise, 0.31}: false, {ParameterManualSpeed, 0.31}: false, {ParameterArrival, 0.31}: true,
		{ParameterQuality, 1.5}: false, {ParameterQuality, 5}: false, {ParameterNothing, 0}: false, {NumParameters, 1}: false, {ParameterCruise, nan32()}: false,
	} {
		if got := r.allows(s); got != want || (s.Check(r.Top()) == nil) != want {
			t.Errorf("%v: the tick allows it: %v, people may set it: %v, want %v", s, got, s.Check(r.Top()), want)
		}
	}
}

// TestSpeedsOfABody: a speed may be set up to the body's top speed, and the refusal has
// that limit; nothing else depends on the body.
func TestSpeedsOfABody(t *testing.T) {
	for _, key := range []string{"brain.cruise", "manual.speed"} {
		if s, err := ParseSetting(key+" 0.8", 1); err != nil || s.Value != 0.8 {
			t.Errorf("%v, %v", s, err)
		}
		want := key + ": 1.2 m/s is out of range: choose 0.05 .. 1 m/s"
		if _, err := ParseSetting(key+" 1.2", 1); err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for _, d := range []Parameter{ParameterArrival, ParameterQuality, ParameterDeadman} {
		low, high := d.Limits(0.35)
		if l, h := d.Limits(1); l != low || h != high {
			t.Errorf("%s: %v .. %v of a fast body, else %v .. %v", d.Key(), l, h, low, high)
		}
	}
}

func nan32() float32 { zero := float32(0); return zero / zero }
