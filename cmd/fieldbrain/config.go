package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"fieldbrain/cmd/fieldbrain/car"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
	"fieldbrain/daemon/web"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/scenarios"
)

// systemConfig is read when no --config is given and it exists.
const systemConfig = "/etc/fieldbrain/fieldbrain.toml"

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Check a file; every mistake with line, key, reason and remedy."`
	Show  configShowCmd  `cmd:"" help:"Print the settings in force."`
	Doc   configDocCmd   `cmd:"" help:"Print every setting with its default and its limits."`
}

type configCheckCmd struct {
	File string `arg:"" help:"Configuration file." complete:"file" example:"fieldbrain.toml"`
}

// Run checks the file and everything it names, for either body: 0 valid, 2 not.
func (c configCheckCmd) Run(e *env) error {
	settings, err := readConfig(c.File)
	if err != nil {
		return err
	}
	var found config.Complaints
	errors.As(car.Preflight(c.File, settings, "sim", "picarx"), &found)
	found = append(found, web.CheckFiles(settings.Web)...)
	if len(found) > 0 {
		return config.Locate(c.File, found)
	}
	warnings := append(settings.Warnings(), car.CheckEngine(settings.Engine)...)
	for _, w := range config.Locate(c.File, warnings) {
		fmt.Fprintf(e.out, "warning: %s\n", w)
	}
	for _, line := range namedFiles(settings) {
		fmt.Fprintln(e.out, daemon.Printable(line))
	}
	fmt.Fprintf(e.out, "%s: valid\n", daemon.Printable(c.File))
	return nil
}

// namedFiles lists the files that a configuration names and that the check has read with
// it, each as it was found from here: the daemon may start in another folder.
func namedFiles(c config.Config) (lines []string) {
	tell := func(key, path, note string) {
		if path == "" {
			return
		}
		whole, err := filepath.Abs(path)
		if err != nil {
			whole = path
		}
		if !filepath.IsAbs(path) {
			note += "; the path is relative: the service starts in / and looks for /" + filepath.Clean(path)
		}
		lines = append(lines, fmt.Sprintf("%s: %s%s", key, whole, note))
	}
	if scenarios.IsFile(c.Body.Scenario) && !family.Is(c.Body.Scenario) {
		tell("body.scenario", c.Body.Scenario, " checked, too")
	}
	tell("body.calibration", c.Body.Calibration, " checked, too")
	if c.Engine.GPU() {
		tell("engine.gpu_path", c.Engine.GPUPath, " is there; what it does is fieldbrain doctor's to ask")
	}
	if c.Memory.Path != "off" {
		tell("memory.path", c.Memory.Path, " not looked at: the daemon makes it")
	}
	for _, key := range []struct{ name, path string }{
		{"web.token", c.Web.Token}, {"web.watch_token", c.Web.WatchToken}, {"web.certificate", c.Web.Certificate}, {"web.key", c.Web.Key}, {"web.recordings", c.Web.Recordings},
	} {
		tell(key.name, key.path, looked(key.path))
	}
	return lines
}

// looked says what the check could see of a file that serve reads.
func looked(path string) string {
	const read = 4
	switch err := syscall.Access(path, read); {
	case errors.Is(err, fs.ErrPermission):
		return " not looked at: this user may not read it"
	case err != nil:
		return " is not there yet"
	}
	return " checked, too"
}

type configShowCmd struct {
	Config string `help:"Configuration file; without it /etc/fieldbrain/fieldbrain.toml if that exists, else the defaults." placeholder:"FILE"`
}

// Run prints the effective configuration as a file of its own.
func (c configShowCmd) Run(e *env) error {
	settings, from, err := loadConfig(c.Config)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "# from %s\n", from)
	return printConfig(e, settings)
}

type configDocCmd struct{}

// Run prints the defaults with their comments.
func (configDocCmd) Run(e *env) error { return printConfig(e, config.Default()) }

func printConfig(e *env, c config.Config) error {
	text, err := c.Encode()
	if err != nil {
		return err
	}
	_, err = e.out.Write(text)
	return err
}

// loadConfig reads the named file; without a name the system's file, or the
// defaults when there is none. It also says where the settings came from.
func loadConfig(file string) (c config.Config, from string, err error) {
	if file != "" {
		c, err = readConfig(file)
		return c, file, err
	}
	c, err = config.Read(systemConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return config.Default(), "built-in defaults", nil
	}
	return c, systemConfig, err
}

// readConfig reads a file the user named: a missing one is wrong use.
func readConfig(file string) (config.Config, error) {
	c, err := config.Read(file)
	if errors.Is(err, os.ErrNotExist) {
		return c, config.UsageError{Err: err}
	}
	return c, err
}
