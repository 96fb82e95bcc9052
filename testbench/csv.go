package testbench

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"fieldbrain/robot"
)

// Columns are the names of a CSV track's columns, each ending in its unit. All
// quantities are SI, angles counter-clockwise, 0 along x in the world and
// straight ahead on the car; docs/worlds.md describes them one by one.
func Columns() []string {
	return []string{
		"time_s", "x_m", "y_m", "heading_rad", "speed_mps", "steering_rad",
		"range_front_m", "range_left30_m", "range_right30_m", "range_left60_m",
		"range_right60_m", "range_left90_m", "range_right90_m", "range_rear_m",
		"floor_left", "floor_middle", "floor_right", "battery_v", "target_bearing_rad",
		"peak_bearing_rad", "peak_mass",
		"command_speed_mps", "command_steering_rad", "command_pan_rad", "command_tilt_rad",
		"command_enable", "command_brake",
	}
}

// CSV writes the track as a table with a header, a row every 50 ms. It leaves a
// cell empty for which the car had no reading, such as a range without an echo.
// It refuses a run that kept no rows.
func (t *Track) CSV(w io.Writer) error {
	if t == nil || len(t.Rows) == 0 {
		return errors.New("testbench: the run kept no rows of its track; set Options.Rows")
	}
	out := csv.NewWriter(w)
	if err := out.Write(Columns()); err != nil {
		return err
	}
	line := make([]string, 0, len(Columns()))
	for i := range t.Rows {
		line = t.Rows[i].fields(line[:0])
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// fields appends the row's values in the order of Columns.
func (r *Row) fields(line []string) []string {
	line = append(line, number(r.At.Seconds()), number(r.Pose.At.X), number(r.Pose.At.Y), number(r.Pose.Heading),
		number(r.Speed), number(r.Steering))
	s := &r.Sensed
	for i := range s.Range {
		line = append(line, reading(s.Range[i]))
	}
	for i := range s.Floor {
		line = append(line, reading(s.Floor[i]))
	}
	line = append(line, reading(s.Battery), reading(s.Target.Bearing))
	if r.Peak.Mass > 0 {
		line = append(line, number(r.Peak.Bearing), number(r.Peak.Mass))
	} else {
		line = append(line, "", "")
	}
	c := &r.Command
	return append(line, number(float64(c.Speed)), number(float64(c.Steering)), number(float64(c.Pan)), number(float64(c.Tilt)),
		truth(c.Enable), truth(c.Brake))
}

// number writes a value to a millionth: micrometres and microseconds.
func number(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// reading writes a sensed value, nothing when there is none.
func reading(r robot.Reading) string {
	if !r.OK {
		return ""
	}
	return number(float64(r.Value))
}

func truth(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
