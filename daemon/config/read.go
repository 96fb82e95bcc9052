package config

import (
	"errors"
	"fmt"
	"io/fs"

	"fieldbrain/strict"
)

// Read reads and checks a file. It returns Complaints for what a person must
// mend, in the file or about it (a directory, no right to read it), and an
// ordinary error when the file is missing or breaks while it is read.
func Read(path string) (Config, error) {
	text, err := strict.Read(path, "fieldbrain.toml")
	var cs Complaints
	switch {
	case errors.As(err, &cs):
		return Config{}, err
	case errors.Is(err, fs.ErrNotExist):
		return Config{}, fmt.Errorf("config: %s: %w (fieldbrain config show prints settings to start such a file with)", path, fs.ErrNotExist)
	case err != nil:
		return Config{}, fmt.Errorf("config: open configuration: %w", err)
	}
	return Parse(path, text)
}

// Locate gives complaints about the file at path that were made of its values alone, and
// so have neither file nor line, both. Those about another file stay as they are.
func Locate(path string, found Complaints) Complaints {
	var lines strict.Lines
	if text, err := strict.Read(path, ""); err == nil { // else they name the file alone
		lines = strict.Locate(text)
	}
	var own, others Complaints
	for _, c := range found {
		if c.Line == 0 && (c.File == "" || c.File == path) {
			own = append(own, c)
		} else {
			others = append(others, c)
		}
	}
	return append(own.Place(path, lines), others...)
}

// Parse decodes a configuration over the defaults: unknown keys, wrong types
// and values out of range are complaints with file, line, key, reason and
// remedy, all at once. The Config is meaningful only when the error is nil.
func Parse(file string, text []byte) (Config, error) {
	c := Default()
	lines, cs := form().Decode(text, &c)
	var limits Complaints
	if errors.As(c.Validate(), &limits) {
		cs = append(cs, limits...)
	}
	if len(cs) == 0 {
		return c, nil
	}
	return c, cs.Place(file, lines)
}

// form returns what a configuration may hold: the defaults show every key.
func form() *strict.Form {
	f := strict.NewForm(Default())
	f.Choices = choices()
	return f
}
