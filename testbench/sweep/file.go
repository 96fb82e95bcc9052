package sweep

import (
	"errors"
	"fmt"
	"io/fs"

	"fieldbrain/strict"
	"fieldbrain/testbench/family"
)

// A File is a sweep as a person writes it, decoded and checked. The comment tags
// document its keys.
type File struct {
	Title     string   `toml:"title" comment:"one line for a person"`
	Scenarios []string `toml:"scenarios" comment:"worlds, each driven with every seed: built-in names, files that end in .toml (from the folder where the program starts), members of families (FAMILY/SEED)"`
	Families  []string `toml:"families" comment:"families of worlds: every seed makes a world of each, as sim --family does"`
	Set       string   `toml:"set" comment:"which half of the families: train or test"`
	Pilots    []string `toml:"pilots" comment:"who drives: brain, brain/KIND (without a part of its field) or a baseline"`
	Engines   []string `toml:"engines" comment:"what steps the field: auto, avx512, avx2, sse, neon, purego or cuda; all compute the same bits, and the report says whether they did"`
	Seconds   float64  `toml:"seconds" comment:"length of a drive in simulated s, 0 .. 604800; 0 takes the world's"`
	Oracle    bool     `toml:"oracle" comment:"hold every drive against its true map (oracle, barn, progress, path_share), which takes about a tenth of a second a drive"`
	Twice     float64  `toml:"twice" comment:"share of the drives that two workers drive, to be compared, 0 .. 1"`
	Record    bool     `toml:"record" comment:"keep a recording of every drive of the brain, some MB a minute"`
	Config    string   `toml:"config" comment:"configuration file for [brain], [engine] and loop.period; empty takes the defaults"`
	Seeds     Seeds    `toml:"seeds" comment:"Numbers that decide noise, and what a world leaves to chance."`

	Parameters []Parameter `toml:"parameter" comment:"A key and its values; every value is driven with every value of every other parameter."`

	name  string
	lines strict.Lines
}

// Seeds are consecutive numbers.
type Seeds struct {
	First int64 `toml:"first" comment:"0 .. 9007199254740992"`
	Count int64 `toml:"count" comment:"1 .. 1000000"`
}

// A Parameter is a key and the values it shall have.
type Parameter struct {
	Key    string `toml:"key" comment:"a key of the configuration (brain.cruise, loop.period, engine.threads) or, behind scenario., of every world (scenario.car.drop_out)"`
	Values []any  `toml:"values" comment:"numbers, texts, or true and false"`
}

// Limits of a sweep.
const (
	MaxJobs    = 1_000_000
	maxNames   = 1000 // of scenarios, families, pilots, values
	maxSeconds = 7 * 24 * 3600
	maxSeed    = 1 << 53 // what JSON readers keep exactly
)

// defaults is what missing keys mean.
func defaults() File {
	return File{
		Set: family.Train.String(), Pilots: []string{"brain"}, Engines: []string{"auto"},
		Twice: 0.01, Seeds: Seeds{First: 1, Count: 10},
	}
}

// engines are what a sweep may ask for.
func engines() []string {
	return []string{"auto", "avx512", "avx2", "sse", "neon", "purego", "cuda"}
}

// form returns what a file may hold.
func form() *strict.Form {
	all := defaults()
	all.Scenarios, all.Families = []string{"room"}, []string{"clutter"}
	all.Parameters = []Parameter{{Key: "brain.cruise", Values: []any{}}}
	f := strict.NewForm(all)
	f.Choices = map[string][]string{
		"set":       {family.Train.String(), family.Test.String()},
		"engines.*": engines(),
	}
	f.Renamed = map[string]string{"scenario": "scenarios", "family": "families", "pilot": "pilots", "engine": "engines", "worlds": "scenarios"}
	return f
}

// Read reads and checks a file as Parse does; known says which pilots there are.
func Read(path string, known func(pilot string) bool) (*File, error) {
	text, err := strict.Read(path, "sweep.toml")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, strict.Complaints{{File: path, Reason: "no such file", Remedy: "docs/sweep.md has one to start with"}}
	case err != nil:
		return nil, err
	}
	return Parse(path, text, known)
}

// Parse decodes and checks a file's text. All that is wrong with it is
// strict.Complaints; beside them is what could be decoded, for whoever looks at a key
// itself, nil where nothing could.
func Parse(path string, text []byte, known func(pilot string) bool) (*File, error) {
	f := defaults()
	lines, found := form().Decode(text, &f)
	f.name, f.lines = path, lines
	if lines != nil {
		found = append(found, f.check(known)...)
	}
	switch {
	case lines == nil:
		return nil, found.Place(path, lines)
	case len(found) > 0:
		return &f, found.Place(path, lines)
	}
	return &f, nil
}

// Refuse returns a complaint about a key, for what only its reader can tell.
func (f *File) Refuse(key, remedy string, why error) error {
	return strict.Complaints{{Key: key, Reason: oneLine(why), Remedy: remedy}}.Place(f.name, f.lines)
}

// complaints collects what is wrong with values.
type complaints struct{ found strict.Complaints }

// add complains about a key unless the value is right.
func (c *complaints) add(right bool, key, remedy, format string, args ...any) {
	if !right {
		c.found = append(c.found, strict.Complaint{Key: key, Reason: fmt.Sprintf(format, args...), Remedy: remedy})
	}
}
