package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/cmd/fieldbrain/service"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/store"
	"fieldbrain/field"
	"fieldbrain/files"
)

type brainCmd struct {
	Show  brainShowCmd  `cmd:"" help:"Show a saved brain: its body, the activity of every channel, the patterns it has learned."`
	Diff  brainDiffCmd  `cmd:"" help:"Compare two saved brains; exit code 1 when they differ."`
	Reset brainResetCmd `cmd:"" help:"Move the saved brains aside, so that the next start begins fresh."`
}

// brainFlags choose a body, and so its saved brain.
type brainFlags struct {
	Config string `help:"Configuration file; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE"`
	Body   string `help:"The brain of this body: sim or picarx; the configuration's when left out." enum:",sim,picarx" default:"" placeholder:"KIND"`
}

// folder returns the folder of that brain.
func (f brainFlags) folder(e *env) (string, error) {
	settings, from, err := loadConfig(f.Config)
	if err != nil {
		return "", err
	}
	if f.Body != "" {
		settings.Body.Kind = f.Body
	}
	path := service.Folder(settings, e.getenv)
	if path == "" {
		return "", config.Usagef("%s keeps no brain of body %s: name its file, choose --body, or set memory.path", from, settings.Body.Kind)
	}
	return path, nil
}

// readBrain reads one file; that it is missing is wrong use.
func readBrain(name string) (*memory.File, *memory.Snapshot, error) {
	data, err := store.Read(name)
	const other = "name a saved brain; fieldbrain brain show without a file shows the newest and its name"
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil, config.Usagef("%s: no such file: %s", name, other)
	case errors.Is(err, files.ErrKind):
		return nil, nil, fmt.Errorf("%w: %s", err, other)
	case err != nil:
		return nil, nil, err
	}
	table := field.PiCarX()
	shot, err := memory.Decode(data, &table)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	f, err := memory.Parse(data)
	return f, shot, err
}

type brainShowCmd struct {
	File string `arg:"" optional:"" help:"File; the newest one when left out." complete:"file"`
	JSON bool   `help:"Print one JSON object." name:"json"`
	brainFlags
}

// A brainView is what show prints.
type brainView struct {
	File     string                  `json:"file"`
	Header   savedHeader             `json:"header"`
	Sections []sectionView           `json:"sections"`
	Channels []memory.ChannelSummary `json:"channels"`
	Learned  []memory.SlotSummary    `json:"learned"`
	Patterns []memory.PatternSummary `json:"patterns"`
	Brain    *brain.State            `json:"brain,omitempty"`
}

// A savedHeader is a header whose hashes are text: as numbers they lie above 2^53,
// where most readers of JSON round.
type savedHeader struct {
	memory.Header
	Shape       string `json:"shape"`
	Constants   string `json:"constants"`
	Calibration string `json:"calibration"`
}

// newSavedHeader writes the hashes in hexadecimal.
func newSavedHeader(h memory.Header) savedHeader {
	hex := func(n uint64) string { return fmt.Sprintf("%016x", n) }
	return savedHeader{Header: h, Shape: hex(h.Shape), Constants: hex(h.Constants), Calibration: hex(h.Calibration)}
}

type sectionView struct {
	Name    string `json:"name"`
	Number  uint32 `json:"number"`
	Version uint32 `json:"version"`
	Bytes   int    `json:"bytes"`
}

// Run shows one file; a damaged or foreign one is refused with the reason.
func (c brainShowCmd) Run(e *env) error {
	if c.File == "" {
		path, err := c.folder(e)
		if err != nil {
			return err
		}
		names, err := store.List(path)
		if err != nil || len(names) == 0 {
			return errors.Join(err, fmt.Errorf("nothing is saved in %s yet", path))
		}
		c.File = names[0]
	}
	f, shot, err := readBrain(c.File)
	if err != nil {
		return err
	}
	table := field.PiCarX()
	v := brainView{
		File: c.File, Header: newSavedHeader(f.Header), Channels: shot.Channels(&table), Learned: shot.Slots(),
		Patterns: shot.Patterns(&table),
	}
	for _, s := range f.Sections {
		v.Sections = append(v.Sections, sectionView{s.Name, s.Number, s.Version, len(s.Content)})
	}
	if shot.Whole {
		v.Brain = &shot.Brain
	}
	if c.JSON {
		return printJSON(e, v)
	}
	return v.print(e)
}

