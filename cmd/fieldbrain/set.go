package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"fieldbrain/brain"
	"fieldbrain/daemon"
	"fieldbrain/daemon/config"
)

type setCmd struct {
	socketFlag
	Key   string `arg:"" optional:"" complete:"parameter" help:"Key of the configuration, such as brain.cruise; left out, everything that may be set is listed." placeholder:"KEY"`
	Value string `arg:"" optional:"" help:"Its new value; left out, the one in force is shown." placeholder:"VALUE"`
}

// Help says what a change means.
func (setCmd) Help() string {
	return "A change counts from the next tick until the daemon ends; what the configuration says is only the start. " +
		"Thresholds of the reflexes, and what engine, body and loop are built with, stay as configured. " +
		"A recording has every change, and a replay repeats it bit for bit."
}

// oneKey is what a parameter's name has to be.
const oneKey = "one of those that fieldbrain set lists"

// Run shows or changes parameters of the running daemon.
func (c setCmd) Run(e *env) error {
	if c.Value == "" {
		return c.list(e)
	}
	if err := cmp.Or(single("set: KEY", c.Key, oneKey), single("set: VALUE", c.Value, "a number without its unit, or a word")); err != nil {
		return err
	}
	setting, err := brain.ParseSetting(c.Key+" "+c.Value, brain.Default().Top)
	if err != nil {
		return config.UsageError{Err: fmt.Errorf("set: %w", err)}
	}
	answer, err := daemon.Call(context.Background(), c.path(e), daemon.Request{Command: "set", Order: setting.String()})
	if err := refused(answer, err); err != nil {
		return fmt.Errorf("set %v: %w", setting, err)
	}
	value := strings.TrimSpace(setting.Text() + " " + setting.Parameter.Unit())
	fmt.Fprintf(e.out, "%s = %s\n%s\n", c.Key, value, daemon.Printable(answer.Note))
	return nil
}

// list prints the parameters with their limits, or one of them.
func (c setCmd) list(e *env) error {
	isKey := func(d brain.Parameter) bool { return d.Key() == c.Key }
	if c.Key != "" && !slices.ContainsFunc(brain.Parameters(), isKey) {
		if err := single("set: KEY", c.Key, oneKey); err != nil {
			return err
		}
		_, err := brain.ParseSetting(c.Key, brain.Default().Top)
		return config.UsageError{Err: fmt.Errorf("set: %w", err)}
	}
	answer, err := c.call(e, "status")
	if err != nil {
		return fmt.Errorf("set: %w", err)
	}
	if answer.Status == nil {
		return fmt.Errorf("set: the daemon answered without a status: are client and daemon of the same version?")
	}
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	for _, p := range answer.Status.Parameters {
		if c.Key == "" || c.Key == p.Key {
			fmt.Fprintf(w, "%s\t%s\t%s\n", daemon.Printable(p.Line()), daemon.Printable(p.Choice()), daemon.Printable(p.About))
		}
	}
	return w.Flush()
}
