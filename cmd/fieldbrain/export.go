package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fieldbrain/cmd/fieldbrain/export"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/daemon/telemetry"
)

type exportCmd struct {
	Files []string `arg:"" name:"file" help:"Recording: a file, several in their order, or a folder; or one flight ring, which ends in .ring or .before." complete:"file" example:"drive.mcap --csv drive.csv"`
	CSV   string   `name:"csv" help:"Write a table with a row for every tick." placeholder:"OUT"`
	PNG   string   `name:"png" help:"Draw the way and what was heard, as the brain believed, with axes in metres." placeholder:"OUT"`
	GIF   string   `name:"gif" help:"The same as a moving picture." placeholder:"OUT"`
	MCAP  string   `name:"mcap" help:"Write one whole recording: of a file that was cut short, or of several." placeholder:"OUT"`
}

// Help says when what was written counts as a failure.
func (exportCmd) Help() string {
	return "Of a recording that cannot be read to its end as much is written as can be, and a line says so. " +
		"Exit code 0: all of it, or all that a crash or a full disk left; 1: a block of it is damaged, or nothing could be written."
}

// Run writes what the flags ask for.
func (c exportCmd) Run(e *env) error {
	written := []flagFile{{"--csv", c.CSV}, {"--png", c.PNG}, {"--gif", c.GIF}, {"--mcap", c.MCAP}}
	for _, out := range written {
		if err := errors.Join(c.spare(out.path), writable("export", out.path)); err != nil {
			return err
		}
	}
	if err := apart(written); err != nil {
		return err
	}
	for _, out := range written {
		if err := out.ends(strings.Replace(out.flag, "--", ".", 1)); err != nil {
			return err
		}
	}
	var done int
	var short error
	for _, out := range []struct {
		path  string
		write func(w io.Writer, r ticks) error
	}{
		{c.CSV, func(w io.Writer, r ticks) error { return export.Table(w, r) }},
		{c.PNG, func(w io.Writer, r ticks) error { return drawn(w, r, (*export.Way).PNG) }},
		{c.GIF, func(w io.Writer, r ticks) error { return drawn(w, r, (*export.Way).GIF) }},
		{c.MCAP, joined},
	} {
		if out.path == "" {
			continue
		}
		done++
		lacks, err := c.write(out.path, out.write)
		if err != nil {
			return c.elsewhere(e, err)
		}
		short = cmp.Or(lacks, short)
		fmt.Fprintf(e.out, "%s: written\n", out.path)
	}
	if done == 0 {
		return config.Usagef("export: say what to write: --csv, --png, --gif or --mcap")
	}
	return sayLack(e, short)
}

// elsewhere adds to an error about a flight ring that is not there those that are.
func (c exportCmd) elsewhere(e *env, err error) error {
	if _, wrong := os.Stat(c.Files[0]); c.ring() && errors.Is(wrong, fs.ErrNotExist) {
		return leftElsewhere(e, c.Files[0], err)
	}
	return err
}

// ring reports whether what is read is a flight ring.
func (c exportCmd) ring() bool {
	ext := filepath.Ext(c.Files[0])
	return len(c.Files) == 1 && (ext == ".ring" || ext == ".before")
}

// sayLack says what the files lack. A recording that a crash cut short has given what there
// is; one that is damaged may have had more, and the command fails.
func sayLack(e *env, short error) error {
	switch {
	case errors.Is(short, export.ErrMissing):
		fmt.Fprintf(e.err, "fieldbrain: not all of it: %v\n", short)
	case short != nil:
		fmt.Fprintf(e.err, "fieldbrain: only up to where it can be read: %v\n", short)
	}
	if errors.Is(short, recording.ErrDamaged) {
		return errSilent
	}
	return nil
}

// partly reports whether an error is about the recording alone: what it has was written. Of
// one without a tick there is no picture, and of two drives nothing.
func partly(err error) bool {
	if errors.Is(err, export.ErrEmpty) || errors.Is(err, export.ErrOrder) {
		return false
	}
	return errors.Is(err, recording.ErrCut) || errors.Is(err, recording.ErrDamaged) || errors.Is(err, export.ErrMissing)
}

// spare refuses to write over what is read.
func (c exportCmd) spare(out string) error {
	to, err := os.Stat(out)
	if err != nil {
		return nil // it is new, or the writing says why it cannot be
	}
	for _, from := range c.Files {
		read := []string{from}
		if inside, err := filepath.Glob(filepath.Join(from, "*"+recording.Suffix)); err == nil {
			read = append(read, inside...)
		}
		for _, path := range read {
			if info, err := os.Stat(path); err == nil && os.SameFile(info, to) {
				return config.Usagef("export: %s would be written over %s, which is read: name another file", out, path)
			}
		}
	}
	return nil
}

// write reads the recording once for a file. What a cut recording gives is written, and
// short says what that lacks.
func (c exportCmd) write(path string, write func(w io.Writer, r ticks) error) (short, err error) {
	r, err := c.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = whole(path, func(w io.Writer) error {
		err := write(w, r)
		if partly(err) {
			short, err = err, nil
		}
		return err
	})
	switch from := strings.Join(c.Files, " "); {
	case errors.Is(err, export.ErrOrder):
		err = config.Usagef("export %s: %w", from, err)
	case errors.Is(err, export.ErrEmpty):
		err = fmt.Errorf("%s: %w", from, err)
	}
	return short, err
}

// joined writes one whole recording. Another version's ticks would lose what this one
// does not know.
func joined(w io.Writer, from ticks) error {
	if f, is := from.(*flown); is {
		_, err := export.Flown(w, f.ring, replay.Hash)
		return err
	}
	r, is := from.(*replay.Chain)
	if !is {
		return fmt.Errorf("--mcap: no recording")
	}
	if len(r.Differ) > 0 {
		return fmt.Errorf("--mcap: recorded by version %s, whose ticks this one does not know wholly (%s): use that version", r.Head.Program, r.Differ[0])
	}
	_, err := export.Whole(w, &r.Head, r, r.Carry)
	return err
}

// drawn draws the way of a recording.
func drawn(w io.Writer, r ticks, draw func(*export.Way, io.Writer) error) error {
	way, err := export.Trace(r)
	if way == nil {
		return err
	}
	return errors.Join(draw(way, w), err)
}

// ticks are those of a recording or of a flight ring.
type ticks interface {
	export.Source
	io.Closer
}

// open opens the recording, or the ring.
func (c exportCmd) open() (ticks, error) {
	if !c.ring() {
		return replay.Open(c.Files...)
	}
	ring, err := telemetry.OpenRing(c.Files[0])
	if err != nil {
		return nil, daemon.Refusal(c.Files[0], err)
	}
	flight, err := ring.Flight(0)
	if err != nil {
		return nil, errors.Join(err, ring.Close())
	}
	return &flown{export.NewFlight(flight), ring}, nil
}

// flown are the ticks of a ring.
type flown struct {
	*export.Flight
	ring *telemetry.Ring
}

// Close gives the ring up.
func (f *flown) Close() error {
	f.End()
	return f.ring.Close()
}
