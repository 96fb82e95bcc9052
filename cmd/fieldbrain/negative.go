package main

import (
	"regexp"
	"slices"
	"strings"
)

// number is a negative number, which the parser takes for a short flag.
var number = regexp.MustCompile(`^-\.?[0-9]`)

// plain is any other number.
var plain = regexp.MustCompile(`^\.?[0-9]`)

// negative rewrites a command line so that negative numbers are values: behind a
// flag one becomes --flag=-5, any other goes behind a -- at the end, and the plain
// numbers that follow it go with it, so that their order stays.
func negative(args []string) []string {
	var list, values []string
	for i, arg := range args {
		last := len(list) - 1
		switch {
		case arg == "--":
			return append(append(append(list, "--"), values...), args[i+1:]...)
		case len(values) > 0 && plain.MatchString(arg) && (last < 0 || !awaits(list[last])):
			values = append(values, arg)
		case !number.MatchString(arg):
			list = append(list, arg)
		case last >= 0 && awaits(list[last]):
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

// awaits reports whether a word is a long flag that has no value yet.
func awaits(word string) bool { return strings.HasPrefix(word, "--") && !strings.Contains(word, "=") }