// print writes the brain for people.
func (v brainView) print(e *env) error {
	h, size := &v.Header, 0
	for _, s := range v.Sections {
		size += s.Bytes
	}
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %d sections, %d bytes, all checksums right\n", v.File, len(v.Sections), size)
	fmt.Fprintf(w, "body\t%s\nsaved\t%s, at tick %d of %v\n", h.Body, h.Saved.UTC().Format("2006-01-02 15:04:05 UTC"), h.Tick, h.Period)
	fmt.Fprintf(w, "by\tfieldbrain %s, %s\n", h.Program, h.Engine)
	fmt.Fprintf(w, "shape\t%s\nconstants\t%s\ncalibration\t%s\nseed\t%d\n", h.Shape, h.Constants, h.Calibration, h.Key)
	taken := "between two ticks, while it drove"
	switch {
	case h.Mixed:
		taken = "of the standby while the graphics card stepped: channels differ in age by up to a second"
	case h.Stop:
		taken = "at the stop"
	}
	fmt.Fprintf(w, "taken\t%s\n", taken)
	if b := v.Brain; b != nil {
		fmt.Fprintf(w, "brain\theading %+.2f rad, throttle %+.2f, escapes %d, stalls %d\n", b.Heading, b.Throttle, b.Law.Count, b.Stalls)
	}
	fmt.Fprintf(w, "patterns\t%d of %d\n", len(v.Patterns), field.MaxPatterns)
	fmt.Fprintf(w, "\nchannel\tname\tmass, cells\tpeak\n")
	for _, c := range v.Channels {
		fmt.Fprintf(w, "%d\t%s\t%.2f\t%+.3f\n", c.Channel, c.Name, c.Mass, c.Peak)
	}
	fmt.Fprintf(w, "\nslot\tconfidence\terror, rms\n")
	for _, s := range v.Learned {
		fmt.Fprintf(w, "%d\t%.3f\t%.4f\n", s.Slot, s.Confidence, s.Error)
	}
	if len(v.Patterns) > 0 {
		fmt.Fprintf(w, "\npattern\tscore\tuses\tfresh\n")
	}
	for _, p := range v.Patterns {
		fmt.Fprintf(w, "%d\t%+.3f\t%.0f\t%.3f\n", p.Pattern, p.Score, p.Uses, p.Fresh)
	}
	return w.Flush()
}

type brainDiffCmd struct {
	First  string `arg:"" help:"File." complete:"file" example:"old.fbm"`
	Second string `arg:"" help:"File." complete:"file" example:"new.fbm"`
	JSON   bool   `help:"Print one JSON object." name:"json"`
}

// A brainDiff is what diff prints.
type brainDiff struct {
	Same     bool                `json:"same"`
	Ticks    int64               `json:"ticks"` // from the first to the second
	Whose    []string            `json:"whose"` // what differs of the headers, as a start would say it
	Sections []memory.Difference `json:"sections"`
	Changed  []memory.Change     `json:"brain"`
}

// Run compares two files: 0 the same brain, 1 not.
func (c brainDiffCmd) Run(e *env) error {
	_, a, err := readBrain(c.First)
	if err != nil {
		return err
	}
	_, b, err := readBrain(c.Second)
	if err != nil {
		return err
	}
	table := field.PiCarX()
	d := brainDiff{Ticks: int64(b.Tick - a.Tick), Sections: memory.Diff(a, b, &table), Changed: memory.Changed(a, b)}
	a.Mixed = false // how it was taken is no part of it
	fit, err := a.Fit(&b.Header)
	if d.Whose = fit.Notes; err != nil {
		d.Whose = append(d.Whose, err.Error())
	}
	d.Same = len(d.Sections)+len(d.Changed)+len(d.Whose) == 0
	if c.JSON {
		err = printJSON(e, d)
	} else {
		err = d.print(e)
	}
	if err == nil && !d.Same {
		return errSilent
	}
	return err
}

// print writes the differences for people.
func (d brainDiff) print(e *env) error {
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	if d.Same {
		fmt.Fprintln(w, "the same brain")
	}
	for _, note := range d.Whose {
		fmt.Fprintf(w, "first: %s\n", note)
	}
	if d.Ticks != 0 {
		fmt.Fprintf(w, "%+d ticks from the first to the second\n", d.Ticks)
	}
	if len(d.Sections) > 0 {
		fmt.Fprintf(w, "section\tname\trelative\tlargest\n")
	}
	for _, s := range d.Sections {
		if s.Only != "" {
			fmt.Fprintf(w, "%s\t%s\tonly in the %s\n", s.Section, s.Name, s.Only)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%.3g\t%.3g\n", s.Section, s.Name, s.Relative, s.Largest)
	}
	err := w.Flush()
	for _, c := range d.Changed {
		fmt.Fprintf(e.out, "brain: %s: %v, %v\n", c.Name, c.First, c.Second)
	}
	return err
}

type brainResetCmd struct {
	Force bool `help:"Also while a daemon has the folder open: its next save fills it again."`
	brainFlags
}

// Run moves the files aside and says where.
func (c brainResetCmd) Run(e *env) error {
	path, err := c.folder(e)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(e.out, "nothing is saved in %s\n", path)
		return nil
	}
	folder, err := store.Open(path, 1)
	switch {
	case err == nil:
		defer folder.Close()
	case !errors.Is(err, store.ErrBusy) || !c.Force:
		return fmt.Errorf("reset: %w (%s)", err, resetRemedy(err))
	}
	names, err := store.List(path)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		fmt.Fprintf(e.out, "nothing is saved in %s\n", path)
		return nil
	}
	to, err := store.Aside(path, names)
	if err != nil {
		return err
	}
	count := "1 file"
	if len(names) != 1 {
		count = fmt.Sprintf("%d files", len(names))
	}
	fmt.Fprintf(e.out, "moved %s to %s; the next start begins fresh. To undo: mv %s %s\n",
		count, to, filepath.Join(to, "*"), path)
	return nil
}

// resetRemedy says what to do when the folder cannot be opened.
func resetRemedy(err error) string {
	if errors.Is(err, store.ErrBusy) {
		return "stop the daemon first, or --force"
	}
	return service.FolderRemedy(err)
}
