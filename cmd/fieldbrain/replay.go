package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/cmd/fieldbrain/replay"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/recording"
	"fieldbrain/field/cpu"
)

type replayCmd struct {
	Files   []string      `arg:"" name:"file" help:"Recording of sim --record or run --record: a file, several in their order, or a folder." complete:"file" example:"drive.mcap"`
	To      []string      `help:"Replay with something else and say what differs, to the end: an engine (purego, avx2), a step (dense), a rung (balanced) or a configuration file that ends in .toml; one of each, as often as you like." placeholder:"WHAT" sep:"none"`
	Seconds float64       `help:"Replay only so much of it; 0 is all." default:"0"`
	From    time.Duration `help:"Begin with the newest frozen brain up to so much of the recording, such as 10m30s: there is one a minute." placeholder:"TIME"`
	Jobs    int           `help:"Replay so many parts of it at a time, each from a frozen brain to the next; 0: as many as there are processors." default:"1" placeholder:"N"`
	Test    string        `help:"Make a test of it: write NAME.mcap, as much as was replayed, and NAME.json, what is asked of it, for go test to replay on every engine." placeholder:"NAME"`
	Never   []string      `help:"The test asks that this cause against motion does not come up (docs/faults.md), instead of the same bits; as often as you like." placeholder:"CAUSE" sep:"none"`
	Tests   string        `help:"Folder of the tests." placeholder:"FOLDER" default:"cmd/fieldbrain/replay/testdata" complete:"file"`
	JSON    bool          `help:"Print one JSON object." name:"json"`
}

// Help says what is compared.
func (replayCmd) Help() string {
	return "The brain hears again what it heard and must do the same, bit for bit: command, causes, rung and field, tick by tick. " +
		"The first difference ends the replay and is explained. With --to it goes on: the readings stay as recorded, they do not follow the other commands. " +
		"Exit code 0: all of it came out the same; 1: not."
}

// Run replays the file.
func (c replayCmd) Run(e *env) error {
	change, err := c.check()
	if err != nil {
		return err
	}
	if err := c.reaches(); err != nil {
		return err
	}
	bar := newMeter(e.err, isTerminal(os.Stderr))
	report, err := c.replay(change, func(done time.Duration) { bar.show(1, 0, fmt.Sprintf("%.0f s replayed", done.Seconds())) })
	bar.end()
	if err != nil {
		return err
	}
	if c.From > 0 && report.Begun == 0 {
		fmt.Fprintf(e.err, "--from %v: no frozen brain stands between the recording's beginning and there; replayed from the beginning, %.1f s\n", c.From, report.Length.Seconds())
	}
	if c.Test != "" {
		if err := c.keep(e, report); err != nil {
			return err
		}
	}
	if c.JSON {
		err = printJSON(e, report)
	} else {
		err = report.Print(e.out)
	}
	if err == nil && !report.Exact() {
		return errSilent
	}
	return err
}

// reaches refuses a --from behind the recording's end.
func (c replayCmd) reaches() error {
	if c.From <= 0 {
		return nil
	}
	length, short, err := replay.Short(c.From, c.Files...)
	if err == nil && short {
		err = config.Usagef("--from %v: %s ends after %v: choose less", c.From, strings.Join(c.Files, " "), length.Round(time.Millisecond))
	}
	return err
}

