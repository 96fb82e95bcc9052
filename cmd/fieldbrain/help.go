package main

import (
	"strings"

	"github.com/alecthomas/kong"

	"fieldbrain/daemon/config"
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
