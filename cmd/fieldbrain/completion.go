package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"fieldbrain/brain"
	"fieldbrain/brain/quality"
	"fieldbrain/cmd/fieldbrain/manual"
	"fieldbrain/daemon/config"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/scenarios"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish." example:"bash"`
}

// Help says how to use the script that the command prints.
func (completionCmd) Help() string {
	return "bash: source <(fieldbrain completion bash)\n\n" +
		"zsh: source <(fieldbrain completion zsh), after compinit\n\n" +
		"fish: fieldbrain completion fish | source\n\n" +
		"Put the line into the shell's start-up file to keep it. make install puts the scripts where the shells look for them."
}

// Run prints the script that the shell has to load.
func (c completionCmd) Run(e *env) error {
	text, err := manual.Script(c.Shell)
	if err != nil {
		return config.UsageError{Err: err}
	}
	_, err = fmt.Fprint(e.out, text)
	return err
}

// completeCmd is the command that the shells' scripts call.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"Words so far, the last one incomplete."`
}

// Run prints the words that may stand in the place of the last one.
func (c completeCmd) Run(e *env, parser *kong.Kong) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	known := func(kind string) []string { return names(parser, kind) }
	for _, line := range manual.Complete(parser.Model, words, known).Lines() {
		fmt.Fprintln(e.out, line)
	}
	return nil
}

// names returns the words of a kind that a tag complete:"KIND" names.
func names(parser *kong.Kong, kind string) (list []string) {
	switch kind {
	case "command":
		for _, child := range parser.Model.Children {
			if !child.Hidden {
				list = append(list, child.Name)
			}
		}
	case "scenario":
		return scenarios.Names()
	case "pilot":
		return pilotNames()
	case "family":
		return family.Names()
	case "parameter":
		for _, d := range brain.Parameters() {
			list = append(list, d.Key())
		}
	case "number":
		return numberNames()
	case "rung":
		return quality.Names()
	}
	return list
}
