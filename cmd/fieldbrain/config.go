package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fieldbrain/daemon"
)

// systemConfig is read when no --config is given and it exists.
const systemConfig = "/etc/fieldbrain/fieldbrain.toml"

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Check a file; every mistake with line, key, reason and remedy."`
	Show  configShowCmd  `cmd:"" help:"Print the settings in force."`
	Doc   configDocCmd   `cmd:"" help:"Print every setting with its default and its limits."`
}

type configCheckCmd struct {
	File string `arg:"" help:"Configuration file."`
}

// Run checks the file and what it names, for either body: 0 valid, 2 not.
func (c configCheckCmd) Run(e *env) error {
	config, err := readConfig(c.File)
	if err != nil {
		return err
	}
	if err := preflight(c.File, config, "sim", "picarx"); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "%s: valid\n", c.File)
	return nil
}

type configShowCmd struct {
	Config string `help:"Configuration file; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE"`
}

// Run prints the effective configuration as a file of its own.
func (c configShowCmd) Run(e *env) error {
	config, from, err := loadConfig(c.Config)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "# from %s\n", from)
	return printConfig(e, config)
}

type configDocCmd struct{}

// Run prints the defaults with their comments.
func (configDocCmd) Run(e *env) error { return printConfig(e, daemon.DefaultConfig()) }

func printConfig(e *env, c daemon.Config) error {
	text, err := c.Encode()
	if err != nil {
		return err
	}
	_, err = e.out.Write(text)
	return err
}

// loadConfig reads the named file; without a name the system's file, or the
// defaults when there is none. It also says where the settings came from.
func loadConfig(file string) (c daemon.Config, from string, err error) {
	if file != "" {
		c, err = readConfig(file)
		return c, file, err
	}
	c, err = daemon.ReadConfig(systemConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return daemon.DefaultConfig(), "built-in defaults", nil
	}
	return c, systemConfig, err
}

// readConfig reads a file the user named: that it is missing is wrong use.
func readConfig(file string) (daemon.Config, error) {
	c, err := daemon.ReadConfig(file)
	if errors.Is(err, os.ErrNotExist) {
		return c, usageError{err}
	}
	return c, err
}
