package main

import (
	"slices"

	"github.com/alecthomas/kong"
)

// given returns those of the flags that a command line names, also with their defaults,
// in its order.
func given(at *kong.Context, flags ...string) (list []string) {
	for _, step := range at.Path {
		if step.Flag == nil || !slices.Contains(flags, step.Flag.Name) {
			continue
		}
		if name := "--" + step.Flag.Name; !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
