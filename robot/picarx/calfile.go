package picarx

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"fieldbrain/files"
	"fieldbrain/strict"
)

// LoadCalibration reads a calibration file. Keys it does not mention keep the
// nominal car's values; see DecodeCalibration for what it refuses.
func LoadCalibration(path string) (Calibration, error) {
	data, err := strict.Read(path, "calibration.toml")
	var cs strict.Complaints
	switch {
	case errors.As(err, &cs):
		return Calibration{}, joinComplaints(asCalibration(cs))
	case err != nil:
		return Calibration{}, fmt.Errorf("picarx: read calibration: %w", err)
	}
	return DecodeCalibration(path, data)
}

// DecodeCalibration reads a calibration in TOML. An unknown key, a wrong type,
// a list of the wrong length or a value out of range is a *CalibrationError with
// file, line, key, reason and remedy; all of them are joined.
func DecodeCalibration(file string, data []byte) (Calibration, error) {
	c := DefaultCalibration()
	lines, cs := strict.NewForm(DefaultCalibration()).Decode(data, &c)
	for _, e := range c.complaints() {
		cs = append(cs, strict.Complaint{Key: e.Key, Reason: e.Reason, Remedy: e.Remedy})
	}
	if len(cs) == 0 {
		return c, nil
	}
	return Calibration{}, joinComplaints(asCalibration(cs.Place(file, lines)))
}

// asCalibration turns the complaints of a file of settings into ours.
func asCalibration(cs strict.Complaints) []*CalibrationError {
	all := make([]*CalibrationError, len(cs))
	for i, c := range cs {
		all[i] = &CalibrationError{File: c.File, Line: c.Line, Key: c.Key, Reason: c.Reason, Remedy: c.Remedy}
	}
	return all
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
	if err := files.Write(path, data); err != nil {
		return fmt.Errorf("picarx: save calibration: %w", err)
	}
	return nil
}
