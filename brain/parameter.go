package brain

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldbrain/brain/quality"
)

// A Parameter is a number that people may change while the car drives: the next tick takes
// it, and no reflex depends on it. Every other parameter counts from the start.
type Parameter uint8

// The parameters. Their numbers stand in recordings: a new one comes behind the others.
const (
	ParameterNothing     Parameter = iota
	ParameterCruise                // Params.Cruise, m/s
	ParameterArrival               // Params.Arrival, m
	ParameterQuality               // Params.Quality, index into quality.Names
	ParameterManualSpeed           // ManualParams.Speed, m/s
	ParameterDeadman               // ManualParams.Deadman, s

	NumParameters
)

// A scale says what a parameter may be set to.
type scale struct {
	key, unit, about string
	low, high        float32 // in the unit; of words the first and the last index
	words            []string
}

// upToTop stands for a largest value that is the body's top speed.
const upToTop = -1

// scales are the parameters' keys, which are the configuration's, and their limits.
var scales = [NumParameters]scale{
	ParameterCruise:      {"brain.cruise", "m/s", "wanted speed on a free way", LeastTop, upToTop, nil},
	ParameterArrival:     {"brain.arrival", "m", "how near to a goal the car counts as there", 0.05, 0.5, nil},
	ParameterQuality:     {"engine.quality", "", "how much of the brain a tick runs", 0, quality.NumRungs, quality.Names()},
	ParameterManualSpeed: {"manual.speed", "m/s", "fastest that a person may drive", LeastTop, upToTop, nil},
	ParameterDeadman:     {"manual.deadman", "s", "without a word from the source for so long the car stops", 0.05, 0.5, nil},
}

// Parameters lists every parameter.
func Parameters() []Parameter {
	var all []Parameter
	for d := ParameterNothing + 1; d < NumParameters; d++ {
		all = append(all, d)
	}
	return all
}

// scale returns what the parameter may be set to; that of nothing for an unknown one.
func (d Parameter) scale() scale {
	if d >= NumParameters {
		return scale{}
	}
	return scales[d]
}

// Key returns the configuration's key of the same meaning, section.key.
func (d Parameter) Key() string { return d.scale().key }

// Unit returns the unit of its values, empty where they are words.
func (d Parameter) Unit() string { return d.scale().unit }

// About says what it is.
func (d Parameter) About() string { return d.scale().about }

// Words returns what the values of a parameter without a unit mean, by index; nil elsewhere.
func (d Parameter) Words() []string { return d.scale().words }

// Limits returns the least and the largest value, in the unit, for a body with a top speed
// in m/s: no speed is to be set above it.
func (d Parameter) Limits(top float32) (low, high float32) {
	s := d.scale()
	if s.high == upToTop {
		return s.low, top
	}
	return s.low, s.high
}

// A Setting is a value for a parameter. The zero Setting changes nothing. The tag pb is the
// name that recordings have for the field.
type Setting struct {
	Parameter Parameter `pb:"dial"`
	Value     float32   // in the parameter's unit
}

// ErrSetting is wrapped by everything that ParseSetting and Check refuse.
var ErrSetting = errors.New("not to be set while the car drives")

// A misfit says why a value does not fit its parameter, which may be set.
type misfit struct{ why string }

func (m misfit) Error() string { return m.why }
func (m misfit) Unwrap() error { return ErrSetting }

// misfits returns a misfit in words of fmt.Sprintf.
func misfits(format string, of ...any) error { return misfit{fmt.Sprintf(format, of...)} }

// ParseSetting reads a setting as people write it: the key and the value, such as
// "brain.cruise 0.2", "manual.deadman 300ms" or "engine.quality balanced", for a body with
// a top speed in m/s (Remote.Top). An error names key and remedy.
func ParseSetting(words string, top float32) (Setting, error) {
	parts := strings.Fields(words)
	if len(parts) == 0 {
		return Setting{}, misfits("a key is missing: choose one of %s", strings.Join(keys(), ", "))
	}
	s := Setting{}
	for _, d := range Parameters() {
		if d.Key() == parts[0] {
			s.Parameter = d
		}
	}
	switch {
	case s.Parameter == ParameterNothing:
		return s, fmt.Errorf("%.40q is %w: choose one of %s; everything else stands in the configuration and counts from the daemon's next start",
			parts[0], ErrSetting, strings.Join(keys(), ", "))
	case len(parts) < 2:
		return Setting{}, misfits("%s: the value is missing: %s", parts[0], s.Parameter.choose(top))
	case len(parts) > 2:
		return Setting{}, misfits("%s: %.40q is too much: %s", parts[0], parts[2], s.Parameter.choose(top))
	}
	v, err := s.Parameter.parse(parts[1], top)
	if err != nil {
		return Setting{}, err
	}
	s.Value = v
	return s, s.Check(top)
}

// keys returns the keys of all parameters.
func keys() []string {
	var all []string
	for _, d := range Parameters() {
		all = append(all, d.Key())
	}
	return all
}

// parse reads a value; a complaint says what may be chosen with a top speed.
func (d Parameter) parse(text string, top float32) (float32, error) {
	if words := d.Words(); words != nil {
		if i := slices.Index(words, text); i >= 0 {
			return float32(i), nil
		}
		return 0, misfits("%s: %.40q is not known: %s", d.Key(), text, d.choose(top))
	}
	if length, err := time.ParseDuration(text); err == nil && d.Unit() == "s" {
		return float32(length.Seconds()), nil
	}
	v, err := strconv.ParseFloat(text, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, misfits("%s: %.40q is no number: %s", d.Key(), text, d.choose(top))
	}
	return float32(v), nil
}

// choose says what may be chosen for a body with a top speed in m/s.
func (d Parameter) choose(top float32) string {
	if words := d.Words(); words != nil {
		return "choose one of " + strings.Join(words, ", ")
	}
	low, high := d.Limits(top)
	return fmt.Sprintf("choose %v .. %v %s", low, high, d.Unit())
}

// Check refuses a value that no body with such a top speed in m/s may be set to.
func (s Setting) Check(top float32) error {
	low, high := s.Parameter.Limits(top)
	whole := s.Parameter.Words() == nil || s.Value == float32(math.Trunc(float64(s.Value)))
	switch {
	case s.Parameter == ParameterNothing || s.Parameter >= NumParameters:
		return fmt.Errorf("parameter %d is %w: choose one of %s", s.Parameter, ErrSetting, strings.Join(keys(), ", "))
	case !(s.Value >= low && s.Value <= high && whole): // NaN fails
		return misfits("%s: %v %s is out of range: %s", s.Parameter.Key(), s.Value, s.Parameter.Unit(), s.Parameter.choose(top))
	}
	return nil
}

// Text returns the value as people write it.
func (s Setting) Text() string {
	if words := s.Parameter.Words(); s.Value >= 0 && s.Value < float32(len(words)) {
		return words[int(s.Value)]
	}
	return strconv.FormatFloat(float64(s.Value), 'g', -1, 32)
}

// String returns the setting as ParseSetting reads it.
func (s Setting) String() string { return s.Parameter.Key() + " " + s.Text() }
