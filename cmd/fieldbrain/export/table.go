package export

import (
	"encoding/csv"
	"errors"
	"io"
	"math/bits"
	"strconv"

	"fieldbrain/brain"
	"fieldbrain/daemon/recording"
	"fieldbrain/robot"
)

// A Source gives ticks in their order, as recording.Reader does.
type Source interface {
	Next(t *recording.Tick) error
}

// Columns are the names of the table's columns, each ending in its unit. All quantities
// are SI; pose in the frame of the start, angles counter-clockwise.
func Columns() []string {
	return []string{
		"tick", "time_s", "x_m", "y_m", "heading_rad",
		"range_front_m", "range_left30_m", "range_right30_m", "range_left60_m",
		"range_right60_m", "range_left90_m", "range_right90_m", "range_rear_m",
		"floor_left", "floor_middle", "floor_right", "battery_v",
		"peak_bearing_rad", "peak_mass",
		"command_speed_mps", "command_steering_rad", "command_enable", "command_brake",
		"causes", "num_causes", "rung", "busy_s", "asked", "lost_ticks",
	}
}

// Table writes a row for every tick. It leaves a cell empty for which there was no
// reading. Where the recording is cut short it writes what there is, and returns the
// recording's error; where ticks are missing in it, ErrMissing; behind the tick that
// another drive's follows, ErrOrder.
func Table(w io.Writer, from Source) error {
	s := &gaps{Source: from}
	out := csv.NewWriter(w)
	if err := out.Write(Columns()); err != nil {
		return err
	}
	var t recording.Tick
	for {
		err := s.Next(&t)
		if err != nil {
			out.Flush()
			return errors.Join(s.end(err), out.Error())
		}
		if err := out.Write(row(&t)); err != nil {
			return err
		}
	}
}

// row returns a tick's cells in the order of Columns.
func row(t *recording.Tick) []string {
	h := &t.Input
	line := []string{
		strconv.FormatUint(h.Tick, 10), number(t.At().Seconds()), number(t.Fix.X), number(t.Fix.Y), number(t.Fix.Heading),
	}
	for i := range h.State.Range {
		line = append(line, reading(h.State.Range[i]))
	}
	for i := range h.State.Floor {
		line = append(line, reading(h.State.Floor[i]))
	}
	line = append(line, reading(h.State.Battery))
	if t.Mass > 0 {
		line = append(line, number(t.Bearing), number(t.Mass))
	} else {
		line = append(line, "", "")
	}
	busy := 0.0
	for _, lap := range h.Laps {
		busy += lap.Seconds()
	}
	asked := ""
	if h.Asked != brain.AskNothing {
		asked = h.Asked.String()
	}
	causes := ""
	if t.Causes != 0 {
		causes = t.Causes.String()
	}
	return append(line,
		number(float64(t.Told.Speed)), number(float64(t.Told.Steering)), truth(t.Told.Enable), truth(t.Told.Brake),
		causes, strconv.Itoa(bits.OnesCount32(uint32(t.Causes))), strconv.Itoa(t.Rung), number(busy), asked, strconv.FormatUint(t.Lost, 10))
}

// number writes a value to a millionth: micrometres and microseconds.
func number(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// reading writes a sensed value, nothing when there is none.
func reading(r robot.Reading) string {
	if !r.OK || r.AtLeast {
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
