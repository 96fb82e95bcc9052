package scenarios

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"fieldbrain/strict"
	"fieldbrain/testbench/hat"
)

//go:embed *.toml
var files embed.FS

//go:embed template/own.toml
var template string

// Template returns a commented file to start an own world from.
func Template() []byte { return []byte(template) }

// Names lists the built-in scenarios in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil // an embedded folder is always readable
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), suffix)
	}
	return names
}

// suffix ends the name of a scenario's file.
const suffix = ".toml"

// IsFile reports whether a name means a file and not a built-in scenario: it
// ends in .toml or has a folder in it.
func IsFile(name string) bool {
	return strings.HasSuffix(name, suffix) || strings.ContainsRune(name, filepath.Separator)
}

// Open returns a built-in scenario by its name, or the one in a file; see
// IsFile. All that is wrong with it is strict.Complaints.
func Open(name string) (*Scenario, error) {
	if !IsFile(name) {
		return Load(name)
	}
	text, err := strict.Read(name, "own.toml")
	switch {
	case errors.Is(err, fs.ErrNotExist) && fileOf(name) != "":
		return nil, strict.Complaints{{File: name, Reason: NoFile, Remedy: "did you mean " + fileOf(name) + "?"}}
	case errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(name, suffix):
		return nil, strict.Complaints{{
			File: name, Reason: NoFile,
			Remedy: "a scenario's file ends in " + suffix + ", a built-in scenario has no / in its name, and FAMILY/SEED is a member of a family (from Go: family.Open); sim --list names scenarios and families",
		}}
	case errors.Is(err, fs.ErrNotExist):
		return nil, strict.Complaints{{
			File: name, Reason: NoFile,
			Remedy: "fieldbrain scenario new " + name + " writes one to start with; the built-in scenarios have names without .toml",
		}}
	case err != nil:
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return Parse(name, text)
}

// NoFile is the reason of the complaint about a name that is no file's.
const NoFile = "no such file"

// Load returns a built-in scenario. It refuses an unknown name with the list of
// those there are.
func Load(name string) (*Scenario, error) {
	text, err := Source(name)
	if err != nil {
		return nil, err
	}
	return Parse(name+suffix, text)
}

// Source returns the text of a built-in scenario's file, comments and all.
func Source(name string) ([]byte, error) {
	text, err := files.ReadFile(name + suffix)
	if err != nil {
		like := cmp.Or(fileOf(name), strict.Nearest(name, Names()))
		if like != "" {
			like = fmt.Sprintf(" (did you mean %s?)", like)
		}
		return nil, fmt.Errorf("scenario %q: unknown%s; there are %s, or name a file that ends in %s", name, like, strings.Join(Names(), ", "), suffix)
	}
	return text, nil
}

// fileOf returns the scenario's file whose name lacks its end, empty where there is none.
func fileOf(name string) string {
	if info, err := os.Stat(name + suffix); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return name + suffix
}

// Parse decodes and checks a scenario file. It returns every complaint it has
// as strict.Complaints.
func Parse(file string, text []byte) (*Scenario, error) {
	sc, complaints := read(file, text)
	if len(complaints) > 0 {
		return nil, complaints
	}
	return sc, nil
}

// read decodes what it can and returns it beside everything wrong with it.
func read(file string, text []byte) (*Scenario, strict.Complaints) {
	sc := defaults()
	sc.file, sc.Name = file, strings.TrimSuffix(filepath.Base(file), suffix)
	if len(bytes.TrimSpace(text)) == 0 {
		return &sc, strict.Complaints{{File: file, Reason: "the file is empty", Remedy: "fieldbrain scenario new FILE writes one to start with"}}
	}
	var cs strict.Complaints
	sc.lines, cs = form().Decode(text, &sc)
	if sc.lines == nil { // not TOML at all: its values would be complained about in vain
		return &sc, cs.Place(file, nil)
	}
	cs = append(cs, known(sc.check(), cs)...).Place(file, sc.lines)
	slices.SortStableFunc(sc.Faults, func(a, b Fault) int { return cmp.Compare(a.From, b.From) })
	return &sc, cs
}

// known leaves out what is wrong with a fault whose kind is none: it would be about
// another kind.
func known(found, decoded strict.Complaints) strict.Complaints {
	return slices.DeleteFunc(found, func(c strict.Complaint) bool {
		end := strings.LastIndexByte(c.Key, '.')
		if top(c.Key) != "fault" || end < 0 {
			return false
		}
		fault := c.Key[:end]
		return slices.ContainsFunc(decoded, func(d strict.Complaint) bool { return d.Key == fault+".kind" })
	})
}

// form returns what a scenario file may hold.
func form() *strict.Form {
	f := strict.NewForm(everything())
	f.Choices = map[string][]string{
		"profile":        {"P0", "P1"},
		"stop":           {"", "goal", "exit"},
		"brain.cliff":    {"on", "off"},
		"fault.*.kind":   hat.Kinds(),
		"limit.*.metric": Metrics(),
		"limit.*.over":   {"", "mean", "each"},
		"measure.fall":   {FallWheel, FallAxle},

		"measure.without.*": waivable(),
	}
	f.Renamed = map[string]string{
		"brain.line":       "follow_line",
		"brain.cruise_mps": "cruise",
	}
	return f
}

// everything returns a scenario that has every key.
func everything() Scenario {
	sc := defaults()
	bound := 1.0
	points := [][2]float64{{0, 0}, {1, 0}}
	sc.Spec, sc.Duration, sc.World.Size = "-", 60, [2]float64{4, 3}
	sc.World.Goal = &Goal{Radius: 0.3}
	every := Surface{Lost: 0.5, Within: 1.2, Specular: 25}
	sc.World.Walls = []Wall{{To: [2]float64{1, 0}, Surface: every}}
	sc.World.Boxes = []Box{{At: [2]float64{3, 2}, Size: [2]float64{0.3, 0.2}, Surface: every}}
	sc.World.Discs = []Disc{{Radius: 0.1, Surface: every}}
	sc.World.Movers = []Mover{{Path: points, Radius: 0.1, Speed: 0.2, Surface: every}}
	sc.World.Floor.Table = append(points, [2]float64{1, 1})
	sc.World.Floor.Oval = &Oval{Straight: 1, RadiusMin: 0.4, RadiusMax: 0.4, Width: 0.025}
	sc.World.Floor.Lines = []Line{{Points: points, Width: 0.025}}
	sc.Measure = Measure{
		Fall: FallWheel, Without: waivable()[:1], Lateral: &Lateral{To: 1},
		Region: &Region{Max: [2]float64{1, 1}}, Baseline: &Baseline{},
	}
	sc.Faults = []Fault{{}}
	sc.Limits = []Limit{{Metric: "collisions", Min: &bound, Max: &bound, Over: "each", Share: 1}}
	return sc
}

// Doc returns a file that has every key, each with what it means, its limits and
// its default or an example.
func Doc() ([]byte, error) { return everything().Encode() }

// Encode writes the scenario as a commented file with every setting in force.
// Parse reads it back unchanged.
func (s Scenario) Encode() ([]byte, error) {
	text, err := toml.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: encode: %w", s.Name, err)
	}
	return text, nil
}
