package picarx

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
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

// DecodeCalibration reads a calibration in TOML. An unknown key, a wrong type
// or a value out of range is a *CalibrationError with file, line, key, reason
// and remedy; all of them are joined.
func DecodeCalibration(file string, data []byte) (Calibration, error) {
	c := DefaultCalibration()
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Calibration{}, decodeComplaint(file, err)
	}
	all := c.complaints()
	if len(all) == 0 {
		return c, nil
	}
	lines := keyLines(data)
	for _, e := range all {
		e.File, e.Line = file, lines[e.Key]
	}
	return Calibration{}, joinComplaints(all)
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

// keyLines maps every dotted key of a TOML document to its line.
func keyLines(data []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind {
		case unstable.Table:
			table, _ = nodeKey(data, "", n)
		case unstable.KeyValue:
			collectKeys(data, table, n, lines)
		}
	}
	return lines
}

// collectKeys notes a key and, for an inline table, the keys in it.
func collectKeys(data []byte, prefix string, n *unstable.Node, lines map[string]int) {
	key, line := nodeKey(data, prefix, n)
	lines[key] = line
	if v := n.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			collectKeys(data, key, it.Node(), lines)
		}
	}
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
// file or the new one. An invalid calibration is not written.
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
