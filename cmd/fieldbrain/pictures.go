package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/telemetry"
	"fieldbrain/testbench"
	"fieldbrain/testbench/picture"
	"fieldbrain/testbench/scenarios"
)

// The animation shows the run as fast as it was, 12.5 pictures a second, and its
// end a little longer.
const (
	movieStep = 80 * time.Millisecond
	movieHold = 1500 * time.Millisecond
)

// checkPictures refuses, before the drive, a file that cannot become a picture.
func (c simCmd) checkPictures() error {
	if c.Picture != "" {
		if _, err := picture.FormatOf(c.Picture); err != nil {
			return config.Usagef("--picture: %w", err)
		}
	}
	if err := errors.Join(writable("--picture", c.Picture), writable("--animation", c.Movie), writable("--track", c.Track), c.apart()); err != nil {
		return err
	}
	if err := errors.Join(flagFile{"--animation", c.Movie}.ends(".gif"), flagFile{"--track", c.Track}.ends(".csv")); err != nil {
		return err
	}
	switch {
	case c.Movie == "":
		return nil
	case c.Realtime || c.Pilot != "brain":
		return config.Usagef("--animation shows the brain in virtual time: leave out --realtime and --pilot")
	}
	return nil
}

// apart refuses a file that has two names among the flags.
func (c simCmd) apart() error {
	written := []flagFile{{"--picture", c.Picture}, {"--animation", c.Movie}, {"--track", c.Track}, {"--record", c.Record}, {"--page", c.Page}}
	if c.Page != "" {
		written = append(written, flagFile{"--page", telemetry.RingOf(c.Page)})
	}
	read := append(each("--pilot", policies(c.Pilot)), each("--scenario", worldFiles(c.Scenario))...)
	return apart(written, append(read, flagFile{"--config", c.Config})...)
}

// keep writes the files that the flags ask for.
func (c simCmd) keep(d *drive.Drive, sc *scenarios.Scenario, r *testbench.Result) error {
	for _, file := range []struct {
		flag, path string
		write      func(w io.Writer) error
	}{
		{"--picture", c.Picture, func(w io.Writer) error {
			format, err := picture.FormatOf(c.Picture)
			if err != nil {
				return err
			}
			return picture.Write(w, format, r, picture.Default())
		}},
		{"--animation", c.Movie, func(w io.Writer) error {
			a := picture.Animation{Title: sc.Title, Delay: movieStep, Hold: movieHold}
			return a.Write(w, r, d.Reel.Moments())
		}},
		{"--track", c.Track, func(w io.Writer) error { return r.Track.CSV(w) }},
	} {
		if file.path == "" {
			continue
		}
		if err := whole(file.path, file.write); err != nil {
			return fmt.Errorf("%s: %w", file.flag, err)
		}
	}
	return nil
}