// replay replays the files, in one piece or in parts.
func (c replayCmd) replay(change func(*replay.Setup), progress func(done time.Duration)) (*replay.Report, error) {
	o := replay.Options{Change: change, Onward: len(c.To) > 0, Until: time.Duration(c.Seconds * float64(time.Second)), Progress: progress}
	if c.Jobs != 1 {
		return replay.RunParts(c.Files, c.From, o, cmp.Or(c.Jobs, runtime.NumCPU()))
	}
	r, err := replay.Open(c.Files...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if o.Start, err = r.Seek(c.From); err != nil {
		return nil, err
	}
	o.Differ = r.Differ
	return replay.Run(r, &r.Head, o)
}

// keep makes a test of what was replayed, and a second of what follows a difference.
func (c replayCmd) keep(e *env, report *replay.Report) error {
	r, err := replay.Open(c.Files...)
	if err != nil {
		return err
	}
	defer r.Close()
	start, err := r.Seek(c.From)
	if err != nil {
		return err
	}
	k := c.asked()
	length := time.Duration(c.Seconds * float64(time.Second))
	if d := report.First; d != nil {
		k.Why = fmt.Sprintf("tick %d: %s", d.Tick, strings.Join(d.What, "; "))
		length = report.Length + time.Second
	}
	path, err := k.Keep(c.Tests, c.Test, r, start, length)
	if err != nil {
		return fmt.Errorf("--test: %w", err)
	}
	fmt.Fprintf(e.out, "%s: written; %s\n", path, replayedBy(c.Tests))
	return nil
}

// replayedBy says what replays the tests of a folder.
func replayedBy(folder string) string {
	const test = "go test ./cmd/fieldbrain/replay -run TestKept"
	root := replay.Tested(folder)
	if root == "" {
		return "no test replays it there: move it, with its .json, to " + replay.KeptFolder + " of the sources, and " + test + " does"
	}
	if here, err := os.Getwd(); err == nil && here == root {
		return test + " replays it"
	}
	return test + " replays it, from " + root
}

// check returns what --to asks for, and refuses flags that nothing can be made of.
func (c replayCmd) check() (change func(*replay.Setup), err error) {
	if err := checkSeconds("seconds", c.Seconds, 365*24*time.Hour, "a year"); err != nil {
		return nil, err
	}
	switch {
	case c.From < 0:
		return nil, config.Usagef("--from %v: say how far into the recording, such as 10m30s", c.From)
	case c.Jobs < 0 || c.Jobs > 1000:
		return nil, config.Usagef("--jobs %d: choose 1 to 1000, or 0 for as many as there are processors", c.Jobs)
	case len(c.Never) > 0 && c.Test == "":
		return nil, config.Usagef("--never says what a test asks for: name the test with --test NAME")
	case len(c.To) > 0 && c.Test != "":
		return nil, config.Usagef("--to with --test: a test keeps what was recorded, not what would be with something else; leave one of them out")
	}
	if change, err = c.change(); err != nil {
		return nil, config.UsageError{Err: err}
	}
	if c.Test == "" {
		return change, nil
	}
	asked := c.asked()
	if err := errors.Join(replay.CheckPlace(c.Tests, c.Test), asked.Check()); err != nil {
		return nil, config.Usagef("--test: %w", err)
	}
	return change, nil
}

// asked is what the test of --test asks for.
func (c replayCmd) asked() replay.Kept { return replay.Kept{Same: len(c.Never) == 0, Never: c.Never} }

// changes says what a word behind --to replaces.
func changes(to string) string {
	switch {
	case strings.HasSuffix(to, ".toml"):
		return "a configuration file"
	case slices.Contains(quality.Names(), to):
		return "a rung"
	case to == "dense" || to == "collapsed":
		return "a step"
	}
	return "an engine"
}

// change returns what --to asks for.
func (c replayCmd) change() (func(*replay.Setup), error) {
	var all []func(*replay.Setup)
	said := map[string]string{} // by what it changes
	for _, to := range c.To {
		if other, twice := said[changes(to)]; twice {
			return nil, fmt.Errorf("--to %s and --to %s: each is %s, and there can be one: leave one of them out", other, to, changes(to))
		}
		said[changes(to)] = to
		switch {
		case strings.HasSuffix(to, ".toml"):
			settings, _, err := loadConfig(to)
			if err != nil {
				return nil, err
			}
			whole := func(s *replay.Setup) { s.Become(settings) }
			all = slices.Insert(all, 0, whole) // what is named beside it counts more
		case slices.Contains(cpu.ISAs(), to):
			all = append(all, func(s *replay.Setup) { s.Config.Engine.Kind = to })
		case to == "dense" || to == "collapsed":
			all = append(all, func(s *replay.Setup) { s.Config.Engine.Step = to })
		case slices.Contains(quality.Names(), to):
			all = append(all, func(s *replay.Setup) { s.Config.Engine.Quality = to })
		default:
			return nil, fmt.Errorf("--to %s: say an engine of this processor (%s), dense or collapsed, a rung (%s), or a configuration file that ends in .toml",
				to, strings.Join(cpu.ISAs(), ", "), strings.Join(quality.Names(), ", "))
		}
	}
	return func(s *replay.Setup) {
		for _, f := range all {
			f(s)
		}
	}, nil
}

// tape gives the drive a tape for the file of --record, nil for none. What it returns is to
// be closed in any case.
func (c simCmd) tape(d *drive.Drive) (*keeper, error) {
	switch {
	case c.Record == "":
		return nil, nil
	case filepath.Ext(c.Record) != recording.Suffix:
		return nil, config.Usagef("--record: %s: a recording's file ends in %s", c.Record, recording.Suffix)
	case c.Realtime || c.Pilot != "brain":
		return nil, config.Usagef("--record keeps what the brain hears in virtual time: leave out --realtime and --pilot")
	}
	if err := writable("--record", c.Record); err != nil {
		return nil, err
	}
	f := &keeper{path: c.Record}
	d.Tape = drive.NewTape(f, thisBuild().Version)
	return f, nil
}
