package picarx

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"fieldbrain/robot"
)

// VendorPath is where SunFounder's tools keep their calibration.
const VendorPath = "/opt/picar-x/picar-x.conf"

// vendorKeys maps the keys of the vendor's files to what they set: those of
// picar-x.conf, its predecessor, and the newer picar-x.json.
var vendorKeys = map[string]func(*Calibration, []float64) error{
	"picarx_dir_servo":      offset(func(c *Calibration) *Servo { return &c.Steering }),
	"picarx_cam_pan_servo":  offset(func(c *Calibration) *Servo { return &c.Pan }),
	"picarx_cam_tilt_servo": offset(func(c *Calibration) *Servo { return &c.Tilt }),
	"picarx_cam_servo1":     offset(func(c *Calibration) *Servo { return &c.Pan }),
	"picarx_cam_servo2":     offset(func(c *Calibration) *Servo { return &c.Tilt }),
	"steering_offset":       offset(func(c *Calibration) *Servo { return &c.Steering }),
	"camera_pan_offset":     offset(func(c *Calibration) *Servo { return &c.Pan }),
	"camera_tilt_offset":    offset(func(c *Calibration) *Servo { return &c.Tilt }),
	"picarx_dir_motor":      polarity,
	"left_motor_reversed":   reversed(func(c *Calibration) *Motor { return &c.Motors.Left }),
	"right_motor_reversed":  reversed(func(c *Calibration) *Motor { return &c.Motors.Right }),
	"line_reference":        counts(func(c *Calibration) *[robot.NumFloor]int { return &c.Floor.Line }),
	"cliff_reference":       counts(func(c *Calibration) *[robot.NumFloor]int { return &c.Floor.Cliff }),
}

// ImportVendor reads the vendor's calibration (text "key = value", or the
// newer JSON) on top of base. It returns the names of keys it does not know,
// so that the caller can say what was left behind; a known key with a wrong
// value is a *CalibrationError. The file itself is never touched.
func ImportVendor(file string, data []byte, base Calibration) (Calibration, []string, error) {
	c := base
	var ignored []string
	var errs []error
	set := func(line int, key string, values []float64, err error) {
		apply, known := vendorKeys[key]
		if !known {
			ignored = append(ignored, key)
			return
		}
		if err == nil {
			err = apply(&c, values)
		}
		if err != nil {
			errs = append(errs, vendorComplaint(file, line, key, err.Error()))
		}
	}
	if text := strings.TrimSpace(string(data)); strings.HasPrefix(text, "{") {
		if err := vendorJSON(data, set); err != nil {
			errs = append(errs, vendorComplaint(file, 0, "", err.Error()))
		}
	} else {
		errs = append(errs, vendorText(file, string(data), set)...)
	}
	for _, e := range c.complaints() {
		e.File = file
		errs = append(errs, e)
	}
	if err := errors.Join(errs...); err != nil {
		return Calibration{}, ignored, err
	}
	return c, ignored, nil
}

// LoadVendor reads and converts the vendor's file at path; see ImportVendor.
func LoadVendor(path string, base Calibration) (Calibration, []string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Calibration{}, nil, fmt.Errorf("picarx: read the vendor's calibration: %w", err)
	}
	return ImportVendor(path, data, base)
}

type setter func(line int, key string, values []float64, err error)

// vendorText reads "key = value" lines. Unlike the vendor's parser it keeps a
// last line without a newline.
func vendorText(file, text string, set setter) []error {
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found {
			errs = append(errs, vendorComplaint(file, i+1, "", fmt.Sprintf("no '=' in %q", line)))
			continue
		}
		values, err := vendorNumbers(strings.TrimSpace(value))
		set(i+1, strings.TrimSpace(key), values, err)
	}
	return errs
}

// vendorNumbers reads "1.5" or "[1, -1]".
func vendorNumbers(s string) ([]float64, error) {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		if inner, ok = strings.CutSuffix(inner, "]"); !ok {
			return nil, fmt.Errorf("no closing bracket in %q", s)
		}
		s = inner
	}
	var out []float64
	for part := range strings.SplitSeq(s, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", part)
		}
		out = append(out, x)
	}
	return out, nil
}

// vendorJSON reads the newer branch's flat object.
func vendorJSON(data []byte, set setter) error {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	for key, value := range object {
		values, err := jsonNumbers(value)
		set(0, key, values, err)
	}
	return nil
}

// jsonNumbers flattens a number, a flag or a list of numbers.
func jsonNumbers(v any) ([]float64, error) {
	switch v := v.(type) {
	case float64:
		return []float64{v}, nil
	case bool:
		if v {
			return []float64{1}, nil
		}
		return []float64{0}, nil
	case []any:
		var out []float64
		for _, e := range v {
			x, ok := e.(float64)
			if !ok {
				return nil, fmt.Errorf("%v is not a number", e)
			}
			out = append(out, x)
		}
		return out, nil
	}
	return nil, fmt.Errorf("%v is neither a number, a flag nor a list", v)
}

func vendorComplaint(file string, line int, key, reason string) *CalibrationError {
	return &CalibrationError{
		File: file, Line: line, Key: key, Reason: reason,
		Remedy: "correct the line, or run the vendor's calibration once more",
	}
}

// offset sets a servo's trim. The vendor's offsets are degrees on the servo's
// own scale, as ours.
func offset(of func(*Calibration) *Servo) func(*Calibration, []float64) error {
	return func(c *Calibration, v []float64) error {
		if len(v) != 1 {
			return fmt.Errorf("want one number of degrees, got %d", len(v))
		}
		of(c).Offset = v[0]
		return nil
	}
}

// reversed sets one motor's polarity from a JSON flag.
func reversed(of func(*Calibration) *Motor) func(*Calibration, []float64) error {
	return func(c *Calibration, v []float64) error {
		if len(v) != 1 || v[0] != 0 && v[0] != 1 {
			return fmt.Errorf("want true or false, got %v", v)
		}
		of(c).Reversed = v[0] == 1
		return nil
	}
}

// polarity sets both motors' polarity from [left, right], each 1 or -1.
func polarity(c *Calibration, v []float64) error {
	if len(v) != 2 || v[0]*v[0] != 1 || v[1]*v[1] != 1 {
		return fmt.Errorf("want [1 or -1, 1 or -1], got %v", v)
	}
	c.Motors.Left.Reversed, c.Motors.Right.Reversed = v[0] < 0, v[1] < 0
	return nil
}

// counts sets three floor references, rounded to whole ADC counts.
func counts(of func(*Calibration) *[robot.NumFloor]int) func(*Calibration, []float64) error {
	return func(c *Calibration, v []float64) error {
		if len(v) != robot.NumFloor {
			return fmt.Errorf("want three ADC counts, got %d", len(v))
		}
		for i, x := range v {
			if !(x >= 0 && x <= adcFull) {
				return fmt.Errorf("ADC count %v is outside 0..%d", x, adcFull)
			}
			of(c)[i] = int(x + 0.5)
		}
		return nil
	}
}
