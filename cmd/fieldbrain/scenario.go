package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"fieldbrain/daemon/config"
	"fieldbrain/files"
	"fieldbrain/strict"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/oracle"
	"fieldbrain/testbench/scenarios"
)

type scenarioCmd struct {
	List  scenarioListCmd  `cmd:"" help:"Name the built-in scenarios and the families of worlds."`
	Check scenarioCheckCmd `cmd:"" help:"Check files; every mistake with line, key, reason and remedy."`
	Show  scenarioShowCmd  `cmd:"" help:"Print a scenario with every setting in force."`
	New   scenarioNewCmd   `cmd:"" help:"Write a commented file to start an own world from."`
	Doc   scenarioDocCmd   `cmd:"" help:"Print every key with its meaning, limits and default."`
}

type scenarioListCmd struct {
	JSON bool `help:"Print one JSON list." name:"json"`
}

// Run lists names and titles.
func (c scenarioListCmd) Run(e *env) error { return listScenarios(e, c.JSON) }

// A listing is one built-in scenario, or a family of worlds, for a list.
type listing struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Spec   string `json:"spec"`             // row of the behavioural suite
	Family bool   `json:"family,omitempty"` // it has members and is none
}

// listScenarios prints a line, or one element of a JSON list, per scenario.
func listScenarios(e *env, asJSON bool) error {
	var all []listing
	widest := 0
	for _, name := range scenarios.Names() {
		sc, err := scenarios.Load(name)
		if err != nil {
			return err
		}
		all = append(all, listing{Name: name, Title: sc.Title, Spec: sc.Spec})
		widest = max(widest, len(name))
	}
	first := len(all)
	for _, name := range family.Names() {
		all = append(all, listing{Name: name, Title: family.Title(name), Family: true})
	}
	if asJSON {
		return printJSON(e, all)
	}
	for i, l := range all {
		if i == first {
			fmt.Fprintf(e.out, "\nfamilies of worlds: sim --family NAME --seed N makes one, NAME-p0 is for the front sonar only\n\n")
		}
		fmt.Fprintf(e.out, "%-*s  %s\n", widest, l.Name, l.Title)
	}
	return nil
}

// worldFiles returns those of the scenarios' names that are files.
func worldFiles(names ...string) (list []string) {
	for _, name := range names {
		if name = strings.TrimSpace(name); scenarios.IsFile(name) {
			list = append(list, name)
		}
	}
	return list
}

type scenarioCheckCmd struct {
	Files []string `arg:"" name:"file" help:"Scenario files." complete:"file" example:"my.toml"`
}

// Run checks every file: 0 when all are valid, 2 when one is not.
func (c scenarioCheckCmd) Run(e *env) error {
	var all strict.Complaints
	for _, file := range c.Files {
		var found strict.Complaints
		sc, err := checkScenario(file)
		switch {
		case errors.As(err, &found):
			all = append(all, found...)
		case err != nil:
			return err
		default:
			fmt.Fprintf(e.out, "%s: valid%s%s\n", file, shut(sc), beyond(sc))
		}
	}
	if len(all) > 0 {
		return all
	}
	return nil
}

// shut says where the true map of the first seed has no way to what the world is about.
// That is no mistake: a body may fit where the map asks for a margin, and some worlds are
// made to be given up in.
func shut(sc *scenarios.Scenario) string {
	if !sc.Brain.Goal && sc.Stop == "" || sc.World.Goal == nil && !sc.World.Walled { // the map ends where the world does
		return ""
	}
	if _, err := oracle.Solve(sc, 1); err != nil {
		return fmt.Sprintf("; note: with seed 1 nobody arrives: %s", strings.TrimPrefix(err.Error(), "oracle: "))
	}
	return ""
}

// beyond names what stands behind the walls of the room. That is no mistake: it changes
// nothing of a drive.
func beyond(sc *scenarios.Scenario) string {
	names := sc.Beyond()
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("; note: outside of the room, which ends at %v, where no car comes: %s", sc.World.Size, strings.Join(names, ", "))
}

// checkScenario reads a file and looks for all that is wrong with it.
func checkScenario(file string) (*scenarios.Scenario, error) {
	if !scenarios.IsFile(file) {
		return nil, config.Usagef("%q: a scenario file's name ends in .toml", file)
	}
	text, err := strict.Read(file, "own.toml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, strict.Complaints{{File: file, Reason: "no such file", Remedy: "fieldbrain scenario new " + file + " writes one to start with"}}
	}
	if err != nil {
		return nil, err
	}
	return scenarios.Check(file, text)
}

type scenarioShowCmd struct {
	Name string `arg:"" help:"Built-in scenario, a file that ends in .toml, or a member of a family: FAMILY/SEED or FAMILY/test/SEED." example:"room"`
}

// Run prints the scenario as a file of its own.
func (c scenarioShowCmd) Run(e *env) error {
	sc, err := family.Open(c.Name)
	if err != nil {
		return config.UsageError{Err: err}
	}
	text, err := sc.Encode()
	if err != nil {
		return err
	}
	_, err = e.out.Write(text)
	return err
}

type scenarioDocCmd struct{}

// Run prints a file that has every key.
func (scenarioDocCmd) Run(e *env) error {
	text, err := scenarios.Doc()
	if err != nil {
		return err
	}
	_, err = e.out.Write(text)
	return err
}

type scenarioNewCmd struct {
	File string `arg:"" help:"File to write; it must not exist yet." example:"my.toml"`
	From string `help:"Built-in scenario, file or member of a family (FAMILY/SEED) to start from, instead of a room of its own." placeholder:"NAME"`
}

// Run writes the file.
func (c scenarioNewCmd) Run(e *env) error {
	if !strings.HasSuffix(c.File, ".toml") {
		return config.Usagef("%q: choose a name that ends in .toml: only then sim --scenario takes it for a file", c.File)
	}
	text, err := c.text()
	if err != nil {
		return config.UsageError{Err: err}
	}
	err = files.Create(c.File, text)
	switch {
	case errors.Is(err, fs.ErrExist):
		return config.Usagef("%s: exists; choose another name, or remove it", c.File)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return cmp.Or(writable("scenario new", c.File), err) // the former knows the remedy, if it sees the cause
	case err != nil:
		return err
	}
	fmt.Fprintf(e.out, "%s: written; drive in it with fieldbrain sim --scenario %s\n", c.File, c.File)
	return nil
}

// text returns the content of the new file.
func (c scenarioNewCmd) text() ([]byte, error) {
	switch {
	case c.From == "":
		return scenarios.Template(), nil
	case family.Is(c.From):
		return member(c.From)
	case !scenarios.IsFile(c.From):
		text, err := scenarios.Source(c.From)
		return append([]byte("# From the built-in scenario "+c.From+".\n"), text...), err
	}
	if _, err := family.Open(c.From); err != nil {
		return nil, err
	}
	text, err := strict.Read(c.From, "own.toml")
	return bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), err
}

// member returns the file of a member of a family.
func member(name string) ([]byte, error) {
	sc, err := family.Open(name)
	if err != nil {
		return nil, err
	}
	text, err := sc.Encode()
	return append([]byte("# Made as "+name+".\n"), text...), err
}
