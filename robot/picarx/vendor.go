package picarx

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldbrain/robot"
	"fieldbrain/strict"
)

// VendorPath is where SunFounder's tools keep their calibration.
const VendorPath = "/opt/picar-x/picar-x.conf"

// A vendorKey is a key of the vendor's files; it names the key of ours that it
// sets, and says how.
type vendorKey struct {
	sets  string // our key, or the nearest above those it sets
	apply func(*Calibration, []float64) error
}

// vendorKeyOf knows the keys of picar-x.conf, its predecessor, and the newer
// picar-x.json.
func vendorKeyOf(name string) (vendorKey, bool) {
	steering := offset(func(c *Calibration) *Servo { return &c.Steering })
	pan := offset(func(c *Calibration) *Servo { return &c.Pan })
	tilt := offset(func(c *Calibration) *Servo { return &c.Tilt })
	switch name {
	case "picarx_dir_servo", "steering_offset":
		return vendorKey{"steering.offset_deg", steering}, true
	case "picarx_cam_pan_servo", "picarx_cam_servo1", "camera_pan_offset":
		return vendorKey{"pan.offset_deg", pan}, true
	case "picarx_cam_tilt_servo", "picarx_cam_servo2", "camera_tilt_offset":
		return vendorKey{"tilt.offset_deg", tilt}, true
	case "picarx_dir_motor":
		return vendorKey{"motors", polarity}, true
	case "left_motor_reversed":
		return vendorKey{"motors.left.reversed", reversed(func(c *Calibration) *Motor { return &c.Motors.Left })}, true
	case "right_motor_reversed":
		return vendorKey{"motors.right.reversed", reversed(func(c *Calibration) *Motor { return &c.Motors.Right })}, true
	case "line_reference":
		return vendorKey{"floor.line_counts", counts(func(c *Calibration) *[robot.NumFloor]int { return &c.Floor.Line })}, true
	case "cliff_reference":
		return vendorKey{"floor.cliff_counts", counts(func(c *Calibration) *[robot.NumFloor]int { return &c.Floor.Cliff })}, true
	}
	return vendorKey{}, false
}

// maxUnknown is how many keys that it does not know an import names.
const maxUnknown = 20

// An Import is what became of a vendor's file.
type Import struct {
	Calibration Calibration
	Unknown     []string // keys of the file that were left behind, the first twenty
	Missing     []string // keys that the vendor's tools write and that the file lacks: base's values stay
}

// ImportVendor reads the vendor's calibration (text "key = value", or the newer
// JSON) on top of base, and says which keys it left behind and which it missed. A
// known key with a wrong value or standing twice, a file without any known key, and
// one that does not say which way the motors turn, is a *CalibrationError: a motor
// that turns the wrong way drives into what the car sees. It never touches the
// file itself.
func ImportVendor(file string, data []byte, base Calibration) (Import, error) {
	i := vendorImport{file: file, c: base, from: map[string]origin{}}
	written := textForm()
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // an editor's byte order mark
	if text := strings.TrimSpace(string(data)); strings.HasPrefix(text, "{") {
		written = jsonForm()
		i.json(data)
	} else {
		i.text(string(data))
	}
	missing := i.missing(written)
	if len(i.from) == 0 && len(i.errs) == 0 {
		i.errs = append(i.errs, &CalibrationError{
			File: file, Reason: "holds none of the vendor's calibration keys",
			Remedy: "name the vendor's file, usually " + VendorPath + ", or run the vendor's calibration first",
		})
	}
	for _, e := range i.c.complaints() {
		e.File = file
		if o, ok := i.from[e.Key]; ok {
			e.Line, e.Key = o.line, o.key
		}
		i.errs = append(i.errs, e)
	}
	if turned := onlyMotors(missing); len(turned) > 0 && len(i.errs) == 0 {
		i.errs = append(i.errs, &CalibrationError{
			File: file, Key: strings.Join(turned, ", "), Reason: "is missing, and with it which way the motors turn",
			Remedy: "run the vendor's motor calibration, or add the vendor's default, for a car whose motors nobody has turned round: " + written.lines(turned),
		})
	}
	slices.SortStableFunc(i.errs, func(a, b *CalibrationError) int { return a.Line - b.Line })
	if err := joinComplaints(i.errs[:min(len(i.errs), strict.MaxComplaints)]); err != nil {
		return Import{Unknown: i.ignored, Missing: missing}, err
	}
	return Import{Calibration: i.c, Unknown: i.ignored, Missing: missing}, nil
}

// A vendorImport is one file on its way into a calibration.
type vendorImport struct {
	file    string
	c       Calibration
	from    map[string]origin // what set each of our keys
	ignored []string
	errs    []*CalibrationError
}

// An origin is where in the vendor's file a value came from.
type origin struct {
	key  string
	line int
}

// wrong notes a complaint about a line, and of very many none that nobody would see.
func (i *vendorImport) wrong(line int, key, reason, remedy string) {
	if len(i.errs) >= strict.MaxComplaints {
		return
	}
	i.errs = append(i.errs, &CalibrationError{File: i.file, Line: line, Key: key, Reason: reason, Remedy: remedy})
}

// correct is the remedy for a line that cannot be read.
const correct = "correct the line, or run the vendor's calibration once more"

// set takes one key with its values, or with the error they were read with.
func (i *vendorImport) set(line int, key string, values []float64, err error) {
	known, ok := vendorKeyOf(key)
	if !ok {
		if len(i.ignored) < maxUnknown {
			i.ignored = append(i.ignored, strict.Short(key))
		}
		return
	}
	if first, ok := i.earlier(known.sets); ok {
		reason := fmt.Sprintf("stands twice, first in line %d", first.line)
		if first.key != key {
			reason = fmt.Sprintf("sets what %s sets in line %d", first.key, first.line)
		}
		i.wrong(line, key, reason, "remove the one that is not right")
		return
	}
	i.from[known.sets] = origin{key: key, line: line}
	if err == nil {
		err = known.apply(&i.c, values)
	}
	if err != nil {
		i.wrong(line, key, err.Error(), correct)
	}
}

// earlier returns the first key of the file that set the same, or part of it.
func (i *vendorImport) earlier(sets string) (first origin, found bool) {
	for have, o := range i.from {
		same := have == sets || strings.HasPrefix(have, sets+".") || strings.HasPrefix(sets, have+".")
		if same && (!found || o.line < first.line) {
			first, found = o, true
		}
	}
	return first, found
}

// LoadVendor reads and converts the vendor's file at path; see ImportVendor.
func LoadVendor(path string, base Calibration) (Import, error) {
	data, err := strict.Read(path, "picar-x.conf")
	var cs strict.Complaints
	switch {
	case errors.As(err, &cs):
		return Import{}, joinComplaints(asCalibration(cs))
	case err != nil:
		return Import{}, fmt.Errorf("picarx: read the vendor's calibration: %w", err)
	}
	if _, bad := strict.Text(data); bad != nil {
		bad.File = path
		return Import{}, joinComplaints(asCalibration(strict.Complaints{*bad}))
	}
	return ImportVendor(path, data, base)
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
		var rounded [robot.NumFloor]int
		for i, x := range v {
			if !(x >= 0 && x <= adcFull) {
				return fmt.Errorf("ADC count %v is outside 0..%d", x, adcFull)
			}
			rounded[i] = int(x + 0.5)
		}
		*of(c) = rounded
		return nil
	}
}
