package picarx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A vendorForm is the keys that one of the vendor's tools writes.
type vendorForm struct {
	keys []string
	line func(motor string) string // that gives a key of the motors' directions the vendor's default
}

// textForm is picar-x.conf's.
func textForm() vendorForm {
	return vendorForm{
		[]string{"picarx_dir_servo", "picarx_cam_pan_servo", "picarx_cam_tilt_servo", "picarx_dir_motor", "line_reference", "cliff_reference"},
		func(motor string) string { return motor + " = [1, 1]" },
	}
}

// jsonForm is that of the newer picar-x.json.
func jsonForm() vendorForm {
	return vendorForm{
		[]string{"steering_offset", "camera_pan_offset", "camera_tilt_offset", "left_motor_reversed", "right_motor_reversed", "line_reference", "cliff_reference"},
		func(motor string) string { return `"` + motor + `": false` },
	}
}

// missing returns the keys of a form of which the file has none that sets the same.
func (i *vendorImport) missing(f vendorForm) (names []string) {
	for _, name := range f.keys {
		known, _ := vendorKeyOf(name)
		if _, found := i.earlier(known.sets); !found || known.sets == "motors" && !i.bothMotors() {
			names = append(names, name)
		}
	}
	return names
}

// bothMotors reports whether the file says of each motor which way it turns.
func (i *vendorImport) bothMotors() bool {
	_, left := i.earlier("motors.left.reversed")
	_, right := i.earlier("motors.right.reversed")
	return left && right
}

// onlyMotors returns the keys that say which way a motor turns.
func onlyMotors(names []string) (motors []string) {
	for _, name := range names {
		if known, _ := vendorKeyOf(name); strings.HasPrefix(known.sets, "motors") {
			motors = append(motors, name)
		}
	}
	return motors
}

// text reads "key = value" lines. Unlike the vendor's parser it keeps a last
// line without a newline.
func (i *vendorImport) text(text string) {
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found {
			i.wrong(n+1, "", fmt.Sprintf("no '=' in %q", line), correct)
			continue
		}
		values, err := vendorNumbers(strings.TrimSpace(value))
		i.set(n+1, strings.TrimSpace(key), values, err)
	}
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

// json reads the newer branch's flat object, key by key: decoded at once, a key
// that stands twice would go unnoticed.
func (i *vendorImport) json(data []byte) {
	at, line := int64(0), 1
	lineAt := func(offset int64) int { // offsets ascend
		if offset < at {
			at, line = 0, 1
		}
		line += bytes.Count(data[at:offset], []byte("\n"))
		at = offset
		return line
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		line := 0
		if at := (*json.SyntaxError)(nil); errors.As(err, &at) {
			line = lineAt(at.Offset)
		}
		i.wrong(line, "", fmt.Sprintf("not JSON: %v", err), correct)
		return
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	_, err := dec.Token() // the opening brace
	for err == nil && dec.More() {
		var key json.Token
		if key, err = dec.Token(); err != nil {
			break
		}
		line := lineAt(dec.InputOffset())
		var value any
		if err = dec.Decode(&value); err != nil {
			break
		}
		values, wrong := jsonNumbers(value)
		i.set(line, fmt.Sprint(key), values, wrong)
	}
	if err != nil {
		i.wrong(lineAt(dec.InputOffset()), "", fmt.Sprintf("not JSON: %v", err), correct)
	}
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

// lines returns what gives those keys of the motors' directions the vendor's defaults.
func (f vendorForm) lines(motors []string) string {
	lines := make([]string, len(motors))
	for i, name := range motors {
		lines[i] = f.line(name)
	}
	return strings.Join(lines, ", ")
}
