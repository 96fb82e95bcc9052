package main

import (
	"regexp"
	"slices"
	"strings"
)

// number is a negative number, which the parser takes for a short flag.
var number = regexp.MustCompile(`^-\.?[0-9]`)

// negative rewrites a command line so that negative numbers are values: behind a
// flag one becomes --flag=-5, any other goes behind a -- at the end.
func negative(args []string) []string {
	var list, values []string
	for i, arg := range args {
		last := len(list) - 1
		switch {
		case arg == "--":
			return append(append(append(list, "--"), values...), args[i+1:]...)
		case !number.MatchString(arg):
			list = append(list, arg)
		case last >= 0 && strings.HasPrefix(list[last], "--") && !strings.Contains(list[last], "="):
			list[last] += "=" + arg
		default:
			values = append(values, arg)
		}
	}
	if len(values) == 0 {
		return list
	}
	return slices.Concat(list, []string{"--"}, values)
}
