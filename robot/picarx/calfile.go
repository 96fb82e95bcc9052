package picarx

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"fieldbrain/robot"
)

// LoadCalibration reads a calibration file. Keys it does not mention keep the
// nominal car's values; see DecodeCalibration for what it refuses.
func LoadCalibration(path string) (Calibration, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Calibration{}, fmt.Errorf("picarx: read calibration: %w", err)
	}
	return DecodeCalibration(path, data)
}

// DecodeCalibration reads a calibration in TOML. An unknown key, a wrong type,
// a list of the wrong length or a value out of range is a *CalibrationError with
// file, line, key, reason and remedy; all of them are joined.
func DecodeCalibration(file string, data []byte) (Calibration, error) {
	c := DefaultCalibration()
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Calibration{}, decodeComplaint(file, err)
	}
	places := keyPlaces(data)
	all := shapeComplaints(places)
	for _, e := range c.complaints() {
		if p := places[e.Key]; !p.list || p.values == robot.NumFloor {
			all = append(all, e) // of a list too short, the missing values say nothing
		}
	}
	if len(all) == 0 {
		return c, nil
	}
	for _, e := range all {
		e.File, e.Line = file, places[e.Key].line
	}
	slices.SortStableFunc(all, func(a, b *CalibrationError) int { return a.Line - b.Line })
	return Calibration{}, joinComplaints(all)
}

// shapeComplaints returns what the decoder lets pass in silence: a list that is
// too short keeps other values at its end, one that is too long loses some, and
// a key in capitals is taken for ours, even beside the right one. Every list of
// a calibration has one value per floor sensor.
func shapeComplaints(places map[string]place) []*CalibrationError {
	var all []*CalibrationError
	for key, p := range places {
		if key != strings.ToLower(key) {
			all = append(all, &CalibrationError{
				Key: key, Reason: "unknown key", Remedy: "write it in small letters",
			})
		}
		if p.list && p.values != robot.NumFloor {
			all = append(all, &CalibrationError{
				Key:    key,
				Reason: fmt.Sprintf("want %d values, got %d", robot.NumFloor, p.values),
				Remedy: "write one count per floor sensor, left to right, such as [1000, 1000, 1000]",
			})
		}
	}
	slices.SortFunc(all, func(a, b *CalibrationError) int { return strings.Compare(a.Key, b.Key) })
	return all
}

// decodeComplaint turns the decoder's errors into ours.
func decodeComplaint(file string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		var all []*CalibrationError
		for i := range unknown.Errors {
			e := &unknown.Errors[i]
			line, _ := e.Position()
			all = append(all, &CalibrationError{
				File: file, Line: line, Key: strings.Join(e.Key(), "."),
				Reason: "unknown key", Remedy: "remove it or correct its spelling",
			})
		}
		return joinComplaints(all)
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		return &CalibrationError{
			File: file, Line: line, Key: strings.Join(wrong.Key(), "."),
			Reason: strings.TrimPrefix(wrong.Error(), "toml: "),
			Remedy: "write the value as the saved file shows it",
		}
	}
	return &CalibrationError{
		File: file, Reason: strings.TrimPrefix(err.Error(), "toml: "),
		Remedy: "write the value as the saved file shows it",
	}
}

// A place says where a key stands and what kind of value it has.
type place struct {
	line   int
	list   bool
	values int // of a list
}

// keyPlaces maps every dotted key of a TOML document to its place.
func keyPlaces(data []byte) map[string]place {
	places := map[string]place{}
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind {
		case unstable.Table:
			var line int
			table, line = nodeKey(data, "", n)
			places[table] = place{line: line}
		case unstable.KeyValue:
			collectKeys(data, table, n, places)
		}
	}
	return places
}

// collectKeys notes a key and, for an inline table, the keys in it.
func collectKeys(data []byte, prefix string, n *unstable.Node, places map[string]place) {
	key, line := nodeKey(data, prefix, n)
	v := n.Value()
	at := place{line: line, list: v.Kind == unstable.Array}
	switch v.Kind {
	case unstable.Array:
		for it := v.Children(); it.Next(); {
			at.values++
		}
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			collectKeys(data, key, it.Node(), places)
		}
	}
	places[key] = at
}

// nodeKey returns the dotted key of a table or key-value node and its line.
func nodeKey(data []byte, prefix string, n *unstable.Node) (string, int) {
	key, line := prefix, 0
	for it := n.Key(); it.Next(); {
		part := it.Node()
		if key != "" {
			key += "."
		}
		key += string(part.Data)
		if line == 0 {
			line = 1 + bytes.Count(data[:part.Raw.Offset], []byte("\n"))
		}
	}
	return key, line
}

// Encode returns the calibration as a commented TOML document that
// DecodeCalibration reads back to the same values.
func (c *Calibration) Encode() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# Calibration of one PiCar-X. Keys left out keep the nominal car's values.\n\n")
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return nil, fmt.Errorf("picarx: encode calibration: %w", err)
	}
	return b.Bytes(), nil
}

// Save writes the calibration to path so that a crash leaves either the old
// file or the new one. It writes no invalid calibration.
func (c *Calibration) Save(path string) error {
	if err := c.Validate(); err != nil {
		return err
	}
	data, err := c.Encode()
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("picarx: save calibration: %w", err)
	}
	return nil
}
