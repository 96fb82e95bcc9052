package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/files"
	"fieldbrain/robot/picarx"
	"fieldbrain/strict"
)

type calibrateCmd struct {
	Import  calibrateImportCmd  `cmd:"" help:"Turn the vendor's calibration file into one of ours, calibration.toml in the current folder."`
	Nominal calibrateNominalCmd `cmd:"" help:"Write the nominal car's calibration, to be edited by hand, where the vendor's tool has never run."`
}

type calibrateImportCmd struct {
	File string `arg:"" help:"The vendor's file, usually /opt/picar-x/picar-x.conf." complete:"file" example:"/opt/picar-x/picar-x.conf"`
	calibrationFile
}

type calibrateNominalCmd struct {
	calibrationFile
}

// A calibrationFile is where a calibration is written.
type calibrationFile struct {
	To    string `help:"Where to write the calibration; when left out, into the current folder." default:"calibration.toml" placeholder:"FILE"`
	Force bool   `help:"Also where another calibration stands, which is kept beside it with the ending .old, or .old-2 and so on."`
}

// Run converts the file and lists the entries that it could not use.
func (c calibrateImportCmd) Run(e *env) error {
	vendor, err := picarx.LoadVendor(c.File, picarx.DefaultCalibration())
	if err != nil {
		return err
	}
	cal := &vendor.Calibration
	for _, key := range vendor.Unknown {
		fmt.Fprintf(e.out, "%s: %s is not known and was left out\n", daemon.Printable(c.File), daemon.Printable(key))
	}
	for _, key := range vendor.Missing {
		fmt.Fprintf(e.out, "%s: %s is not there: the nominal car's value stays, measure it\n", daemon.Printable(c.File), key)
	}
	return c.write(e, cal)
}

// Run writes the nominal car's numbers. They are nobody's own: what they are for says
// what there is to measure.
func (c calibrateNominalCmd) Run(e *env) error {
	cal := picarx.DefaultCalibration()
	if err := c.write(e, &cal); err != nil {
		return err
	}
	fmt.Fprintln(e.out, "nothing in it is measured: servo offsets, motor polarity, cliff_counts and line_counts are the car's own")
	return nil
}

// write writes a calibration, and says where.
func (c calibrationFile) write(e *env, cal *picarx.Calibration) error {
	text, err := cal.Encode()
	if err != nil {
		return err
	}
	if err := c.keep(e, text); err != nil {
		return err
	}
	if err := cal.Save(c.To); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "wrote %s; name it in body.calibration\n", c.To)
	return nil
}

// keep refuses to write over another text: somebody may have written it by hand.
// With --force it keeps the old one beside the new one.
func (c calibrationFile) keep(e *env, text []byte) error {
	if err := writable("--to", c.To); err != nil {
		return err
	}
	old, err := files.Reader{Max: strict.MaxSize, NoLink: true}.Read(c.To)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && bytes.Equal(old, text):
		return nil
	case err != nil:
		return err
	case !c.Force:
		return config.Usagef("%s is there already and says something else: choose another --to, or --force, which keeps it beside the new one", c.To)
	}
	kept, err := aside(c.To, old)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "kept the old one as %s\n", kept)
	return nil
}

// aside writes what a file held under the first name beside it that nothing has.
func aside(path string, old []byte) (kept string, err error) {
	kept = path + ".old"
	for i := 2; ; i++ {
		err = files.Create(kept, old)
		if !errors.Is(err, fs.ErrExist) {
			return kept, err
		}
		kept = fmt.Sprintf("%s.old-%d", path, i)
	}
}
