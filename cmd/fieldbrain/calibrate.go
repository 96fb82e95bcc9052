package main

import "fmt"

type calibrateCmd struct {
	Import calibrateImportCmd `cmd:"" help:"Turn the vendor's calibration file into one of ours."`
}

type calibrateImportCmd struct {
	File string `arg:"" help:"The vendor's file, usually /opt/picar-x/picar-x.conf."`
	To   string `help:"Where to write the calibration." default:"calibration.toml" placeholder:"FILE"`
}

// Run converts the file and says what it could not use.
func (c calibrateImportCmd) Run(e *env) error {
	notes, err := importCalibration(c.File, c.To)
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(e.out, n)
	}
	fmt.Fprintf(e.out, "wrote %s; name it in body.calibration\n", c.To)
	return nil
}
