package main

import (
	"errors"
	"strings"

	"github.com/alecthomas/kong"

	"fieldbrain/daemon/config"
	"fieldbrain/strict"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command to explain, such as: bench gpu." complete:"command"`
}

// Run prints the same as --help does.
func (c helpCmd) Run(parser *kong.Kong) error {
	asked, err := kong.Trace(parser, c.Command)
	if err != nil {
		return err
	}
	if asked.Error != nil {
		return config.Usagef("help %s: %s", strings.Join(c.Command, " "), suggest(asked, asked.Error))
	}
	return asked.PrintUsage(false)
}

// complaint returns the parser's words with our own suggestion.
func complaint(err error) string {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) {
		return suggest(wrong.Context, err)
	}
	return err.Error()
}

// habits are words that people try first, and our words for them.
var habits = map[string]string{"start": "run", "drive": "run", "simulate": "sim", "stop": "estop", "man-page": "man"}

// suggest replaces the parser's suggestions for an unknown command: the nearest
// one only, and never a command that resets hardware for a word that merely
// looks like it.
func suggest(at *kong.Context, err error) string {
	const unknown = "unexpected argument "
	text, is := strings.CutPrefix(err.Error(), unknown)
	if !is { // a flag that was left out is no choice
		return strings.Replace(err.Error(), `must be one of "",`, "must be one of ", 1)
	}
	word, _, _ := strings.Cut(text, ", did you mean")
	node := at.Selected()
	if node == nil {
		node = at.Model.Node
	}
	var known []string
	for _, child := range node.Children {
		if !child.Hidden && (child.Name != "halt" || strings.HasPrefix("halt", word)) {
			known = append(known, child.Name)
		}
	}
	like := strict.Nearest(word, known)
	if other, is := habits[word]; is && node.Parent == nil {
		like = other
	}
	switch {
	case len(known) == 0:
		return unknown + word
	case like == "":
		return "unknown command " + word
	}
	return "unknown command " + word + ", did you mean " + like + "?"
}
