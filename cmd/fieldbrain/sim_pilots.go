package main

import (
	"fmt"
	"slices"
	"strings"

	"fieldbrain/cmd/fieldbrain/drive"
	"fieldbrain/daemon/config"
	"fieldbrain/strict"
	"fieldbrain/testbench/pilots"
	"fieldbrain/testbench/policy"
)

// pilotNames lists who can drive a simulated car by a name.
func pilotNames() []string {
	list := drive.Pilots()
	return slices.Insert(list, len(list)-len(pilots.Names()), "noise")
}

// policies returns those of the pilots' names that are files.
func policies(names ...string) (list []string) {
	for _, name := range names {
		if policy.Named(name) {
			list = append(list, name)
		}
	}
	return list
}

// checkPilot refuses a flag's pilot that is neither a name nor a policy's file.
func checkPilot(flag, name string) error {
	if policy.Named(name) {
		if _, err := policy.Read(name); err != nil {
			return config.Usagef("%s %w", flag, err)
		}
		return nil
	}
	if slices.Contains(pilotNames(), name) {
		return nil
	}
	like := ""
	if near := strict.Nearest(name, pilotNames()); near != "" {
		like = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return config.Usagef("%s %q: unknown%s; there are %s, and files of fieldbrain train, NAME%s", flag, name, like, strings.Join(pilotNames(), ", "), policy.Suffix)
}
